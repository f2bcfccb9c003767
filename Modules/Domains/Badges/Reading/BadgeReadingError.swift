/// An error of reading a picture. A picture without a code is not an error.
public enum BadgeReadingError: Error, Hashable, Sendable {
    /// The file is neither PNG nor JPEG.
    case notAPicture
    /// The file is corrupt.
    case damaged(reason: String)
    /// The picture has too many pixels.
    case tooLarge(width: Int, height: Int, maximumPixels: Int)
    /// Memory is short.
    case noMemory
    /// Neither zbar nor zxing-cpp is installed.
    case noReader
    /// The library for this kind of picture is not installed.
    case noPictureLibrary(package: String)
}

extension BadgeReadingError: CustomStringConvertible {
    /// `true` if a library is missing, rather than the picture being invalid.
    public var isAboutInstallation: Bool {
        switch self {
        case .noReader, .noPictureLibrary: true
        default: false
        }
    }

    /// A stable code of the error, for programs and JSON.
    public var code: String {
        switch self {
        case .notAPicture: "notAPicture"
        case .damaged: "damagedPicture"
        case .tooLarge: "pictureTooLarge"
        case .noMemory: "noMemory"
        case .noReader: "noReader"
        case .noPictureLibrary: "noPictureLibrary"
        }
    }

    /// The problem and its remedy in one line.
    public var description: String {
        switch self {
        case .notAPicture: "not a PNG or JPEG file; choose another picture"
        case .damaged(let reason): "the picture is corrupt: \(reason)"
        case .tooLarge(let width, let height, let maximumPixels):
            "the picture of \(width) × \(height) exceeds the limit of \(maximumPixels / 1_000_000) megapixels (a third of that "
                + "for a progressive JPEG); make it smaller"
        case .noMemory: "not enough memory for the picture; make it smaller"
        case .noReader: "zbar and zxing-cpp are missing; install libzbar0 or libzxing2"
        case .noPictureLibrary(let package):
            "the library for this kind of picture is missing; install \(package)"
        }
    }
}
