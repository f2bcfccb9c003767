/// Up to eight lowercase ASCII letters in one machine word: the romanization of a letter.
///
/// Romanization copies millions of these; avoiding reference counting matters.
struct ASCIILetters: Sendable, Hashable, RandomAccessCollection, ExpressibleByStringLiteral {
    /// The letters as bytes, the first in the lowest byte.
    private var bits: UInt64 = 0

    /// Creates a value from the first eight ASCII letters of a sequence.
    init(_ letters: some Sequence<UInt16>) {
        for letter in letters where letter < 0x80 { append(letter) }
    }

    init(stringLiteral value: StaticString) {
        // Safe: a string literal has a pointer to all its bytes.
        for index in 0..<value.utf8CodeUnitCount { append(UInt16(unsafe value.utf8Start[index])) }
    }

    var startIndex: Int { 0 }

    var endIndex: Int { (64 - bits.leadingZeroBitCount + 7) / 8 }

    /// The letter at an index, or 0 past the end.
    @inline(__always)
    subscript(index: Int) -> UInt16 {
        UInt16(truncatingIfNeeded: (bits >> UInt64(index * 8)) & 0xFF)
    }

    static func + (first: ASCIILetters, second: ASCIILetters) -> ASCIILetters {
        var result = first
        for letter in second { result.append(letter) }
        return result
    }

    private mutating func append(_ letter: UInt16) {
        let count = count
        if count < 8 { bits |= UInt64(letter) << UInt64(count * 8) }
    }
}
