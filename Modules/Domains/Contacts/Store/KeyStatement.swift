import GRDB
import GRDBSQLite

/// A prepared query for the keys of rows with a text, which is bound without copying.
///
/// It must be used within the database access that prepared it. A query without results takes about a microsecond.
struct KeyStatement {
    // Keeps the SQLite handle alive.
    private let statement: Statement
    private let db: Database

    init(_ db: Database, _ sql: String) throws {
        self.db = db
        statement = try db.cachedStatement(sql: sql)
    }

    /// Appends the first column of the rows for a text.
    ///
    /// - Throws: `DatabaseError`.
    func append(_ text: String, to keys: inout [Int64]) throws {
        let handle = statement.sqliteStatement
        var text = text
        let code = text.withUTF8 { bytes -> Int32 in
            defer {
                // Reset repeats the error of the last step.
                sqlite3_reset(handle)
                sqlite3_clear_bindings(handle)
            }
            guard let start = bytes.baseAddress, !bytes.isEmpty else { return SQLITE_DONE }
            var code = start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                sqlite3_bind_text64(handle, 1, $0, UInt64(bytes.count), nil, UInt8(SQLITE_UTF8))
            }
            guard code == SQLITE_OK else { return code }
            code = sqlite3_step(handle)
            while code == SQLITE_ROW {
                keys.append(sqlite3_column_int64(handle, 0))
                code = sqlite3_step(handle)
            }
            return code
        }
        guard code == SQLITE_DONE else {
            throw DatabaseError(
                resultCode: ResultCode(rawValue: code),
                message: db.sqliteConnection.map { String(cString: sqlite3_errmsg($0)) }, sql: statement.sql)
        }
    }
}
