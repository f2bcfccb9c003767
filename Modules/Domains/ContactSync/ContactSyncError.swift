import Glibc
@_exported public import SwitchboardErrors

/// An error of linking or syncing a folder.
///
/// Errors of the storage are thrown as `StorageError`.
public enum ContactSyncError: CodedError, Equatable {
    /// The folder does not exist or is not mounted. Its contacts stay.
    case missingFolder(path: String)

    /// The folder cannot be read.
    case unreadable(path: String, reason: String)

    /// The folder is not linked.
    case notLinked(path: String)

    /// No folder is linked.
    case nothingLinked

    /// All cards of a linked folder disappeared at once, which is more likely a mistake than an intention.
    case folderEmptied(path: String, count: Int)

    /// Another process is syncing the folder.
    case folderBusy(path: String)

    /// The folder contains folders but no cards, like the parent folder of vdirsyncer's address books.
    case folderOfFolders(path: String, first: String)

    /// The desktop address books cannot be used; the reason includes the remedy.
    case noAddressBooks(reason: String)

    /// The code, the category, the message and the folder.
    public var details: ErrorDetails {
        switch self {
        case .missingFolder(let path):
            .init("missingFolder", .missing, "there is no folder \(path); no contact was removed", file: path)
        case .unreadable(let path, let reason):
            .init("unreadable", .io, "cannot read \(path): \(reason)", file: path)
        case .notLinked(let path): .init("notLinked", .notFound, "\(path) is not followed")
        case .nothingLinked: .init("nothingLinked", .notFound, "no folder is followed")
        case .folderEmptied(let path, let count):
            .init(
                "folderEmptied", .missing, "all \(count) cards of \(path) are gone; no contact was removed", file: path)
        case .folderBusy(let path):
            .init("folderBusy", .locked, "another process is synchronizing \(path); try again", file: path)
        case .noAddressBooks(let reason):
            .init("noAddressBooks", .unavailable, "cannot use the address books of the desktop: \(reason)")
        case .folderOfFolders(let path, let first):
            .init(
                "folderOfFolders", .usage,
                "\(path) contains folders but no cards; choose one of its address books, such as \(first)", file: path)
        }
    }

    /// Creates the error of a failed system call on a folder.
    init(_ code: Int32, path: String) {
        self =
            [ENOENT, ENOTDIR].contains(code)
            ? .missingFolder(path: path) : .unreadable(path: path, reason: systemErrorMessage(code))
    }
}
