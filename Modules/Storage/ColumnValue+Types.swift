public import Foundation
public import GRDB
import GRDBSQLite

// MARK: - Numbers

extension Int64: ColumnValue {
    /// A 64-bit integer.
    public static var columnKind: String { "an integer" }

    /// Returns the integer, also if it is stored as a real number without a fraction.
    public static func reading(_ statement: SQLiteStatement, at column: CInt) -> Int64? {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: sqlite3_column_int64(statement, column)
        case SQLITE_FLOAT: Int64(exactly: sqlite3_column_double(statement, column))
        default: nil
        }
    }

    /// Returns the integer, also if it is stored as a real number without a fraction.
    public static func reading(_ value: DatabaseValue) -> Int64? {
        switch value.storage {
        case .int64(let number): number
        case .double(let number): Int64(exactly: number)
        default: nil
        }
    }
}

extension Int: ColumnValue {
    /// An integer.
    public static var columnKind: String { Int64.columnKind }

    /// Returns the integer if it fits into an `Int`.
    public static func reading(_ statement: SQLiteStatement, at column: CInt) -> Int? {
        Int64.reading(statement, at: column).flatMap(Int.init(exactly:))
    }

    /// Returns the integer if it fits into an `Int`.
    public static func reading(_ value: DatabaseValue) -> Int? {
        Int64.reading(value).flatMap(Int.init(exactly:))
    }
}

extension Bool: ColumnValue {
    /// 0 or 1.
    public static var columnKind: String { "a Boolean" }

    /// Returns true for any number but 0, as SQLite does.
    public static func reading(_ statement: SQLiteStatement, at column: CInt) -> Bool? {
        Int64.reading(statement, at: column).map { $0 != 0 }
    }

    /// Returns true for any number but 0, as SQLite does.
    public static func reading(_ value: DatabaseValue) -> Bool? {
        Int64.reading(value).map { $0 != 0 }
    }
}

extension Double: ColumnValue {
    /// A finite number. SQLite stores no NaN, and no value of the schema is infinite.
    public static var columnKind: String { "a number" }

    /// Returns the number if it is finite.
    public static func reading(_ statement: SQLiteStatement, at column: CInt) -> Double? {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_FLOAT, SQLITE_INTEGER: sqlite3_column_double(statement, column).finite
        default: nil
        }
    }

    /// Returns the number if it is finite.
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
    /// The seconds since 1970.
    public static var columnKind: String { "a time" }

    /// `true` if the date is between the years 0 and 9999, the range of ISO 8601. Calendar arithmetic far outside of it
    /// takes extremely long or traps.
    public var isStorable: Bool { (-62_200_000_000...253_402_500_000).contains(timeIntervalSince1970) }

    /// Returns the time, or nil if it is not `isStorable`.
    public static func reading(_ statement: SQLiteStatement, at column: CInt) -> Date? {
        Double.reading(statement, at: column).flatMap(Date.init(columnSeconds:))
    }

    /// Returns the time, or nil if it is not `isStorable`.
    public static func reading(_ value: DatabaseValue) -> Date? {
        Double.reading(value).flatMap(Date.init(columnSeconds:))
    }

    private init?(columnSeconds seconds: Double) {
        self.init(timeIntervalSince1970: seconds)
        guard isStorable else { return nil }
    }
}

// MARK: - Text and bytes

extension String: ColumnValue {
    /// UTF-8 text.
    public static var columnKind: String { "text" }

    /// Returns the text if it is valid UTF-8.
    public static func reading(_ statement: SQLiteStatement, at column: CInt) -> String? {
        guard sqlite3_column_type(statement, column) == SQLITE_TEXT,
            let text = sqlite3_column_text(statement, column)
        else { return nil }
        let bytes = UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(statement, column)))
        return String(validating: bytes, as: UTF8.self)
    }

    /// Returns the text.
    public static func reading(_ value: DatabaseValue) -> String? {
        if case .string(let text) = value.storage { text } else { nil }
    }
}

extension Data: ColumnValue {
    /// A blob.
    public static var columnKind: String { "a blob" }

    /// Returns a copy of the bytes.
    public static func reading(_ statement: SQLiteStatement, at column: CInt) -> Data? {
        guard sqlite3_column_type(statement, column) == SQLITE_BLOB else { return nil }
        // SQLite returns a null pointer for an empty blob.
        guard let bytes = sqlite3_column_blob(statement, column) else { return Data() }
        return Data(bytes: bytes, count: Int(sqlite3_column_bytes(statement, column)))
    }

    /// Returns the bytes.
    public static func reading(_ value: DatabaseValue) -> Data? {
        if case .blob(let bytes) = value.storage { bytes } else { nil }
    }
}

// MARK: - Optional values

extension Optional: ColumnValue where Wrapped: ColumnValue {
    /// The description of the wrapped type.
    public static var columnKind: String { Wrapped.columnKind }

    /// Returns the value, `.some(nil)` for NULL, or nil if the column holds anything else.
    public static func reading(_ statement: SQLiteStatement, at column: CInt) -> Wrapped?? {
        if let value = Wrapped.reading(statement, at: column) { return .some(value) }
        return sqlite3_column_type(statement, column) == SQLITE_NULL ? .some(nil) : nil
    }

    /// Returns the value, `.some(nil)` for NULL, or nil if the column holds anything else.
    public static func reading(_ value: DatabaseValue) -> Wrapped?? {
        if let content = Wrapped.reading(value) { return .some(content) }
        return value.isNull ? .some(nil) : nil
    }
}
