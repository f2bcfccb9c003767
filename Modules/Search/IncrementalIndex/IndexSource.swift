public import GRDB
public import SwitchboardSearchEngine

/// What a domain puts into its index.
public protocol IndexSource: Sendable {
    /// What orders equal matches, the best first.
    associatedtype SortKey: Comparable

    /// The name of its files beside the database: `NAME.index` and `NAME-recent.index`.
    var fileName: String { get }
    /// Changes when what goes into the index is made otherwise; an older file is then not read.
    var schemaVersion: UInt64 { get }
    /// The fields of the index.
    var fields: [FieldOptions] { get }
    /// Where the changes are noted that the index follows.
    var changes: DocumentChanges { get }

    /// What orders some documents, by key; those that are no more are missing.
    func sortKeys(of keys: [Int64], in db: Database) throws -> [Int64: SortKey]

    /// Adds documents to an index that is made.
    ///
    /// - Parameters:
    ///   - keys: which documents, some of which may be no more; nil for all.
    ///   - ranks: their order, if `keys` are given; else the domain says it, in the same order as its sortKeys.
    ///   - builder: what they are added to.
    ///   - db: the transaction in which they are read.
    func add(_ keys: [Int64]?, ranks: [Int64: UInt64], to builder: inout IndexBuilder, in db: Database) throws
}
