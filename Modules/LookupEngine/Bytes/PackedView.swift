/// Unsigned integers that can be read by their position.
protocol IntegerSequence: Sendable {
    var count: Int { get }
    subscript(position: Int) -> UInt32 { get }
}

extension IntegerSequence {
    @inline(__always)
    subscript(position: UInt32) -> UInt32 { self[Int(position)] }
}

/// A read-only window on a section of unsigned integers, each in as many whole bytes as the largest of them needs: one to four.
///
/// Most numbers of an index are those of records, words and places in its own arrays: with 100,000 records a quarter to three quarters
/// of four bytes are zeros. Whole bytes, not bits, since a value is then one load and one mask.
///
/// A section is the width in bytes (eight bytes), the values, and three zeros, so that four bytes can be read at each of them.
struct PackedView: IntegerSequence, @unchecked Sendable {
    // Sendable: points into an `IndexBytes` that its index keeps alive and nobody writes.
    private let base: UnsafeRawPointer
    private let width: Int
    private let mask: UInt32
    let count: Int

    private static let headLength = 8
    private static let tailLength = 3

    /// Nil if it is no such section.
    init?(_ section: UnsafeRawBufferPointer) {
        let overhead = PackedView.headLength + PackedView.tailLength
        guard let start = section.baseAddress, section.count >= overhead else { return nil }
        let width = section.loadUnaligned(as: UInt64.self)
        guard (1...4).contains(width), (section.count - overhead) % Int(width) == 0 else { return nil }
        self.width = Int(width)
        mask = .max >> UInt32(32 - 8 * self.width)
        base = start + PackedView.headLength
        count = (section.count - overhead) / self.width
    }

    @inline(__always)
    subscript(position: Int) -> UInt32 {
        assert(position >= 0 && position < count, "position \(position) outside a section of \(count)")
        return base.loadUnaligned(fromByteOffset: position &* width, as: UInt32.self) & mask
    }

    /// The bytes of the section that holds some values. O(values).
    static func section(of values: some Collection<UInt32>) -> [UInt8] {
        let largest = values.max() ?? 0
        let width = Swift.max(1, (UInt32.bitWidth - largest.leadingZeroBitCount + 7) / 8)
        var bytes = [UInt8](repeating: 0, count: headLength + values.count * width + tailLength)
        bytes[0] = UInt8(width)
        var place = headLength
        for value in values {
            for byte in 0..<width { bytes[place + byte] = UInt8(truncatingIfNeeded: value >> UInt32(8 * byte)) }
            place += width
        }
        return bytes
    }
}
