public import Foundation
public import GRDB
import GRDBSQLite
import SwitchboardAlgorithms

/// A row of a statement, or a copy of one.
///
/// The methods return a column by its index, the first being 0, and throw a `DatabaseError` with `SQLITE_CORRUPT` if it
/// holds a value of another type.
package protocol ColumnRow {
    /// Returns a text.
    func text(_ column: Int) throws -> String
    /// Returns a text, or nil for NULL.
    func optionalText(_ column: Int) throws -> String?
    /// Returns an integer.
    func integer(_ column: Int) throws -> Int
    /// Returns a real number, or nil for NULL.
    func optionalReal(_ column: Int) throws -> Double?
}

extension ColumnRow {
    /// Returns a Boolean value.
    package func flag(_ column: Int) throws -> Bool { try integer(column) != 0 }

    /// Returns a time.
    package func time(_ column: Int) throws -> Date {
        guard let time = try optionalTime(column) else { throw DatabaseError.unexpectedColumn(column, Date.self) }
        return time
    }

    /// Returns a time, or nil for NULL.
    package func optionalTime(_ column: Int) throws -> Date? {
        try optionalReal(column).map { seconds in
            if let time = Date.reading(.double(seconds)) { return time }
            throw DatabaseError.unexpectedColumn(column, Date.self)
        }
    }
}

extension Row: ColumnRow {
    /// Returns a text.
    package func text(_ column: Int) throws -> String { try value(column) }
    /// Returns a text, or nil for NULL.
    package func optionalText(_ column: Int) throws -> String? { try value(column) }
    /// Returns an integer.
    package func integer(_ column: Int) throws -> Int { try value(column) }
    /// Returns a real number, or nil for NULL.
    package func optionalReal(_ column: Int) throws -> Double? { try value(column) }
}

/// A copy of the columns of a row, read from the bytes that a ``RowWriter`` wrote.
package struct StoredRow: ColumnRow, Sendable {
    private let bytes: [UInt8]
    /// The heads of the columns of this row and of others.
    private let heads: [RowFormat.Head]
    /// The positions of this row's columns in the heads.
    private let columns: Range<Int>

    fileprivate init(_ bytes: [UInt8], _ heads: [RowFormat.Head], _ columns: Range<Int>) {
        (self.bytes, self.heads, self.columns) = (bytes, heads, columns)
    }

    /// Returns a text.
    package func text(_ column: Int) throws -> String {
        if let text = try optionalText(column) { return text }
        throw DatabaseError.unexpectedColumn(column, String.self)
    }

    /// Returns a text, or nil for NULL.
    package func optionalText(_ column: Int) throws -> String? {
        if let text = optionalUTF8(column) { return String(decoding: text, as: UTF8.self) }
        if try head(column).kind == .null { return nil }
        throw DatabaseError.unexpectedColumn(column, String.self)
    }

    /// Returns the UTF-8 of a text; empty for NULL and for values of other types.
    package func utf8(_ column: Int) -> ArraySlice<UInt8> { optionalUTF8(column) ?? [] }

    /// Returns the UTF-8 of a text, or nil for NULL and for values of other types.
    package func optionalUTF8(_ column: Int) -> ArraySlice<UInt8>? {
        guard let head = knownHead(column), head.kind == .text else { return nil }
        return bytes[head.content]
    }

    /// Returns an integer.
    package func integer(_ column: Int) throws -> Int {
        let head = try head(column)
        guard head.kind == .integer else { throw DatabaseError.unexpectedColumn(column, Int.self) }
        return Int(bitPattern: UInt(head.number >> 1)) ^ -Int(head.number & 1)
    }

    /// Returns a real number, or nil for NULL.
    package func optionalReal(_ column: Int) throws -> Double? {
        let head = try head(column)
        if head.kind == .null { return nil }
        if head.kind == .integer { return Double(try integer(column)) }
        var offset = head.content.lowerBound
        guard head.kind == .real, let pattern = bytes.littleEndian(at: &offset) else {
            throw DatabaseError.unexpectedColumn(column, Double.self)
        }
        return Double(bitPattern: pattern)
    }

    private func head(_ column: Int) throws -> RowFormat.Head {
        if let head = knownHead(column) { return head }
        throw DatabaseError.unexpectedColumn(column, String.self)
    }

    private func knownHead(_ column: Int) -> RowFormat.Head? {
        (0..<columns.count).contains(column) ? heads[columns.lowerBound + column] : nil
    }
}

extension DatabaseError {
    fileprivate static func unexpectedColumn<Value: ColumnValue>(_ column: Int, _: Value.Type) -> DatabaseError {
        DatabaseError(resultCode: .SQLITE_CORRUPT, message: "column \(column) of a row is not \(Value.columnKind)")
    }
}

/// Writes copies of rows in few bytes, to be read without the database.
package struct RowWriter {
    /// The bytes written so far.
    package private(set) var bytes: [UInt8] = []

    /// Creates a writer.
    package init() {}

    /// Writes the number of rows or values that follow.
    package mutating func write(count: Int) { bytes.append(leb128: UInt64(count)) }

    /// Writes the columns of a row. Blobs become NULL.
    package mutating func write(_ row: Row, columns: Int) throws {
        for column in 0..<columns { RowFormat.append(try (row.value(column) as AnyColumn).storage, to: &bytes) }
    }

    /// Appends the bytes of another writer.
    package mutating func append(_ other: RowWriter) { bytes += other.bytes }

    /// Writes bytes with their count.
    package mutating func write(_ data: some Collection<UInt8>) {
        write(count: data.count)
        bytes += data
    }
}

/// Reads what a ``RowWriter`` wrote. Reading beyond the end, or other bytes, returns nil.
package struct RowReader {
    private let bytes: [UInt8]
    private var offset = 0
    private var heads: [RowFormat.Head] = []

    /// Creates a reader.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        heads.reserveCapacity(64)
    }

    /// Reads a number of rows or values.
    package mutating func count() -> Int? {
        bytes.leb128(at: &offset).flatMap { Int(exactly: $0) }.flatMap { $0 <= bytes.count ? $0 : nil }
    }

    /// Reads rows with the number of columns that were written, and returns the position of the first row's first
    /// column; nil if they are malformed.
    package mutating func rows(_ count: Int, columns: Int) -> Int? {
        let first = heads.count
        for _ in 0..<count * columns {
            guard let head = RowFormat.head(in: bytes, at: offset) else { return nil }
            heads.append(head)
            offset = head.content.upperBound
        }
        return first
    }

    /// Returns the row at the position of its first column, after all have been read.
    package func row(at first: Int, columns: Int) -> StoredRow {
        StoredRow(bytes, heads, (first..<first + columns).clamped(to: heads.indices))
    }

    /// Reads bytes that were written with their count.
    package mutating func data() -> ArraySlice<UInt8>? {
        guard let count = count(), count <= bytes.count - offset else { return nil }
        offset += count
        return bytes[offset - count..<offset]
    }
}

private struct AnyColumn: ColumnValue {
    static var columnKind: String { "a value" }
    let storage: DatabaseValue.Storage
    var databaseValue: DatabaseValue { .null }

    static func reading(_ column: DatabaseValue.Storage) -> AnyColumn? { AnyColumn(storage: column) }
    static func fromDatabaseValue(_ value: DatabaseValue) -> AnyColumn? { AnyColumn(storage: value.storage) }
}

/// The encoding of a value: a LEB128 number whose three low bits are the type, and whose others are the length of a
/// text or a zigzag-encoded integer; then the bytes of a text or of a floating-point number.
private enum RowFormat {
    enum Kind: UInt64 {
        case null, integer, real, text
    }

    static func append(_ value: DatabaseValue.Storage, to bytes: inout [UInt8]) {
        switch value {
        case .null, .blob: bytes.append(leb128: Kind.null.rawValue)
        case .int64(let number):
            let zigzag = UInt64(bitPattern: number << 1 ^ number >> 63)
            if zigzag >> 61 == 0 {
                bytes.append(leb128: zigzag << 3 | Kind.integer.rawValue)
            } else {
                append(.double(Double(number)), to: &bytes)
            }
        case .double(let number):
            bytes.append(leb128: Kind.real.rawValue)
            bytes.append(littleEndian: number.bitPattern)
        case .string(let text):
            bytes.append(leb128: UInt64(text.utf8.count) << 3 | Kind.text.rawValue)
            bytes += text.utf8
        }
    }

    /// The type of a value, its length or integer, and where its bytes are.
    struct Head {
        let kind: Kind
        let number: UInt64
        let content: Range<Int>
    }

    /// Reads the head of a value; nil if the value is malformed.
    @inline(__always)
    static func head(in bytes: [UInt8], at start: Int) -> Head? {
        guard start < bytes.count else { return nil }
        // Most heads are one byte.
        var (number, offset) = (UInt64(bytes[start]), start + 1)
        if number >= 0x80 {
            offset = start
            guard let long = bytes.leb128(at: &offset) else { return nil }
            number = long
        }
        guard let kind = Kind(rawValue: number & 7) else { return nil }
        number >>= 3
        let count = kind == .text ? Int(clamping: number) : kind == .real ? 8 : 0
        guard count <= bytes.count - offset else { return nil }
        return Head(kind: kind, number: number, content: offset..<offset + count)
    }
}

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
    package var isStorable: Bool { (-62_200_000_000...253_402_500_000).contains(timeIntervalSince1970) }

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
