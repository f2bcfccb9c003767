import SwitchboardTextNormalization

extension NameKey {
    /// Returns `true` if both can name the same person: each word of the shorter name is a word of the longer one or an
    /// initial.
    ///
    /// "J. Smith", "Smith, John" and "John A. Smith" are compatible, "Ann Smith" and "Bob Smith" are not. An empty name
    /// is compatible with any other.
    func isCompatible(with other: NameKey) -> Bool {
        if words.isEmpty || other.words.isEmpty || words == other.words { return true }
        // "J. R." and "R J" are equal although they consist of initials only.
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

    /// Returns `true` for a single letter of an alphabet. A Han character or a hangul syllable is a word.
    private static func isLetter(_ word: String) -> Bool {
        word.unicodeScalars.count == 1 && word.utf8.count < 3
    }
}
