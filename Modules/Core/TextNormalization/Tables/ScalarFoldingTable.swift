/// The folding of single scalars: compatibility decomposition, lower case and ASCII digits.
///
/// It also unifies letter forms (final forms, presentation forms, katakana as hiragana) and maps letters without a
/// decomposition (ł, ø) to base letters. The packed table is decoded on first use, in some tens of microseconds.
struct ScalarFoldingTable: Sendable {
    static let shared = ScalarFoldingTable()

    /// Private-use marks that the table adds to base letters.
    static let schwaMark: UInt32 = 0xE000
    static let engMark: UInt32 = 0xE001

    private let keys: [UInt32]
    private let starts: [UInt32]
    private let values: [UInt32]
    /// The index of the first key of each block of 32 scalars.
    private let buckets: [UInt16]

    private init() {
        var keys: [UInt32] = []
        var starts: [UInt32] = []
        var values: [UInt32] = []
        keys.reserveCapacity(Self.entryCount)
        starts.reserveCapacity(Self.entryCount + 1)
        var reader = PackedIntegerReader(Self.data)
        var key: UInt32 = 0
        var value: UInt32 = 0
        for _ in 0..<Self.entryCount {
            key &+= reader.number()
            keys.append(key)
            starts.append(UInt32(truncatingIfNeeded: values.count))
            for _ in 0..<min(reader.number(), 32) {
                let step = reader.number()
                value = step & 1 == 0 ? value &+ step >> 1 : value &- (step &+ 1) >> 1
                values.append(value)
            }
        }
        starts.append(UInt32(truncatingIfNeeded: values.count))
        var buckets: [UInt16] = []
        var first = 0
        for bucket in 0...Int(key >> 5) + 1 {
            while first < keys.count, keys[first] >> 5 < bucket { first += 1 }
            buckets.append(UInt16(truncatingIfNeeded: first))
        }
        self.keys = keys
        self.starts = starts
        self.values = values
        self.buckets = buckets
    }

    /// Returns the positions of the folded scalars, or `nil` if a scalar folds to itself.
    @inline(__always)
    func range(of scalar: UInt32) -> Range<Int>? {
        let bucket = Int(scalar >> 5)
        guard bucket + 1 < buckets.count else { return nil }
        for index in Int(buckets[bucket])..<Int(buckets[bucket + 1]) where keys[index] == scalar {
            return Int(starts[index])..<Int(starts[index + 1])
        }
        return nil
    }

    /// Returns the folded scalar at a position in the result of ``range(of:)``.
    @inline(__always)
    func value(at position: Int) -> UInt32 {
        values[position]
    }
}

/// Reads the integers that `Scripts/folding-tables.py` writes: digits of base 32, lowest first, each as ASCII 48 +
/// digit, plus 32 if another digit follows.
@safe struct PackedIntegerReader {
    // Safe: the bytes of a string literal, which live as long as the process.
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    init(_ data: StaticString) {
        // Safe: a string literal has a pointer to all its bytes.
        unsafe bytes = UnsafeBufferPointer(start: data.utf8Start, count: data.utf8CodeUnitCount)
    }

    mutating func number() -> UInt32 {
        var result: UInt32 = 0
        var shift: UInt32 = 0
        while unsafe position < bytes.count {
            // Safe: the position is not negative and, as just checked, within the bytes.
            let byte = unsafe UInt32(bytes[position])
            position += 1
            guard byte >= 48 else { continue }
            let digit = byte - 48
            result |= (digit & 31) << shift
            if digit < 32 { return result }
            shift += 5
        }
        return result
    }
}
