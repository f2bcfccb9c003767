/// The letters of one field as one-byte codes. Keys compare as bytes, and an automaton reads one byte per letter.
///
/// The 254 most frequent letters (UTF-16 code units) have the codes 1…254 in ascending order of letter. Any other
/// letter is written as three bytes: 255 and the letter, high byte first. It counts as three letters in an edit
/// distance. This only concerns fields with more than 254 different letters (Han, Hangul), whose words are too short
/// for typos. Code 0 is a letter that occurs in no word of the field; it matches nothing.
struct Alphabet: Sendable {
    static let escape: UInt8 = 255
    static let unknown: UInt8 = 0
    static let maxLetters = 254
    let letters: View<UInt16>

    /// Returns nil if there are more letters than codes.
    init?(letters: View<UInt16>) {
        guard letters.count <= Alphabet.maxLetters else { return nil }
        self.letters = letters
    }

    /// Returns the code of a frequent letter, or nil. O(log letters).
    @inline(__always)
    func code(of letter: UInt16) -> UInt8? {
        let index = (0..<letters.count).partitioningIndex { letters[$0] >= letter }
        return index < letters.count && letters[index] == letter ? UInt8(index + 1) : nil
    }

    /// Appends the bytes of a word. A letter unknown to the field becomes ``unknown`` or, if the field has rare
    /// letters, an escape.
    func encode(_ word: some Collection<UInt16>, into bytes: inout [UInt8]) {
        for letter in word {
            if let code = code(of: letter) {
                bytes.append(code)
            } else if letters.count < Alphabet.maxLetters {
                bytes.append(Alphabet.unknown)
            } else {
                bytes.append(Alphabet.escape)
                bytes.append(UInt8(letter >> 8))
                bytes.append(UInt8(letter & 0xff))
            }
        }
    }

    /// Appends the bytes of letters. Returns false and appends nothing if one of the letters occurs in no word of the
    /// field.
    func encodeKnown(_ letters: some Collection<UInt16>, into bytes: inout [UInt8]) -> Bool {
        let start = bytes.count
        encode(letters, into: &bytes)
        guard self.letters.count < Alphabet.maxLetters, bytes[start...].contains(Alphabet.unknown) else { return true }
        bytes.removeSubrange(start...)
        return false
    }

    /// Returns the number of bytes of the letter at a position.
    @inline(__always)
    static func byteCount(_ bytes: View<UInt8>, at position: Int) -> Int { bytes[position] == escape ? 3 : 1 }

    /// Returns the number of letters in the first `count` bytes of a key.
    static func letterCount(_ bytes: View<UInt8>, _ count: Int) -> Int {
        var position = 0
        var letters = 0
        while position < count {
            position += byteCount(bytes, at: position)
            letters += 1
        }
        return letters
    }
}
