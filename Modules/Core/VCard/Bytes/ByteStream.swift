public import Foundation

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
