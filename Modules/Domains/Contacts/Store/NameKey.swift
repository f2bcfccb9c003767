import SwitchboardTextNormalization

/// The words of a name without regard to case, accents and order, to tell whether two contacts may be one person.
struct NameKey: Hashable, Sendable {
    /// The folded words in the order of the name.
    let words: [String]

    init(_ name: String) {
        words = FoldedText(name, transliterating: false).words.map { word in
            String(decoding: word.spellings.first?.letters ?? [], as: UTF16.self)
        }
    }

    /// One text for all orders of the same words; empty without a name.
    var text: String { words.sorted().joined(separator: " ") }

    /// The folded words in order, by which lists are sorted.
    var sortText: String { words.joined(separator: " ") }

    /// Whether both may name one person: every word of the shorter one is a word of the longer one or its initial.
    ///
    /// "J. Smith", "Smith, John" and "John A. Smith" are compatible, "Ann Smith" and "Bob Smith" are not. A name without
    /// words says nothing against any other.
    func isCompatible(with other: NameKey) -> Bool {
        if words.isEmpty || other.words.isEmpty || words == other.words { return true }
        // "J. R." is another order of "R J", though none of its words is a whole one.
        if words.count == other.words.count, text == other.text { return true }
        let (short, long) = words.count <= other.words.count ? (words, other.words) : (other.words, words)
        var rest = long
        var wholeWords = 0
        for word in short {
            if let index = rest.firstIndex(of: word) {
                rest.remove(at: index)
                if !NameKey.isLetter(word) { wholeWords += 1 }
            } else if let index = rest.firstIndex(where: {
                NameKey.isInitial(word, of: $0) || NameKey.isInitial($0, of: word)
            }) {
                rest.remove(at: index)
            } else {
                return false
            }
        }
        return wholeWords > 0
    }

    private static func isInitial(_ initial: String, of word: String) -> Bool {
        isLetter(initial) && word.hasPrefix(initial)
    }

    /// Whether a word is one letter of an alphabet; one Han character or one hangul syllable is a word.
    private static func isLetter(_ word: String) -> Bool {
        word.unicodeScalars.count == 1 && word.utf8.count < 3
    }
}
