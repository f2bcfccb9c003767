public import SwitchboardStorage
public import SwitchboardVCard

/// An error of the contact book.
///
/// ``message`` is one line for the user, ``category`` maps to an exit status or an HTTP status. Errors of the storage
/// are thrown as `StorageError`.
public enum ContactBookError: Error, Sendable, Equatable {
    /// No contact has this identifier.
    case notFound(id: String)

    /// The file to import does not exist.
    case missingFile(path: String)

    /// The file to import cannot be read.
    case unreadable(path: String, reason: String)

    /// A syntax error in a file. (An import lists malformed cards in its report instead.)
    case malformed(MalformedInput)

    /// No contact is in a group of this name.
    case unknownGroup(String)

    /// The contact has no photo.
    case noPhoto(id: String)

    /// The data of a photo is not a supported image, or too large.
    case notAPicture(reason: String)

    /// The contact has no name, organisation, e-mail address or number.
    case nameless

    /// A contact with this identifier exists.
    case duplicateID(String)

    /// A merge of fewer than two contacts.
    case nothingToMerge

    /// A merge lists a contact twice.
    case mergedWithItself(id: String)

    /// The contact is not the result of a merge that can still be undone.
    case notMerged(id: String)

    /// The contact changed after the merge, and undoing the merge would discard the change.
    case changedSinceMerge(id: String)

    /// A contact that undoing a merge would restore exists.
    case thereAgain(id: String)

    /// The kind of failure.
    public var category: StorageError.Category {
        switch self {
        case .notFound, .unknownGroup, .noPhoto, .nameless, .duplicateID, .nothingToMerge,
            .mergedWithItself, .notMerged, .changedSinceMerge, .thereAgain:
            .usage
        case .missingFile: .missing
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
        }
    }
}

extension ContactBookError: CustomStringConvertible {
    /// The problem and, where possible, the remedy, in one line.
    public var message: String {
        switch self {
        case .notFound(let id): "there is no contact with the identifier \(id)"
        case .unknownGroup(let name): "no contact is in a group “\(name)”"
        case .noPhoto(let id): "contact \(id) has no photo"
        case .notAPicture(let reason): "cannot use this photo: \(reason)"
        case .missingFile(let path): "there is no file \(path); check the name"
        case .unreadable(let path, let reason): "cannot read \(path): \(reason)"
        case .malformed(let error): error.description
        case .nameless: "the contact is empty; add a name, an organisation, an e-mail address or a number"
        case .duplicateID(let id): "contact \(id) exists; omit the identifier to get a new one"
        case .nothingToMerge: "a merge needs at least two contacts; start with the one to keep"
        case .mergedWithItself(let id): "contact \(id) is listed twice; merge different contacts"
        case .notMerged(let id): "contact \(id) has no merge that can be undone"
        case .changedSinceMerge(let id): "contact \(id) changed after it was merged"
        case .thereAgain(let id): "contact \(id) exists again; remove it, then undo the merge"
        }
    }

    /// The same as ``message``.
    public var description: String { message }
}
