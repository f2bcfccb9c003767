public import Foundation

/// Reads the physical lines of a stream, ended by LF, CR LF, CR or the CR CR LF of a double conversion.
///
/// Holds one line and one chunk of the stream in memory and reads each byte once.
public struct LineReader {
    private let stream: ByteStream
    private var buffer: [UInt8] = []
    private var position = 0
    private var isAtEnd = false
    /// The number of the last line read, from 1; 0 before the first.
    public private(set) var lineNumber = 0

    /// Creates a reader of a stream.
    public init(_ stream: ByteStream) {
        self.stream = stream
    }

    /// Returns the first byte of the next line (its line break if the line is empty), or nil at the end of the stream.
    public mutating func peek() throws -> UInt8? {
        while position >= buffer.count {
            guard try refill() else { return nil }
        }
        return buffer[position]
    }

    /// Returns up to `count` bytes of the next line or lines that have been read from the stream.
    mutating func buffered(_ count: Int) throws -> ArraySlice<UInt8> {
        _ = try peek()
        return buffer[min(position, buffer.count)...].prefix(count)
    }

    /// Appends the next line without its line break to `line`.
    ///
    /// - Parameters:
    ///   - line: The buffer to append to.
    ///   - dropped: The number of bytes to drop at the beginning of the line.
    ///   - limit: The maximum size of `line`; the excess is read and dropped.
    /// - Returns: `false` at the end of the stream.
    public mutating func appendLine(
        to line: inout [UInt8], dropping dropped: Int = 0, limit: Int = .max
    ) throws -> Bool {
        guard try peek() != nil else { return false }
        lineNumber += 1
        var toDrop = dropped
        while true {
            let start = position
            let end = endOfLine(from: start)
            let from = min(start + toDrop, end)
            toDrop -= from - start
            if line.count < limit {
                let taken = min(end - from, limit - line.count)
                line.append(contentsOf: buffer[from..<(from + taken)])
            }
            if end < buffer.count {
                let isReturn = buffer[end] == 0x0D
                position = end + 1
                if isReturn { try skipLineFeed() }
                return true
            }
            position = end
            guard try refill() else { return true }
        }
    }

    private func endOfLine(from start: Int) -> Int {
        let bytes = buffer.span
        var index = start
        while index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
        return index
    }

    /// Consumes the rest of a line break that began with CR.
    private mutating func skipLineFeed() throws {
        guard let byte = try peek() else { return }
        if byte == 0x0A {
            position += 1
        } else if byte == 0x0D {
            // The second byte may be in the next chunk.
            if position + 1 == buffer.count, !isAtEnd {
                if let chunk = try stream.next() {
                    buffer = [byte] + chunk
                    position = 0
                } else {
                    isAtEnd = true
                }
            }
            if position + 1 < buffer.count, buffer[position + 1] == 0x0A { position += 2 }
        }
    }

    /// Replaces an exhausted buffer with the next chunk. Returns `false` at the end.
    private mutating func refill() throws -> Bool {
        guard !isAtEnd else { return false }
        guard let chunk = try stream.next() else {
            isAtEnd = true
            return false
        }
        buffer = chunk
        position = 0
        return true
    }
}

/// A stream of bytes in chunks.
public struct ByteStream {
    private let nextChunk: () throws -> [UInt8]?

    /// Creates a stream from a closure that returns nil at the end.
    public init(_ nextChunk: @escaping () throws -> [UInt8]?) {
        self.nextChunk = nextChunk
    }

    /// Creates a stream of bytes in memory.
    public init(_ bytes: [UInt8]) { self.init(bytes, then: ByteStream { nil }) }

    /// Creates a stream of bytes in memory followed by another stream.
    package init(_ bytes: [UInt8], then rest: ByteStream) {
        var first: [UInt8]? = bytes
        self.init { try first.take() ?? rest.next() }
    }

    /// Creates a stream that reads a file handle in chunks of 64 KiB.
    public init(_ handle: FileHandle) {
        self.init {
            guard let data = try handle.read(upToCount: 1 << 16), !data.isEmpty else { return nil }
            return [UInt8](data)
        }
    }

    /// Returns the next chunk, which is never empty, or nil at the end.
    public func next() throws -> [UInt8]? {
        while let chunk = try nextChunk() {
            if !chunk.isEmpty { return chunk }
        }
        return nil
    }

    /// Returns the stream converted to UTF-8 without a byte order mark.
    ///
    /// UTF-16 is detected by its byte order mark or by the zero bytes of ASCII text. All other bytes pass unchanged.
    public func inUTF8() throws -> ByteStream {
        var first: [UInt8] = []
        while first.count < 4, let chunk = try next() { first += chunk }
        var isBigEndian = false
        if first.starts(with: [0xEF, 0xBB, 0xBF]) {
            return ByteStream(Array(first.dropFirst(3)), then: self)
        } else if first.starts(with: [0xFF, 0xFE]) || first.starts(with: [0xFE, 0xFF]) {
            isBigEndian = first.starts(with: [0xFE])
            first.removeFirst(2)
        } else if first.count >= 4, first[0] == 0, first[1] != 0, first[2] == 0, first[3] != 0 {
            isBigEndian = true
        } else if first.count >= 4, first[0] != 0, first[1] == 0, first[2] != 0, first[3] == 0 {
            isBigEndian = false
        } else {
            return ByteStream(first, then: self)
        }
        var decoder = UTF16Decoder(isBigEndian: isBigEndian)
        let encoded = ByteStream(first, then: self)
        return ByteStream { try encoded.next().map { decoder.decode($0) } ?? decoder.finish() }
    }
}

/// Converts UTF-16 to UTF-8. Code units and surrogate pairs may be split between chunks.
private struct UTF16Decoder {
    let isBigEndian: Bool
    /// The bytes of an incomplete scalar.
    var rest: [UInt8] = []

    mutating func decode(_ bytes: [UInt8]) -> [UInt8] {
        let bytes = rest + bytes
        var units = stride(from: 0, to: bytes.count - 1, by: 2).map { index in
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        if let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
        rest = Array(bytes.dropFirst(units.count * 2))
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    /// Returns a replacement character if the input ends inside a scalar.
    mutating func finish() -> [UInt8]? {
        if rest.isEmpty { return nil }
        rest = []
        return Array("\u{FFFD}".utf8)
    }
}

/// The character encodings of `CHARSET=` in vCards and of spreadsheets.
public enum Charset {
    /// Decodes bytes in a named encoding (IANA name, any case); nil if the name is unknown or the bytes are invalid.
    public static func decode(_ bytes: ArraySlice<UInt8>, named name: String) -> String? {
        switch name.uppercased() {
        case "UTF-8", "UTF8", "US-ASCII", "ASCII": String(validating: bytes, as: UTF8.self)
        case "WINDOWS-1252", "CP1252", "ISO-8859-1", "LATIN1", "8859-1", "ISO8859-1": windows1252(bytes)
        default: encoding(named: name).flatMap { String(data: Data(bytes), encoding: $0) }
        }
    }

    /// Returns `true` if ``decode(_:named:)`` supports an encoding.
    public static func isKnown(_ name: String) -> Bool {
        decode([], named: name) != nil
    }

    // CoreFoundation's encodings without a constant in Foundation (CFStringEncodingExt.h) have the high bit set.
    private static func encoding(named name: String) -> String.Encoding? {
        switch name.uppercased() {
        case "UTF-16": .utf16
        case "UTF-16LE": .utf16LittleEndian
        case "UTF-16BE": .utf16BigEndian
        case "ISO-8859-2", "LATIN2": .isoLatin2
        case "ISO-8859-9", "LATIN5", "WINDOWS-1254", "CP1254": .windowsCP1254
        case "WINDOWS-1250", "CP1250": .windowsCP1250
        case "WINDOWS-1251", "CP1251": .windowsCP1251
        case "WINDOWS-1253", "CP1253", "ISO-8859-7": .windowsCP1253
        case "SHIFT_JIS", "SHIFT-JIS", "SJIS", "CP932": .shiftJIS
        case "EUC-JP": .japaneseEUC
        case "ISO-2022-JP": .iso2022JP
        case "KOI8-R": String.Encoding(rawValue: 0x8000_0A02)
        case "GB2312", "GBK", "GB18030": String.Encoding(rawValue: 0x8000_0632)
        case "BIG5": String.Encoding(rawValue: 0x8000_0A03)
        case "EUC-KR", "KS_C_5601-1987": String.Encoding(rawValue: 0x8000_0940)
        case "ISO-8859-15", "LATIN9": String.Encoding(rawValue: 0x8000_020F)
        case "ISO-8859-5": String.Encoding(rawValue: 0x8000_0205)
        default: nil
        }
    }

    /// Decodes Windows-1252, which also stands for ISO-8859-1 (WHATWG Encoding Standard). Accepts any bytes.
    public static func windows1252(_ bytes: ArraySlice<UInt8>) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes {
            let value = (0x80...0x9F).contains(byte) ? windows1252Controls[Int(byte - 0x80)] : UInt16(byte)
            text.append(Unicode.Scalar(value) ?? "\u{FFFD}")
        }
        return String(text)
    }

    private static let windows1252Controls: [UInt16] = [
        0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008D,
        0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0x009D, 0x017E, 0x0178,
    ]
}
