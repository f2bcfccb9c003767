import CSwitchboardCodes
@_exported public import SwitchboardErrors

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

// MARK: - Passes

/// An attempt to read codes from a picture after a transformation.
private struct ReadingPass: Sendable {
    var libraries = CodeLibrary.allCases
    /// Returns the transformed picture, or nil if the pass cannot help.
    let transform: @Sendable (GreyPicture) -> GreyPicture?

    /// The passes in the order in which they are tried, most successful first.
    static let all = [
        ReadingPass { $0 },
        ReadingPass { $0.stretched },
        ReadingPass { $0.enhanced.inverted },
        ReadingPass { $0.enhanced.medianFiltered },
        ReadingPass { $0.enhanced.thresholded(radius: max(8, $0.shorterSide / 16)) },
        ReadingPass { $0.enhanced.thresholded(radius: max(4, $0.shorterSide / 48)) },
        ReadingPass { $0.enhanced.medianFiltered.medianFiltered.thresholded(radius: max(8, $0.shorterSide / 16)) },
        ReadingPass { $0.enhanced.halved },
        ReadingPass { $0.pixels.count > 1_500_000 ? nil : $0.enhanced.doubled },
        ReadingPass { $0.enhanced.inverted.thresholded(radius: max(8, $0.shorterSide / 16)) },
        ReadingPass(libraries: [.zbar]) { $0.enhanced.mirrored },
    ]
}

extension GreyPicture {
    /// The picture with stretched contrast if that changes much, or the picture itself.
    fileprivate var enhanced: GreyPicture { stretched ?? self }
    fileprivate var shorterSide: Int { min(width, height) }
}

/// A library that finds QR codes in a grayscale picture.
package enum CodeLibrary: Sendable, CaseIterable {
    case zbar, zxing

    /// The codes found so far, and the cancellation check of the caller.
    private struct Search {
        var found: [[UInt8]] = []
        let isCancelled: () -> Bool
    }

    /// Returns the bytes of the distinct codes in a picture, or nil if the library is not installed.
    ///
    /// - Parameters:
    ///   - picture: The picture to search.
    ///   - time: The processor time allowed for the search, reduced by the time spent; zero if the search did not
    ///     finish.
    ///   - isCancelled: Polled about twenty times a second.
    /// - Throws: `CancellationError`, ``BadgeReadingError/noMemory``.
    package func codes(
        in picture: GreyPicture, within time: inout Duration, isCancelled: @escaping () -> Bool = { false }
    ) throws -> [[UInt8]]? {
        guard isInstalled else { return nil }
        if picture.pixels.isEmpty { return [] }
        let (width, height) = (UInt32(clamping: picture.width), UInt32(clamping: picture.height))
        var search = Search(isCancelled: isCancelled)
        var spent: Int64 = 0
        let limit = Int64(time / .milliseconds(1))
        // Safe: there is a byte for each pixel, and the pointers are only used during the call, on this thread.
        let status = unsafe withUnsafeMutablePointer(to: &search) { search in
            switch self {
            case .zbar:
                unsafe sb_forked_read(
                    sb_zbar_read, picture.pixels, width, height, limit, search, Self.take, Self.isCancelled, &spent)
            case .zxing:
                unsafe sb_forked_read(
                    sb_zxing_read, picture.pixels, width, height, limit, search, Self.take, Self.isCancelled, &spent)
            }
        }
        time -= .milliseconds(spent)
        switch status {
        case SB_FORKED_CANCELLED: throw CancellationError()
        case SB_FORKED_NO_MEMORY: throw BadgeReadingError.noMemory
        case SB_FORKED_OUT_OF_TIME: time = .zero
        // The library crashed or ran out of memory. The other one may still read the picture.
        default: break
        }
        return search.found
    }

    private var isInstalled: Bool {
        switch self {
        case .zbar: sb_zbar_load()
        case .zxing: sb_zxing_load()
        }
    }

    /// Adds the bytes of a code to the search that `context` points to.
    private static let take: sb_forked_found = { context, bytes, length in
        // Safe: called by `sb_forked_read` with its `context` and with the bytes of a code, which are copied.
        guard let search = unsafe context?.assumingMemoryBound(to: Search.self), length > 0 else { return }
        let code = unsafe Array(UnsafeBufferPointer(start: bytes, count: length))
        if unsafe !search.pointee.found.contains(code) { unsafe search.pointee.found.append(code) }
    }

    private static let isCancelled: @convention(c) (UnsafeMutableRawPointer?) -> Bool = { context in
        // Safe: called by `sb_forked_read` with its `context`.
        unsafe context?.assumingMemoryBound(to: Search.self).pointee.isCancelled() ?? true
    }
}

// MARK: - Errors

/// An error that occurs while reading a picture. A picture without a code is not an error.
public enum BadgeReadingError: CodedError, Hashable {
    /// The file is not a PNG, JPEG, HEIC, WebP or GIF file.
    case notAPicture
    /// The file is corrupt.
    case damaged(reason: String)
    /// The picture has too many pixels, or a side is longer than ``BadgeReader/maximumSide``.
    case tooLarge(width: Int, height: Int, maximumPixels: Int)
    /// The time limit expired before all attempts were made, and no code had been found.
    case outOfTime
    /// Out of memory.
    case noMemory
    /// Neither zbar nor zxing-cpp is installed.
    case noReader
    /// The library for this kind of picture is not installed.
    case noPictureLibrary(package: String)

    /// The code, the category and the message. The category is `unavailable` if a library is missing.
    public var details: ErrorDetails {
        switch self {
        case .notAPicture:
            .init("notAPicture", .malformed, "not a PNG, JPEG, HEIC, WebP or GIF file; choose another picture")
        case .damaged(let reason): .init("damagedPicture", .malformed, "the picture is corrupt: \(reason)")
        case .tooLarge(let width, let height, _) where max(width, height) > BadgeReader.maximumSide:
            .init(
                "pictureTooLarge", .malformed,
                "the picture of \(width) × \(height) exceeds the limit of \(BadgeReader.maximumSide) pixels for a side; "
                    + "make it smaller")
        case .tooLarge(let width, let height, let maximumPixels):
            .init(
                "pictureTooLarge", .malformed,
                "the picture of \(width) × \(height) exceeds the limit of \(maximumPixels / 1_000_000) megapixels (a third "
                    + "of that for a progressive JPEG, and a lossless or transparent WebP); make it smaller")
        case .outOfTime:
            .init(
                "pictureOutOfTime", .malformed,
                "found no code in the picture before its time was up; make it smaller, or cut out the badge")
        case .noMemory: .init("noMemory", .malformed, "not enough memory for the picture; make it smaller")
        case .noReader:
            .init("noReader", .unavailable, "zbar and zxing-cpp are missing; install libzbar0 or libzxing2")
        case .noPictureLibrary(let package):
            .init(
                "noPictureLibrary", .unavailable,
                "the library for this kind of picture is missing; install \(package)")
        }
    }
}
