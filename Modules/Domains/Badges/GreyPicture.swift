import CSwitchboardCodes
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
        self = try Self.decoded(file, maximumPixels: maximumPixels, ground: 255).picture
    }

    /// Decodes a file like ``init(file:maximumPixels:)``, on a ground of the given brightness.
    ///
    /// - Returns: The picture, and `true` if some of its pixels may be transparent.
    static func decoded(
        _ file: [UInt8], maximumPixels: Int, ground: UInt8
    ) throws(BadgeReadingError) -> (picture: GreyPicture, isTransparent: Bool) {
        // Safe: the array lives during the call, and the decoded pixels until they are freed at the end of this scope.
        var picture = unsafe sb_picture()
        let status = unsafe sb_picture_read(file, file.count, UInt64(clamping: maximumPixels), ground, &picture)
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
        // Safe: the C code allocates one byte for each pixel.
        let copy = unsafe Array(UnsafeBufferPointer(start: pixels, count: width * height))
        return unsafe (GreyPicture(width: width, height: height, pixels: copy), picture.is_transparent)
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

// MARK: - Transformations

// Transformations that can make a code readable if it is pale, inverted, noisy, blurred, mirrored, too large or too
// small. Each is one pass over the pixels.

extension GreyPicture {
    /// Creates a picture from a function of the position, which is called row by row.
    @inline(__always)
    private init(width: Int, height: Int, _ pixel: (_ x: Int, _ y: Int) -> UInt8) {
        let pixels = [UInt8](capacity: width * height) { output in
            for y in 0..<height {
                for x in 0..<width { output.append(pixel(x, y)) }
            }
        }
        self.init(width: width, height: height, pixels: pixels)
    }

    var inverted: GreyPicture { GreyPicture(width: width, height: height, pixels: pixels.map { 255 - $0 }) }

    /// The picture with its contrast stretched to the whole range, ignoring the darkest and lightest 1 %; nil if that
    /// changes little.
    var stretched: GreyPicture? {
        var counts = [Int](repeating: 0, count: 256)
        for pixel in pixels { counts[Int(pixel)] += 1 }
        func level(_ levels: some Sequence<Int>) -> Int {
            var rest = pixels.count / 100
            for level in levels {
                rest -= counts[level]
                if rest < 0 { return level }
            }
            return 0
        }
        let (low, high) = (level(0...255), level((0...255).reversed()))
        guard high > low, high - low < 200 else { return nil }
        let table = (0...255).map { UInt8(clamping: ($0 - low) * 255 / (high - low)) }
        return GreyPicture(width: width, height: height, pixels: pixels.map { table[Int($0)] })
    }

    /// The picture with each pixel replaced by the median of its 3 × 3 neighborhood: removes noise and preserves edges.
    var medianFiltered: GreyPicture {
        var nine = [9 of UInt8](repeating: 0)
        return GreyPicture(width: width, height: height) { x, y in
            guard x > 0, y > 0, x < width - 1, y < height - 1 else { return pixels[y * width + x] }
            // Insertion sort; nine values are too few for anything cleverer.
            var count = 0
            for row in (y - 1)...(y + 1) {
                for column in (x - 1)...(x + 1) {
                    let value = pixels[row * width + column]
                    var place = count
                    while place > 0, nine[place - 1] > value {
                        nine[place] = nine[place - 1]
                        place -= 1
                    }
                    nine[place] = value
                    count += 1
                }
            }
            return nine[4]
        }
    }

    /// Returns the picture with a white frame.
    func framed(by margin: Int) -> GreyPicture {
        GreyPicture(width: width + 2 * margin, height: height + 2 * margin) { x, y in
            let (x, y) = (x - margin, y - margin)
            return (0..<width).contains(x) && (0..<height).contains(y) ? pixels[y * width + x] : 255
        }
    }

    var mirrored: GreyPicture {
        GreyPicture(width: width, height: height) { x, y in pixels[y * width + width - 1 - x] }
    }

    /// The picture at half the size, each pixel the mean of four.
    var halved: GreyPicture {
        guard width > 1, height > 1 else { return self }
        return GreyPicture(width: width / 2, height: height / 2) { x, y in
            let place = 2 * y * width + 2 * x
            let sum =
                Int(pixels[place]) + Int(pixels[place + 1]) + Int(pixels[place + width])
                + Int(pixels[place + width + 1])
            return UInt8(truncatingIfNeeded: (sum + 2) / 4)
        }
    }

    /// The picture at twice the size, interpolated.
    var doubled: GreyPicture {
        guard width > 1, height > 1 else { return self }
        return GreyPicture(width: width * 2, height: height * 2) { x, y in
            let (top, bottom) = (y / 2 * width, min((y + 1) / 2, height - 1) * width)
            let (left, right) = (x / 2, min((x + 1) / 2, width - 1))
            let sum =
                Int(pixels[top + left]) + Int(pixels[top + right]) + Int(pixels[bottom + left])
                + Int(pixels[bottom + right])
            return UInt8(truncatingIfNeeded: sum / 4)
        }
    }

    /// Returns a black and white picture. A pixel is black if it is darker than the mean of the square around it.
    ///
    /// This suits uneven light and blurred codes, whose small modules are gray but darker or lighter than their
    /// surroundings.
    ///
    /// - Parameter radius: Half the side of the square, in pixels.
    /// - Complexity: O(pixels) for any radius (summed-area table: Crow, 1984; thresholding: Bradley and Roth, 2007).
    func thresholded(radius: Int) -> GreyPicture {
        guard width > 0, height > 0, pixels.count < Int(UInt32.max) / 255 else { return self }
        let stride = width + 1
        var sums = [UInt32](repeating: 0, count: stride * (height + 1))
        for y in 0..<height {
            var row: UInt32 = 0
            for x in 0..<width {
                row &+= UInt32(pixels[y * width + x])
                sums[(y + 1) * stride + x + 1] = sums[y * stride + x + 1] &+ row
            }
        }
        return GreyPicture(width: width, height: height) { x, y in
            let (top, bottom) = (max(0, y - radius), min(height, y + radius + 1))
            let (left, right) = (max(0, x - radius), min(width, x + radius + 1))
            let sum =
                sums[bottom * stride + right] &- sums[top * stride + right] &- sums[bottom * stride + left]
                &+ sums[top * stride + left]
            let area = (bottom - top) * (right - left)
            return Int(pixels[y * width + x]) * area < Int(sum) ? 0 : 255
        }
    }
}
