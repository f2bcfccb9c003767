public import Foundation
public import GRDB
import GRDBSQLite

// MARK: - Numbers

extension Int64: ColumnValue {
    /// A whole number of 64 bits.
    public static var columnKind: String { "a whole number" }

    /// The number, also if it was kept as a real one.
    public static func reading(_ statement: SQLiteStatement, at column: CInt) -> Int64? {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: sqlite3_column_int64(statement, column)
        case SQLITE_FLOAT: Int64(exactly: sqlite3_column_double(statement, column))
        default: nil
        }
    }

    /// The number, also if it was kept as a real one.
    public static func reading(_ value: DatabaseValue) -> Int64? {
        switch value.storage {
        case .int64(let number): number
        case .double(let number): Int64(exactly: number)
        default: nil
        }
    }
}

extension Int: ColumnValue {
    /// A whole number.
    public static var columnKind: String { Int64.columnKind }

    /// The number if an `Int` can be as large.
    public static func reading(_ statement: SQLiteStatement, at column: CInt) -> Int? {
        Int64.reading(statement, at: column).flatMap(Int.init(exactly:))
    }

    /// The number if an `Int` can be as large.
    public static func reading(_ value: DatabaseValue) -> Int? {
        Int64.reading(value).flatMap(Int.init(exactly:))
    }
}

extension Bool: ColumnValue {
    /// 0 or 1.
    public static var columnKind: String { "yes or no" }

    /// Any number but 0 is true, as for SQLite.
    public static func reading(_ statement: SQLiteStatement, at column: CInt) -> Bool? {
        Int64.reading(statement, at: column).map { $0 != 0 }
    }

    /// Any number but 0 is true, as for SQLite.
    public static func reading(_ value: DatabaseValue) -> Bool? {
        Int64.reading(value).map { $0 != 0 }
    }
}

extension Double: ColumnValue {
    /// A number that is finite: SQLite keeps no NaN, and nothing here is infinite.
    public static var columnKind: String { "a number" }

    /// The number, if it is finite.
    public static func reading(_ statement: SQLiteStatement, at column: CInt) -> Double? {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_FLOAT, SQLITE_INTEGER: sqlite3_column_double(statement, column).finite
        default: nil
        }
    }

    /// The number, if it is finite.
    public static func reading(_ value: DatabaseValue) -> Double? {
        switch value.storage {
        case .double(let number): number.finite
        case .int64(let number): Double(number)
        default: nil
        }
    }

    private var finite: Double? { isFinite ? self : nil }
}

// MARK: - Times

extension Date: ColumnValue {
    /// Seconds since 1970.
    public static var columnKind: String { "a time" }

    /// Whether it lies between the years 0 and 9999, which is what texts of ISO 8601 can say. A calendar that reckons with times far
    /// outside takes ages or ends the process.
    public var isKeepable: Bool { (-62_200_000_000...253_402_500_000).contains(timeIntervalSince1970) }

    /// The time; nil if it is not `isKeepable`.
    public static func reading(_ statement: SQLiteStatement, at column: CInt) -> Date? {
        Double.reading(statement, at: column).flatMap(Date.init(columnSeconds:))
    }

    /// The time; nil if it is not `isKeepable`.
    public static func reading(_ value: DatabaseValue) -> Date? {
        Double.reading(value).flatMap(Date.init(columnSeconds:))
    }

    private init?(columnSeconds seconds: Double) {
        self.init(timeIntervalSince1970: seconds)
        guard isKeepable else { return nil }
    }
}

// MARK: - Texts and bytes

extension String: ColumnValue {
    /// A text in UTF-8.
    public static var columnKind: String { "a text" }

    /// The text, if it is UTF-8 throughout.
    public static func reading(_ statement: SQLiteStatement, at column: CInt) -> String? {
        guard sqlite3_column_type(statement, column) == SQLITE_TEXT,
            let text = sqlite3_column_text(statement, column)
        else { return nil }
        let bytes = UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(statement, column)))
        return String(validating: bytes, as: UTF8.self)
    }

    /// The text.
    public static func reading(_ value: DatabaseValue) -> String? {
        if case .string(let text) = value.storage { text } else { nil }
    }
}

extension Data: ColumnValue {
    /// Bytes.
    public static var columnKind: String { "bytes" }

    /// A copy of the bytes.
    public static func reading(_ statement: SQLiteStatement, at column: CInt) -> Data? {
        guard sqlite3_column_type(statement, column) == SQLITE_BLOB else { return nil }
        // Of no bytes at all SQLite gives no address.
        guard let bytes = sqlite3_column_blob(statement, column) else { return Data() }
        return Data(bytes: bytes, count: Int(sqlite3_column_bytes(statement, column)))
    }

    /// The bytes.
    public static func reading(_ value: DatabaseValue) -> Data? {
        if case .blob(let bytes) = value.storage { bytes } else { nil }
    }
}

// MARK: - What may be missing

extension Optional: ColumnValue where Wrapped: ColumnValue {
    /// What is there if anything is.
    public static var columnKind: String { Wrapped.columnKind }

    /// The value, or nil for NULL; nothing if something else stands there.
    public static func reading(_ statement: SQLiteStatement, at column: CInt) -> Wrapped?? {
        if let value = Wrapped.reading(statement, at: column) { return .some(value) }
        return sqlite3_column_type(statement, column) == SQLITE_NULL ? .some(nil) : nil
    }

    /// The value, or nil for NULL; nothing if something else stands there.
    public static func reading(_ value: DatabaseValue) -> Wrapped?? {
        if let content = Wrapped.reading(value) { return .some(content) }
        return value.isNull ? .some(nil) : nil
    }
}
