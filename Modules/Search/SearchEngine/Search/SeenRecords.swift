/// The records found so far: a short list first, a bitmap from the 33rd on.
///
/// The list lies in the value itself, so that a tier has a copy of its own without asking for memory.
struct SeenRecords {
    private static let fewest = 32

    private let count: Int
    private var few = InlineArray<32, UInt32>(repeating: .max)
    private var fewCount = 0
    private var bits: [UInt64] = []
    private let excluded: RecordSet

    /// Records that are excluded count as found.
    init(count: Int, excluded: RecordSet) {
        self.count = count
        self.excluded = excluded
    }

    @inline(__always)
    func contains(_ record: Int) -> Bool {
        if excluded.contains(record) { return true }
        if !bits.isEmpty { return bits[record >> 6] & (1 << UInt64(record & 63)) != 0 }
        for place in 0..<fewCount where few[place] == UInt32(truncatingIfNeeded: record) { return true }
        return false
    }

    /// True if the record is new.
    @inline(__always)
    mutating func insert(_ record: Int) -> Bool {
        if contains(record) { return false }
        if bits.isEmpty, fewCount < SeenRecords.fewest {
            few[fewCount] = UInt32(truncatingIfNeeded: record)
            fewCount += 1
            return true
        }
        if bits.isEmpty { makeBitmap() }
        bits[record >> 6] |= 1 << UInt64(record & 63)
        return true
    }

    private mutating func makeBitmap() {
        bits = Array(repeating: 0, count: (count + 63) / 64)
        for place in 0..<fewCount {
            let record = Int(few[place])
            bits[record >> 6] |= 1 << UInt64(record & 63)
        }
    }
}
