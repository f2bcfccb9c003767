import CSwitchboardForkedReader
import CSwitchboardPicture

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
/// A clear picture takes a few milliseconds per megapixel, a picture without a code about twenty times as long.
///
/// A picture may be untrusted. Its size is limited, and so is the time for finding codes in it: each attempt runs in a
/// forked process, which is stopped when the time is up or the caller cancels.
public struct BadgeReader: Sendable {
    /// The maximum number of pixels of a picture; a third of it for progressive JPEG and lossless or transparent WebP
    /// files, which need more memory.
    public static let maximumPixels = 64_000_000

    /// The maximum width and height of a picture file in pixels.
    public static let maximumSide = Int(SB_PICTURE_MAX_SIDE)

    /// The processor time for finding codes in a picture, apart from decoding it.
    public let timeLimit: Duration

    /// Creates a reader.
    ///
    /// - Parameter timeLimit: The processor time for finding codes in a picture, apart from decoding it.
    public init(timeLimit: Duration = .seconds(2)) {
        self.timeLimit = timeLimit
    }

    /// Returns the distinct codes in a picture, in no particular order.
    ///
    /// - Parameters:
    ///   - file: The bytes of a PNG, JPEG, HEIC, WebP or GIF file.
    ///   - isCancelled: Polled about twenty times a second.
    /// - Throws: ``BadgeReadingError``, `CancellationError`.
    public func read(_ file: [UInt8], isCancelled: @escaping () -> Bool = { false }) throws -> [ScannedCode] {
        if isCancelled() { throw CancellationError() }
        return try read(GreyPicture(file: file), isCancelled: isCancelled)
    }

    /// Returns the distinct codes in a picture, in no particular order.
    ///
    /// - Parameters:
    ///   - picture: The picture to search.
    ///   - isCancelled: Polled about twenty times a second.
    /// - Throws: ``BadgeReadingError/noReader``, ``BadgeReadingError/outOfTime``, ``BadgeReadingError/noMemory``,
    ///   `CancellationError`.
    public func read(_ picture: GreyPicture, isCancelled: @escaping () -> Bool = { false }) throws -> [ScannedCode] {
        var picture = picture
        while picture.isLargerThanNeeded { picture = picture.halved }
        var found: [[UInt8]] = []
        var timeLeft = timeLimit
        for pass in ReadingPass.all where found.isEmpty {
            let start = sb_thread_milliseconds()
            guard let prepared = pass.transform(picture) else { continue }
            timeLeft -= .milliseconds(sb_thread_milliseconds() - start)
            var isAnyInstalled = false
            for library in pass.libraries where timeLeft > .zero {
                guard let codes = try library.codes(in: prepared, within: &timeLeft, isCancelled: isCancelled) else {
                    continue
                }
                isAnyInstalled = true
                for code in codes where !found.contains(code) { found.append(code) }
            }
            if found.isEmpty, timeLeft <= .zero { throw BadgeReadingError.outOfTime }
            if !isAnyInstalled, pass.libraries == CodeLibrary.allCases { throw BadgeReadingError.noReader }
        }
        return found.map(ScannedCode.init)
    }
}

extension GreyPicture {
    /// `true` if a code that fills a badge would still be readable at half the size. Such a code needs at most about
    /// 2,000 pixels per side; a panorama has many times more and would take too long.
    fileprivate var isLargerThanNeeded: Bool { min(width, height) > 2400 || pixels.count > 16_000_000 }
}
