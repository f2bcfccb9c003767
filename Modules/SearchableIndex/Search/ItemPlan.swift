import LookupEngine
import TextFolding

/// What is asked of the index of items, and in which order: the rules of `docs/matching.md`.
struct ItemPlan {
    private(set) var queries: [LookupQuery] = []
    private var tiers: [LookupTier] = []
    /// Asked only if the others find nothing: most of what differs from what was typed was not meant, and to look for it takes the most time.
    private var typos: [LookupTier] = []
    /// The words in their own spelling, with spaces between: what engagement is kept by.
    let key: String

    init(_ text: String) {
        let query = FoldedQuery(text)
        key = query.words.compactMap { $0.spellings.first }.map { String(decoding: $0.letters, as: UTF16.self) }
            .joined(separator: " ")
        guard !query.words.isEmpty else { return }
        queries = [LookupQuery(words: query.words.map { $0.spellings.map(\.letters) })]
        func tier(
            _ lane: ItemLane, _ kind: MatchKind, and others: [ItemLane] = [], across: Bool = false
        ) -> LookupTier {
            LookupTier(
                lane: lane.rawValue, kind: kind, query: 0, acrossFields: across, otherLanes: others.map(\.rawValue))
        }
        tiers = [tier(.titles, .exact), tier(.titles, .prefix), tier(.names, .exact), tier(.names, .prefix)]
        tiers += [tier(.titles, .initials), tier(.titles, .words)]
        tiers += [tier(.titles, .words, and: [.names], across: true)]
        tiers += [tier(.details, .prefix), tier(.titles, .words, and: [.names, .details], across: true)]
        tiers += [tier(.titles, .joined), tier(.names, .joined)]
        tiers += [tier(.titles, .infix), tier(.names, .infix)]
        typos = [tier(.titles, .typo), tier(.names, .typo)]
        typos += [tier(.titles, .typo, and: [.names], across: true)]
        typos += [tier(.details, .typo), tier(.titles, .typo, and: [.names, .details], across: true)]
    }

    func request(withTypos: Bool, isCancelled: (@Sendable () -> Bool)?) -> LookupRequest? {
        if queries.isEmpty { return nil }
        return LookupRequest(queries: queries, tiers: withTypos ? typos : tiers, isCancelled: isCancelled)
    }
}
