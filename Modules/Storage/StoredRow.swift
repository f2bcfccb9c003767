public import Foundation
public import GRDB

/// A row of a statement, or a copy of one.
///
/// The methods return a column by its index, the first being 0, and throw a `DatabaseError` with `SQLITE_CORRUPT` if it
/// holds a value of another type.
public protocol ColumnRow {
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
    public func flag(_ column: Int) throws -> Bool { try integer(column) != 0 }

    /// Returns a time.
    public func time(_ column: Int) throws -> Date {
        guard let time = try optionalTime(column) else { throw DatabaseError.unexpectedColumn(column, Date.self) }
        return time
    }

    /// Returns a time, or nil for NULL.
    public func optionalTime(_ column: Int) throws -> Date? {
        try optionalReal(column).map { seconds in
            if let time = Date.reading(.double(seconds)) { return time }
            throw DatabaseError.unexpectedColumn(column, Date.self)
        }
    }
}

extension Row: ColumnRow {
    /// Returns a text.
    public func text(_ column: Int) throws -> String { try value(column) }
    /// Returns a text, or nil for NULL.
    public func optionalText(_ column: Int) throws -> String? { try value(column) }
    /// Returns an integer.
    public func integer(_ column: Int) throws -> Int { try value(column) }
    /// Returns a real number, or nil for NULL.
    public func optionalReal(_ column: Int) throws -> Double? { try value(column) }
}

/// A copy of the columns of a row, read from the bytes that a ``RowWriter`` wrote.
public struct StoredRow: ColumnRow, Sendable {
    private let bytes: [UInt8]
    /// The heads of the columns of this row and of others.
    private let heads: [RowFormat.Head]
    /// The positions of this row's columns in the heads.
    private let columns: Range<Int>

    fileprivate init(_ bytes: [UInt8], _ heads: [RowFormat.Head], _ columns: Range<Int>) {
        (self.bytes, self.heads, self.columns) = (bytes, heads, columns)
    }

    /// Returns a text.
    public func text(_ column: Int) throws -> String {
        if let text = try optionalText(column) { return text }
        throw DatabaseError.unexpectedColumn(column, String.self)
    }

    /// Returns a text, or nil for NULL.
    public func optionalText(_ column: Int) throws -> String? {
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
    public func integer(_ column: Int) throws -> Int {
        let head = try head(column)
        guard head.kind == .integer else { throw DatabaseError.unexpectedColumn(column, Int.self) }
        return Int(bitPattern: UInt(head.number >> 1)) ^ -Int(head.number & 1)
    }

    /// Returns a real number, or nil for NULL.
    public func optionalReal(_ column: Int) throws -> Double? {
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
public struct RowWriter {
    /// The bytes written so far.
    public private(set) var bytes: [UInt8] = []

    /// Creates a writer.
    public init() {}

    /// Writes the number of rows or values that follow.
    public mutating func write(count: Int) { bytes.append(leb128: UInt64(count)) }

    /// Writes the columns of a row. Blobs become NULL.
    public mutating func write(_ row: Row, columns: Int) throws {
        for column in 0..<columns { RowFormat.append(try (row.value(column) as AnyColumn).storage, to: &bytes) }
    }

    /// Appends the bytes of another writer.
    public mutating func append(_ other: RowWriter) { bytes += other.bytes }

    /// Writes bytes with their count.
    public mutating func write(_ data: some Collection<UInt8>) {
        write(count: data.count)
        bytes += data
    }
}

/// Reads what a ``RowWriter`` wrote. Reading beyond the end, or other bytes, returns nil.
public struct RowReader {
    private let bytes: [UInt8]
    private var offset = 0
    private var heads: [RowFormat.Head] = []

    /// Creates a reader.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        heads.reserveCapacity(64)
    }

    /// Reads a number of rows or values.
    public mutating func count() -> Int? {
        bytes.leb128(at: &offset).flatMap { Int(exactly: $0) }.flatMap { $0 <= bytes.count ? $0 : nil }
    }

    /// Reads rows with the number of columns that were written, and returns the position of the first row's first
    /// column; nil if they are malformed.
    public mutating func rows(_ count: Int, columns: Int) -> Int? {
        let first = heads.count
        for _ in 0..<count * columns {
            guard let head = RowFormat.head(in: bytes, at: offset) else { return nil }
            heads.append(head)
            offset = head.content.upperBound
        }
        return first
    }

    /// Returns the row at the position of its first column, after all have been read.
    public func row(at first: Int, columns: Int) -> StoredRow {
        StoredRow(bytes, heads, (first..<first + columns).clamped(to: heads.indices))
    }

    /// Reads bytes that were written with their count.
    public mutating func data() -> ArraySlice<UInt8>? {
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
