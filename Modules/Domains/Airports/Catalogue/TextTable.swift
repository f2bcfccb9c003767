import SwitchboardSearchEngine

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

// Each `unsafe` is safe because tables are created only over bytes that never change and live as long as the program,
// and because each position is compared with the number of bytes before a read.

/// Tab-separated text that is read in place: opening locates the lines, and a cell is located on access.
///
/// Opening costs one `memchr` pass over the bytes and one array of line offsets, about a millisecond for the airport
/// catalogue. Accessing a cell scans the cells before it in its line. Nothing is copied.
struct TextTable: Sendable {
    private let text: Cell
    /// The offset of each record, without the header line.
    private let starts: [UInt32]

    /// Creates a table over bytes that remain valid and unchanged for the lifetime of the program.
    init(permanent bytes: UnsafeBufferPointer<UInt8>) {
        text = unsafe Cell(permanent: bytes)
        var starts: [UInt32] = []
        // Offsets have 32 bits: text beyond four gigabytes is ignored.
        let size = min(bytes.count, Int(UInt32.max))
        starts.reserveCapacity(size / 300)
        var position = text.indexOfByte(0x0A, from: 0, to: size).map { $0 + 1 } ?? size
        while position < size {
            let end = text.indexOfByte(0x0A, from: position, to: size) ?? size
            if end > position { starts.append(UInt32(position)) }
            position = end + 1
        }
        self.starts = starts
    }

    /// Creates a table over a file that is embedded in the program.
    ///
    /// - Parameter file: Returns the bytes, and stores their number through its parameter.
    init(embedded file: (UnsafeMutablePointer<Int>) -> UnsafePointer<UInt8>?) {
        var size = 0
        let start = unsafe file(&size)
        unsafe self.init(permanent: UnsafeBufferPointer(start: start, count: start == nil ? 0 : size))
    }

    /// Creates a table over a copy of `bytes` that is never freed, for tests and tools.
    init(copying bytes: [UInt8]) {
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = unsafe copy.initialize(from: bytes)
        unsafe self.init(permanent: UnsafeBufferPointer(copy))
    }

    var count: Int { starts.count }

    var fingerprint: UInt64 {
        unsafe text.withBytes { bytes in
            var hash = ByteHash()
            unsafe hash.add(UnsafeRawBufferPointer(bytes))
            return hash.value
        }
    }

    var header: [String] {
        let end = text.indexOfByte(0x0A, from: 0, to: text.count) ?? text.count
        var cells = CellIterator(line: text.slice(from: 0, to: end))
        return (0...32).compactMap { _ in cells.next()?.string }
    }

    /// Returns the cells of a record, in order; empty if the record does not exist.
    func cells(of record: Int) -> CellIterator {
        guard starts.indices.contains(record) else { return CellIterator(line: nil) }
        // A line ends where the next one begins, apart from the newline and any empty lines between.
        var end = record + 1 < starts.count ? Int(starts[record + 1]) : text.count
        let start = Int(starts[record])
        while end > start, text.byte(end - 1) == 0x0A { end -= 1 }
        return CellIterator(line: text.slice(from: start, to: end))
    }

    /// Returns a cell; an empty one if the record or column is missing.
    func cell(_ record: Int, _ column: Int) -> Cell {
        var cells = cells(of: record)
        return cells.take(column)
    }
}

struct CellIterator: IteratorProtocol {
    private var rest: Cell?

    init(line: Cell?) {
        rest = line
    }

    mutating func next() -> Cell? {
        guard let line = rest else { return nil }
        guard let tab = line.indexOfByte(0x09, from: 0, to: line.count) else {
            rest = nil
            return line
        }
        rest = line.slice(from: tab + 1, to: line.count)
        return line.slice(from: 0, to: tab)
    }

    /// Returns the next cell after skipping some, or an empty one at the end of the line.
    mutating func take(_ skipped: Int = 0) -> Cell {
        for _ in 0..<max(0, skipped) where next() == nil { return .empty }
        return next() ?? .empty
    }
}

/// A range of bytes in a table.
///
/// Tables are created only over bytes that are never written to and live as long as the program
/// (`TextTable.init(permanent:)` and `init(copying:)` are the only entry points).
@safe struct Cell: Hashable, @unchecked Sendable {
    private let bytes: UnsafeBufferPointer<UInt8>

    static let empty = unsafe Cell(permanent: UnsafeBufferPointer(start: nil, count: 0))

    fileprivate init(permanent bytes: UnsafeBufferPointer<UInt8>) {
        unsafe self.bytes = bytes
    }

    var count: Int { unsafe bytes.count }
    var isEmpty: Bool { unsafe bytes.isEmpty }

    /// The text; invalid UTF-8 becomes replacement characters.
    var string: String { unsafe String(decoding: bytes, as: UTF8.self) }

    var nonEmptyString: String? { isEmpty ? nil : string }

    func byte(_ index: Int) -> UInt8? {
        unsafe bytes.indices.contains(index) ? bytes[index] : nil
    }

    func contains(_ byte: UInt8) -> Bool {
        indexOfByte(byte, from: 0, to: count) != nil
    }

    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        unsafe body(bytes)
    }

    static func == (one: Cell, other: Cell) -> Bool { unsafe one.bytes.elementsEqual(other.bytes) }

    func hash(into hasher: inout Hasher) { unsafe hasher.combine(bytes: UnsafeRawBufferPointer(bytes)) }

    func equals(_ other: [UInt8]) -> Bool {
        unsafe bytes.elementsEqual(other)
    }

    /// The decimal number in the cell, such as `-73.77893`; nil for anything else.
    ///
    /// Up to 15 digits are exact: digits and power of ten are then exact doubles, and their quotient is rounded once
    /// (Clinger, "How to read floating point numbers accurately", 1990). Longer numbers take the slow path.
    var decimal: Double? {
        var position = 0
        let isNegative = byte(0) == UInt8(ascii: "-")
        if isNegative { position = 1 }
        var digits: UInt64 = 0
        var digitCount = 0
        var scale = 1.0
        var seenPoint = false
        while position < count {
            let byte = unsafe bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                digits = digits &* 10 &+ UInt64(byte - UInt8(ascii: "0"))
                digitCount += 1
                if seenPoint { scale *= 10 }
                if digitCount > 15 { return Double(string) }
            case UInt8(ascii: ".") where !seenPoint:
                seenPoint = true
            default:
                return nil
            }
        }
        guard digitCount > 0 else { return nil }
        let value = Double(digits) / scale
        return isNegative ? -value : value
    }

    /// Returns bytes `start..<end` of this cell, clamped to its bounds.
    fileprivate func slice(from start: Int, to end: Int) -> Cell {
        let start = min(max(0, start), count)
        let end = min(max(start, end), count)
        return unsafe Cell(permanent: UnsafeBufferPointer(rebasing: bytes[start..<end]))
    }

    fileprivate func indexOfByte(_ byte: UInt8, from start: Int, to end: Int) -> Int? {
        guard let base = unsafe bytes.baseAddress, start >= 0, start < end, end <= count,
            let hit = unsafe memchr(base + start, Int32(byte), end - start)
        else { return nil }
        return unsafe UnsafeRawPointer(hit) - UnsafeRawPointer(base)
    }
}
