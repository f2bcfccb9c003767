import LookupEngine

/// Asks one index about one query.
///
/// Each question gives the best candidates by score, at most `wanted`, a subject once.
struct NameSearch {
    let index: AirportIndex
    let query: AirportQuery
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
            return distinct(
                try candidates(
                    LookupTier(lane: SearchLane.words, kind: .words, acrossFields: true), query.split))
        }
        var found: [Candidate] = []
        for kind in [MatchKind.exact, .prefix] {
            found += try candidates(LookupTier(lane: SearchLane.words, kind: kind), query.joined)
        }
        return distinct(found)
    }

    /// Main names whose words begin with the letters of a short query, such as "slc".
    func initials() throws -> [Candidate] {
        guard query.lane == SearchLane.names, !query.hasGaps, (2...4).contains(query.letterCount) else { return [] }
        return distinct(try candidates(LookupTier(lane: SearchLane.initials, kind: .initials), query.joined))
    }

    /// Names that begin with the query but for typos, then words that do.
    func typos() throws -> [Candidate] {
        let names = try candidates(LookupTier(lane: query.lane, kind: .typo, typos: query.typos), query.joined)
        if query.lane != SearchLane.names || names.count >= wanted { return distinct(names) }
        let tier = LookupTier(
            lane: SearchLane.words, kind: .typo, acrossFields: query.hasGaps, typos: query.typos)
        let words = try candidates(tier, query.split)
        return distinct(names) + distinct(words)
    }

    // MARK: - The index

    private func candidates(_ tier: LookupTier, _ lookup: LookupQuery) throws(LookupCancelled) -> [Candidate] {
        let hits = try index.lookup.search(
            LookupRequest(queries: [lookup], tiers: [tier], limit: wanted, isCancelled: isCancelled))
        return hits.compactMap { hit in
            guard let (subject, nameClass) = SearchSubject.of(id: hit.id) else { return nil }
            let score = AirportIndexBuilder.score(rank: index.lookup.rank(of: hit.record))
            return Candidate(
                subject: subject, nameClass: nameClass, score: score + bonus(hit, nameClass),
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
            case .main: return 2
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
