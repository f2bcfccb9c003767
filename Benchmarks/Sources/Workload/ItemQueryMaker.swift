/// Generates queries for items, the same in every run.
public struct ItemQueryMaker {
    private let items: [Item]
    private var random = SplitMix(seed: QuerySeed.current)

    /// Creates a generator for these items.
    public init(_ items: [Item]) { self.items = items }

    /// Returns at most `count` different queries of a kind. There are only 26 one-letter queries.
    public mutating func queries(_ kind: ItemQuery.Kind, _ count: Int) -> [ItemQuery] {
        var seen: Set<String> = []
        var queries: [ItemQuery] = []
        for _ in 0..<(count * 20) where queries.count < count {
            guard let item = items.randomElement(using: &random), let text = text(kind, item.title),
                seen.insert(text).inserted
            else { continue }
            queries.append(ItemQuery(kind: kind, text: text, meant: item.id))
        }
        return queries
    }

    private mutating func text(_ kind: ItemQuery.Kind, _ title: String) -> String? {
        let words = title.lowercased().split(separator: " ").map { Array($0.utf16) }
        func text(_ words: [[UInt16]]) -> String {
            String(decoding: Array(words.joined(separator: [0x20])), as: UTF16.self)
        }
        switch kind {
        case .prefix: return text([typedPrefix(of: Array(words.joined(separator: [0x20])))])
        case .words: return some(of: words).map(text)
        case .typo: return some(of: words).flatMap { misspelled($0) }.map(text)
        case .letter: return words.randomElement(using: &random).map { text([Array($0.prefix(1))]) }
        }
    }

    private mutating func typedPrefix(of title: [UInt16]) -> [UInt16] {
        let typed = title.prefix(Int.random(in: 3...20, using: &random))
        return Array(typed.last == 0x20 ? typed.dropLast() : typed)
    }

    private mutating func some(of words: [[UInt16]]) -> [[UInt16]]? {
        guard words.count > 1 else { return nil }
        return Array(words.shuffled(using: &random).prefix(Int.random(in: 2...3, using: &random)))
    }

    /// The words with a typo in one of those that are long enough to tolerate it.
    private mutating func misspelled(_ words: [[UInt16]]) -> [[UInt16]]? {
        guard let position = words.indices.filter({ words[$0].count >= 4 }).randomElement(using: &random),
            let misspelled = Typo.applied(to: words[position], keys: Typo.letters, using: &random)
        else { return nil }
        var words = words
        words[position] = misspelled
        return words
    }
}
