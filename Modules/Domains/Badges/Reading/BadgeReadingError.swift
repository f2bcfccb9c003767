@_exported public import SwitchboardErrors

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
