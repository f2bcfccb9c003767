import SwitchboardSearchEngine
import SwitchboardTextNormalization

/// What a question to an index found.
struct CandidateList {
    /// Best first, a subject once.
    var candidates: [Candidate] = []
    /// Whether there are no more than these, however many are wanted.
    var isComplete = true
    /// The score down to which no candidate is missing.
    var floor = -Double.infinity

    /// Puts another question's candidates behind, or among these if they are to be ordered.
    mutating func add(_ other: CandidateList) {
        candidates += other.candidates
        isComplete = isComplete && other.isComplete
        floor = max(floor, other.floor)
    }

    /// Orders by score; of a subject the best stays.
    mutating func order() {
        guard candidates.count > 1 else { return }
        var order = candidates.indices.map { (score: candidates[$0].score, position: $0) }
        order.sort { $0.score == $1.score ? $0.position < $1.position : $0.score > $1.score }
        var seen: Set<Int64> = []
        seen.reserveCapacity(order.count)
        var result: [Candidate] = []
        result.reserveCapacity(order.count)
        for (_, position) in order where seen.insert(candidates[position].subject.id).inserted {
            result.append(candidates[position])
        }
        candidates = result
    }

    /// The same, ordered.
    var ordered: CandidateList {
        var found = self
        found.order()
        return found
    }
}

/// Asks one index about one query.
///
/// Each question gives the best candidates by score, at most `wanted`, a subject once.
struct NameSearch {
    let index: AirportIndex
    let query: AirportQuery
    /// From so many letters on places without an airport are found.
    static let fewestForPlaces = 4
    /// More words than this are not looked for one by one: no airport has them, and it would take long to find that out.
    static let mostWords = 8
    /// The field of the person's language, if the index has it.
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
            index.subjects.hasLanguages && query.field == SearchField.names ? SearchField.field(of: language) : nil
        self.wanted = wanted
        self.isCancelled = isCancelled
    }

    /// Names and codes that are the query or begin with it.
    func beginnings() throws -> CandidateList {
        let fields = (languageField.map { [$0] } ?? []) + query.nameFields
        var found = CandidateList()
        for field in fields { found.add(try candidates([.exact, .prefix], field: field, query.joined)) }
        return found.ordered
    }

    /// Words anywhere in what is known of an airport: one that begins with the query, or all that the query has, in any order.
    func words() throws -> CandidateList {
        guard query.field == SearchField.names, query.split.words.count <= NameSearch.mostWords else {
            return CandidateList()
        }
        if query.hasGaps {
            var found = try candidates([.words], field: SearchField.words, query.split, acrossValues: true)
            found.candidates = found.candidates.map(preferringNames)
            return found.ordered
        }
        return try candidates([.exact, .prefix], field: SearchField.words, query.joined).ordered
    }

    /// Where one of several words is in the name it weighs more than where all are of the city, region and country: Valencia in Spain
    /// comes before an airport of the Valencian region.
    private func preferringNames(_ candidate: Candidate) -> Candidate {
        let own = index.subjects.ownWordCount(of: candidate.subject)
        var candidate = candidate
        if candidate.matches.contains(where: { $0.value < own }) { candidate.score += 1 }
        return candidate
    }

    /// Main names whose words begin with the letters of a short query, such as "slc".
    func initials() throws -> CandidateList {
        guard query.field == SearchField.names, index.subjects.extent == .popular, !query.hasGaps,
            (2...4).contains(query.letterCount)
        else { return CandidateList() }
        return try candidates([.initials], field: SearchField.initials, query.joined).ordered
    }

    /// Names that begin with the query but for typos; if there are none, words that do.
    ///
    /// - Parameter most: how many edits at most; two are looked for only where one finds nothing.
    func typos(most: Int) throws -> CandidateList {
        for edits in 1...max(most, 1) {
            var allowance = query.typos
            if edits == 1 { allowance.two = nil }
            if edits > 1 && query.typos.two == nil { break }
            var names = CandidateList()
            if query.isLatin || query.field != SearchField.names {
                names = try candidates([.typo], field: query.field, query.joined, typos: allowance)
            }
            // Most names are typed in English; others are asked where the person may well mean them.
            if query.field == SearchField.names, languageField != nil || !names.candidates.contains(where: \.isGoodTypo)
            {
                names.add(try candidates([.typo], field: query.foreignField, query.joined, typos: allowance))
            }
            if !names.candidates.isEmpty { return names.ordered }
            if query.field != SearchField.names || query.split.words.count > NameSearch.mostWords { continue }
            var words = try candidates(
                [.typo], field: SearchField.englishWords, query.split, acrossValues: query.hasGaps, typos: allowance)
            if query.hasGaps { words.candidates = words.candidates.map(preferringNames) }
            if !words.candidates.isEmpty { return words.ordered }
        }
        return CandidateList()
    }

    /// A main name that is the query but for two typos, from six letters on: "nazran" may be a misheard Kazan.
    ///
    /// More than the rules of matching allow such short words, so only the best one, only as a whole name, and only where nothing
    /// else is near.
    func looseTypo() throws -> CandidateList {
        guard query.field == SearchField.names, query.isLatin, !query.hasGaps, (6...7).contains(query.letterCount)
        else {
            return CandidateList()
        }
        let near = try candidates(
            [.typo], field: query.field, query.joined, typos: Fuzziness(one: 4, two: 6), most: 0)
        let best = near.ordered.candidates.first { candidate in
            guard candidate.nameClass == .main || candidate.nameClass == .own, let match = candidate.matches.first,
                let names = index.subjects.names(of: candidate.subject)?.names(candidate.nameClass, field: query.field),
                names.indices.contains(match.value)
            else { return false }
            let length = SearchField.fold(names[match.value]).reduce(0) { $0 + $1.spellings[0].letters.count }
            return match.letters == 0..<length
        }
        return CandidateList(candidates: best.map { [$0] } ?? [])
    }

    // MARK: - The index

    private func candidates(
        _ kinds: [MatchKind], field: Int, _ lookup: SearchQuery, acrossValues: Bool = false,
        typos: Fuzziness = .text, most: Int? = nil
    ) throws -> CandidateList {
        let wanted = most ?? self.wanted
        let tiers = kinds.map { SearchTier(field: field, kind: $0, acrossValues: acrossValues, typos: typos) }
        var request = SearchRequest(queries: [lookup], tiers: tiers, limit: wanted, isCancelled: isCancelled)
        request.findsMatches = false
        let hits = try index.lookup.search(request)
        let asked = CachedQuery(query, index.subjects, (index.lookup, request))
        let found = hits.compactMap { hit -> Candidate? in
            guard let (subject, nameClass) = SearchSubject.of(id: hit.id) else { return nil }
            // A short beginning says too little for a place without an airport, and so does its country alone.
            if subject.kind == .place,
                query.letterCount < NameSearch.fewestForPlaces || nameClass == .words && !query.hasGaps
            {
                return nil
            }
            // A code but for a typo is any other code.
            if nameClass == .code, hit.kind == .typo, field != SearchField.keys { return nil }
            let score = AirportIndexBuilder.score(rank: index.lookup.rank(of: hit.document))
            return Candidate(
                subject: subject, nameClass: nameClass, score: score + bonus(hit, nameClass),
                match: match(hit, nameClass, isPlace: subject.kind == .place), hit: hit, asked: asked)
        }
        var result = CandidateList(candidates: found, isComplete: wanted == 0 || hits.count < wanted)
        if !result.isComplete, let last = hits.last {
            // Beginnings come in the order of their scores; of others and of what is exact any may follow.
            result.floor =
                last.kind == .prefix
                ? AirportIndexBuilder.score(rank: index.lookup.rank(of: last.document))
                : last.kind == .exact ? .infinity : -.infinity
        }
        return result
    }

    /// How much better than its popularity a match is.
    private func bonus(_ hit: SearchHit, _ nameClass: NameClass) -> Double {
        switch hit.kind {
        case .typo: return -0.3 * hit.edits
        case .exact:
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
