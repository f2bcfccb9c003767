/// Up to eight lowercase ASCII letters in one machine word: the romanization of a letter.
///
/// Romanization copies millions of these; avoiding reference counting matters.
struct ASCIILetters: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The letters as bytes, the first in the lowest byte.
    private var bits: UInt64 = 0

    /// Creates a value from the first eight ASCII characters of a text.
    init(_ text: some StringProtocol) {
        for byte in text.utf8 where byte < 0x80 { append(byte) }
    }

    init(stringLiteral value: StaticString) {
        // Safe: a string literal has a pointer to all its bytes.
        for index in 0..<value.utf8CodeUnitCount { append(unsafe value.utf8Start[index]) }
    }

    init(letter: UInt16) {
        if letter < 0x80 { append(UInt8(truncatingIfNeeded: letter)) }
    }

    var isEmpty: Bool { bits == 0 }

    var count: Int { (64 - bits.leadingZeroBitCount + 7) / 8 }

    var first: UInt16? { isEmpty ? nil : self[0] }

    var last: UInt16? { isEmpty ? nil : self[count - 1] }

    /// The letter at an index, or 0 past the end.
    @inline(__always)
    subscript(index: Int) -> UInt16 {
        UInt16(truncatingIfNeeded: (bits >> UInt64(index * 8)) & 0xFF)
    }

    static func + (first: ASCIILetters, second: ASCIILetters) -> ASCIILetters {
        var result = first
        for index in 0..<second.count { result.append(UInt8(truncatingIfNeeded: second[index])) }
        return result
    }

    private mutating func append(_ byte: UInt8) {
        let count = count
        if count < 8, byte != 0 { bits |= UInt64(byte) << UInt64(count * 8) }
    }
}
