public import GRDB

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A database of SQL statements that SQLite and PostgreSQL both understand.
///
/// Modules whose tables may be in either share one implementation of their statements. A parameter is written `?1`.
/// Each must be compared with a column before it is compared with NULL, so that PostgreSQL knows its type.
package protocol SQLDatabase: Sendable {
    /// Reads with statements that each see the latest state.
    ///
    /// - Throws: ``StorageError/writeInRead`` if `body` executes a statement that writes; other ``StorageError``s, the
    ///   errors of `body`.
    func reading<T>(_ body: (any SQLTransaction) throws -> T) throws -> T

    /// Writes in one serializable transaction, which is rolled back if `body` throws.
    ///
    /// `body` may be called again after a conflict with another transaction.
    ///
    /// - Parameter module: The module whose generation advances if a row changed, or nil.
    /// - Throws: ``StorageError``, the errors of `body`.
    func writing<T>(changing module: String?, _ body: (any SQLTransaction) throws -> T) throws -> T

    /// Returns the generation of a module's data, which changes after each change by any process.
    func generation(of module: String) throws(StorageError) -> Int64
}

/// Statements of one access to a database.
package protocol SQLTransaction {
    /// The values of a statement's parameters, in the order of their numbers.
    typealias Arguments = [(any DatabaseValueConvertible)?]

    /// Returns the rows of a statement.
    func rows(_ sql: String, _ arguments: Arguments) throws -> [any SQLRow]

    /// Executes a statement, and returns the number of rows that it changed.
    @discardableResult
    func execute(_ sql: String, _ arguments: Arguments) throws -> Int
}

extension SQLTransaction {
    /// Returns the first row of a statement, or nil if there is none.
    package func row(_ sql: String, _ arguments: Arguments) throws -> (any SQLRow)? { try rows(sql, arguments).first }
}

/// A row of a statement in SQLite or PostgreSQL.
package protocol SQLRow: ColumnRow {
    /// Returns a blob.
    func data(_ column: Int) throws -> Data
    /// Returns a blob, or nil for NULL.
    func optionalData(_ column: Int) throws -> Data?
}

/// A table that several databases have, with the columns that are copied from one to another.
package struct SQLTable: Sendable {
    /// A column, by the type of its values. All but integers may be NULL.
    package enum Column: Sendable {
        case text(String)
        case real(String)
        case data(String)
        case integer(String)

        fileprivate var name: String {
            switch self {
            case .text(let name), .real(let name), .data(let name), .integer(let name): name
            }
        }

        fileprivate func value(of row: any SQLRow, at index: Int) throws -> (any DatabaseValueConvertible)? {
            switch self {
            case .text: try row.optionalText(index)
            case .real: try row.optionalReal(index)
            case .data: try row.optionalData(index)
            case .integer: try row.integer(index)
            }
        }
    }

    private let name: String
    private let columns: [Column]

    package init(_ name: String, _ columns: [Column]) {
        self.name = name
        self.columns = columns
    }

    /// Deletes all rows.
    package func removeAll(in db: any SQLTransaction) throws { try db.execute("DELETE FROM \(name)", []) }

    /// Copies all rows to the same table of another database, and returns their number.
    package func copy(from source: any SQLTransaction, to target: any SQLTransaction) throws -> Int {
        let names = columns.map(\.name).joined(separator: ", ")
        let values = (1...columns.count).map { "?\($0)" }.joined(separator: ", ")
        let rows = try source.rows("SELECT \(names) FROM \(name)", [])
        for row in rows {
            let arguments = try columns.enumerated().map { index, column in try column.value(of: row, at: index) }
            try target.execute("INSERT INTO \(name) (\(names)) VALUES (\(values))", arguments)
        }
        return rows.count
    }
}

/// A named migration of a module's tables in a database other than the storage. A released one never changes.
package struct SQLMigration: Sendable {
    /// The module and the step, such as "Accounts/1-accounts".
    package let name: String
    package let sql: String

    package init(_ name: String, sql: String) {
        self.name = name
        self.sql = sql
    }
}

extension Storage: SQLDatabase {
    package func reading<T>(_ body: (any SQLTransaction) throws -> T) throws -> T {
        try read { db in try body(SQLiteTransaction(db: db)) }
    }

    package func writing<T>(changing module: String?, _ body: (any SQLTransaction) throws -> T) throws -> T {
        func run(_ db: Database) throws -> T { try body(SQLiteTransaction(db: db)) }
        if let module { return try write(changing: module, run) }
        return try write(run)
    }
}

private struct SQLiteTransaction: SQLTransaction {
    let db: Database

    func rows(_ sql: String, _ arguments: Arguments) throws -> [any SQLRow] {
        try Row.fetchAll(db.cachedStatement(sql: sql), arguments: StatementArguments(arguments))
    }

    func execute(_ sql: String, _ arguments: Arguments) throws -> Int {
        try db.cachedStatement(sql: sql).execute(arguments: StatementArguments(arguments))
        return db.changesCount
    }
}

extension Row: SQLRow {
    package func data(_ column: Int) throws -> Data { try value(column) }
    package func optionalData(_ column: Int) throws -> Data? { try value(column) }
}

extension Database {
    private static let maxKeys = 500

    /// Calls a closure with each row that a query returns for the given keys.
    ///
    /// The query runs once per 500 keys. Lists of three sizes keep its statements cached.
    ///
    /// - Parameters:
    ///   - sql: The query up to the list of keys: `SELECT … WHERE key IN`.
    ///   - keys: Distinct keys.
    ///   - order: The terms by which the rows of a batch are sorted.
    ///   - body: Receives each row. An error ends the iteration and is rethrown.
    public func forEachRow(
        _ sql: String, _ keys: [Int64], orderedBy order: String? = nil, _ body: (Row) throws -> Void
    ) throws {
        try keys.forEachBatch(of: Database.maxKeys) { batch in
            let width = batch.count <= 1 ? 1 : batch.count <= 16 ? 16 : Database.maxKeys
            // The list is padded with its last key.
            let padded = batch + Array(repeating: keys[batch.endIndex - 1], count: width - batch.count)
            let list = " (" + String(repeating: "?,", count: width - 1) + "?)" + (order.map { " ORDER BY " + $0 } ?? "")
            let rows = try Row.fetchCursor(cachedStatement(sql: sql + list), arguments: StatementArguments(padded))
            while let row = try rows.next() { try body(row) }
        }
    }
}

extension RandomAccessCollection where Index == Int {
    package func forEachBatch(of size: Int, _ body: (SubSequence) throws -> Void) rethrows {
        for start in stride(from: startIndex, to: endIndex, by: size) {
            try body(self[start..<Swift.min(start + size, endIndex)])
        }
    }
}

extension Database {
    /// Returns the first letters of a table's sort keys with the number of rows for each, in the order of the sort
    /// keys. Characters other than letters count as “#”.
    ///
    /// - Parameter source: The table with its condition, such as `contact WHERE isFavourite`. Its column `sortKey` has the
    ///   folded names.
    /// - Complexity: O(*n*) in the number of rows.
    package func letters(of source: String) throws -> [(letter: String, count: Int)] {
        let rows = try Row.fetchAll(
            self, sql: "SELECT substr(sortKey, 1, 1), count(*) FROM \(source) GROUP BY 1 ORDER BY min(sortKey)")
        var letters: [(letter: String, count: Int)] = []
        for row in rows {
            let first: String = try row.value(0)
            let letter = first.first?.isLetter ?? false ? first.uppercased() : "#"
            let count: Int = try row.value(1)
            if letters.last?.letter == letter {
                letters[letters.count - 1].count += count
            } else {
                letters.append((letter, count))
            }
        }
        return letters
    }
}
