/// The folded words of a name, for comparing names regardless of case, accents and order.
package struct NameKey: Hashable, Sendable {
    /// The folded words in the order of the name.
    package let words: [String]

    package init(_ name: String) {
        words = FoldedText(name, transliterating: false).words.map { word in
            String(decoding: word.spellings.first?.letters ?? [], as: UTF16.self)
        }
    }

    /// The sorted words, equal for all orders of a name; empty without a name.
    package var text: String { words.sorted().joined(separator: " ") }

    /// The words in order, for sorting lists.
    package var sortText: String { words.joined(separator: " ") }

    package init(words: [String]) { self.words = words }

    package func contains(_ other: NameKey) -> Bool { Set(other.words).isSubset(of: words) }
}
