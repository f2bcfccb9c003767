import SwitchboardIncrementalIndex
import SwitchboardSearchEngine
import SwitchboardTextNormalization

/// The searches of one index for one query.
///
/// Each search returns the best candidates by score, at most `wanted`, each subject once.
struct NameSearch {
    let session: SearchSession
    let index: AirportIndex
    let query: AirportQuery
    /// The maximum number of words to search for separately. No airport matches more, and checking would be slow.
    private static let maxWords = 8
    /// The field of the user's language, if the index has one.
    let languageField: Int?
    let wanted: Int

    init(_ session: SearchSession, _ index: AirportIndex, _ query: AirportQuery, wanted: Int) {
        self.session = session
        self.index = index
        self.query = query
        languageField =
            index.source.extent == .popular && query.field == SearchField.names ? session.languageField : nil
        self.wanted = wanted
    }

    enum Kind: Equatable {
        case prefix
        case romanized
        case exactNames
        /// Places without an airport whose name is the query, or its beginning if their region or country follows.
        case exactPlaces
        /// Words in any text, in a field.
        case words(Int)
        case initials
        /// Typos within the given number of edits.
        case typos(Int)
        case soundAlikes
        case looseTypo
    }

    func candidates(_ kind: Kind) throws -> AirportCandidateList {
        switch kind {
        case .prefix: try prefixMatches()
        case .romanized: try romanizedMatches()
        case .exactNames: try exactNames()
        case .exactPlaces: try exactPlaces()
        case .words(let field): try wordMatches(in: field)
        case .initials: try initialsMatches()
        case .typos(let edits): try typoMatches(edits: edits)
        case .soundAlikes: try soundAlikes()
        case .looseTypo: try looseTypoMatch()
        }
    }

    /// Returns names and codes that equal the query or begin with it.
    private func prefixMatches() throws -> AirportCandidateList {
        var found = AirportCandidateList()
        if let languageField { found.add(try names(in: languageField)) }
        if query.field != SearchField.names {
            found.add(try names(in: query.field))
        } else {
            if query.isLatin { found.add(try names(in: SearchField.names)) }
            found.add(try names(in: query.isLatin ? SearchField.foreign : query.foreignField))
        }
        return found.ordered
    }

    /// Returns names that equal the query or begin with it, preferring those with the typed accents.
    private func names(in field: Int, exactOnly: Bool = false) throws -> AirportCandidateList {
        var names = try prefixCandidates(field: field, exactOnly: exactOnly)
        if query.isAccented { names.candidates = names.candidates.map { preferringAccents($0, field: field) } }
        return names
    }

    /// Prefers names with the typed accents or kana: "San José" is in Costa Rica, San Jose in California.
    private func preferringAccents(_ candidate: AirportCandidate, field: Int) -> AirportCandidate {
        var candidate = candidate
        let rows = session.rows(of: candidate.subject, in: index.source)?.rows.first
        let names =
            rows?.names(candidate.nameClass, field: field)
            ?? index.source.names(of: candidate.subject)?.names(candidate.nameClass, field: field)
        if names?.contains(where: query.isBeginning(of:)) ?? false { candidate.evidence.hasTypedMarks = true }
        return candidate
    }

    /// Returns names in other scripts whose transliteration equals the query or begins with it: weak evidence, because
    /// few people type a transliteration, and among so many names a similar one is common.
    private func romanizedMatches() throws -> AirportCandidateList {
        guard query.isLatin, query.field == SearchField.names else { return AirportCandidateList() }
        return try prefixCandidates(field: SearchField.romanized).ordered
    }

    /// Returns main names that equal the query, in its script, and long names of airports without their cities.
    private func exactNames() throws -> AirportCandidateList {
        let isForeign = query.field == SearchField.names && !query.isLatin
        let field = isForeign ? query.foreignField : query.field
        var found = try names(in: field, exactOnly: true).ordered
        found.candidates.removeAll {
            switch $0.nameClass {
            case .main: false
            case .foreign: !isForeign
            case .own: query.letterCount < AirportLikelihood.minLettersOfOwnName
            default: true
            }
        }
        return found
    }

    /// Returns places without an airport whose name equals the query, in any language, or its first words if the last ones
    /// name their region or country: "Cambridge Massachusetts".
    private func exactPlaces() throws -> AirportCandidateList {
        var found = try placeNames(exactOnly: true)
        guard found.candidates.isEmpty, query.hasGaps, query.words.count <= NameSearch.maxWords else { return found }
        for count in (1..<query.words.count).reversed() {
            let (name, rest) = query.divided(after: count)
            let named = NameSearch(session, index, name, wanted: 0)
            found = try named.placeNames(exactOnly: true)
            found.candidates.removeAll { !index.source.surroundings(of: $0.subject, begin: rest.words) }
            if !found.candidates.isEmpty { break }
        }
        return found
    }

    private func placeNames(exactOnly: Bool) throws -> AirportCandidateList {
        var found = AirportCandidateList()
        guard query.reachesPlaces else { return found }
        for field in [SearchField.names, SearchField.foreign, SearchField.otherScripts] {
            if field == SearchField.names ? query.isLatin : field == query.foreignField {
                found.add(try names(in: field, exactOnly: exactOnly))
            }
        }
        return found.ordered
    }

    /// Returns matches of words in any text about an airport: one that begins with the query, or all words of the query
    /// in any order.
    ///
    /// - Parameter field: The field of the words, in all languages or in English.
    private func wordMatches(in field: Int) throws -> AirportCandidateList {
        guard query.field == SearchField.names, query.split.words.count <= NameSearch.maxWords else {
            return AirportCandidateList()
        }
        if query.hasGaps {
            var found = try candidates(SearchTier(field: field, .wordsAcrossValues()), query.split)
            found.candidates = found.candidates.map(preferringNames)
            return found.ordered
        }
        return try prefixCandidates(field: field).ordered
    }

    /// Prefers candidates with a word in the name over those with words only in the city, region and country: Valencia
    /// in Spain comes before an airport of the Valencian region.
    private func preferringNames(_ candidate: AirportCandidate) -> AirportCandidate {
        let own = index.source.ownWordCount(of: candidate.subject)
        var candidate = candidate
        if session.matches(of: candidate).contains(where: { $0.value < own }) { candidate.evidence.namesSubject = true }
        return candidate
    }

    /// Returns main names whose words begin with the letters of a short query, such as "slc".
    private func initialsMatches() throws -> AirportCandidateList {
        guard query.field == SearchField.names, index.source.extent == .popular, !query.hasGaps,
            (2...4).contains(query.letterCount)
        else { return AirportCandidateList() }
        return try candidates(SearchTier(field: SearchField.initials, .initials()), query.joined).ordered
    }

    /// Returns names that begin with the query except for typos, or else words that do.
    ///
    /// - Parameter edits: The maximum number of edits, 1 or 2.
    private func typoMatches(edits: Int) throws -> AirportCandidateList {
        var fuzziness = query.fuzziness
        if edits == 1 {
            fuzziness.two = nil
        } else if let two = fuzziness.two, query.maxLetterCount < two, query.foreignField == SearchField.foreign {
            // The query is too short for a second edit, so the search would find nothing new.
            return AirportCandidateList()
        }
        var names = AirportCandidateList()
        if query.isLatin || query.field != SearchField.names {
            names = try typoCandidates(field: query.field, fuzziness: fuzziness)
        }
        // Most names are typed in English; search foreign names only if the user may well mean one.
        if query.field == SearchField.names, languageField != nil || !names.candidates.contains(where: \.isGoodTypo) {
            names.add(try typoCandidates(field: query.foreignField, fuzziness: fuzziness))
        }
        if !names.candidates.isEmpty { return names.ordered }
        if query.field != SearchField.names || query.split.words.count > NameSearch.maxWords {
            return AirportCandidateList()
        }
        if !query.hasGaps { return try typoCandidates(field: SearchField.englishWords, fuzziness: fuzziness).ordered }
        let tier = SearchTier(field: SearchField.englishWords, .typo(fuzziness, otherFields: []))
        var words = try candidates(tier, query.split)
        words.candidates = words.candidates.map(preferringNames)
        return words.ordered
    }

    /// Returns names that sound like the query: "edinborough" is Edinburgh.
    private func soundAlikes() throws -> AirportCandidateList {
        guard query.field == SearchField.names, query.isLatin else { return AirportCandidateList() }
        return try candidates(SearchTier(field: query.field, .soundAlikes(.soundAlikes)), query.joined).ordered
    }

    /// Returns a main name that equals the query except for two typos, if the query has at least six letters: "nazran"
    /// may be a misheard Kazan.
    ///
    /// The fuzziness rules do not allow two edits in such short words. Therefore only the best whole name is returned,
    /// and only used if nothing else is near.
    private func looseTypoMatch() throws -> AirportCandidateList {
        guard query.field == SearchField.names, query.isLatin, !query.hasGaps, (6...7).contains(query.letterCount)
        else {
            return AirportCandidateList()
        }
        let near = try typoCandidates(field: query.field, fuzziness: Fuzziness(one: 4, two: 6), limit: 0)
        let best = near.ordered.candidates.first { candidate in
            guard candidate.nameClass == .main || candidate.nameClass == .own,
                let match = session.matches(of: candidate).first, let hit = candidate.hit,
                let length = index.searcher(of: query.field)?.letterCount(ofValue: match.value, in: hit)
            else { return false }
            return match.letters == 0..<length
        }
        return AirportCandidateList(candidates: best.map { [$0] } ?? [])
    }

    // MARK: - The index

    /// Returns names that equal the query, then those that begin with it.
    private func prefixCandidates(field: Int, exactOnly: Bool = false) throws -> AirportCandidateList {
        guard let searcher = index.searcher(of: field), let spellings = query.joined.words.first else {
            return AirportCandidateList()
        }
        session.hits.removeAll(keepingCapacity: true)
        try searcher.appendPrefixMatches(
            of: spellings, exactOnly: exactOnly, limit: wanted, isCancelled: session.isCancelled, to: &session.hits)
        return list(field: field, wanted: wanted) { [query] in
            (query.joined, [SearchTier(field: field, .exact), SearchTier(field: field, .prefix)])
        }
    }

    /// Returns names that begin with the query except for typos.
    private func typoCandidates(field: Int, fuzziness: Fuzziness, limit: Int? = nil) throws -> AirportCandidateList {
        guard let searcher = index.searcher(of: field), let spellings = query.joined.words.first else {
            return AirportCandidateList()
        }
        session.hits.removeAll(keepingCapacity: true)
        try searcher.appendTypos(
            of: spellings, fuzziness: fuzziness, limit: limit ?? wanted, isCancelled: session.isCancelled,
            to: &session.hits)
        return list(field: field, wanted: limit ?? wanted) { [query] in
            (query.joined, [SearchTier(field: field, .typo(fuzziness))])
        }
    }

    /// Returns the candidates of another kind of match.
    private func candidates(_ tier: SearchTier, _ searchQuery: SearchQuery) throws -> AirportCandidateList {
        var request = SearchRequest(
            queries: [searchQuery], tiers: [tier], limit: wanted, isCancelled: session.isCancelled)
        request.includesMatches = false
        session.hits.removeAll(keepingCapacity: true)
        for hit in try index.searchIndex.search(request) { session.hits.append(CompactHit(hit)) }
        return list(field: tier.field, wanted: wanted) { (searchQuery, [tier]) }
    }

    /// Returns the candidates of the hits in the session.
    ///
    /// - Parameter request: Returns the query and the tiers that found them. The session keeps it, so it must not refer to
    ///   the session.
    private func list(
        field: Int, wanted: Int, _ request: @escaping () -> (query: SearchQuery, tiers: [SearchTier])
    ) -> AirportCandidateList {
        let count = session.hits.count
        guard let last = session.hits.last else { return AirportCandidateList() }
        let isUncommon = index.source.extent == .others
        let context = session.add(SearchContext(index.source, query, index, request))
        let letters = query.letterCount
        var result = AirportCandidateList(isComplete: wanted == 0 || count < wanted)
        result.candidates.reserveCapacity(count)
        for hit in session.hits {
            let document = Int(hit.document)
            guard let (subject, nameClass) = SearchSubject.of(id: index.searchIndex.id(of: document)) else { continue }
            // A code with a typo is a different code.
            if nameClass == .code, hit.kind == .typo, field != SearchField.keys { continue }
            var evidence = AirportEvidence(nameClass: nameClass, kind: hit.kind, edits: hit.edits, letters: letters)
            evidence.prior =
                SubjectList.bits(rank: index.searchIndex.rank(of: document)) - AirportLikelihood.bits(nameClass)
            evidence.isKeyed = field == SearchField.keys
            evidence.isInNames = field == SearchField.names
            evidence.isLargeTown =
                nameClass == .place && query.isLatin && letters == 4 && evidence.prior > AirportLikelihood.largeTown
            result.candidates.append(
                AirportCandidate(
                    subject, match(hit, nameClass, isPlace: subject.kind == .place), hit, field: field, evidence,
                    context: context, query, isUncommon: isUncommon))
        }
        if !result.isComplete {
            // Prefix matches are sorted by score; after exact and other matches any score may follow.
            result.floor =
                last.kind == .prefix
                ? SubjectList.bits(rank: index.searchIndex.rank(of: Int(last.document))) : .infinity
        }
        return result
    }

    private func match(_ hit: CompactHit, _ nameClass: NameClass, isPlace: Bool) -> ResultMatch {
        if isPlace { return .nearby }
        return switch (hit.kind, nameClass) {
        case (.exact, .code): .code
        case (.exact, .tail), (.exact, .words): .prefix
        default: ResultMatch(hit.kind)
        }
    }
}
