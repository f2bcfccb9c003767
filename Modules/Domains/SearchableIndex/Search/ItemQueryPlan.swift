import SwitchboardSearchEngine
import SwitchboardTextNormalization

/// What is asked of the index of items, and in which order: the rules of `docs/matching.md`.
struct ItemQueryPlan {
    private(set) var queries: [SearchQuery] = []
    /// The tiers in stages, each asked only if the one before has found nothing: as typed; with one typo a word; with two in long words. Most
    /// of what differs from what was typed was not meant, and to look for it takes the most time.
    private(set) var stages: [[SearchTier]] = []
    /// The words in their own spelling, with spaces between: what engagement is kept by.
    let key: String

    init(_ text: String) {
        let query = FoldedQuery(text)
        key = query.words.compactMap { $0.spellings.first }.map { String(decoding: $0.letters, as: UTF16.self) }
            .joined(separator: " ")
        guard !query.words.isEmpty else { return }
        queries = [SearchQuery(words: query.words.map { $0.spellings.map(\.letters) })]
        let letters = query.words[0].spellings[0].letters.count
        let areInitials = query.words.count == 1 && letters <= ItemQueryPlan.mostInitials
        stages = [
            ItemQueryPlan.asTyped(areInitials: areInitials), ItemQueryPlan.typos(Fuzziness(one: 4, two: nil)),
        ]
        if query.words.contains(where: { Fuzziness.text.edits(letters: $0.spellings[0].letters.count) > 1 }) {
            stages.append(ItemQueryPlan.typos(.text))
        }
    }

    /// Longer words are not taken for the beginnings of several: nobody types so, and every way to split them would be looked at.
    private static let mostInitials = 6

    private static func asTyped(areInitials: Bool) -> [SearchTier] {
        var tiers = [tier(.titles, .exact), tier(.titles, .prefix), tier(.names, .exact), tier(.names, .prefix)]
        if areInitials { tiers.append(tier(.titles, .initials)) }
        return tiers + [
            tier(.titles, .words, and: [.titles]), tier(.titles, .words, and: [.names]), tier(.details, .prefix),
            tier(.titles, .words, and: [.names, .details]), tier(.titles, .joined), tier(.names, .joined),
            tier(.titles, .infix),
        ]
    }

    private static func typos(_ allowance: Fuzziness) -> [SearchTier] {
        [
            tier(.titles, .typo, typos: allowance), tier(.names, .typo, typos: allowance),
            tier(.titles, .typo, and: [.names], typos: allowance), tier(.details, .typo, typos: allowance),
            tier(.titles, .typo, and: [.names, .details], typos: allowance),
        ]
    }

    /// - Parameter others: the words typed may each stand in another field, of this field or of these.
    private static func tier(
        _ field: ItemField, _ kind: MatchKind, and others: [ItemField] = [], typos: Fuzziness = .text
    ) -> SearchTier {
        SearchTier(
            field: field.rawValue, kind: kind, query: 0, acrossValues: !others.isEmpty,
            otherFields: others.filter { $0 != field }.map(\.rawValue), typos: typos)
    }

    func request(stage: Int, isCancelled: (@Sendable () -> Bool)?) -> SearchRequest? {
        guard stages.indices.contains(stage) else { return nil }
        return SearchRequest(queries: queries, tiers: stages[stage], isCancelled: isCancelled)
    }
}
