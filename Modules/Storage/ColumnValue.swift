import Foundation
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

    /// Returns the value in a column of a statement's current row, or nil if it has another type.
    static func reading(_ statement: SQLiteStatement, at column: CInt) -> Self?

    /// Returns the value of a copied row, or nil if it has another type.
    static func reading(_ value: DatabaseValue) -> Self?
}

extension Row {
    /// Returns the value of a column by its index, the first being 0.
    ///
    /// - Throws: `DatabaseError` with `SQLITE_CORRUPT` if the column holds a value of another type.
    ///   ``Storage/read(_:)`` and ``Storage/write(_:)`` convert it to ``StorageError/damaged(path:detail:)``.
    @inlinable
    public func value<Value: ColumnValue>(_ column: Int) throws -> Value {
        switch try decode(ColumnResult<Value>.self, atIndex: column) {
        case .value(let value): return value
        case .mismatch(let found): throw mismatch(found, for: Value.columnKind, in: Array(columnNames)[column])
        }
    }

    /// Returns the value of a column by its name.
    ///
    /// - Throws: The errors of `value(_:)` with an index.
    @inlinable
    public func value<Value: ColumnValue>(_ column: String) throws -> Value {
        switch try decode(ColumnResult<Value>.self, forColumn: column) {
        case .value(let value): return value
        case .mismatch(let found): throw mismatch(found, for: Value.columnKind, in: column)
        }
    }

    /// Calls `body` with the bytes of a column without copying them. The bytes are valid only during the call.
    ///
    /// - Throws: The errors of `value(_:)` and of `body`.
    public func withBytes<Result>(
        _ column: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        try withUnsafeData(atIndex: column) { data in
            guard let data else {
                throw mismatch(InvalidColumnValue(.null), for: Data.columnKind, in: Array(columnNames)[column])
            }
            return try data.withUnsafeBytes(body)
        }
    }

    @usableFromInline
    func mismatch(_ found: InvalidColumnValue, for kind: String, in column: String) -> DatabaseError {
        DatabaseError(
            resultCode: .SQLITE_CORRUPT,
            message: "\(found.column ?? "column \(column)") holds \(found.what) instead of \(kind)")
    }
}

/// A value of an unexpected type.
@usableFromInline
struct InvalidColumnValue {
    /// A description of the value for error messages, such as "NULL".
    let what: String
    /// The table and column name, if known.
    let column: String?

    @usableFromInline
    init(_ statement: SQLiteStatement, at column: CInt) {
        what =
            switch sqlite3_column_type(statement, column) {
            case SQLITE_NULL: "NULL"
            case SQLITE_INTEGER: "the number \(sqlite3_column_int64(statement, column))"
            case SQLITE_FLOAT: "the number \(sqlite3_column_double(statement, column))"
            case SQLITE_TEXT: String.reading(statement, at: column) == nil ? "text that is not UTF-8" : "text"
            default: "a blob"
            }
        // An expression has neither a table nor an origin name.
        if let table = sqlite3_column_table_name(statement, column),
            let name = sqlite3_column_origin_name(statement, column)
        {
            self.column = "\(String(cString: table)).\(String(cString: name))"
        } else {
            self.column = nil
        }
    }

    init(_ value: DatabaseValue) {
        column = nil
        what =
            switch value.storage {
            case .null: "NULL"
            case .int64(let number): "the number \(number)"
            case .double(let number): "the number \(number)"
            case .string: "text"
            case .blob: "a blob"
            }
    }
}

/// The result of reading a column.
@usableFromInline
enum ColumnResult<Value: ColumnValue>: DatabaseValueConvertible, StatementColumnConvertible {
    case value(Value)
    case mismatch(InvalidColumnValue)

    @inlinable
    init(sqliteStatement statement: SQLiteStatement, index: CInt) {
        if let value = Value.reading(statement, at: index) {
            self = .value(value)
        } else {
            self = .mismatch(InvalidColumnValue(statement, at: index))
        }
    }

    /// GRDB's default implementation treats NULL as a failure. The protocol requires an optional result.
    @inlinable
    static func fromStatement(_ statement: SQLiteStatement, atUncheckedIndex index: CInt) -> ColumnResult? {
        ColumnResult(sqliteStatement: statement, index: index)
    }

    @usableFromInline
    static func fromDatabaseValue(_ value: DatabaseValue) -> ColumnResult? {
        Value.reading(value).map { .value($0) } ?? .mismatch(InvalidColumnValue(value))
    }

    @usableFromInline
    var databaseValue: DatabaseValue {
        switch self {
        case .value(let value): value.databaseValue
        case .mismatch: .null
        }
    }
}
