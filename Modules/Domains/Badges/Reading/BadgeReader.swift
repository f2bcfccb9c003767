/// A code read from a picture.
public struct ScannedCode: Hashable, Sendable {
    /// The bytes of the code.
    public let payload: [UInt8]

    /// The payload as text, in UTF-8 or else Windows-1252.
    public var text: String { PayloadText.decoded(payload) }

    /// The parsed badge, or the reason why the code is not one.
    public var badge: Result<Badge, BadgePayload.ParsingError> {
        do throws(BadgePayload.ParsingError) {
            return .success(try Badge(payload: payload))
        } catch {
            return .failure(error)
        }
    }
}

/// A reader for the QR codes of badges in pictures.
///
/// The reader tries zbar in its binary mode, then zxing-cpp. If neither finds a code, it repeats the attempt on
/// transformed pictures: with stretched contrast, inverted, median-filtered, thresholded, smaller, larger and mirrored.
/// A clear picture takes a few milliseconds per megapixel, a picture without a code some twenty times as long.
public struct BadgeReader: Sendable {
    /// The maximum number of pixels of a picture; a third of it for progressive JPEG and lossless or transparent WebP
    /// files, which need more memory.
    public static let maximumPixels = 64_000_000

    /// Creates a reader.
    public init() {}

    /// Returns the distinct codes in a picture, in no particular order.
    ///
    /// - Parameter file: The bytes of a PNG, JPEG, HEIC, WebP or GIF file.
    /// - Throws: ``BadgeReadingError``.
    public func read(_ file: [UInt8]) throws(BadgeReadingError) -> [ScannedCode] {
        try read(GreyPicture(file: file))
    }

    /// Returns the distinct codes in a picture, in no particular order.
    ///
    /// - Throws: ``BadgeReadingError/noReader``.
    public func read(_ picture: GreyPicture) throws(BadgeReadingError) -> [ScannedCode] {
        // A code that fills a badge needs no more than some 2,000 pixels.
        var picture = picture
        while min(picture.width, picture.height) > 2400 { picture = picture.halved }
        var found: [[UInt8]] = []
        for pass in ReadingPass.all where found.isEmpty {
            guard let prepared = pass.transform(picture) else { continue }
            var isAnyInstalled = false
            for library in pass.libraries {
                guard let codes = library.codes(in: prepared) else { continue }
                isAnyInstalled = true
                for code in codes where !found.contains(code) { found.append(code) }
            }
            if !isAnyInstalled, pass.libraries == CodeLibrary.allCases { throw .noReader }
        }
        return found.map(ScannedCode.init)
    }
}
