/// Unsigned integers accessed by position.
protocol IntegerSequence: Sendable {
    /// The binary logarithm of the block size of a ``RangeMinimum``.
    static var blockShift: Int { get }
    var count: Int { get }
    subscript(position: Int) -> UInt32 { get }
}

extension IntegerSequence {
    @inline(__always)
    subscript(position: UInt32) -> UInt32 { self[Int(position)] }
}

/// A read-only view of a section of unsigned integers, each in as many whole bytes as the largest value needs.
///
/// Most numbers of an index are numbers of documents and words or offsets into its arrays. With 100,000 documents a
/// quarter to three quarters of four-byte integers are zeros. Whole bytes instead of bits, because a value is then one
/// load and one mask.
///
/// The section contains the width in bytes (eight bytes), the values, and zeros so that a whole integer can be read at
/// each position.
struct PackedView<Value: FixedWidthInteger & UnsignedInteger>: @unchecked Sendable {
    // Sendable: points into an `IndexBytes` that the index retains and that is never written.
    private let base: UnsafeRawPointer
    private let width: Int
    private let mask: Value
    let count: Int

    private static var headLength: Int { 8 }
    private static var tailLength: Int { MemoryLayout<Value>.size - 1 }

    /// Returns nil if the section is malformed.
    init?(_ section: UnsafeRawBufferPointer) {
        let overhead = Self.headLength + Self.tailLength
        guard let start = section.baseAddress, section.count >= overhead else { return nil }
        let width = section.loadUnaligned(as: UInt64.self)
        guard (1...UInt64(MemoryLayout<Value>.size)).contains(width), (section.count - overhead) % Int(width) == 0
        else { return nil }
        self.width = Int(width)
        mask = .max >> Value(Value.bitWidth - 8 * self.width)
        base = start + Self.headLength
        count = (section.count - overhead) / self.width
    }

    @inline(__always)
    subscript(position: Int) -> Value {
        assert(position >= 0 && position < count, "position \(position) outside a section of \(count)")
        return base.loadUnaligned(fromByteOffset: position &* width, as: Value.self) & mask
    }

    /// The bytes of a section with these values. O(values).
    static func section(of values: some Collection<Value>) -> [UInt8] {
        let largest = values.max() ?? 0
        let width = Swift.max(1, (Value.bitWidth - largest.leadingZeroBitCount + 7) / 8)
        var bytes = [UInt8](repeating: 0, count: headLength + values.count * width + tailLength)
        bytes[0] = UInt8(width)
        var offset = headLength
        for value in values {
            for byte in 0..<width { bytes[offset + byte] = UInt8(truncatingIfNeeded: value >> Value(8 * byte)) }
            offset += width
        }
        return bytes
    }
}

extension PackedView: IntegerSequence where Value == UInt32 {
    static var blockShift: Int { 6 }
}
