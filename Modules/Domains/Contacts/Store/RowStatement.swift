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
    func execute(_ bind: (inout Values) -> Void) throws {
        let handle = statement.sqliteStatement
        var values = Values()
        swap(&values, &buffer.values)
        defer { swap(&values, &buffer.values) }
        values.removeAll()
        bind(&values)
        let code = values.withBound(to: handle) {
            var code = SQLITE_ROW
            while code == SQLITE_ROW { code = sqlite3_step(handle) }
            return code
        }
        guard code == SQLITE_DONE else {
            throw DatabaseError(
                resultCode: ResultCode(rawValue: code),
                message: db.sqliteConnection.map { String(cString: sqlite3_errmsg($0)) }, sql: statement.sql)
        }
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

        mutating func add(_ text: String) {
            let start = bytes.count
            bytes.append(contentsOf: text.utf8)
            // A text ends at its first zero byte, as SQLite reads it back.
            let end = bytes[start...].firstIndex(of: 0) ?? bytes.count
            values.append(.text(start..<end))
        }

        mutating func add(_ text: String?) {
            if let text { add(text) } else { values.append(.null) }
        }

        mutating func add(_ number: Int64) { values.append(.integer(number)) }

        mutating func add(_ number: Int) { add(Int64(number)) }

        mutating func add(_ flag: Bool) { add(flag ? 1 : 0) }

        mutating func add(_ number: Double?) { values.append(number.map { .real($0) } ?? .null) }

        mutating func add(_ data: Data) {
            guard data.count <= Values.largestCopied else { return values.append(.largeBlob(data)) }
            let start = bytes.count
            bytes.append(contentsOf: data)
            values.append(.blob(start..<bytes.count))
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
