public import Foundation
public import GRDB
import GRDBSQLite

/// A type that is read from a column with a check of the stored type.
///
/// SQLite allows any type of value in any column, and a corrupt file contains them: NULL in a NOT NULL column, text in
/// a numeric one. GRDB's `row[…]` traps on the former and reads the latter as 0. `try row.value(…)` throws in both
/// cases.
///
/// For example:
///
/// ```swift
/// while let row = try rows.next() {
///     try notes.append(Note(key: row.value(0), text: row.value(1), madeAt: row.value(2)))
/// }
/// ```
///
/// A column that may hold NULL is read as an optional. A `Date` is stored as seconds since 1970.
public protocol ColumnValue: DatabaseValueConvertible {
    /// A description of the expected value for error messages, such as "text".
    static var columnKind: String { get }

    /// Returns the value of a column, or nil if the column holds another type.
    static func reading(_ column: DatabaseValue.Storage) -> Self?
}

extension Row {
    /// Returns the value of a column by its index, the first being 0.
    ///
    /// - Throws: `DatabaseError` with `SQLITE_CORRUPT` if the column holds a value of another type.
    ///   ``Storage/read(_:)`` and ``Storage/write(_:)`` convert it to ``StorageError/damaged(path:detail:)``.
    @inlinable
    public func value<Value: ColumnValue>(_ column: Int) throws -> Value {
        try decode(ColumnResult<Value>.self, atIndex: column).value(of: { Array(columnNames)[column] })
    }

    /// Returns the value of a column by its name.
    ///
    /// - Throws: The errors of `value(_:)` with an index.
    @inlinable
    public func value<Value: ColumnValue>(_ column: String) throws -> Value {
        try decode(ColumnResult<Value>.self, forColumn: column).value(of: { column })
    }
}

extension DatabaseValue.Storage {
    /// Reads a column of a statement's current row; nil for text that is not valid UTF-8.
    @usableFromInline
    init?(_ statement: SQLiteStatement, at column: CInt) {
        // Safe: GRDB passes a statement that has a current row. SQLite keeps text and blobs until the next step, and
        // they are copied here; it accepts any column number.
        switch unsafe sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: self = .int64(unsafe sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: self = .double(unsafe sqlite3_column_double(statement, column))
        case SQLITE_TEXT:
            let start = unsafe sqlite3_column_text(statement, column)
            let bytes = unsafe UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
            // `String(validating:as:)` takes 700 instructions more.
            guard let text = try? unsafe UTF8Span(validating: bytes.span) else { return nil }
            self = .string(String(copying: text))
        case SQLITE_BLOB:
            // SQLite returns a null pointer for an empty blob.
            let start = unsafe sqlite3_column_blob(statement, column)
            let count = Int(unsafe sqlite3_column_bytes(statement, column))
            self = .blob(unsafe start.map { unsafe Data(bytes: $0, count: count) } ?? Data())
        default: self = .null
        }
    }
}

@usableFromInline
enum ColumnResult<Value: ColumnValue>: DatabaseValueConvertible, StatementColumnConvertible {
    case value(Value)
    /// A description of a value of another type, and the names of its table and column, if known.
    case mismatch(String, in: String?)

    @inlinable
    init(sqliteStatement statement: SQLiteStatement, index: CInt) {
        // Safe: GRDB passes a statement that has a current row.
        let column = unsafe DatabaseValue.Storage(statement, at: index)
        if let value = column.flatMap(Value.reading) {
            self = .value(value)
        } else {
            self = .mismatch(Self.description(of: column), in: unsafe Self.origin(of: index, in: statement))
        }
    }

    /// GRDB's default implementation treats NULL as a failure. The protocol requires an optional result.
    @inlinable
    static func fromStatement(_ statement: SQLiteStatement, atUncheckedIndex index: CInt) -> ColumnResult? {
        // Safe: as above.
        unsafe ColumnResult(sqliteStatement: statement, index: index)
    }

    @usableFromInline
    static func fromDatabaseValue(_ value: DatabaseValue) -> ColumnResult? {
        Value.reading(value.storage).map { .value($0) } ?? .mismatch(description(of: value.storage), in: nil)
    }

    @usableFromInline
    var databaseValue: DatabaseValue {
        if case .value(let value) = self { value.databaseValue } else { .null }
    }

    /// Returns the value, or throws the error of a column with a name.
    @inlinable
    func value(of column: () -> String) throws -> Value {
        switch self {
        case .value(let value): return value
        case .mismatch(let found, let origin):
            throw DatabaseError(
                resultCode: .SQLITE_CORRUPT,
                message: "\(origin ?? "column \(column())") holds \(found) instead of \(Value.columnKind)")
        }
    }

    /// Returns a description such as "NULL"; nil stands for text that is not UTF-8.
    @usableFromInline
    static func description(of value: DatabaseValue.Storage?) -> String {
        switch value {
        case .null: "NULL"
        case .int64(let number): "the number \(number)"
        case .double(let number): "the number \(number)"
        case .string: "text"
        case .blob: "a blob"
        case nil: "text that is not UTF-8"
        }
    }

    @usableFromInline
    static func origin(of column: CInt, in statement: SQLiteStatement) -> String? {
        // Safe: SQLite returns names that live as long as the statement, or null for an expression.
        guard let table = unsafe sqlite3_column_table_name(statement, column),
            let name = unsafe sqlite3_column_origin_name(statement, column)
        else { return nil }
        return unsafe "\(String(cString: table)).\(String(cString: name))"
    }
}

// MARK: - Types

extension Int64: ColumnValue {
    /// A 64-bit integer.
    public static var columnKind: String { "an integer" }

    /// Returns the integer, even if it is stored as a real number without a fraction.
    @inlinable
    public static func reading(_ column: DatabaseValue.Storage) -> Int64? {
        switch column {
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
    @inlinable
    public static func reading(_ column: DatabaseValue.Storage) -> Int? {
        Int64.reading(column).flatMap(Int.init(exactly:))
    }
}

extension Bool: ColumnValue {
    /// 0 or 1.
    public static var columnKind: String { "a Boolean" }

    /// Returns true for any number but 0, as SQLite does.
    @inlinable
    public static func reading(_ column: DatabaseValue.Storage) -> Bool? { Int64.reading(column).map { $0 != 0 } }
}

extension Double: ColumnValue {
    /// A finite number. SQLite stores no NaN, and no value of the schema is infinite.
    public static var columnKind: String { "a number" }

    /// Returns the number if it is finite.
    @inlinable
    public static func reading(_ column: DatabaseValue.Storage) -> Double? {
        switch column {
        case .double(let number): number.isFinite ? number : nil
        case .int64(let number): Double(number)
        default: nil
        }
    }
}

extension Date: ColumnValue {
    /// The seconds since 1970.
    public static var columnKind: String { "a time" }

    /// `true` if the date is between the years 0 and 9999, the range of ISO 8601. Calendar arithmetic far outside of it
    /// takes extremely long or traps.
    @inlinable
    public var isStorable: Bool { (-62_200_000_000...253_402_500_000).contains(timeIntervalSince1970) }

    /// Returns the time, or nil if it is not `isStorable`.
    @inlinable
    public static func reading(_ column: DatabaseValue.Storage) -> Date? {
        guard let date = Double.reading(column).map(Date.init(timeIntervalSince1970:)), date.isStorable else {
            return nil
        }
        return date
    }
}

extension String: ColumnValue {
    /// UTF-8 text.
    public static var columnKind: String { "text" }

    /// Returns the text.
    @inlinable
    public static func reading(_ column: DatabaseValue.Storage) -> String? {
        if case .string(let text) = column { text } else { nil }
    }
}

extension Data: ColumnValue {
    /// A blob.
    public static var columnKind: String { "a blob" }

    /// Returns a copy of the bytes.
    @inlinable
    public static func reading(_ column: DatabaseValue.Storage) -> Data? {
        if case .blob(let bytes) = column { bytes } else { nil }
    }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
    /// The description of the wrapped type.
    public static var columnKind: String { Wrapped.columnKind }

    /// Returns the value, `.some(nil)` for NULL, or nil if the column holds anything else.
    @inlinable
    public static func reading(_ column: DatabaseValue.Storage) -> Wrapped?? {
        if let value = Wrapped.reading(column) { return .some(value) }
        if case .null = column { return .some(nil) }
        return nil
    }
}
