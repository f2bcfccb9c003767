/// A word in multi-tap entry: repeated presses of a key cycle through its letters and its digit.
struct MultiTapWord {
    /// The word so far.
    private(set) var text = ""
    private var key: UInt8?
    private var letterIndex = 0

    /// Handles a press of a key that has the given letters.
    mutating func tap(_ key: UInt8, letters: [Character]) {
        let letters = letters + [Character(Unicode.Scalar(key))]
        if key == self.key {
            letterIndex = (letterIndex + 1) % letters.count
            text.removeLast()
        } else {
            self.key = key
            letterIndex = 0
        }
        text.append(letters[letterIndex])
    }

    /// Ends the current letter; the next one may be on the same key.
    mutating func endLetter() { key = nil }

    /// Removes the last letter.
    ///
    /// - Returns: `false` if the word is empty now.
    mutating func removeLast() -> Bool {
        key = nil
        if !text.isEmpty { text.removeLast() }
        return !text.isEmpty
    }
}
