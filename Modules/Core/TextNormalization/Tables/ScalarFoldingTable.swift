/// What a scalar folds to before words are looked at: compatibility decomposition, small letters, ASCII digits.
///
/// Also one form for letters of one sound (final forms, presentation forms, katakana as hiragana) and base letters
/// for those no decomposition reaches (ł, ø). The constant bytes are unpacked at the first scalar that needs them,
/// in some tens of microseconds.
struct ScalarFoldingTable: Sendable {
    static let shared = ScalarFoldingTable()

    /// Marks that the table itself gives to a base letter, from the private use area.
    static let schwaMark: UInt32 = 0xE000
    static let engMark: UInt32 = 0xE001

    private let keys: [UInt32]
    private let starts: [UInt32]
    private let values: [UInt32]
    /// For each 32 scalars, the first key that is not below.
    private let buckets: [UInt16]

    private init() {
        var keys: [UInt32] = []
        var starts: [UInt32] = []
        var values: [UInt32] = []
        keys.reserveCapacity(Self.entryCount)
        starts.reserveCapacity(Self.entryCount + 1)
        var reader = PackedNumbers(Self.data)
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

    /// Where what a scalar folds to stands, or `nil` where it folds to itself.
    @inline(__always)
    func range(of scalar: UInt32) -> Range<Int>? {
        let bucket = Int(scalar >> 5)
        guard bucket + 1 < buckets.count else { return nil }
        for index in Int(buckets[bucket])..<Int(buckets[bucket + 1]) where keys[index] == scalar {
            return Int(starts[index])..<Int(starts[index + 1])
        }
        return nil
    }

    /// A scalar of a range that ``range(of:)`` gave.
    @inline(__always)
    func value(at position: Int) -> UInt32 {
        values[position]
    }
}

/// Reads the numbers that `Scripts/folding-tables.py` writes: base 32 from the lowest digit up, each 48 + digit, and
/// 32 more when another one follows.
struct PackedNumbers {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    init(_ data: StaticString) {
        // A literal with pointer representation is constant memory for the life of the process.
        bytes = UnsafeBufferPointer(start: data.utf8Start, count: data.utf8CodeUnitCount)
    }

    mutating func number() -> UInt32 {
        var result: UInt32 = 0
        var shift: UInt32 = 0
        while position < bytes.count {
            let byte = UInt32(bytes[position])
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
