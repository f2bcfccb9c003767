import SwitchboardIncrementalIndex
import SwitchboardSearchEngine
import SwitchboardTextNormalization

/// The candidates found by a search.
struct CandidateList {
    /// The candidates, best first, each subject once.
    var candidates: [Candidate] = []
    /// `true` if there are no further candidates.
    var isComplete = true
    /// The score above which no candidate is missing.
    var floor = -Double.infinity

    mutating func add(_ other: CandidateList) {
        candidates += other.candidates
        isComplete = isComplete && other.isComplete
        floor = max(floor, other.floor)
    }

    /// The list sorted by score, with the best candidate of each subject.
    var ordered: CandidateList {
        guard candidates.count > 1 else { return self }
        var order = candidates.indices.map { (score: candidates[$0].score, position: $0) }
        order.sort { $0.score == $1.score ? $0.position < $1.position : $0.score > $1.score }
        var seen: Set<Int64> = []
        seen.reserveCapacity(order.count)
        var result: [Candidate] = []
        result.reserveCapacity(order.count)
        for (_, position) in order where seen.insert(candidates[position].subject.id).inserted {
            result.append(candidates[position])
        }
        return CandidateList(candidates: result, isComplete: isComplete, floor: floor)
    }
}

/// The searches of one index for one query.
///
/// Each search returns the best candidates by score, at most `wanted`, each subject once.
struct NameSearch {
    let index: AirportIndex
    let query: AirportQuery
    /// The minimum query length for places without an airport.
    static let minLettersForPlaces = 4
    /// The maximum number of words to search for separately. No airport matches more, and finding out would be slow.
    static let maxWords = 8
    /// The field of the user's language, if the index has one.
    let languageField: Int?
    let wanted: Int
    let isCancelled: (@Sendable () -> Bool)?

    init(
        _ index: AirportIndex, _ query: AirportQuery, language: String, wanted: Int,
        isCancelled: (@Sendable () -> Bool)?
    ) {
        self.index = index
        self.query = query
        languageField =
            index.source.extent == .popular && query.field == SearchField.names ? SearchField.field(of: language) : nil
        self.wanted = wanted
        self.isCancelled = isCancelled
    }

    /// Returns names and codes that equal the query or begin with it.
    func prefixMatches() throws -> CandidateList {
        let fields = (languageField.map { [$0] } ?? []) + query.nameFields
        var found = CandidateList()
        for field in fields {
            var names = try candidates([.exact, .prefix], field: field, query.joined)
            if query.isAccented { names.candidates = names.candidates.map { preferringAccents($0, field: field) } }
            found.add(names)
        }
        return found.ordered
    }

    /// Prefers names with the typed accents: "San José" is in Costa Rica, San Jose in California.
    private func preferringAccents(_ candidate: Candidate, field: Int) -> Candidate {
        let names = index.source.names(of: candidate.subject)?.names(candidate.nameClass, field: field) ?? []
        var candidate = candidate
        if names.contains(where: query.isBeginning(of:)) { candidate.score += 0.5 }
        return candidate
    }

    /// Returns names in other scripts whose transliteration equals the query or begins with it: weak evidence, because
    /// few people type one, and among so many names one is often alike.
    func romanizedMatches() throws -> CandidateList {
        guard query.isLatin, query.field == SearchField.names else { return CandidateList() }
        return try candidates([.exact, .prefix], field: SearchField.romanized, query.joined).ordered
    }

    /// Returns main names that equal the query, in its script, and long names of airports without their cities.
    func exactNames() throws -> [Candidate] {
        let isForeign = query.field == SearchField.names && !query.isLatin
        let field = isForeign ? query.foreignField : query.field
        return try candidates([.exact], field: field, query.joined).ordered.candidates.filter {
            switch $0.nameClass {
            case .main: true
            case .foreign: isForeign
            case .own: query.letterCount >= NameSearch.minLettersOfOwnName
            default: false
            }
        }
    }

    /// Returns matches of words in any text about an airport: one that begins with the query, or all words of the query
    /// in any order.
    ///
    /// - Parameter field: The field of the words, in all languages or in English.
    func wordMatches(in field: Int) throws -> CandidateList {
        guard query.field == SearchField.names, query.split.words.count <= NameSearch.maxWords else {
            return CandidateList()
        }
        if query.hasGaps {
            var found = try candidates([.words], field: field, query.split, acrossValues: true)
            found.candidates = found.candidates.map(preferringNames)
            return found.ordered
        }
        return try candidates([.exact, .prefix], field: field, query.joined).ordered
    }

    /// Prefers candidates with a word in the name over those with words only in the city, region and country: Valencia
    /// in Spain comes before an airport of the Valencian region.
    private func preferringNames(_ candidate: Candidate) -> Candidate {
        let own = index.source.ownWordCount(of: candidate.subject)
        var candidate = candidate
        if candidate.matches.contains(where: { $0.value < own }) { candidate.score += 1 }
        return candidate
    }

    /// Returns main names whose words begin with the letters of a short query, such as "slc".
    func initialsMatches() throws -> CandidateList {
        guard query.field == SearchField.names, index.source.extent == .popular, !query.hasGaps,
            (2...4).contains(query.letterCount)
        else { return CandidateList() }
        return try candidates([.initials], field: SearchField.initials, query.joined).ordered
    }

    /// Returns names that begin with the query but for typos, or else such words.
    ///
    /// - Parameter counts: The numbers of edits. Two edits are tried only if one finds nothing.
    func typoMatches(edits counts: ClosedRange<Int>) throws -> CandidateList {
        for edits in counts {
            var fuzziness = query.fuzziness
            if edits == 1 { fuzziness.two = nil }
            if edits > 1 && query.fuzziness.two == nil { break }
            var names = CandidateList()
            if query.isLatin || query.field != SearchField.names {
                names = try candidates([.typo], field: query.field, query.joined, fuzziness: fuzziness)
            }
            // Most names are typed in English; search foreign names only if the user may well mean one.
            if query.field == SearchField.names, languageField != nil || !names.candidates.contains(where: \.isGoodTypo)
            {
                names.add(try candidates([.typo], field: query.foreignField, query.joined, fuzziness: fuzziness))
            }
            if !names.candidates.isEmpty { return names.ordered }
            if query.field != SearchField.names || query.split.words.count > NameSearch.maxWords { continue }
            var words = try candidates(
                [.typo], field: SearchField.englishWords, query.split, acrossValues: query.hasGaps, fuzziness: fuzziness
            )
            if query.hasGaps { words.candidates = words.candidates.map(preferringNames) }
            if !words.candidates.isEmpty { return words.ordered }
        }
        return CandidateList()
    }

    /// Returns names that sound like the query: "edinborough" is Edinburgh.
    func soundAlikes() throws -> CandidateList {
        guard query.field == SearchField.names, query.isLatin else { return CandidateList() }
        return try candidates([.typo], field: query.field, query.joined, soundAlikes: .soundAlikes).ordered
    }

    /// Returns a main name that equals the query but for two typos, if the query has at least six letters: "nazran" may
    /// be a misheard Kazan.
    ///
    /// The fuzziness rules do not allow two edits in such short words. Therefore only the best whole name is returned,
    /// and only used if nothing else is near.
    func looseTypoMatch() throws -> CandidateList {
        guard query.field == SearchField.names, query.isLatin, !query.hasGaps, (6...7).contains(query.letterCount)
        else {
            return CandidateList()
        }
        let near = try candidates(
            [.typo], field: query.field, query.joined, fuzziness: Fuzziness(one: 4, two: 6), limit: 0)
        let best = near.ordered.candidates.first { candidate in
            guard candidate.nameClass == .main || candidate.nameClass == .own, let match = candidate.matches.first,
                let names = index.source.names(of: candidate.subject)?.names(candidate.nameClass, field: query.field),
                names.indices.contains(match.value)
            else { return false }
            let length = SearchField.fold(names[match.value]).reduce(0) { $0 + $1.spellings[0].letters.count }
            return match.letters == 0..<length
        }
        return CandidateList(candidates: best.map { [$0] } ?? [])
    }

    // MARK: - The index

    private func candidates(
        _ kinds: [MatchKind], field: Int, _ searchQuery: SearchQuery, acrossValues: Bool = false,
        fuzziness: Fuzziness = .text, soundAlikes: SpellingRules? = nil, limit: Int? = nil
    ) throws -> CandidateList {
        let wanted = limit ?? self.wanted
        let tiers = kinds.map {
            SearchTier(
                field: field, kind: $0, acrossValues: acrossValues, typos: fuzziness, soundAlikes: soundAlikes)
        }
        var request = SearchRequest(queries: [searchQuery], tiers: tiers, limit: wanted, isCancelled: isCancelled)
        request.includesMatches = false
        let hits = try index.searchIndex.search(request)
        let context = QueryContext(query, index.source, (index.searchIndex, request))
        let found = hits.compactMap { hit -> Candidate? in
            guard let (subject, nameClass) = SearchSubject.of(id: hit.id) else { return nil }
            // A short prefix, or the country alone, is too little evidence for a place without an airport.
            if subject.kind == .place,
                query.letterCount < NameSearch.minLettersForPlaces || nameClass == .words && !query.hasGaps
            {
                return nil
            }
            // A code with a typo is a different code.
            if nameClass == .code, hit.kind == .typo, field != SearchField.keys { return nil }
            let score = SubjectList.score(rank: index.searchIndex.rank(of: hit.document))
            return Candidate(
                subject: subject, nameClass: nameClass,
                score: score + NameSearch.bonus(hit, nameClass, letters: query.letterCount),
                match: match(hit, nameClass, isPlace: subject.kind == .place), hit: hit, context: context)
        }
        var result = CandidateList(candidates: found, isComplete: wanted == 0 || hits.count < wanted)
        if !result.isComplete, let last = hits.last {
            // Prefix matches are sorted by score; for exact and other matches any score may follow.
            result.floor =
                last.kind == .prefix
                ? SubjectList.score(rank: index.searchIndex.rank(of: last.document))
                : last.kind == .exact ? .infinity : -.infinity
        }
        return result
    }

    /// The length from which the name of an airport without its city is rarely another name's beginning.
    private static let minLettersOfOwnName = 5
    /// The length from which an additional name is rarely the beginning of a city, unlike "MO" and "PE".
    private static let minLettersOfAdditionalName = 3

    /// Returns the score bonus of a match.
    ///
    /// - Parameter letters: The number of typed letters.
    static func bonus(_ hit: SearchHit, _ nameClass: NameClass, letters: Int) -> Double {
        switch hit.kind {
        case .typo: return -0.3 * hit.edits
        case .exact:
            if letters < minLettersOfAdditionalName, nameClass != .code, nameClass != .main { return 0 }
            switch nameClass {
            case .code: return hit.field == SearchField.keys ? 0.5 : 5
            case .main, .own: return 2
            case .country: return 1.3
            case .colloquial: return 1
            case .foreign, .place: return 0.6
            case .tail: return 0.1
            case .words: return 1
            }
        default: return 0
        }
    }

    private func match(_ hit: SearchHit, _ nameClass: NameClass, isPlace: Bool) -> ResultMatch {
        if isPlace { return .nearby }
        return switch (hit.kind, nameClass) {
        case (.exact, .code): .code
        case (.exact, .tail), (.exact, .words): .prefix
        default: ResultMatch(hit.kind)
        }
    }
}
