/// The words of a text whose letters fold to one Latin letter each, such as "José Núñez".
///
/// The first spelling of such a word is these letters, in lower case and without marks, so that its letter *i* is letter
/// *i* of the text. The words are those of a ``FoldedText`` of the same text, and are found in a tenth of the time.
public struct PlainWords: Sendable {
    private let text: ArraySlice<UInt8>
    /// `true` if there are no words.
    public let isEmpty: Bool

    /// Creates the words of a text of UTF-8; nil if it has other letters.
    public init?(_ text: ArraySlice<UInt8>) {
        var hasLetter = false
        var position = text.startIndex
        while position < text.endIndex {
            guard let isLetter = Self.isLetter(at: &position, in: text) else { return nil }
            if isLetter { hasLetter = true }
        }
        self.text = text
        isEmpty = !hasLetter
    }

    /// Returns the range of a word, in Unicode scalars of the text; nil if there are not as many words. O(letters).
    public subscript(number: Int) -> Range<Int>? {
        var left = number
        var start: Int?
        var offset = 0
        var position = text.startIndex
        while position < text.endIndex {
            if Self.isLetter(at: &position, in: text) ?? false {
                start = start ?? offset
            } else if let first = start {
                if left == 0 { return first..<offset }
                left -= 1
                start = nil
            }
            offset += 1
        }
        return left == 0 ? start.map { $0..<offset } : nil
    }

    /// Moves behind a scalar and returns `true` for a letter or digit, `false` for what separates words, nil for any
    /// other scalar.
    @inline(__always)
    private static func isLetter(at position: inout Int, in text: ArraySlice<UInt8>) -> Bool? {
        let byte = text[position]
        position += 1
        if byte < 0x80 {
            if case .letter = ScalarClass(UInt32(byte)) { return true }
            return false
        }
        // Latin letters have two bytes.
        guard (0xC3...0xC9).contains(byte), position < text.endIndex, text[position] & 0xC0 == 0x80 else { return nil }
        let scalar = UInt32(byte & 0x1F) << 6 | UInt32(text[position] & 0x3F)
        position += 1
        guard let folded = ScalarFolding.range(of: scalar), let first = folded.first,
            (0x61...0x7A).contains(ScalarFolding.value(at: first)),
            folded.dropFirst().allSatisfy({ isMark(ScalarFolding.value(at: $0)) })
        else { return nil }
        return true
    }

    private static func isMark(_ scalar: UInt32) -> Bool {
        if scalar == ScalarFolding.schwaMark || scalar == ScalarFolding.engMark { return true }
        if case .mark = ScalarClass(scalar) { return true }
        return false
    }
}
