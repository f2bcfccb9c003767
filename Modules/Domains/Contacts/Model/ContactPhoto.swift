public import Foundation
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
    /// - Throws: ``ContactBookError/notAPicture(reason:)`` for an unknown format, more than ``largestPicture`` bytes
    ///   or more than ``largestPixelCount`` pixels.
    public init(picture data: Data) throws {
        if let excess = ContactPhoto.excess(of: data) { throw ContactBookError.notAPicture(reason: excess) }
        guard ContactPhoto.mediaType(of: data) != nil else {
            throw ContactBookError.notAPicture(
                reason: "unknown format; convert it to JPEG, PNG, GIF, WebP, BMP, TIFF or HEIC")
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
