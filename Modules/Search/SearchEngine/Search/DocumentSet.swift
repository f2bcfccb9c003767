/// A set of document numbers: a bit for each document of an index.
public struct DocumentSet: Sendable, Hashable {
    private var bits: [UInt64] = []
    /// The number of documents in the set.
    public private(set) var count = 0

    /// Creates an empty set.
    public init() {}

    /// `true` if the set is empty.
    public var isEmpty: Bool { count == 0 }

    /// Returns `true` if the set contains a document.
    @inline(__always)
    public func contains(_ document: Int) -> Bool {
        let word = document >> 6
        return word < bits.count && bits[word] & (1 << UInt64(document & 63)) != 0
    }

    /// Inserts a document. Returns false if the set already contains it.
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
