import GRDB
import GRDBSQLite

/// A prepared statement whose values are bound without boxing them.
///
/// Binding the forty values of a contact through GRDB's `StatementArguments` takes as long as storing them. The
/// statement must be used within the database access that prepared it.
struct RowStatement {
    // Each `unsafe` is safe because the caller keeps to the database access that prepared the statement, which GRDB keeps
    // until then, and because SQLite accepts any position of a value or column.
    private let db: Database
    private let statement: Statement

    init(_ db: Database, _ sql: String) throws {
        self.db = db
        statement = try db.cachedStatement(sql: sql)
    }

    /// Binds values in order and executes the statement.
    ///
    /// - Parameter readKey: Called with the first column of each row that the statement returns.
    func execute<each Value: StatementBinding>(
        _ value: repeat each Value, readKey: (Int64) -> Void = { _ in }
    ) throws(DatabaseError) {
        let handle = unsafe statement.sqliteStatement
        var position: CInt = 0
        var code = SQLITE_OK
        for value in repeat each value {
            position += 1
            if code == SQLITE_OK { code = unsafe value.bind(to: handle, at: position) }
        }
        if code == SQLITE_OK { code = unsafe sqlite3_step(handle) }
        while code == SQLITE_ROW {
            readKey(unsafe sqlite3_column_int64(handle, 0))
            code = unsafe sqlite3_step(handle)
        }
        // Reset repeats the error of the last step.
        unsafe sqlite3_reset(handle)
        unsafe sqlite3_clear_bindings(handle)
        if code == SQLITE_DONE { return }
        throw DatabaseError(
            resultCode: ResultCode(rawValue: code),
            message: unsafe db.sqliteConnection.map { unsafe String(cString: sqlite3_errmsg($0)) }, sql: statement.sql)
    }

    /// Appends the first column of the rows for a text. A query without results takes about a microsecond.
    func append(_ text: String, to keys: inout [Int64]) throws(DatabaseError) {
        if text.isEmpty { return }
        try execute(text) { keys.append($0) }
    }
}
