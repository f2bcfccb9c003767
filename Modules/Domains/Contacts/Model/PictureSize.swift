import Foundation

/// Reads the size of a picture in pixels from its header, without decoding it.
enum PictureSize {
    /// Returns the width and height of a JPEG, PNG, GIF, WebP, BMP, TIFF or HEIF picture; nil for other formats and damaged
    /// headers.
    static func read(from data: Data) -> (width: Int, height: Int)? {
        let header = Header(data: data)
        if header.begins(with: [0x89, 0x50, 0x4E, 0x47]) { return header.pair(at: 16, 20, size: 4, isBigEndian: true) }
        if header.begins(with: Array("GIF8".utf8)) { return header.pair(at: 6, 8, size: 2) }
        if header.begins(with: [0xFF, 0xD8]) { return jpeg(header) }
        if header.begins(with: Array("RIFF".utf8)) { return webP(header) }
        if header.begins(with: Array("BM".utf8)) { return bitmap(header) }
        if header.begins(with: Array("II*\0".utf8)) { return tiff(header, isBigEndian: false) }
        if header.begins(with: Array("MM\0*".utf8)) { return tiff(header, isBigEndian: true) }
        if header.begins(with: Array("ftyp".utf8), at: 4) { return heif(header) }
        return nil
    }

    /// Reads the frame header after the other segments (ITU T.81, section B.2.2).
    private static func jpeg(_ header: Header) -> (Int, Int)? {
        var offset = 2
        while let marker = header.number(offset, 2, isBigEndian: true), marker > 0xFF00 {
            if (0xFFC0...0xFFCF).contains(marker), ![0xFFC4, 0xFFC8, 0xFFCC].contains(marker) {
                return header.pair(at: offset + 7, offset + 5, size: 2, isBigEndian: true)
            }
            guard let length = header.number(offset + 2, 2, isBigEndian: true) else { return nil }
            offset += 2 + length
        }
        return nil
    }

    /// Reads the first chunk (RFC 9649, section 2).
    private static func webP(_ header: Header) -> (Int, Int)? {
        if header.begins(with: Array("VP8X".utf8), at: 12) {
            return header.pair(at: 24, 27, size: 3).map { ($0 + 1, $1 + 1) }
        }
        if header.begins(with: Array("VP8 ".utf8), at: 12) {
            return header.pair(at: 26, 28, size: 2).map { ($0 & 0x3FFF, $1 & 0x3FFF) }
        }
        guard header.begins(with: Array("VP8L".utf8), at: 12) else { return nil }
        return header.number(21, 4).map { (($0 & 0x3FFF) + 1, ($0 >> 14 & 0x3FFF) + 1) }
    }

    /// Reads the header of a bitmap, in which a top-down image has a negative height.
    private static func bitmap(_ header: Header) -> (Int, Int)? {
        if header.number(14, 4) == 12 { return header.pair(at: 18, 20, size: 2) }
        func magnitude(_ number: Int) -> Int { Int(Int32(truncatingIfNeeded: number).magnitude) }
        return header.pair(at: 18, 22, size: 4).map { (magnitude($0), magnitude($1)) }
    }

    /// Reads the first directory (TIFF 6.0, section 2), which may be at the end of the file.
    private static func tiff(_ header: Header, isBigEndian: Bool) -> (Int, Int)? {
        func number(_ offset: Int, _ size: Int) -> Int? { header.number(offset, size, isBigEndian: isBigEndian) }
        guard let start = number(4, 4), let count = number(start, 2) else { return nil }
        var (width, height) = (Int?.none, Int?.none)
        for entry in (0..<count).lazy.map({ start + 2 + $0 * 12 }) {
            // A 16-bit or 32-bit number, stored in the entry itself.
            guard let tag = number(entry, 2), let type = number(entry + 2, 2) else { return nil }
            let value = number(entry + 8, type == 3 ? 2 : 4)
            if tag == 256 { width = value }
            if tag == 257 { height = value }
            if let width, let height { return (width, height) }
        }
        return nil
    }

    /// Reads the largest width and height of all images and tiles (ISO/IEC 23008-12, section 6.5.3).
    private static func heif(_ header: Header) -> (Int, Int)? {
        // Each of these boxes is nested in the previous one. In the first, a version precedes the nested boxes.
        let containers = [(type: "meta", start: 12), (type: "iprp", start: 8), (type: "ipco", start: 8)]
        var largest: (width: Int, height: Int)?
        var boxesLeft = 4_096
        /// Reads the boxes of a range: a length, a type, and the content.
        func read(_ range: Range<Int>, depth: Int) {
            var offset = range.lowerBound
            while boxesLeft > 0, let length = header.number(offset, 4, isBigEndian: true) {
                boxesLeft -= 1
                // Longer boxes contain the pixels.
                guard length >= 8, offset + length <= range.upperBound else { return }
                if depth < containers.count {
                    let container = containers[depth]
                    if length >= container.start, header.begins(with: Array(container.type.utf8), at: offset + 4) {
                        read(offset + container.start..<offset + length, depth: depth + 1)
                    }
                } else if header.begins(with: Array("ispe".utf8), at: offset + 4),
                    let (width, height) = header.pair(at: offset + 12, offset + 16, size: 4, isBigEndian: true)
                {
                    largest = (max(width, largest?.width ?? 0), max(height, largest?.height ?? 0))
                }
                offset += length
            }
        }
        read(0..<header.count, depth: 0)
        return largest
    }
}

/// The bytes of a picture. Only a few are read.
private struct Header {
    let data: Data

    var count: Int { data.count }

    func begins(with bytes: [UInt8], at offset: Int = 0) -> Bool { data.dropFirst(offset).starts(with: bytes) }

    /// Returns an unsigned number of up to four bytes; nil beyond the end.
    func number(_ offset: Int, _ size: Int, isBigEndian: Bool = false) -> Int? {
        guard offset >= 0, offset + size <= data.count else { return nil }
        let bytes = data.dropFirst(offset).prefix(size)
        return isBigEndian
            ? bytes.reduce(0) { $0 << 8 | Int($1) } : bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    func pair(at width: Int, _ height: Int, size: Int, isBigEndian: Bool = false) -> (Int, Int)? {
        number(width, size, isBigEndian: isBigEndian).flatMap { width in
            number(height, size, isBigEndian: isBigEndian).map { (width, $0) }
        }
    }
}
