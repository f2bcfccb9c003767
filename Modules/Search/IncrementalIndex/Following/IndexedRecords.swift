public import GRDB
public import SwitchboardSearchEngine

/// What a domain puts into its index.
public protocol IndexedRecords: Sendable {
    /// What orders equal matches, the best first.
    associatedtype Place: Comparable

    /// The name of its files beside the database: `NAME.index` and `NAME-recent.index`.
    var fileName: String { get }
    /// Changes when what goes into the index is made otherwise; an older file is then not read.
    var rules: UInt64 { get }
    /// The lanes of the index.
    var lanes: [LaneOptions] { get }
    /// Where the changes are noted that the index follows.
    var changes: RecordChanges { get }

    /// What orders some records, by key; those that are no more are missing.
    func places(of keys: [Int64], in db: Database) throws -> [Int64: Place]

    /// Adds records to an index that is made.
    ///
    /// - Parameters:
    ///   - keys: which records, some of which may be no more; nil for all.
    ///   - ranks: their order, if `keys` are given; else the domain says it, in the same order as its places.
    ///   - builder: what they are added to.
    ///   - db: the transaction in which they are read.
    func add(_ keys: [Int64]?, ranks: [Int64: UInt64], to builder: inout IndexBuilder, in db: Database) throws
}
