import CSwitchboardCodes
@_exported public import SwitchboardErrors

/// A reader for the codes of badges in pictures: QR, and where zxing-cpp is installed Micro QR, Aztec, Data Matrix and
/// PDF417.
///
/// The reader tries zbar in its binary mode and zxing-cpp, on the picture and inverted. If neither finds a code, it
/// repeats the attempt on transformed pictures: with stretched contrast, median-filtered, thresholded, smaller, larger and
/// mirrored. A clear picture takes some milliseconds per megapixel, a picture without a code about twenty times as long.
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
        let (picture, isTransparent) = try GreyPicture.decoded(file, maximumPixels: Self.maximumPixels, ground: 255)
        guard isTransparent else { return try read([picture], isCancelled: isCancelled) }
        // Light modules on a transparent ground are meant for a dark one.
        let onBlack = try GreyPicture.decoded(file, maximumPixels: Self.maximumPixels, ground: 0).picture
        return try read(onBlack == picture ? [picture] : [picture, onBlack], isCancelled: isCancelled)
    }

    /// Returns the distinct codes in a picture, in no particular order.
    ///
    /// - Parameters:
    ///   - picture: The picture to search.
    ///   - isCancelled: Polled about twenty times a second.
    /// - Throws: ``BadgeReadingError/noReader``, ``BadgeReadingError/outOfTime``, ``BadgeReadingError/noMemory``,
    ///   `CancellationError`.
    public func read(_ picture: GreyPicture, isCancelled: @escaping () -> Bool = { false }) throws -> [ScannedCode] {
        try read([picture], isCancelled: isCancelled)
    }

    /// Reads pictures of the same codes on different grounds.
    private func read(_ pictures: [GreyPicture], isCancelled: @escaping () -> Bool) throws -> [ScannedCode] {
        let pictures = pictures.map { picture in
            var picture = picture
            while picture.isLargerThanNeeded { picture = picture.halved }
            return picture
        }
        var found = FoundCodes()
        var timeLeft = timeLimit
        for pass in ReadingPass.all where found.isEmpty || pass.finds == .more {
            for picture in pictures {
                let start = sb_thread_milliseconds()
                guard let prepared = pass.transform(picture) else { continue }
                timeLeft -= .milliseconds(sb_thread_milliseconds() - start)
                var isAnyInstalled = false
                for library in pass.libraries where timeLeft > .zero {
                    guard let codes = try library.codes(in: prepared, within: &timeLeft, isCancelled: isCancelled)
                    else {
                        continue
                    }
                    isAnyInstalled = true
                    for code in codes { found.add(code) }
                }
                if found.isEmpty, timeLeft <= .zero { throw BadgeReadingError.outOfTime }
                if !isAnyInstalled, timeLeft > .zero, pass.libraries == CodeLibrary.allCases {
                    throw BadgeReadingError.noReader
                }
            }
        }
        return found.codes
    }
}

extension GreyPicture {
    /// `true` if a code that fills a badge would still be readable at half the size. Such a code needs at most about
    /// 2,000 pixels per side; a panorama has many times more and would take too long.
    fileprivate var isLargerThanNeeded: Bool { min(width, height) > 2400 || pixels.count > 16_000_000 }
}

/// A code read from a picture.
public struct ScannedCode: Hashable, Sendable {
    let contents: CodeContents
    /// The number of parts of a structured append that were not found.
    var missingParts = 0

    /// The bytes of the code, without announcements of character sets.
    public var payload: [UInt8] { contents.bytes }

    /// The text, in the character sets that the code announces; otherwise in UTF-8, or else the character set of the
    /// language whose letters the bytes are.
    public var text: String { contents.text }

    /// The badge, or the reason why the code is not one. The first badge of a code with several.
    public var badge: Result<Badge, BadgePayload.ParsingError> {
        badges.first ?? .failure(.unknown(text: text))
    }

    /// The badges, at least one: a code may contain several vCards, each of one person. For a part of the code that is not
    /// a badge, the reason.
    public var badges: [Result<Badge, BadgePayload.ParsingError>] {
        if missingParts > 0 {
            let reason =
                "the badge is split over several codes, and \(missingParts) of them \(missingParts == 1 ? "is" : "are") "
                + "missing; take a picture with all of them"
            return [.failure(.malformed(text: text, reason: reason))]
        }
        return Badge.all(in: contents)
    }
}

// MARK: - Passes

/// An attempt to read codes from a picture after a transformation.
private struct ReadingPass: Sendable {
    enum Purpose {
        /// Codes beside those that are already found.
        case more
        /// A first code.
        case any
    }

    var finds = Purpose.any
    var libraries = CodeLibrary.allCases
    /// Returns the transformed picture, or nil if the pass cannot help.
    let transform: @Sendable (GreyPicture) -> GreyPicture?

    /// The passes in the order in which they are tried, most successful first.
    static let all = [
        ReadingPass(finds: .more) { $0 },
        ReadingPass(finds: .more) { $0.inverted },
        // A code that fills the picture may have no quiet zone.
        ReadingPass(libraries: [.zxing]) { $0.framed(by: 16) },
        ReadingPass { $0.stretched },
        ReadingPass { $0.stretched?.inverted },
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

/// A library that finds codes in a grayscale picture.
package enum CodeLibrary: Sendable, CaseIterable {
    case zbar, zxing

    /// The codes found so far, and the cancellation check of the caller.
    private struct Search {
        var found: [ReadCode] = []
        let isCancelled: () -> Bool
    }

    /// Returns the codes in a picture, or nil if the library is not installed.
    ///
    /// - Parameters:
    ///   - picture: The picture to search.
    ///   - time: The processor time allowed for the search, reduced by the time spent; zero if the search did not
    ///     finish.
    ///   - isCancelled: Polled about twenty times a second.
    /// - Throws: `CancellationError`, ``BadgeReadingError/noMemory``.
    package func codes(
        in picture: GreyPicture, within time: inout Duration, isCancelled: @escaping () -> Bool = { false }
    ) throws -> [ReadCode]? {
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

    /// Adds a code to the search that `context` points to.
    private static let take: sb_code_found = { context, code in
        // Safe: called by `sb_forked_read` with its `context` and with a code, which is copied.
        guard let search = unsafe context?.assumingMemoryBound(to: Search.self), let code = unsafe code?.pointee,
            let code = unsafe ReadCode(code)
        else { return }
        unsafe search.pointee.found.append(code)
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
