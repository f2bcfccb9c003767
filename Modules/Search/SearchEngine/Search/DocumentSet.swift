/// A set of document numbers: a bit for each document of an index.
public struct DocumentSet: Sendable, Hashable {
    private var bits: [UInt64] = []
    /// How many documents are in it.
    public private(set) var count = 0

    /// An empty set. It grows with what is put in.
    public init() {}

    /// Whether there is none.
    public var isEmpty: Bool { count == 0 }

    /// Whether a document is in it.
    @inline(__always)
    public func contains(_ document: Int) -> Bool {
        let word = document >> 6
        return word < bits.count && bits[word] & (1 << UInt64(document & 63)) != 0
    }

    /// Puts a document in; false if it was in already.
    @discardableResult
    public mutating func insert(_ document: Int) -> Bool {
        guard document >= 0, !contains(document) else { return false }
        let word = document >> 6
        if word >= bits.count { bits += Array(repeating: 0, count: word + 1 - bits.count) }
        bits[word] |= 1 << UInt64(document & 63)
        count += 1
        return true
    }
}
