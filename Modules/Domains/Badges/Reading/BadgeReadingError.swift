/// Why a picture could not be read, and what to do next.
///
/// A picture without a code is no error: it has no codes.
public enum BadgeReadingError: Error, Hashable, Sendable {
    /// It is neither a PNG nor a JPEG file.
    case notAPicture
    /// It begins as one, but goes on as none.
    case damaged(reason: String)
    /// It has more pixels than are read.
    case tooLarge(width: Int, height: Int, mostPixels: Int)
    /// There is no memory for it.
    case noMemory
    /// Neither zbar nor zxing-cpp is installed.
    case noReader
    /// What reads pictures of this kind is not installed.
    case noPictureLibrary(package: String)
}

extension BadgeReadingError: CustomStringConvertible {
    /// Whether something has to be installed, rather than the picture being at fault.
    public var isAboutInstallation: Bool {
        switch self {
        case .noReader, .noPictureLibrary: true
        default: false
        }
    }

    /// A stable name of the error for programs and JSON.
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

    /// One line: what happened, and what to do.
    public var description: String {
        switch self {
        case .notAPicture: "this is no picture; PNG and JPEG files can be read"
        case .damaged(let reason): "the picture is damaged: \(reason)"
        case .tooLarge(let width, let height, let mostPixels):
            "the picture of \(width) × \(height) is larger than the \(mostPixels / 1_000_000) megapixels that are read (a third of "
                + "that if it is a progressive JPEG); make it smaller"
        case .noMemory: "there is no memory for the picture; make it smaller"
        case .noReader: "nothing to read codes with is installed; install libzbar0 or libzxing2"
        case .noPictureLibrary(let package):
            "nothing to read pictures of this kind with is installed; install \(package)"
        }
    }
}
