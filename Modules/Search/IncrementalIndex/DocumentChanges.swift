public import GRDB
import SwitchboardStorage

/// Tracks the documents that have changed since a generation, so that an index of that generation can be updated
/// instead of rebuilt.
///
/// Triggers add a row per changed document to a table of changes, in the transaction of the change, with the generation
/// *before* it. The changes since generation g are therefore the rows of g or later. If g has no rows, either nothing
/// has changed since, or g was never a state of this file (the index belongs to another file, or a restore has undone
/// that generation), or the rows have been trimmed. In the latter cases the index must be rebuilt.
///
/// The generation must increase after the changes, at the end of the transaction.
public struct DocumentChanges: Sendable {
    /// The table of changes. Its columns are the generation, the key of the document and, if there are several scopes,
    /// the scope.
    public let table: String
    /// The column with the key.
    public let column: String
    /// The module whose generation is tracked; `MODULE.VALUE` with a scope.
    public let module: String
    /// The scope, if several indexes share a table: its value, and the name of its column in both the table of changes
    /// and the table of documents.
    public let scope: (column: String, value: Int64)?

    /// Creates a tracker; see the properties.
    public init(
        table: String, column: String, generationOf module: String, scope: (column: String, value: Int64)? = nil
    ) {
        self.table = table
        self.column = column
        self.module = module
        self.scope = scope
    }

    /// The number of transactions whose changes are kept.
    private static let maxTransactions: Int64 = 20_000
    /// Transactions that change more than the number of documents divided by this are not recorded document by
    /// document.
    private static let bulkDivisor = 3
    private static let minBulkChanges = 1_000

    private var scopeCondition: String { scope.map { " AND \($0.column) = \($0.value)" } ?? "" }

    /// The name of the generation counter in the storage; see `Storage.bump(_:in:)`.
    public var generationModule: String { scope.map { "\(module).\($0.value)" } ?? module }

    package func generation(in db: Database) throws -> UInt64 {
        UInt64(bitPattern: try Storage.generation(of: generationModule, in: db))
    }

    /// Returns the keys of the documents that changed from generation `start` on, ascending, or nil if they are unknown.
    /// O(changes).
    func keys(since start: UInt64, in db: Database) throws -> [Int64]? {
        guard try isKnown(start, in: db) else { return nil }
        return try Int64.fetchAll(
            try db.cachedStatement(
                sql: """
                    SELECT DISTINCT \(column) FROM \(table) WHERE generation >= ?\(scopeCondition) ORDER BY \(column)
                    """), arguments: [Int64(bitPattern: start)])
    }

    /// Returns `true` if changes were recorded from a generation on.
    func isKnown(_ generation: UInt64, in db: Database) throws -> Bool {
        let sql = "SELECT EXISTS (SELECT 1 FROM \(table) WHERE generation = ?\(scopeCondition))"
        return try Bool.fetchOne(
            try db.cachedStatement(sql: sql), arguments: [Int64(bitPattern: generation)]) ?? false
    }

    /// Returns the number of recorded changes from generation `start` on, at most `limit`. O(changes).
    func count(since start: UInt64, upTo limit: Int = .max, in db: Database) throws -> Int {
        let sql = "SELECT count(*) FROM (SELECT 1 FROM \(table) WHERE generation >= ?\(scopeCondition) LIMIT ?)"
        return try Int.fetchOne(try db.cachedStatement(sql: sql), arguments: [Int64(bitPattern: start), limit]) ?? 0
    }

    /// Returns the generation before the last recorded transaction and the number of its changes, or nil if they were too
    /// many to record. O(changes of the transaction).
    func last(in db: Database) throws -> (generation: UInt64, count: Int)? {
        let sql = "SELECT max(generation) FROM \(table) WHERE TRUE\(scopeCondition)"
        guard let generation = try Int64.fetchOne(try db.cachedStatement(sql: sql)) else { return nil }
        let start = UInt64(bitPattern: generation)
        return (generation: start, count: try count(since: start, in: db))
    }

    /// Deletes old or too many recorded changes. Call it at the end of a transaction that changes documents.
    ///
    /// - Parameters:
    ///   - changed: The number of documents that the transaction has changed, if it may be large.
    ///   - count: Returns the number of documents; only called if many have changed.
    ///   - db: The database, in that transaction.
    /// - Complexity: O(1) plus the deleted rows.
    public func trim(afterChanging changed: Int = 1, of count: () throws -> Int = { 0 }, in db: Database) throws {
        if changed > DocumentChanges.minBulkChanges, try changed > count() / DocumentChanges.bulkDivisor {
            // Rebuilding the index is cheaper.
            return try db.execute(sql: "DELETE FROM \(table) WHERE TRUE\(scopeCondition)")
        }
        let bounds = "SELECT max(generation), min(generation) FROM \(table) WHERE TRUE\(scopeCondition)"
        guard let row = try Row.fetchOne(try db.cachedStatement(sql: bounds)),
            let latest: Int64 = try row.value(0), let oldest: Int64 = try row.value(1)
        else { return }
        // The lower 20 bits of a generation are random; the upper bits are a counter.
        let (span, isCorrupt) = latest.subtractingReportingOverflow(oldest)
        if isCorrupt {
            try db.execute(sql: "DELETE FROM \(table) WHERE TRUE\(scopeCondition)")
        } else if span >> 20 > DocumentChanges.maxTransactions {
            try db.execute(
                sql: "DELETE FROM \(table) WHERE generation < ?\(scopeCondition)",
                arguments: [latest - (DocumentChanges.maxTransactions / 2) << 20])
        }
    }
}

// MARK: - Tables

extension DocumentChanges {
    /// Returns the SQL that creates the table of changes and its triggers, for a migration.
    ///
    /// - Parameters: See ``triggers(tracking:key:updatesOf:)``.
    public func schema(tracking documents: String, key: String = "key", updatesOf columns: [String] = []) -> String {
        let scopeColumn = scope.map { "\($0.column) INTEGER NOT NULL, " } ?? ""
        return """
            CREATE TABLE \(table) (
                \(scopeColumn)generation INTEGER NOT NULL, \(column) INTEGER NOT NULL,
                PRIMARY KEY (\(primaryKey))
            ) WITHOUT ROWID;

            """ + triggers(tracking: documents, key: key, updatesOf: columns)
    }

    /// Returns the SQL that creates the triggers, or replaces those of an earlier version, for a migration.
    ///
    /// - Parameters:
    ///   - documents: The table of the documents. With scopes, it has the scope column.
    ///   - key: The key column of that table.
    ///   - columns: The columns whose updates are tracked; all if empty.
    public func triggers(tracking documents: String, key: String = "key", updatesOf columns: [String] = []) -> String {
        let update = columns.isEmpty ? "UPDATE" : "UPDATE OF \(columns.joined(separator: ", "))"
        let events = [("insert", "INSERT", "new"), ("update", update, "new"), ("delete", "DELETE", "old")]
        return events.map { name, event, row in
            let module = scope.map { "'\(self.module).' || \(row).\($0.column)" } ?? "'\(self.module)'"
            let generation = "coalesce((SELECT generation FROM storage_generation WHERE module = \(module)), 0)"
            let values = (scope.map { ["\(row).\($0.column)"] } ?? []) + [generation, "\(row).\(key)"]
            // Not OR IGNORE: conflict resolution in a trigger follows the outer statement, so an upsert would fail.
            return """
                DROP TRIGGER IF EXISTS \(documents)_is_noted_on_\(name);
                CREATE TRIGGER \(documents)_is_noted_on_\(name) AFTER \(event) ON \(documents) BEGIN
                    INSERT INTO \(table) (\(primaryKey)) VALUES (\(values.joined(separator: ", ")))
                    ON CONFLICT DO NOTHING;
                END;
                """
        }.joined(separator: "\n")
    }

    private var primaryKey: String {
        ((scope.map { [$0.column] } ?? []) + ["generation", column]).joined(separator: ", ")
    }
}
