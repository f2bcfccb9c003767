import Foundation
import GRDB
import SwitchboardStorage
import SwitchboardTesting

/// A database without the constraints of its schema: any value can be put into any column, as corruption would.
///
/// Changes made in ``damaging(_:number:_:)`` are rolled back, so one file serves all kinds of corruption.
struct UnconstrainedDatabase {
    private let store: TemporaryStore

    /// The path of the database.
    var path: String { store.database }

    /// Creates a copy of a database.
    init(copyOf path: String) throws {
        store = try TemporaryStore()
        try FileManager.default.copyItem(atPath: path, toPath: store.database)
        let queue = try DatabaseQueue(path: store.database)
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA writable_schema = ON")
            for row in try Row.fetchAll(
                db, sql: "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE TABLE %'")
            {
                try db.execute(
                    sql: "UPDATE sqlite_master SET sql = ? WHERE type = 'table' AND name = ?",
                    arguments: [Self.loosened(row.value(1)), row.value(0) as String])
            }
            try db.execute(sql: "PRAGMA writable_schema = RESET")
        }
        try queue.close()
    }

    /// Returns a CREATE TABLE statement without constraints and type affinities.
    private static func loosened(_ sql: String) -> String {
        let rules = [
            #"\s+CHECK \(([^()]|\([^()]*\))*\)"#, #" NOT NULL"#,
            #"(?<=\)) STRICT,?"#, #"\b(TEXT|REAL|BLOB)\b"#, #"\bINTEGER\b(?! PRIMARY KEY)"#,
        ]
        return rules.reduce(sql) { $0.replacingOccurrences(of: $1, with: "", options: .regularExpression) }
    }

    /// A column of a table.
    struct Column: Hashable, CustomStringConvertible {
        let table: String
        let name: String
        /// `true` if the schema forbids NULL.
        let isRequired: Bool

        var description: String { "\(table).\(name)" }
    }

    /// Returns the columns of all tables except SQLite's own and those of its full-text search.
    static func columns(of path: String) throws -> [Column] {
        let queue = try DatabaseQueue(path: path)
        return try queue.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT tables.name, columns.name, columns."notnull" FROM pragma_table_list AS tables
                    JOIN pragma_table_info(tables.name) AS columns
                    WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite%' ORDER BY 1, 2
                    """
            ).map { try Column(table: $0.value(0), name: $0.value(1), isRequired: $0.value(2)) }
        }
    }
}

/// Rolls back a transaction.
private struct Undone: Error {}

extension Storage {
    /// Runs `body` as if a statement had corrupted the file, then rolls back.
    ///
    /// - Parameter number: A different number for each call.
    /// - Returns: `true` if SQLite allowed the corruption: it keeps row keys integers.
    func damaging(_ sql: String, number: Int, _ body: () throws -> Void) throws -> Bool {
        var isDamaged = false
        do {
            try write { db in
                // Invalidate everything derived from the file or from earlier corruption.
                try db.execute(
                    sql: "UPDATE storage_generation SET generation = generation + (? << 20)", arguments: [number])
                try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
                do {
                    try db.execute(sql: sql)
                } catch is DatabaseError {
                    throw Undone()
                }
                isDamaged = true
                try body()
                throw Undone()
            }
        } catch is Undone {}
        return isDamaged
    }

    /// Runs `body`, rolls back its writes, and returns the error it threw.
    func error(of body: () throws -> Void) -> (any Error)? {
        do {
            try write { _ in
                try body()
                throw Undone()
            }
            return nil
        } catch {
            return error is Undone ? nil : error
        }
    }
}
