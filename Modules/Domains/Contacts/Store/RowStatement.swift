import Foundation
import GRDB
import GRDBSQLite

/// A prepared statement that writes rows without boxing their values.
///
/// Binding the forty values of a contact through GRDB takes as long as storing them. Here the texts of a row are
/// collected in one buffer and bound in place. The statement must not return rows and must be used within the database
/// access that prepared it.
struct RowStatement {
    // Keeps the SQLite handle alive.
    private let statement: Statement
    private let db: Database
    private let buffer = Buffer()

    /// The values of a row, whose memory is reused for the next row.
    private final class Buffer {
        var values = Values()
    }

    init(_ db: Database, _ sql: String) throws {
        self.db = db
        statement = try db.cachedStatement(sql: sql)
    }

    /// Binds values in order and executes the statement.
    ///
    /// - Throws: `DatabaseError`.
    func execute<each Value: BindableValue>(_ value: repeat each Value) throws {
        let handle = statement.sqliteStatement
        var values = Values()
        swap(&values, &buffer.values)
        defer { swap(&values, &buffer.values) }
        values.removeAll()
        repeat (each value).add(to: &values)
        let code = values.withBound(to: handle) {
            var code = SQLITE_ROW
            while code == SQLITE_ROW { code = sqlite3_step(handle) }
            return code
        }
        try db.check(code, of: statement)
    }

    /// The values of a row in order.
    struct Values {
        fileprivate enum Value {
            case null
            case text(Range<Int>)
            case blob(Range<Int>)
            case largeBlob(Data)
            case integer(Int64)
            case real(Double)
        }

        private var values: [Value] = []
        private var bytes: [UInt8] = []

        fileprivate init() {}

        fileprivate mutating func removeAll() {
            values.removeAll(keepingCapacity: true)
            bytes.removeAll(keepingCapacity: true)
        }

        fileprivate mutating func add(_ value: Value) { values.append(value) }

        fileprivate mutating func add(_ text: String) {
            let start = bytes.count
            bytes.append(contentsOf: text.utf8)
            // A text ends at its first zero byte, as SQLite reads it back.
            let end = bytes[start...].firstIndex(of: 0) ?? bytes.count
            add(.text(start..<end))
        }

        fileprivate mutating func add(_ data: Data) {
            guard data.count <= Values.largestCopied else { return add(.largeBlob(data)) }
            let start = bytes.count
            bytes.append(contentsOf: data)
            add(.blob(start..<bytes.count))
        }

        /// Larger blobs, such as photos, are not copied to the reused buffer.
        private static let largestCopied = 16_384

        /// Binds the values, calls a closure and clears the bindings.
        ///
        /// - Returns: The result code of the closure or of the binding that failed.
        fileprivate func withBound(to handle: OpaquePointer, _ execute: () -> Int32) -> Int32 {
            bytes.withUnsafeBufferPointer { bytes in
                var code = SQLITE_OK
                for (index, value) in values.enumerated() where code == SQLITE_OK {
                    code = value.bind(to: handle, Int32(index + 1), bytes)
                }
                if code == SQLITE_OK { code = execute() }
                // Reset repeats the error of the last step.
                sqlite3_reset(handle)
                sqlite3_clear_bindings(handle)
                return code
            }
        }
    }
}

extension RowStatement.Values.Value {
    fileprivate func bind(to handle: OpaquePointer, _ position: Int32, _ bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
        switch self {
        case .null: return sqlite3_bind_null(handle, position)
        case .integer(let number): return sqlite3_bind_int64(handle, position, number)
        case .real(let number): return sqlite3_bind_double(handle, position, number)
        case .text(let range):
            guard let start = bytes.baseAddress, !range.isEmpty else {
                // An empty buffer has no base address.
                return sqlite3_bind_text(handle, position, "", 0, Self.copied)
            }
            return (start + range.lowerBound).withMemoryRebound(to: CChar.self, capacity: range.count) {
                sqlite3_bind_text64(handle, position, $0, UInt64(range.count), nil, UInt8(SQLITE_UTF8))
            }
        case .blob(let range):
            guard let start = bytes.baseAddress, !range.isEmpty else {
                return sqlite3_bind_zeroblob(handle, position, 0)
            }
            return sqlite3_bind_blob64(handle, position, start + range.lowerBound, UInt64(range.count), nil)
        case .largeBlob(let data):
            return data.withUnsafeBytes {
                sqlite3_bind_blob64(handle, position, $0.baseAddress, UInt64($0.count), Self.copied)
            }
        }
    }

    /// `SQLITE_TRANSIENT`, a macro that is not imported: SQLite copies the value before the call returns.
    private static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
}

/// A value that a ``RowStatement`` binds.
protocol BindableValue {
    func add(to values: inout RowStatement.Values)
}

extension String: BindableValue {
    func add(to values: inout RowStatement.Values) { values.add(self) }
}

extension Int64: BindableValue {
    func add(to values: inout RowStatement.Values) { values.add(.integer(self)) }
}

extension Int: BindableValue {
    func add(to values: inout RowStatement.Values) { values.add(.integer(Int64(self))) }
}

extension Bool: BindableValue {
    func add(to values: inout RowStatement.Values) { values.add(.integer(self ? 1 : 0)) }
}

extension Double: BindableValue {
    func add(to values: inout RowStatement.Values) { values.add(.real(self)) }
}

extension Data: BindableValue {
    func add(to values: inout RowStatement.Values) { values.add(self) }
}

extension Optional: BindableValue where Wrapped: BindableValue {
    func add(to values: inout RowStatement.Values) {
        if let self { self.add(to: &values) } else { values.add(.null) }
    }
}

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
        try db.check(code, of: statement)
    }
}

extension Database {
    /// Throws the error of a statement unless its result code is `SQLITE_DONE`.
    fileprivate func check(_ code: Int32, of statement: Statement) throws {
        if code == SQLITE_DONE { return }
        throw DatabaseError(
            resultCode: ResultCode(rawValue: code),
            message: sqliteConnection.map { String(cString: sqlite3_errmsg($0)) }, sql: statement.sql)
    }
}
