#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Tab-separated text read where it stands: opening finds where each line begins, and a cell is looked at only when
/// it is asked for.
///
/// Opening costs one `memchr` pass over the bytes and one array of line offsets: about a millisecond for the whole
/// airport catalogue. A cell costs a walk over the cells before it in its line. Nothing is copied.
struct TextTable: Sendable {
    private let text: Cell
    /// Where record i begins; the header line is not a record.
    private let starts: [UInt32]

    /// A table in bytes that stay where they are, unchanged, for as long as the program wordSuffixes.
    init(permanent bytes: UnsafeBufferPointer<UInt8>) {
        text = Cell(permanent: bytes)
        var starts: [UInt32] = []
        // Offsets are 32 bits wide: the part of a longer text past four gigabytes is not read.
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

    /// A table in a copy of `bytes` that is never freed: for tests and tools, not for what is opened again and again.
    init(copying bytes: [UInt8]) {
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = copy.initialize(from: bytes)
        self.init(permanent: UnsafeBufferPointer(copy))
    }

    /// How many records there are.
    var count: Int { starts.count }

    /// A hash of every byte.
    var fingerprint: UInt64 {
        text.withBytes { bytes in
            var hash = ByteHash()
            hash.add(UnsafeRawBufferPointer(bytes))
            return hash.value
        }
    }

    /// The names in the header line.
    var header: [String] {
        let end = text.indexOfByte(0x0A, from: 0, to: text.count) ?? text.count
        var cells = CellIterator(line: text.slice(from: 0, to: end))
        return (0...32).compactMap { _ in cells.next()?.string }
    }

    /// The cells of a record, in order; none for a number that is no record's.
    func cells(of record: Int) -> CellIterator {
        guard starts.indices.contains(record) else { return CellIterator(line: nil) }
        // A line ends where the next one begins, but for the newline, and empty lines that there may be between.
        var end = record + 1 < starts.count ? Int(starts[record + 1]) : text.count
        let start = Int(starts[record])
        while end > start, text.byte(end - 1) == 0x0A { end -= 1 }
        return CellIterator(line: text.slice(from: start, to: end))
    }

    /// One cell; an empty one where the record or the column is missing.
    func cell(_ record: Int, _ column: Int) -> Cell {
        var cells = cells(of: record)
        for _ in 0..<max(0, column) where cells.next() == nil { return .empty }
        return cells.next() ?? .empty
    }
}

/// The cells of one line, from left to right.
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

    /// The next cell, empty where the line has ended.
    mutating func take() -> Cell {
        next() ?? .empty
    }
}

/// A run of bytes inside a table.
///
/// It can be sent anywhere: tables are made only over bytes that nobody writes to and that live as long as the
/// program (`TextTable.init(permanent:)` and `init(copying:)` are the only ways in).
struct Cell: @unchecked Sendable {
    private let bytes: UnsafeBufferPointer<UInt8>

    static let empty = Cell(permanent: UnsafeBufferPointer(start: nil, count: 0))

    fileprivate init(permanent bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    var count: Int { bytes.count }
    var isEmpty: Bool { bytes.isEmpty }

    /// The text; bytes that are not UTF-8 become replacement characters.
    var string: String { String(decoding: bytes, as: UTF8.self) }

    /// The text, or nothing where the cell is empty.
    var nonEmptyString: String? { isEmpty ? nil : string }

    /// The byte at `index`, or nothing past the end.
    func byte(_ index: Int) -> UInt8? {
        bytes.indices.contains(index) ? bytes[index] : nil
    }

    func contains(_ byte: UInt8) -> Bool {
        indexOfByte(byte, from: 0, to: count) != nil
    }

    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        body(bytes)
    }

    /// Whether the cell holds exactly these bytes.
    func equals(_ other: [UInt8]) -> Bool {
        bytes.elementsEqual(other)
    }

    /// A decimal number such as `-73.77893`; nothing for anything else.
    ///
    /// Up to 15 digits are exact: digits and power of ten are then both exact doubles, so that their quotient is
    /// rounded once (Clinger, "How to read floating point numbers accurately", 1990). Longer ones go the slow way.
    var decimal: Double? {
        var position = 0
        let isNegative = byte(0) == UInt8(ascii: "-")
        if isNegative { position = 1 }
        var digits: UInt64 = 0
        var digitCount = 0
        var scale = 1.0
        var seenPoint = false
        while position < count {
            let byte = bytes[position]
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

    /// Bytes `start..<end` of this cell, cut to what there is.
    fileprivate func slice(from start: Int, to end: Int) -> Cell {
        let start = min(max(0, start), count)
        let end = min(max(start, end), count)
        return Cell(permanent: UnsafeBufferPointer(rebasing: bytes[start..<end]))
    }

    fileprivate func indexOfByte(_ byte: UInt8, from start: Int, to end: Int) -> Int? {
        guard let base = bytes.baseAddress, start >= 0, start < end, end <= count,
            let hit = memchr(base + start, Int32(byte), end - start)
        else { return nil }
        return UnsafeRawPointer(hit) - UnsafeRawPointer(base)
    }
}
