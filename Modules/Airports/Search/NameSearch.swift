import LookupEngine

/// Asks one index about one query.
///
/// Each question gives the best candidates by score, at most `wanted`, a subject once.
struct NameSearch {
    let index: AirportIndex
    let query: AirportQuery
    /// From so many letters on places without an airport are found.
    static let fewestForPlaces = 4
    /// The lane of the person's language, if the index has it.
    let languageLane: Int?
    let wanted: Int
    let isCancelled: (@Sendable () -> Bool)?

    init(
        _ index: AirportIndex, _ query: AirportQuery, language: String, wanted: Int,
        isCancelled: (@Sendable () -> Bool)?
    ) {
        self.index = index
        self.query = query
        languageLane =
            index.subjects.hasLanguages && query.lane == SearchLane.names ? SearchLane.lane(of: language) : nil
        self.wanted = wanted
        self.isCancelled = isCancelled
    }

    private var nameLanes: [Int] { (languageLane.map { [$0] } ?? []) + [query.lane] }

    /// Names and codes that are the query or begin with it.
    func beginnings() throws -> [Candidate] {
        var found: [Candidate] = []
        for lane in nameLanes {
            for kind in [MatchKind.exact, .prefix] {
                found += try candidates(LookupTier(lane: lane, kind: kind), query.joined)
            }
        }
        return distinct(found)
    }

    /// Words anywhere in what is known of an airport: one that begins with the query, or all that the query has, in any order.
    func words() throws -> [Candidate] {
        guard query.lane == SearchLane.names else { return [] }
        if query.hasGaps {
            let tier = LookupTier(lane: SearchLane.words, kind: .words, acrossFields: true)
            return distinct(try candidates(tier, query.split).map(preferringNames))
        }
        var found: [Candidate] = []
        for kind in [MatchKind.exact, .prefix] {
            found += try candidates(LookupTier(lane: SearchLane.words, kind: kind), query.joined)
        }
        return distinct(found)
    }

    /// Where one of several words is in the name it weighs more than where all are of the city, region and country: Valencia in Spain
    /// comes before an airport of the Valencian region.
    private func preferringNames(_ candidate: Candidate) -> Candidate {
        guard let names = index.subjects.names(of: candidate.subject), let hit = candidate.hit else { return candidate }
        let own = Set((names.main + names.own).flatMap { SearchLane.fold($0).map(\.spellings[0].letters) }).count
        var candidate = candidate
        if hit.matches.contains(where: { $0.field < own }) { candidate.score += 1 }
        return candidate
    }

    /// Main names whose words begin with the letters of a short query, such as "slc".
    func initials() throws -> [Candidate] {
        guard query.lane == SearchLane.names, !query.hasGaps, (2...4).contains(query.letterCount) else { return [] }
        return distinct(try candidates(LookupTier(lane: SearchLane.initials, kind: .initials), query.joined))
    }

    /// Names that begin with the query but for typos; if there are none, words that do.
    ///
    /// - Parameter most: how many edits at most; two are looked for only where one finds nothing.
    func typos(most: Int) throws -> [Candidate] {
        for edits in 1...max(most, 1) {
            var allowance = query.typos
            if edits == 1 { allowance.two = nil }
            if edits > 1 && query.typos.two == nil { break }
            let names = try candidates(
                LookupTier(lane: query.lane, kind: .typo, typos: allowance), query.joined)
            if !names.isEmpty || query.lane != SearchLane.names {
                if names.isEmpty { continue }
                return distinct(names)
            }
            let tier = LookupTier(
                lane: SearchLane.englishWords, kind: .typo, acrossFields: query.hasGaps, typos: allowance)
            let words = try candidates(tier, query.split).map { query.hasGaps ? preferringNames($0) : $0 }
            if !words.isEmpty { return distinct(words) }
        }
        return []
    }

    // MARK: - The index

    private func candidates(_ tier: LookupTier, _ lookup: LookupQuery) throws(LookupCancelled) -> [Candidate] {
        let hits = try index.lookup.search(
            LookupRequest(queries: [lookup], tiers: [tier], limit: wanted, isCancelled: isCancelled))
        return hits.compactMap { hit in
            guard let (subject, nameClass) = SearchSubject.of(id: hit.id) else { return nil }
            // A short beginning says too little for a place without an airport.
            if subject.kind == .place, query.letterCount < NameSearch.fewestForPlaces { return nil }
            let score = AirportIndexBuilder.score(rank: index.lookup.rank(of: hit.record))
            return Candidate(
                subject: subject, subjects: index.subjects, nameClass: nameClass, score: score + bonus(hit, nameClass),
                match: match(hit, nameClass), hit: hit, query: query)
        }
    }

    /// How much better than its popularity a match is.
    private func bonus(_ hit: LookupHit, _ nameClass: NameClass) -> Double {
        switch hit.kind {
        case .typo: return -0.3 * hit.edits
        case .exact:
            switch nameClass {
            case .code: return hit.lane == SearchLane.keys ? 0.5 : 5
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

    private func match(_ hit: LookupHit, _ nameClass: NameClass) -> AnswerMatch {
        switch (hit.kind, nameClass) {
        case (.typo, .place): .typo
        case (_, .place): .nearby
        case (.exact, .code): .code
        case (.exact, .tail), (.exact, .words): .prefix
        default: AnswerMatch(hit.kind)
        }
    }

    /// Best first, a subject once.
    private func distinct(_ candidates: [Candidate]) -> [Candidate] {
        var seen: Set<SearchSubject> = []
        return candidates.enumerated()
            .sorted { left, right in
                left.element.score == right.element.score
                    ? left.offset < right.offset : left.element.score > right.element.score
            }
            .map(\.element).filter { seen.insert($0.subject).inserted }
    }
}
