// The encodings of numbers that the stored formats share.

extension [UInt8] {
    /// Appends a number in LEB128: seven bits in each byte, the lowest first.
    @inlinable
    package mutating func append(leb128 number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    /// Appends the eight bytes of a number, the lowest first.
    package mutating func append(littleEndian number: UInt64) {
        for byte in 0..<8 { append(UInt8(truncatingIfNeeded: number >> (8 * byte))) }
    }
}

extension RandomAccessCollection<UInt8> where Index == Int {
    /// Reads a number in LEB128 and moves the position past it; nil if it is malformed.
    @inlinable
    package func leb128(at position: inout Int) -> UInt64? {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while position < endIndex, shift < 64 {
            let byte = self[position]
            position += 1
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
        return nil
    }

    /// Reads eight bytes, the lowest first, and moves the position past them; nil if there are fewer.
    @inlinable
    package func littleEndian(at position: inout Int) -> UInt64? {
        guard endIndex - position >= 8 else { return nil }
        defer { position += 8 }
        return self[position..<position + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
