public import Foundation
import SwitchboardVCard

/// A photograph of a contact, as its source embedded it.
public struct ContactPhoto: Hashable, Sendable {
    /// What the bytes are, by their first ones, or else as the source said: "image/jpeg".
    public let mediaType: String
    /// How many bytes it has.
    public let size: Int
    /// The bytes; nil in lists and searches, which do not read them (``ContactBook/photo(of:)`` does).
    public let data: Data?
    /// What else its card says of it, as it stands there: `;X-ABCROP-RECTANGLE=ABClipRect_1&0&0&600&600&…`.
    var parameters = ""

    /// A photograph.
    ///
    /// - Parameters:
    ///   - data: the bytes of the picture.
    ///   - declaredType: what the source says it is; the bytes are believed first.
    public init(_ data: Data, declaredType: String = "image/jpeg") {
        mediaType = ContactPhoto.mediaType(of: data) ?? declaredType
        size = data.count
        self.data = data
    }

    /// The largest picture that somebody may choose: 16 MiB. In a card it takes a third more, and a book is passed on.
    public static let largestPicture = 16 << 20

    /// The photograph that the bytes of a file are.
    ///
    /// - Throws: ``ContactBookError/notAPicture(reason:)`` if they begin like no kind of picture that is known, or are more than
    ///   ``largestPicture``.
    public init(picture data: Data) throws {
        guard data.count <= ContactPhoto.largestPicture else {
            throw ContactBookError.notAPicture(
                reason: "it is larger than \(ContactPhoto.largestPicture >> 20) MiB; make it smaller")
        }
        guard ContactPhoto.mediaType(of: data) != nil else {
            throw ContactBookError.notAPicture(
                reason: "it is none of JPEG, PNG, GIF, WebP, BMP, TIFF and HEIC; convert it to one of these")
        }
        self.init(data)
    }

    /// A photograph whose bytes were not read.
    init(mediaType: String, size: Int) {
        self.mediaType = mediaType
        self.size = size
        data = nil
    }

    /// A photograph as it is stored: the label is its kind and its parameters.
    init(_ data: Data, label: String) {
        let end = label.firstIndex(of: ";") ?? label.endIndex
        self.init(data, declaredType: String(label[..<end]))
        parameters = String(label[end...])
    }

    /// A photograph as it is stored, whose bytes were not read.
    init(label: String, size: Int) {
        let end = label.firstIndex(of: ";") ?? label.endIndex
        self.init(mediaType: String(label[..<end]), size: size)
        parameters = String(label[end...])
    }

    /// Whether a browser may show it: a picture of a kind that holds nothing but a picture (not SVG, which holds scripts), and whose
    /// first bytes are of that kind.
    public var isShowable: Bool {
        guard let data, let type = ContactPhoto.mediaType(of: data) else { return false }
        return type == mediaType && ContactPhoto.showable.contains(type)
    }

    /// The kinds that every browser shows.
    private static let showable: Set<String> = ["image/jpeg", "image/png", "image/gif", "image/webp"]

    /// The ending of a file's name: "jpeg".
    public var fileExtension: String {
        mediaType.split(separator: "/").last.map { $0.filter { $0.isLetter || $0.isNumber } } ?? ""
    }

    /// The kind of a picture by its first bytes; nil if they are of none that is known.
    private static func mediaType(of data: Data) -> String? {
        func begins(_ bytes: [UInt8], at offset: Int = 0) -> Bool { data.dropFirst(offset).starts(with: bytes) }
        if begins([0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if begins([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        if begins(Array("GIF87a".utf8)) || begins(Array("GIF89a".utf8)) { return "image/gif" }
        if begins(Array("RIFF".utf8)), begins(Array("WEBP".utf8), at: 8) { return "image/webp" }
        if begins(Array("BM".utf8)) { return "image/bmp" }
        if begins([0x49, 0x49, 0x2A, 0x00]) || begins([0x4D, 0x4D, 0x00, 0x2A]) { return "image/tiff" }
        if begins(Array("ftyphei".utf8), at: 4) { return "image/heic" }
        return nil
    }
}

// MARK: - As a property

extension ContactPhoto {
    /// The photograph of a PHOTO property, in any of its three writings; nil if it is not embedded, or is not base64.
    init?(_ property: VCardProperty) {
        guard property.name == "PHOTO", let media = EmbeddedMedia(property), let data = media.data else { return nil }
        self.init(data, declaredType: media.mediaType)
        parameters = property.otherParameters(than: ContactPhoto.understood)
    }

    private static let understood: Set<String> = ["ENCODING", "VALUE", "MEDIATYPE", "TYPE", "X-LABEL"]

    /// The property as it is kept and as version 3 has it: `PHOTO;ENCODING=b;TYPE=JPEG:…`; nil without the bytes.
    var line: String? {
        guard let data else { return nil }
        var media = EmbeddedMedia(name: "PHOTO", mediaType: mediaType, base64: data.base64EncodedString())
        media.otherParameters = parameters
        return media.line
    }
}
