import CSwitchboardPicture
import Foundation

/// A picture without colours.
public struct GreyPicture: Hashable, Sendable {
    /// Pixels in a row.
    public let width: Int
    /// Rows.
    public let height: Int
    /// A byte a pixel, 0 black and 255 white, row after row.
    public let pixels: [UInt8]

    /// A picture; missing pixels are white, superfluous ones are left out.
    public init(width: Int, height: Int, pixels: [UInt8]) {
        self.width = max(width, 0)
        self.height = max(height, 0)
        let (wanted, overflow) = self.width.multipliedReportingOverflow(by: self.height)
        let count = overflow ? 0 : wanted
        if pixels.count == count {
            self.pixels = pixels
        } else {
            self.pixels = Array(pixels.prefix(count)) + Array(repeating: 255, count: max(0, count - pixels.count))
        }
    }

    /// Reads a PNG or JPEG file.
    ///
    /// Its size is looked at before any pixel is read, so that a small file cannot claim much memory.
    ///
    /// - Parameters:
    ///   - file: the bytes of the file; any may be given.
    ///   - mostPixels: what is larger is refused; of progressive JPEG files, which take more memory, a third.
    /// - Throws: ``BadgeReadingError``.
    public init(file: [UInt8], mostPixels: Int = BadgeReader.mostPixels) throws(BadgeReadingError) {
        var picture = sb_picture()
        let status = sb_picture_read(file, file.count, UInt64(clamping: mostPixels), &picture)
        defer { sb_picture_free(&picture) }
        switch status {
        case SB_PICTURE_OK: break
        case SB_PICTURE_UNKNOWN: throw .notAPicture
        case SB_PICTURE_TOO_LARGE:
            throw .tooLarge(width: Int(picture.width), height: Int(picture.height), mostPixels: mostPixels)
        case SB_PICTURE_NO_MEMORY: throw .noMemory
        default:
            let message = withUnsafeBytes(of: picture.message) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if status == SB_PICTURE_NO_LIBRARY { throw .noPictureLibrary(package: message) }
            throw .damaged(reason: message.isEmpty ? "it cannot be read" : message)
        }
        let (width, height) = (Int(picture.width), Int(picture.height))
        guard let pixels = picture.pixels else { throw .noMemory }
        self.width = width
        self.height = height
        self.pixels = Array(UnsafeBufferPointer(start: pixels, count: width * height))
    }

    /// The picture as a PNG file; nil if there is no memory for it, or libpng is not installed.
    public var png: [UInt8]? { try? encoded() }

    /// The picture as a PNG file.
    ///
    /// - Throws: ``QRCodeError/failed``, ``QRCodeError/noPictureLibrary``.
    func encoded() throws(QRCodeError) -> [UInt8] {
        guard width > 0, height > 0 else { throw .failed }
        var bytes: UnsafeMutablePointer<UInt8>?
        var length = 0
        let status = sb_picture_write_png(
            pixels, UInt32(clamping: width), UInt32(clamping: height), &bytes, &length)
        if status == SB_PICTURE_NO_LIBRARY { throw .noPictureLibrary }
        guard status == SB_PICTURE_OK, let bytes else { throw .failed }
        defer { free(bytes) }
        return Array(UnsafeBufferPointer(start: bytes, count: length))
    }
}
