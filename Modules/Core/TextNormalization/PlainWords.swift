/// The words of an ASCII text, each with one spelling: its letters in lower case.
///
/// They are the words of a ``FoldedText`` of the same text, and are found in a tenth of the time.
public struct PlainWords: Sendable {
    private let text: ArraySlice<UInt8>

    /// Creates the words of a text; nil if it has other characters than those of ASCII.
    public init?(_ text: ArraySlice<UInt8>) {
        guard text.allSatisfy({ $0 < 0x80 }) else { return nil }
        self.text = text
    }

    /// `true` if there are no words.
    public var isEmpty: Bool { !text.contains(where: Self.isLetter) }

    /// Returns the range of a word, in characters of the text; nil if there are not as many words. O(characters).
    public subscript(number: Int) -> Range<Int>? {
        var left = number
        var start: Int?
        for (position, byte) in text.enumerated() {
            if Self.isLetter(byte) {
                start = start ?? position
            } else if let first = start {
                if left == 0 { return first..<position }
                left -= 1
                start = nil
            }
        }
        return left == 0 ? start.map { $0..<text.count } : nil
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        if case .letter = ScalarClass(UInt32(byte)) { true } else { false }
    }
}
