import Foundation
import GRDB
import SwitchboardStorage
import SwitchboardTesting

/// A database of which the schema forbids nothing any more: any value can be put into any column, as damage leaves it.
///
/// What is done to it in ``damaging(_:number:_:)`` is undone, so that one file serves for all kinds of damage.
struct UnconstrainedDatabase {
    private let store: TemporaryStore

    /// The file.
    var path: String { store.database }

    /// A copy of a database that has everything in it.
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

    /// A statement that makes a table, without all that refuses a value or makes another one of it.
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
        /// Whether the schema forbids NULL in it.
        let isRequired: Bool

        var description: String { "\(table).\(name)" }
    }

    /// The columns of the tables of a database; SQLite's own, and those of its search for whole texts, are left out.
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

/// Undoes a transaction.
private struct Undone: Error {}

extension Storage {
    /// WordSuffixes `body` as if a statement had damaged the file, and undoes all.
    ///
    /// - Parameter number: another one each time.
    /// - Returns: whether SQLite let the damage happen: it keeps keys of rows whole numbers.
    func damaging(_ sql: String, number: Int, _ body: () throws -> Void) throws -> Bool {
        var isDamaged = false
        do {
            try write { db in
                // What was derived from the file, or from an earlier damage, is not believed any more.
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

    /// WordSuffixes `body`, undoes what it has written, and gives the error it has thrown.
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
