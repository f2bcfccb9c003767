import Foundation
public import GRDB
import GRDBSQLite

/// A type of which a column holds values, read so that damage cannot pass for one.
///
/// SQLite lets any value stand in any column, and damage of a file does put them there: NULL where the schema forbids it, a text in
/// the place of a number. GRDB's `row[…]` ends the process at the first and takes the second for 0. `try row.value(…)` throws at
/// both:
///
/// ```swift
/// while let row = try rows.next() {
///     try notes.append(Note(key: row.value(0), text: row.value(1), madeAt: row.value(2)))
/// }
/// ```
///
/// A column that may hold NULL is read as an optional. A `Date` stands in its column as the seconds since 1970.
public protocol ColumnValue: DatabaseValueConvertible {
    /// What such a column holds, for a message: "a text".
    static var columnKind: String { get }

    /// The value in a column of the row that a statement is at; nil if something else stands there.
    static func reading(_ statement: SQLiteStatement, at column: CInt) -> Self?

    /// The value of a row that was copied; nil if it is something else.
    static func reading(_ value: DatabaseValue) -> Self?
}

extension Row {
    /// The value of a column by its place, the first being 0.
    ///
    /// - Parameter column: its place.
    /// - Throws: `DatabaseError` with `SQLITE_CORRUPT` if damage has put something else there; ``Storage/read(_:)`` and
    ///   ``Storage/write(_:)`` make ``StorageError/damaged(path:detail:)`` of it.
    @inlinable
    public func value<Value: ColumnValue>(_ column: Int) throws -> Value {
        switch try decode(ColumnResult<Value>.self, atIndex: column) {
        case .value(let value): return value
        case .unfit(let found): throw unfit(found, for: Value.columnKind, in: Array(columnNames)[column])
        }
    }

    /// The value of a column by its name.
    ///
    /// - Parameter column: its name.
    /// - Throws: As by its place.
    @inlinable
    public func value<Value: ColumnValue>(_ column: String) throws -> Value {
        switch try decode(ColumnResult<Value>.self, forColumn: column) {
        case .value(let value): return value
        case .unfit(let found): throw unfit(found, for: Value.columnKind, in: column)
        }
    }

    /// Calls `body` with the bytes in a column where they stand, which they do during the call.
    ///
    /// - Throws: As `value(_:)`, and what `body` throws.
    public func withBytes<Result>(
        _ column: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        try withUnsafeData(atIndex: column) { data in
            guard let data else {
                throw unfit(InvalidColumnValue(.null), for: Data.columnKind, in: Array(columnNames)[column])
            }
            return try data.withUnsafeBytes(body)
        }
    }

    @usableFromInline
    func unfit(_ found: InvalidColumnValue, for kind: String, in column: String) -> DatabaseError {
        DatabaseError(
            resultCode: .SQLITE_CORRUPT,
            message: "\(found.column ?? "column \(column)") holds \(found.what) instead of \(kind)")
    }
}

/// What stands in a column that was to hold something else.
@usableFromInline
struct InvalidColumnValue {
    /// What it is, for a message: "NULL".
    let what: String
    /// The table and the name of the column, where they are known.
    let column: String?

    @usableFromInline
    init(_ statement: SQLiteStatement, at column: CInt) {
        what =
            switch sqlite3_column_type(statement, column) {
            case SQLITE_NULL: "NULL"
            case SQLITE_INTEGER: "the number \(sqlite3_column_int64(statement, column))"
            case SQLITE_FLOAT: "the number \(sqlite3_column_double(statement, column))"
            case SQLITE_TEXT: String.reading(statement, at: column) == nil ? "a text that is no UTF-8" : "a text"
            default: "bytes"
            }
        // An expression has neither.
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
            case .string: "a text"
            case .blob: "bytes"
            }
    }
}

/// What reading a column has given.
@usableFromInline
enum ColumnResult<Value: ColumnValue>: DatabaseValueConvertible, StatementColumnConvertible {
    case value(Value)
    case unfit(InvalidColumnValue)

    @inlinable
    init(sqliteStatement statement: SQLiteStatement, index: CInt) {
        if let value = Value.reading(statement, at: index) {
            self = .value(value)
        } else {
            self = .unfit(InvalidColumnValue(statement, at: index))
        }
    }

    /// GRDB's own takes NULL for a failure without asking. What is given must be optional.
    @inlinable
    static func fromStatement(_ statement: SQLiteStatement, atUncheckedIndex index: CInt) -> ColumnResult? {
        ColumnResult(sqliteStatement: statement, index: index)
    }

    @usableFromInline
    static func fromDatabaseValue(_ value: DatabaseValue) -> ColumnResult? {
        Value.reading(value).map { .value($0) } ?? .unfit(InvalidColumnValue(value))
    }

    @usableFromInline
    var databaseValue: DatabaseValue {
        switch self {
        case .value(let value): value.databaseValue
        case .unfit: .null
        }
    }
}
