public import GRDB
public import SwitchboardSearchEngine

/// The source of the documents of an index.
public protocol IndexSource: Sendable {
    /// The key that orders equal matches, the best first.
    associatedtype SortKey: Comparable

    /// The name of the index files beside the database: `NAME.index` and `NAME-recent.index`.
    var fileName: String { get }
    /// The version of the index content. Files of another version are not read.
    var schemaVersion: UInt64 { get }
    /// The fields of the index.
    var fields: [FieldOptions] { get }
    /// The recorded changes of the documents.
    var changes: DocumentChanges { get }

    /// Returns the sort keys of documents by key. Deleted documents are left out.
    func sortKeys(of keys: [Int64], in db: Database) throws -> [Int64: SortKey]

    /// Adds documents to an index builder.
    ///
    /// - Parameters:
    ///   - keys: The documents, some of which may be deleted; nil for all.
    ///   - ranks: The ranks of `keys`. If empty, the source determines them, in the order of its sort keys.
    func add(_ keys: [Int64]?, ranks: [Int64: UInt64], to builder: inout IndexBuilder, in db: Database) throws
}
