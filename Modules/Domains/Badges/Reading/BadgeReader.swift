/// A code that was read from a picture.
public struct ScannedCode: Hashable, Sendable {
    /// What stands in it.
    public let payload: [UInt8]

    /// The payload as text: UTF-8, or else Windows-1252.
    public var text: String { PayloadText.decoded(payload) }

    /// Who wears the badge, or why the code is none.
    public var badge: Result<Badge, BadgePayload.Refusal> {
        do throws(BadgePayload.Refusal) {
            return .success(try Badge(payload: payload))
        } catch {
            return .failure(error)
        }
    }
}

/// Reads the QR codes of badges from pictures.
///
/// zbar looks first, in its binary mode, then zxing-cpp. As long as nothing is found the picture is tried again: with its
/// contrast spread, inverted, each pixel the median of its neighbours, black and white by its neighbourhood, smaller, larger and
/// mirrored. A clear picture takes a few milliseconds a megapixel, one without any code some twenty times as long.
public struct BadgeReader: Sendable {
    /// The largest pictures that are read, in pixels; of progressive JPEG files, which take more memory, a third.
    public static let mostPixels = 64_000_000

    /// A reader.
    public init() {}

    /// The codes in a picture, in no particular order, each once; none if there are none.
    ///
    /// - Parameter file: the bytes of a PNG or JPEG file.
    /// - Throws: ``BadgeReadingError``.
    public func read(_ file: [UInt8]) throws(BadgeReadingError) -> [ScannedCode] {
        try read(GreyPicture(file: file))
    }

    /// The codes in a picture, as ``read(_:)-([UInt8])``.
    ///
    /// - Throws: ``BadgeReadingError/noReader``.
    public func read(_ picture: GreyPicture) throws(BadgeReadingError) -> [ScannedCode] {
        let picture = picture.sized
        var found: [[UInt8]] = []
        for pass in ReadingPass.all where found.isEmpty {
            guard let prepared = pass.prepare(picture) else { continue }
            var isAnyThere = false
            for library in pass.libraries {
                guard let codes = library.codes(in: prepared) else { continue }
                isAnyThere = true
                for code in codes where !found.contains(code) { found.append(code) }
            }
            if !isAnyThere, pass.libraries == CodeLibrary.allCases { throw .noReader }
        }
        return found.map(ScannedCode.init)
    }
}

extension GreyPicture {
    /// The picture in a size that is worth looking at: a code that fills a badge needs no more than some 2,000 pixels.
    fileprivate var sized: GreyPicture {
        var picture = self
        while min(picture.width, picture.height) > 2400 { picture = picture.halved }
        return picture
    }
}
