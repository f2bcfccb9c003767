public import Foundation
import SwitchboardErrors
import SwitchboardVCard

/// A photo of a contact, as embedded in its source.
public struct ContactPhoto: Hashable, Sendable {
    /// The media type detected from the bytes, or else declared by the source: "image/jpeg".
    public let mediaType: String
    /// The number of bytes.
    public let size: Int
    /// The bytes; nil in lists and search results. ``ContactBook/photo(of:)`` reads them.
    public let data: Data?
    /// The other parameters of the vCard property: `;X-ABCROP-RECTANGLE=ABClipRect_1&0&0&600&600&…`.
    var parameters = ""

    /// Creates a photo.
    ///
    /// - Parameters:
    ///   - data: The bytes of the image.
    ///   - declaredType: The media type to use if it cannot be detected from the bytes.
    public init(_ data: Data, declaredType: String = "image/jpeg") {
        mediaType = ContactPhoto.mediaType(of: data) ?? declaredType
        size = data.count
        self.data = data
    }

    /// The maximum size of an image chosen by the user: 16 MiB.
    public static let largestPicture = 16 << 20

    /// The maximum number of pixels of an image chosen by the user. Showing more would fill the memory of a phone.
    public static let largestPixelCount = 100_000_000

    /// Creates a photo from the bytes of an image file.
    ///
    /// - Throws: ``ContactBookError/notAPicture(reason:)`` for an unknown format or a damaged header, more than ``largestPicture`` bytes
    ///   or more than ``largestPixelCount`` pixels.
    public init(picture data: Data) throws {
        if let excess = ContactPhoto.excess(of: data) { throw ContactBookError.notAPicture(reason: excess) }
        guard ContactPhoto.mediaType(of: data) != nil else {
            throw ContactBookError.notAPicture(
                reason: "unknown format; convert it to JPEG, PNG, GIF, WebP, BMP, TIFF or HEIC")
        }
        guard let size = PictureSize.read(from: data), size.width > 0, size.height > 0 else {
            throw ContactBookError.notAPicture(reason: "it has no size, so it is damaged; save the picture again")
        }
        self.init(data)
    }

    /// Returns the reason why an image has too many bytes or pixels, with the remedy; nil if it is within the limits.
    static func excess(of data: Data) -> String? {
        if data.count > largestPicture { return "larger than \(largestPicture >> 20) MiB; reduce its size" }
        guard let (width, height) = PictureSize.read(from: data),
            width.multipliedFullWidth(by: height) > (0, UInt(largestPixelCount))
        else { return nil }
        return "\(width) × \(height) pixels are more than \(largestPixelCount / 1_000_000) million; reduce its size"
    }

    init(mediaType: String, size: Int) {
        self.mediaType = mediaType
        self.size = size
        data = nil
    }

    /// Creates a stored photo. The label consists of the media type and the parameters.
    init(_ data: Data, label: String) {
        let end = label.firstIndex(of: ";") ?? label.endIndex
        self.init(data, declaredType: String(label[..<end]))
        parameters = String(label[end...])
    }

    /// Creates a stored photo without its bytes.
    init(label: String, size: Int) {
        let end = label.firstIndex(of: ";") ?? label.endIndex
        self.init(mediaType: String(label[..<end]), size: size)
        parameters = String(label[end...])
    }

    /// `true` if a browser can safely display the photo: the detected type is a plain image format. SVG is excluded
    /// because it can contain scripts.
    public var isShowable: Bool {
        guard let data, let type = ContactPhoto.mediaType(of: data) else { return false }
        return type == mediaType && ContactPhoto.showable.contains(type)
    }

    /// The formats that every browser supports.
    private static let showable: Set<String> = ["image/jpeg", "image/png", "image/gif", "image/webp"]

    /// A note about an imported photo in a format that is no picture; nil for a picture. It is kept.
    func note(line: Int) -> MalformedInput? {
        guard let data, ContactPhoto.mediaType(of: data) == nil else { return nil }
        return MalformedInput(line: line, reason: "a photo of type \(mediaType) is kept, but cannot be displayed")
    }

    /// Returns the media type detected from the first bytes; nil if unknown.
    private static func mediaType(of data: Data) -> String? {
        func begins(_ bytes: [UInt8], at offset: Int = 0) -> Bool { data.dropFirst(offset).starts(with: bytes) }
        if begins([0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if begins([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        if begins(Array("GIF87a".utf8)) || begins(Array("GIF89a".utf8)) { return "image/gif" }
        if begins(Array("RIFF".utf8)), begins(Array("WEBP".utf8), at: 8) { return "image/webp" }
        if begins(Array("BM".utf8)) { return "image/bmp" }
        if begins([0x49, 0x49, 0x2A, 0x00]) || begins([0x4D, 0x4D, 0x00, 0x2A]) { return "image/tiff" }
        if begins(Array("ftyphei".utf8), at: 4) { return "image/heic" }
        if begins(Array("ftypmif1".utf8), at: 4) || begins(Array("ftypmsf1".utf8), at: 4) { return "image/heif" }
        return nil
    }
}

// MARK: - vCard property

extension ContactPhoto {
    /// Creates the photo of a PHOTO property of any version; nil if it is not embedded or not valid base64.
    init?(_ property: VCardProperty) {
        guard property.name == "PHOTO", let media = EmbeddedMedia(property), let data = media.data else { return nil }
        self.init(data, declaredType: media.mediaType)
        parameters = property.otherParameters(than: ContactPhoto.knownParameters)
    }

    private static let knownParameters: Set<String> = ["ENCODING", "VALUE", "MEDIATYPE", "TYPE", "X-LABEL"]

    /// The content line in version 3.0: `PHOTO;ENCODING=b;TYPE=JPEG:…`; nil without the bytes.
    var line: String? {
        guard let data else { return nil }
        var media = EmbeddedMedia(name: "PHOTO", mediaType: mediaType, base64: data.base64EncodedString())
        media.otherParameters = parameters
        return media.line
    }
}

// MARK: - Size in pixels

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
