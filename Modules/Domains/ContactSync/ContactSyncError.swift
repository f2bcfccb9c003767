public import SwitchboardStorage

/// An error of linking or syncing a folder.
///
/// ``message`` is one line for the user, ``category`` maps to an exit status or an HTTP status. Errors of the storage
/// are thrown as `StorageError`.
public enum ContactSyncError: Error, Sendable, Equatable {
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

    /// The kind of failure.
    public var category: StorageError.Category {
        switch self {
        case .notLinked, .nothingLinked, .folderOfFolders: .usage
        case .missingFolder, .folderEmptied: .missing
        case .folderBusy: .locked
        case .unreadable: .io
        }
    }

    /// A stable name of the error for programs and JSON.
    public var code: String {
        switch self {
        case .missingFolder: "missingFolder"
        case .unreadable: "unreadable"
        case .notLinked: "notLinked"
        case .nothingLinked: "nothingLinked"
        case .folderEmptied: "folderEmptied"
        case .folderBusy: "folderBusy"
        case .folderOfFolders: "folderOfFolders"
        }
    }
}

extension ContactSyncError: CustomStringConvertible {
    /// The problem and, where possible, the remedy, in one line.
    public var message: String {
        switch self {
        case .missingFolder(let path): "there is no folder \(path); no contact was removed"
        case .unreadable(let path, let reason): "cannot read \(path): \(reason)"
        case .notLinked(let path): "\(path) is not followed"
        case .nothingLinked: "no folder is followed"
        case .folderEmptied(let path, let count):
            "all \(count) cards of \(path) are gone; no contact was removed"
        case .folderBusy(let path): "another process is synchronizing \(path); try again"
        case .folderOfFolders(let path, let first):
            "\(path) contains folders but no cards; choose one of its address books, such as \(first)"
        }
    }

    /// The same as ``message``.
    public var description: String { message }
}
