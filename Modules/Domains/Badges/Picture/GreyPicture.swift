import CSwitchboardPicture
import Foundation

/// A grayscale picture.
public struct GreyPicture: Hashable, Sendable {
    /// The number of pixels in a row.
    public let width: Int
    /// The number of rows.
    public let height: Int
    /// The pixels, row by row, one byte each: 0 is black and 255 is white.
    public let pixels: [UInt8]

    /// Creates a picture. Missing pixels are white; excess ones are ignored.
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

    /// Decodes a PNG, JPEG, HEIC, WebP or GIF file. Only the first frame of an animated GIF is decoded.
    ///
    /// The size is checked before any pixel is decoded, so a small file cannot allocate much memory.
    ///
    /// - Parameters:
    ///   - file: The bytes of the file, which may be untrusted.
    ///   - maximumPixels: The maximum number of pixels; a third of it for progressive JPEG and lossless or transparent
    ///     WebP files, which need more memory.
    /// - Throws: ``BadgeReadingError``.
    public init(file: [UInt8], maximumPixels: Int = BadgeReader.maximumPixels) throws(BadgeReadingError) {
        // Safe: the array lives during the call, and the decoded pixels until they are freed at the end of this scope.
        var picture = unsafe sb_picture()
        let status = unsafe sb_picture_read(file, file.count, UInt64(clamping: maximumPixels), &picture)
        defer { unsafe sb_picture_free(&picture) }
        let (width, height) = unsafe (Int(picture.width), Int(picture.height))
        switch status {
        case SB_PICTURE_OK: break
        case SB_PICTURE_UNKNOWN: throw .notAPicture
        case SB_PICTURE_TOO_LARGE:
            throw .tooLarge(width: width, height: height, maximumPixels: maximumPixels)
        case SB_PICTURE_NO_MEMORY: throw .noMemory
        default:
            // Safe: reads no further than the tuple, in which the C code terminates the message.
            let message = unsafe withUnsafeBytes(of: picture.message) {
                unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if status == SB_PICTURE_NO_LIBRARY { throw .noPictureLibrary(package: message) }
            throw .damaged(reason: message.isEmpty ? "unknown error" : message)
        }
        guard let pixels = unsafe picture.pixels else { throw .noMemory }
        self.width = width
        self.height = height
        // Safe: the C code allocates one byte for each pixel.
        self.pixels = unsafe Array(UnsafeBufferPointer(start: pixels, count: width * height))
    }

    /// The picture as a PNG file; nil if memory runs out or libpng is not installed.
    public var png: [UInt8]? { try? encoded() }

    /// Returns the picture as a PNG file.
    ///
    /// - Throws: ``QRCodeError/failed``, ``QRCodeError/noPictureLibrary``.
    func encoded() throws(QRCodeError) -> [UInt8] {
        guard width > 0, height > 0 else { throw .failed }
        var bytes: UnsafeMutablePointer<UInt8>?
        var length = 0
        // Safe: there is a byte for each pixel. The C code allocates the file, which is freed after it was copied.
        let status = unsafe sb_picture_write_png(
            pixels, UInt32(clamping: width), UInt32(clamping: height), &bytes, &length)
        if status == SB_PICTURE_NO_LIBRARY { throw .noPictureLibrary }
        guard status == SB_PICTURE_OK, let bytes = unsafe bytes else { throw .failed }
        defer { unsafe free(bytes) }
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: length))
    }
}
