/// The documents found so far: a list of up to 32, then a bitmap.
///
/// The list is stored inline, so a tier copies it without allocating.
struct VisitedSet {
    private static let maxListed = 32

    private let count: Int
    private var listed = InlineArray<32, UInt32>(repeating: .max)
    private var listedCount = 0
    private var bits: [UInt64] = []
    private let excluded: DocumentSet

    /// Creates a set in which the excluded documents count as visited.
    init(count: Int, excluded: DocumentSet) {
        self.count = count
        self.excluded = excluded
    }

    @inline(__always)
    func contains(_ document: Int) -> Bool {
        if excluded.contains(document) { return true }
        if !bits.isEmpty { return bits[document >> 6] & (1 << UInt64(document & 63)) != 0 }
        for index in 0..<listedCount where listed[index] == UInt32(truncatingIfNeeded: document) { return true }
        return false
    }

    /// Inserts a document. Returns true if it is new.
    @inline(__always)
    mutating func insert(_ document: Int) -> Bool {
        if contains(document) { return false }
        if bits.isEmpty, listedCount < VisitedSet.maxListed {
            listed[listedCount] = UInt32(truncatingIfNeeded: document)
            listedCount += 1
            return true
        }
        if bits.isEmpty { makeBitmap() }
        bits[document >> 6] |= 1 << UInt64(document & 63)
        return true
    }

    private mutating func makeBitmap() {
        bits = Array(repeating: 0, count: (count + 63) / 64)
        for index in 0..<listedCount {
            let document = Int(listed[index])
            bits[document >> 6] |= 1 << UInt64(document & 63)
        }
    }
}
