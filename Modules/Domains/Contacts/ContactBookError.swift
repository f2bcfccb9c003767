@_exported public import SwitchboardErrors

/// An error of the contact book.
///
/// Errors of the storage are thrown as `StorageError`.
public enum ContactBookError: CodedError, Equatable {
    /// No contact has this identifier.
    case notFound(id: String)

    /// The file to import does not exist.
    case missingFile(path: String)

    /// The file to import cannot be read.
    case unreadable(path: String, reason: String)

    /// The named character set of the file to import is not supported.
    case unknownEncoding(String)

    /// A syntax error in a file. (An import lists malformed cards in its report instead.)
    case malformed(MalformedInput)

    /// No contact is in a group of this name.
    case unknownGroup(String)

    /// The contact has no photo.
    case noPhoto(id: String)

    /// The data of a photo is not a supported image, or too large.
    case notAPicture(reason: String)

    /// The contact has no name, organization, e-mail address or number.
    case nameless

    /// A field of a contact is too long.
    case tooLong(field: String, limit: Int)

    /// A list of a contact has too many entries.
    case tooMany(field: String, limit: Int)

    /// A field of a contact contains U+0000, at which the stored text would end.
    case nulText(field: String)

    /// A contact with this identifier already exists.
    case duplicateID(String)

    /// A merge of fewer than two contacts.
    case nothingToMerge

    /// A merge lists a contact twice.
    case mergedWithItself(id: String)

    /// The contact is not the result of a merge that can still be undone.
    case notMerged(id: String)

    /// The contact changed after the merge, and undoing the merge would discard the change.
    case changedSinceMerge(id: String)

    /// The contact changed while its card was edited.
    case changedSinceRead(id: String)

    /// The contact was not removed, or too long ago.
    case notRemoved(id: String)

    /// No call of the contact was recorded.
    case notCalled(id: String)

    /// There is no import that can be undone.
    case noImport

    /// A contact that undoing a merge would restore already exists.
    case thereAgain(id: String)

    /// The code, the category, the message and the location.
    public var details: ErrorDetails {
        switch self {
        case .notFound(let id): .init("notFound", .notFound, "there is no contact with the identifier \(id)")
        case .unknownGroup(let name): .init("unknownGroup", .notFound, "no contact is in a group “\(name)”")
        case .noPhoto(let id): .init("noPhoto", .notFound, "contact \(id) has no photo")
        case .notAPicture(let reason): .init("notAPicture", .malformed, "cannot use this photo: \(reason)")
        case .missingFile(let path):
            .init("missingFile", .missing, "there is no file \(path); check the name", file: path)
        case .unreadable(let path, let reason):
            .init("unreadable", .io, "cannot read \(path): \(reason)", file: path)
        case .unknownEncoding(let name):
            .init(
                "unknownEncoding", .usage,
                "unknown encoding “\(name)”; use a name such as UTF-8, windows-1251, Shift_JIS or GBK")
        case .malformed(let error): error.details
        case .nameless:
            .init(
                "nameless", .usage,
                "the contact is empty; add a name, an organisation, an e-mail address or a number", field: "name")
        case .tooLong(let field, let limit):
            .tooLong(field, limit: limit, field: Contact.members[field] ?? field)
        case .tooMany(let field, let limit): .tooMany(field, limit: limit, field: Contact.members[field] ?? field)
        case .nulText(let field): .nulText(field, field: Contact.members[field] ?? field)
        case .duplicateID(let id):
            .init("duplicateID", .usage, "contact \(id) exists; omit the identifier to get a new one")
        case .nothingToMerge:
            .init("nothingToMerge", .usage, "a merge needs at least two contacts; start with the one to keep")
        case .mergedWithItself(let id):
            .init("mergedWithItself", .usage, "contact \(id) is listed twice; merge different contacts")
        case .notMerged(let id): .init("notMerged", .notFound, "contact \(id) has no merge that can be undone")
        case .changedSinceMerge(let id):
            .init("changedSinceMerge", .usage, "contact \(id) changed after it was merged")
        case .changedSinceRead(let id):
            .init("changedSinceRead", .locked, "contact \(id) changed while it was edited; edit it again")
        case .notRemoved(let id): .init("notRemoved", .notFound, "contact \(id) has no removal that can be undone")
        case .notCalled(let id): .init("notCalled", .notFound, "no call of contact \(id) was recorded")
        case .noImport:
            .init("noImport", .notFound, "there is no import to undo; an import can be undone once, until the next one")
        case .thereAgain(let id):
            .init("thereAgain", .usage, "contact \(id) exists again; remove it, then undo the merge")
        }
    }
}
