/// Makes questions about items, the same every time.
public struct ItemQueryMaker {
    private let items: [Item]
    private var random = SplitMix(seed: 20_251_123)

    /// A maker of questions about these items.
    public init(_ items: [Item]) { self.items = items }

    /// At most so many different questions of a kind; there are only 26 letters.
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
        let typed: [[UInt16]]?
        switch kind {
        case .prefix: typed = prefix(of: words)
        case .words: typed = some(of: words)
        case .typo: typed = some(of: words).flatMap { slipped($0) }
        case .letter: typed = words.randomElement(using: &random).map { [Array($0.prefix(1))] }
        }
        return typed.map { String(decoding: $0.joined(separator: [0x20]), as: UTF16.self) }
    }

    private mutating func prefix(of words: [[UInt16]]) -> [[UInt16]]? {
        guard let start = words.indices.randomElement(using: &random) else { return nil }
        if start + 1 < words.count, Bool.random(using: &random) {
            return [words[start], cut(words[start + 1], to: 1...4)]
        }
        return [cut(words[start], to: 3...6)]
    }

    private mutating func cut(_ word: [UInt16], to lengths: ClosedRange<Int>) -> [UInt16] {
        Array(word.prefix(Int.random(in: lengths, using: &random)))
    }

    private mutating func some(of words: [[UInt16]]) -> [[UInt16]]? {
        guard words.count > 1 else { return nil }
        return Array(words.shuffled(using: &random).prefix(Int.random(in: 2...3, using: &random)))
    }

    /// The words with a slip in one of those that are long enough to forgive one.
    private mutating func slipped(_ words: [[UInt16]]) -> [[UInt16]]? {
        guard let place = words.indices.filter({ words[$0].count >= 4 }).randomElement(using: &random),
            let slipped = Slip.made(in: words[place], keys: Slip.letters, using: &random)
        else { return nil }
        var words = words
        words[place] = slipped
        return words
    }
}
