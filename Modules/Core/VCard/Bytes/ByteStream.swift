public import Foundation

/// Bytes that arrive in pieces, so that reading needs no more memory than the largest card.
public struct ByteStream {
    private let nextPiece: () throws -> [UInt8]?

    /// Pieces from a closure that gives nil at the end.
    public init(_ nextPiece: @escaping () throws -> [UInt8]?) {
        self.nextPiece = nextPiece
    }

    /// Bytes that are all there.
    public init(_ bytes: [UInt8]) {
        var rest: [UInt8]? = bytes
        self.init {
            defer { rest = nil }
            return rest
        }
    }

    /// What a file handle gives, 64 KiB at a time.
    public init(_ handle: FileHandle) {
        self.init {
            guard let data = try handle.read(upToCount: 1 << 16), !data.isEmpty else { return nil }
            return [UInt8](data)
        }
    }

    /// The next piece, which is not empty; nil at the end.
    public func next() throws -> [UInt8]? {
        while let piece = try nextPiece() {
            if !piece.isEmpty { return piece }
        }
        return nil
    }
}

extension ByteStream {
    /// The same text in UTF-8 without a byte order mark: UTF-16 is told by its mark, or by the zero bytes of its ASCII.
    ///
    /// Bytes that are neither pass as they are; who reads them finds what is wrong.
    public func inUTF8() throws -> ByteStream {
        var first: [UInt8] = []
        while first.count < 4, let piece = try next() { first += piece }
        var isBigEndian = false
        if first.starts(with: [0xEF, 0xBB, 0xBF]) {
            return ByteStream(resuming: Array(first.dropFirst(3)), self)
        } else if first.starts(with: [0xFF, 0xFE]) || first.starts(with: [0xFE, 0xFF]) {
            isBigEndian = first.starts(with: [0xFE])
            first.removeFirst(2)
        } else if first.count >= 4, first[0] == 0, first[1] != 0, first[2] == 0, first[3] != 0 {
            isBigEndian = true
        } else if first.count >= 4, first[0] != 0, first[1] == 0, first[2] != 0, first[3] == 0 {
            isBigEndian = false
        } else {
            return ByteStream(resuming: first, self)
        }
        var decoder = UTF16Decoder(isBigEndian: isBigEndian)
        var start: [UInt8]? = first
        let rest = self
        return ByteStream {
            if let bytes = start {
                start = nil
                return decoder.decode(bytes)
            }
            if let bytes = try rest.next() { return decoder.decode(bytes) }
            return decoder.finish()
        }
    }

    private init(resuming first: [UInt8], _ rest: ByteStream) {
        var start: [UInt8]? = first
        self.init {
            if let bytes = start {
                start = nil
                return bytes
            }
            return try rest.next()
        }
    }
}

/// Turns pieces of UTF-16 into UTF-8; a unit or a pair may be split between two pieces.
private struct UTF16Decoder {
    let isBigEndian: Bool
    private var loneByte: UInt8?
    private var highSurrogate: UInt16?

    init(isBigEndian: Bool) {
        self.isBigEndian = isBigEndian
    }

    mutating func decode(_ bytes: [UInt8]) -> [UInt8] {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2 + 1)
        if let unit = highSurrogate {
            units.append(unit)
            highSurrogate = nil
        }
        for byte in bytes {
            guard let first = loneByte else {
                loneByte = byte
                continue
            }
            loneByte = nil
            units.append(isBigEndian ? UInt16(first) << 8 | UInt16(byte) : UInt16(byte) << 8 | UInt16(first))
        }
        if let last = units.last, UTF16.isLeadSurrogate(last) { highSurrogate = units.removeLast() }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    /// What a torn end leaves: a replacement character, as for any other unit that is no text.
    mutating func finish() -> [UInt8]? {
        guard loneByte != nil || highSurrogate != nil else { return nil }
        (loneByte, highSurrogate) = (nil, nil)
        return Array("\u{FFFD}".utf8)
    }
}
