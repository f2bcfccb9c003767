public import SwitchboardStorage
public import SwitchboardVCard

/// Why the contact book could not do what was asked, and what to do next.
///
/// ``message`` is one line for a person; ``category`` is what a front end turns into an exit status or an HTTP status. What
/// the storage below reports comes as `StorageError`.
public enum ContactBookError: Error, Sendable, Equatable {
    /// No contact has this identifier.
    case notFound(id: String)

    /// There is no such file to import.
    case missingFile(path: String)

    /// A file to import cannot be read.
    case unreadable(path: String, reason: String)

    /// A file is not what it should be. (An import tells of malformed cards in its report instead.)
    case malformed(MalformedInput)

    /// No contact is in a group of this name.
    case unknownGroup(String)

    /// The contact has no photograph.
    case noPhoto(id: String)

    /// What shall be a photograph is no picture, or too large a one.
    case notAPicture(reason: String)

    /// A contact needs a name, an organisation, an e-mail address or a number.
    case nameless

    /// A contact of this identifier is there already.
    case duplicateID(String)

    /// A merge names fewer than two contacts.
    case nothingToMerge

    /// A merge names a contact twice.
    case mergedWithItself(id: String)

    /// The contact is no result of a merge that can still be undone.
    case notMerged(id: String)

    /// The contact was changed after it was merged, which undoing the merge would take back as well.
    case changedSinceMerge(id: String)

    /// A contact that undoing a merge would bring back is there already.
    case thereAgain(id: String)

    /// There is no such folder, or not now: a disk that is not there, say. What is known of it is kept.
    case missingFolder(path: String)

    /// The folder is not followed.
    case notLinked(path: String)

    /// No folder is followed.
    case nothingLinked

    /// All cards of a followed folder are gone at once, which rather is a mistake than meant.
    case folderEmptied(path: String, count: Int)

    /// Another process is bringing this folder up to date.
    case folderBusy(path: String)

    /// There are no cards in the folder, but folders, as one level above the address books of vdirsyncer.
    case folderOfFolders(path: String, first: String)

    /// The caller ended the work; nothing of the file it was at was kept.
    case cancelled

    /// The kind of failure, in the words of the storage.
    public var category: StorageError.Category {
        switch self {
        case .notFound, .unknownGroup, .noPhoto, .nameless, .duplicateID, .cancelled, .nothingToMerge,
            .mergedWithItself, .notMerged,
            .changedSinceMerge, .thereAgain, .notLinked, .nothingLinked, .folderOfFolders:
            .usage
        case .missingFile, .missingFolder, .folderEmptied: .missing
        case .folderBusy: .locked
        case .unreadable: .io
        case .malformed, .notAPicture: .malformed
        }
    }

    /// A stable name of the error for programs and JSON.
    public var code: String {
        switch self {
        case .notFound: "notFound"
        case .unknownGroup: "unknownGroup"
        case .noPhoto: "noPhoto"
        case .notAPicture: "notAPicture"
        case .missingFile: "missingFile"
        case .unreadable: "unreadable"
        case .malformed: "malformedInput"
        case .nameless: "nameless"
        case .duplicateID: "duplicateID"
        case .nothingToMerge: "nothingToMerge"
        case .mergedWithItself: "mergedWithItself"
        case .notMerged: "notMerged"
        case .changedSinceMerge: "changedSinceMerge"
        case .thereAgain: "thereAgain"
        case .missingFolder: "missingFolder"
        case .notLinked: "notLinked"
        case .nothingLinked: "nothingLinked"
        case .folderEmptied: "folderEmptied"
        case .folderBusy: "folderBusy"
        case .folderOfFolders: "folderOfFolders"
        case .cancelled: "cancelled"
        }
    }
}

extension ContactBookError: CustomStringConvertible {
    /// One line: what happened, and what to do.
    public var message: String {
        switch self {
        case .notFound(let id): "there is no contact \(id); 'contacts list' shows them all"
        case .unknownGroup(let name): "nobody is in a group “\(name)”; 'contacts groups' shows them all"
        case .noPhoto(let id): "there is no photograph of contact \(id)"
        case .notAPicture(let reason): "this is no photograph: \(reason)"
        case .missingFile(let path): "there is no file \(path); check the name"
        case .unreadable(let path, let reason): "cannot read \(path): \(reason)"
        case .malformed(let fault): fault.description
        case .nameless: "a contact needs a name, an organisation, an e-mail address or a number; give one of them"
        case .duplicateID(let id): "there is a contact \(id) already; leave the identifier out to get a new one"
        case .nothingToMerge: "a merge needs two contacts at least; name first the one that stays"
        case .mergedWithItself(let id): "contact \(id) is named twice; a merge needs different contacts"
        case .notMerged(let id): "there is no merge of contact \(id) to undo"
        case .changedSinceMerge(let id):
            "contact \(id) was changed after it was merged; --discard-changes undoes the merge and takes that back, too"
        case .thereAgain(let id): "there is a contact \(id) again; remove it, then undo the merge"
        case .missingFolder(let path):
            "there is no folder \(path); nobody was removed. If it is followed, 'contacts unlink' ends that"
        case .notLinked(let path): "\(path) is not followed; 'contacts links' shows the folders that are"
        case .nothingLinked: "no folder is followed; 'contacts link DIR' follows one"
        case .folderEmptied(let path, let count):
            "all \(count) cards of \(path) are gone, so nobody was removed; --force-delete removes them here, too"
        case .folderBusy(let path): "another process is bringing \(path) up to date; try again"
        case .folderOfFolders(let path, let first):
            "\(path) has no cards but folders; an address book is one of them, such as \(first)"
        case .cancelled: "cancelled"
        }
    }

    /// The same as ``message``.
    public var description: String { message }
}
