import Foundation
import GRDB
import GRDBSQLite

/// A statement that stores row after row, its values bound one by one.
///
/// GRDB takes the arguments of a statement as a list of boxed values, which for the forty values of a contact takes as long as SQLite
/// takes to store them. Here each is handed to SQLite at once. It is for statements that give no rows, inside of one access to the
/// database that prepared them.
struct RowStatement {
    // Keeps the handle alive.
    private let statement: Statement
    private let db: Database

    init(_ db: Database, _ sql: String) throws {
        self.db = db
        statement = try db.cachedStatement(sql: sql)
    }

    /// Binds the values in order, and executes the statement.
    ///
    /// - Throws: `DatabaseError`, as GRDB does.
    func execute(_ bind: (inout Values) -> Void) throws {
        let handle = statement.sqliteStatement
        // Values that are not bound are null, and none of the row before may stay.
        sqlite3_clear_bindings(handle)
        var values = Values(handle)
        bind(&values)
        var code = values.failure
        if code == SQLITE_OK {
            repeat { code = sqlite3_step(handle) } while code == SQLITE_ROW
        }
        // A second failure to execute it says nothing new.
        sqlite3_reset(handle)
        guard code == SQLITE_DONE else {
            throw DatabaseError(
                resultCode: ResultCode(rawValue: code),
                message: db.sqliteConnection.map { String(cString: sqlite3_errmsg($0)) }, sql: statement.sql)
        }
    }

    /// Takes the values of a row, one after another.
    struct Values {
        private let handle: OpaquePointer
        private var position: Int32 = 0
        /// What SQLite said of a value that it did not take.
        fileprivate private(set) var failure = SQLITE_OK

        fileprivate init(_ handle: OpaquePointer) {
            self.handle = handle
        }

        private mutating func note(_ code: Int32) {
            if code != SQLITE_OK { failure = code }
        }

        mutating func add(_ text: String) {
            position += 1
            var text = text
            note(
                text.withUTF8 { bytes in
                    guard let start = bytes.baseAddress, !bytes.isEmpty else {
                        return sqlite3_bind_text(handle, position, "", 0, RowStatement.copied)
                    }
                    // As far as it is read back: to SQLite a zero ends a text.
                    let length = memchr(start, 0, bytes.count).map { UnsafeRawPointer($0) - UnsafeRawPointer(start) }
                    return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                        sqlite3_bind_text64(
                            handle, position, $0, UInt64(length ?? bytes.count), RowStatement.copied,
                            UInt8(SQLITE_UTF8))
                    }
                })
        }

        mutating func add(_ text: String?) {
            if let text { add(text) } else { position += 1 }
        }

        mutating func add(_ number: Int64) {
            position += 1
            note(sqlite3_bind_int64(handle, position, number))
        }

        mutating func add(_ number: Int) { add(Int64(number)) }

        mutating func add(_ flag: Bool) { add(flag ? 1 : 0) }

        mutating func add(_ number: Double?) {
            position += 1
            if let number { note(sqlite3_bind_double(handle, position, number)) }
        }

        mutating func add(_ data: Data) {
            position += 1
            note(
                data.withUnsafeBytes { bytes in
                    guard let start = bytes.baseAddress, !bytes.isEmpty else {
                        return sqlite3_bind_zeroblob(handle, position, 0)
                    }
                    return sqlite3_bind_blob64(handle, position, start, UInt64(bytes.count), RowStatement.copied)
                })
        }
    }

    /// That SQLite copies a value before the call returns (`SQLITE_TRANSIENT`, a macro that Swift cannot read).
    private static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
}
