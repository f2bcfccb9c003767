/// Up to eight small ASCII letters in one machine word: what a letter of another script is written as.
///
/// Transliteration copies these by the million, so they must not be counted references.
struct RomanText: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The letters as bytes, the first one lowest.
    private var bits: UInt64 = 0

    /// Takes the ASCII letters of a text, as many as there is room for.
    init(_ text: some StringProtocol) {
        for byte in text.utf8 where byte < 0x80 { append(byte) }
    }

    init(stringLiteral value: StaticString) {
        for index in 0..<value.utf8CodeUnitCount { append(value.utf8Start[index]) }
    }

    init(letter: UInt16) {
        if letter < 0x80 { append(UInt8(truncatingIfNeeded: letter)) }
    }

    var isEmpty: Bool { bits == 0 }

    var count: Int { (64 - bits.leadingZeroBitCount + 7) / 8 }

    var first: UInt16? { isEmpty ? nil : self[0] }

    var last: UInt16? { isEmpty ? nil : self[count - 1] }

    /// A letter, or 0 past the end.
    @inline(__always)
    subscript(index: Int) -> UInt16 {
        UInt16(truncatingIfNeeded: (bits >> UInt64(index * 8)) & 0xFF)
    }

    static func + (first: RomanText, second: RomanText) -> RomanText {
        var result = first
        for index in 0..<second.count { result.append(UInt8(truncatingIfNeeded: second[index])) }
        return result
    }

    private mutating func append(_ byte: UInt8) {
        let count = count
        if count < 8, byte != 0 { bits |= UInt64(byte) << UInt64(count * 8) }
    }
}
