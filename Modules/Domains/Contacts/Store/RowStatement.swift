import GRDB
import GRDBSQLite

/// A prepared statement whose values are bound without boxing them.
///
/// Binding the forty values of a contact through GRDB's `StatementArguments` takes as long as storing them. The
/// statement must be used within the database access that prepared it.
struct RowStatement {
    private let db: Database
    private let statement: Statement

    init(_ db: Database, _ sql: String) throws {
        self.db = db
        statement = try db.cachedStatement(sql: sql)
    }

    /// Binds values in order and executes the statement.
    ///
    /// - Parameter readRow: Called with the handle of the statement for each row that it returns.
    func execute<each Value: StatementBinding>(
        _ value: repeat each Value, readRow: (SQLiteStatement) -> Void = { _ in }
    ) throws(DatabaseError) {
        let handle = statement.sqliteStatement
        var position: CInt = 0
        var code = SQLITE_OK
        for value in repeat each value {
            position += 1
            if code == SQLITE_OK { code = value.bind(to: handle, at: position) }
        }
        if code == SQLITE_OK { code = sqlite3_step(handle) }
        while code == SQLITE_ROW {
            readRow(handle)
            code = sqlite3_step(handle)
        }
        // Reset repeats the error of the last step.
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
        if code == SQLITE_DONE { return }
        throw DatabaseError(
            resultCode: ResultCode(rawValue: code),
            message: db.sqliteConnection.map { String(cString: sqlite3_errmsg($0)) }, sql: statement.sql)
    }

    /// Appends the first column of the rows for a text. A query without results takes about a microsecond.
    func append(_ text: String, to keys: inout [Int64]) throws(DatabaseError) {
        if text.isEmpty { return }
        try execute(text) { row in keys.append(sqlite3_column_int64(row, 0)) }
    }
}
