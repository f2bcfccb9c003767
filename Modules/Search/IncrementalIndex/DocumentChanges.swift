public import GRDB
import SwitchboardStorage

/// Which documents have changed since a generation, so that an index of that generation need not be made anew.
///
/// Triggers write a row for each changed document into a table of changes, in the transaction of the change, with the generation *before*
/// it. So what has changed since generation g is what has rows of g or later; and g has rows unless nothing has changed
/// since, or g never was a state of this file (an index of another one, or of a future that a restore took back), or the
/// rows have been tidied away. In the latter cases the index has to be made anew.
///
/// The generation must move on after the changes of a transaction, at its end.
public struct DocumentChanges: Sendable {
    /// The table of changes: the generation, the key of the document, and the scope, if there are several.
    public let table: String
    /// The column with the key.
    public let column: String
    /// The module whose generation counts; with a scope, `MODULE.VALUE`.
    public let module: String
    /// Which of several indexes over one table: its column, in the table of changes and in that of the documents, and its value.
    public let scope: (column: String, value: Int64)?

    /// The changes in a table; see the properties.
    public init(
        table: String, column: String, generationOf module: String, scope: (column: String, value: Int64)? = nil
    ) {
        self.table = table
        self.column = column
        self.module = module
        self.scope = scope
    }

    /// Changes of more transactions than these are forgotten.
    static let mostTransactions: Int64 = 20_000
    /// One transaction that changes more than this share of the documents is not noted document by document.
    static let bulkShare = 10
    static let leastBulk = 1_000

    private var inScope: String { scope.map { " AND \($0.column) = \($0.value)" } ?? "" }

    /// The name under which the storage counts the changes; see `Storage.bump(_:in:)`.
    public var generationModule: String { scope.map { "\(module).\($0.value)" } ?? module }

    /// The generation that `db` is in.
    func generation(in db: Database) throws -> UInt64 {
        UInt64(bitPattern: try Storage.generation(of: generationModule, in: db))
    }

    /// The keys of the documents that have changed since one generation, and before another one, ascending; nil if that is not known.
    /// O(changes).
    func keys(since start: Int64, before end: Int64 = .max, in db: Database) throws -> [Int64]? {
        let known = try Bool.fetchOne(
            try db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM \(table) WHERE generation = ?\(inScope))"),
            arguments: [start])
        guard known ?? false else { return nil }
        return try Int64.fetchAll(
            try db.cachedStatement(
                sql: """
                    SELECT DISTINCT \(column) FROM \(table) WHERE generation >= ? AND generation < ?\(inScope)
                    ORDER BY \(column)
                    """), arguments: [start, end])
    }

    /// Forgets what is too old to be of use, or too much; at the end of a transaction that has changed documents.
    ///
    /// - Parameters:
    ///   - changed: how many documents the transaction has changed, if it may be many.
    ///   - count: how many documents there are; only asked for if many have changed.
    ///   - db: the transaction.
    /// - Complexity: O(1) but for what is forgotten.
    public func compact(afterChanging changed: Int = 1, of count: () throws -> Int = { 0 }, in db: Database) throws {
        if changed > DocumentChanges.leastBulk, try changed > count() / DocumentChanges.bulkShare {
            // An index is better made anew.
            return try db.execute(sql: "DELETE FROM \(table) WHERE TRUE\(inScope)")
        }
        let bounds = "SELECT max(generation), min(generation) FROM \(table) WHERE TRUE\(inScope)"
        guard let row = try Row.fetchOne(try db.cachedStatement(sql: bounds)),
            let latest: Int64 = try row.value(0), let oldest: Int64 = try row.value(1)
        else { return }
        // The lower bits of a generation are random, the rest counts.
        let (span, isDamaged) = latest.subtractingReportingOverflow(oldest)
        if isDamaged {
            try db.execute(sql: "DELETE FROM \(table) WHERE TRUE\(inScope)")
        } else if span >> 20 > DocumentChanges.mostTransactions {
            try db.execute(
                sql: "DELETE FROM \(table) WHERE generation < ?\(inScope)",
                arguments: [latest - (DocumentChanges.mostTransactions / 2) << 20])
        }
    }
}

// MARK: - Tables

extension DocumentChanges {
    /// The table of changes and the triggers that fill it, for a migration.
    ///
    /// - Parameters:
    ///   - documents: the table of the documents. If there are scopes, it has the column of that name.
    ///   - key: its column with the key.
    ///   - columns: which columns count when a document is updated; all if none is named.
    public func schema(noting documents: String, key: String = "key", updatesOf columns: [String] = []) -> String {
        let scopeColumn = scope.map { "\($0.column) INTEGER NOT NULL, " } ?? ""
        let primary = (scope.map { [$0.column] } ?? []) + ["generation", column]
        let update = columns.isEmpty ? "UPDATE" : "UPDATE OF \(columns.joined(separator: ", "))"
        let events = [("insert", "INSERT", "new"), ("update", update, "new"), ("delete", "DELETE", "old")]
        let triggers = events.map { name, event, row in
            let module = scope.map { "'\(self.module).' || \(row).\($0.column)" } ?? "'\(self.module)'"
            let generation = "coalesce((SELECT generation FROM storage_generation WHERE module = \(module)), 0)"
            let names = primary.joined(separator: ", ")
            let values = (scope.map { ["\(row).\($0.column)"] } ?? []) + [generation, "\(row).\(key)"]
            let list = values.joined(separator: ", ")
            // Not OR IGNORE: the statement that fires a trigger decides on conflicts in it, and an upsert would fail.
            return """
                CREATE TRIGGER \(documents)_is_noted_on_\(name) AFTER \(event) ON \(documents) BEGIN
                    INSERT INTO \(table) (\(names)) SELECT \(list)
                    WHERE NOT EXISTS (SELECT 1 FROM \(table) WHERE (\(names)) = (\(list)));
                END;
                """
        }
        return """
            CREATE TABLE \(table) (
                \(scopeColumn)generation INTEGER NOT NULL, \(column) INTEGER NOT NULL,
                PRIMARY KEY (\(primary.joined(separator: ", ")))
            ) WITHOUT ROWID;

            """ + triggers.joined(separator: "\n")
    }
}
