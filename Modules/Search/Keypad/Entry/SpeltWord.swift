/// A word that is spelt letter by letter: each press of the same key walks the letters on it, and in the end its digit.
struct SpeltWord {
    /// The word so far.
    private(set) var text = ""
    private var key: UInt8?
    private var tapped = 0

    /// Presses a key with these letters.
    mutating func tap(_ key: UInt8, letters: [Character]) {
        let letters = letters + [Character(Unicode.Scalar(key))]
        if key == self.key {
            tapped = (tapped + 1) % letters.count
            text.removeLast()
        } else {
            self.key = key
            tapped = 0
        }
        text.append(letters[tapped])
    }

    /// Ends the letter, so that the next one may be on the same key.
    mutating func endLetter() { key = nil }

    /// Takes the last letter back.
    ///
    /// - Returns: false if it was the only one, or there was none.
    mutating func removeLast() -> Bool {
        key = nil
        if !text.isEmpty { text.removeLast() }
        return !text.isEmpty
    }
}
