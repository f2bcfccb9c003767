import Foundation

/// Reads the size of a picture in pixels from its header, without decoding it.
enum PictureSize {
    /// Returns the width and height of a PNG, GIF, JPEG or WebP picture; nil for other formats and damaged headers.
    static func read(from data: Data) -> (width: Int, height: Int)? {
        let bytes = [UInt8](data.prefix(1 << 20))
        func number(_ offset: Int, _ count: Int, isBigEndian: Bool = false) -> Int? {
            guard offset >= 0, offset + count <= bytes.count else { return nil }
            let part = bytes[offset..<(offset + count)]
            return (isBigEndian ? Array(part) : part.reversed()).reduce(0) { $0 << 8 | Int($1) }
        }
        func pair(_ width: Int?, _ height: Int?) -> (Int, Int)? {
            width.flatMap { width in height.map { (width, $0) } }
        }

        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
            return pair(number(16, 4, isBigEndian: true), number(20, 4, isBigEndian: true))
        }
        if bytes.starts(with: Array("GIF8".utf8)) { return pair(number(6, 2), number(8, 2)) }
        if bytes.starts(with: [0xFF, 0xD8]) {
            // Segments up to the frame header (ITU T.81, section B.2.2).
            var offset = 2
            while let marker = number(offset, 2, isBigEndian: true), marker > 0xFF00 {
                if (0xFFC0...0xFFCF).contains(marker), ![0xFFC4, 0xFFC8, 0xFFCC].contains(marker) {
                    return pair(number(offset + 7, 2, isBigEndian: true), number(offset + 5, 2, isBigEndian: true))
                }
                guard let length = number(offset + 2, 2, isBigEndian: true) else { return nil }
                offset += 2 + length
            }
        }
        if bytes.starts(with: Array("RIFF".utf8)), bytes.count > 16 {
            switch String(decoding: bytes[12..<16], as: UTF8.self) {
            case "VP8X": return pair(number(24, 3).map { $0 + 1 }, number(27, 3).map { $0 + 1 })
            case "VP8 ": return pair(number(26, 2).map { $0 & 0x3FFF }, number(28, 2).map { $0 & 0x3FFF })
            case "VP8L":
                return number(21, 4).map { (($0 & 0x3FFF) + 1, ($0 >> 14 & 0x3FFF) + 1) }
            default: return nil
            }
        }
        return nil
    }
}
