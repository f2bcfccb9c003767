@_exported public import SwitchboardErrors

/// An error of the searchable index.
public enum SearchableIndexError: CodedError, Hashable {
    /// There is no item with this identifier.
    case notFound(id: String)
    /// An item is invalid; the call stored nothing.
    case invalidItem(ItemError)
    /// A client state is longer than ``SearchableIndex/maximumClientStateSize``.
    case invalidClientState(bytes: Int)
    /// The index is in another client state than expected; the caller must reconcile its changes.
    case mismatchedClientState(expected: String, found: String?)
    /// The name of an index or custom attribute is invalid.
    case invalidName(String)
    /// A custom attribute already has another type.
    case typeMismatch(attribute: String, existing: String)
    /// The query cannot be parsed.
    case invalidQuery(QueryError)
    /// There is no activity with this identifier.
    case activityNotFound(id: String)
    /// An activity lacks required keys in its `userInfo`.
    case missingUserInfo(id: String, keys: [String])
    /// An activity was invalidated and cannot become current again.
    case invalidated(id: String)
    /// The owner of a domain is invalid; the reason names the problem and the remedy.
    case invalidOwner(reason: String)
    /// The domain has no owner of its own.
    case ownerNotFound(domain: String)

    /// The code, the category, the message and the location.
    public var details: ErrorDetails {
        switch self {
        case .notFound(let id):
            .init("notFound", .notFound, "there is no item “\(id)”; correct the identifier")
        case .invalidItem(let error): error.details
        case .invalidClientState(let bytes):
            .init(
                "invalidClientState", .usage,
                "the client state has \(bytes) bytes; use at most \(SearchableIndex.maximumClientStateSize)")
        case .mismatchedClientState(let expected, let found):
            .init(
                "mismatchedClientState", .locked,
                "the client state is \(found.map { "“\($0)”" } ?? "none"), not “\(expected)”; nothing was changed, "
                    + "reconcile and try again")
        case .invalidName(let name):
            .init("invalidName", .usage, "invalid name “\(name)”; use 1 to 100 letters, digits, '.', '-' or '_'")
        case .typeMismatch(let attribute, let type):
            .init(
                "typeMismatch", .usage,
                "the attribute \(attribute) already has the type \(type); use it or choose another name")
        case .invalidQuery(let error): error.details
        case .activityNotFound(let id):
            .init("notFound", .notFound, "there is no activity “\(id)”; correct the identifier")
        case .missingUserInfo(let id, let keys):
            .init(
                "missingUserInfo", .malformed,
                "cannot continue the activity \(id); add to its userInfo: \(keys.joined(separator: ", "))")
        case .invalidated(let id):
            .init("invalidated", .usage, "the activity \(id) was invalidated; begin a new one")
        case .invalidOwner(let reason): .init("invalidOwner", .usage, reason)
        case .ownerNotFound(let domain):
            .init("notFound", .notFound, "the domain “\(domain)” has no owner; correct its name")
        }
    }
}

/// A validation error of an item.
public struct ItemError: CodedError, Hashable {
    /// The problem and the remedy, in one line.
    public var reason: String
    /// The identifier of the item, if it has one.
    public var item: String?
    /// The attribute.
    public var attribute: String?
    /// The line in the input, from 1, if the item came from text.
    public var line: Int?
    /// The column in that line, in Unicode scalars from 1.
    public var column: Int?

    /// The code, the category, the message with the item and the attribute, and the location.
    public var details: ErrorDetails {
        let subject = (item.map { "item “\($0)”: " } ?? "") + (attribute.map { "\($0): " } ?? "")
        return ErrorDetails(
            "malformedInput", .malformed, subject + reason, line: line, column: column, field: attribute)
    }
}
