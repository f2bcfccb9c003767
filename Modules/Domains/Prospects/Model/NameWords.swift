import SwitchboardTextNormalization

/// The words of a name, compared without case, accents and order.
struct NameWords {
    /// The normalized words in the order of the name.
    let words: [String]

    init(_ name: String) {
        words = FoldedText(name, transliterating: false).words.map { word in
            String(decoding: word.spellings.first?.letters ?? [], as: UTF16.self)
        }
    }

    /// The normalized words in order, by which lists are sorted.
    var sortText: String { words.joined(separator: " ") }

    /// Returns true if this name has all words of the other name.
    func contains(_ other: NameWords) -> Bool { Set(other.words).isSubset(of: words) }

    /// Returns true if the names have a common word, or one of them is empty.
    func mayMatch(_ other: NameWords) -> Bool {
        words.isEmpty || other.words.isEmpty || !Set(words).isDisjoint(with: other.words)
    }
}
