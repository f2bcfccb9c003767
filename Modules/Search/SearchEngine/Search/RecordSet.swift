/// A set of record numbers: a bit for each record of an index.
public struct RecordSet: Sendable, Hashable {
    private var bits: [UInt64] = []
    /// How many records are in it.
    public private(set) var count = 0

    /// An empty set. It grows with what is put in.
    public init() {}

    /// Whether there is none.
    public var isEmpty: Bool { count == 0 }

    /// Whether a record is in it.
    @inline(__always)
    public func contains(_ record: Int) -> Bool {
        let word = record >> 6
        return word < bits.count && bits[word] & (1 << UInt64(record & 63)) != 0
    }

    /// Puts a record in; false if it was in already.
    @discardableResult
    public mutating func insert(_ record: Int) -> Bool {
        guard record >= 0, !contains(record) else { return false }
        let word = record >> 6
        if word >= bits.count { bits += Array(repeating: 0, count: word + 1 - bits.count) }
        bits[word] |= 1 << UInt64(record & 63)
        count += 1
        return true
    }
}
