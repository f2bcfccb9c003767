public import SwitchboardStorage

/// An error of the searchable index.
public enum SearchableIndexError: Error, Sendable, Hashable {
    /// There is no item with this identifier.
    case notFound(id: String)
    /// An item is invalid; nothing of the call was stored.
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

    /// The category of the error, as defined by the storage.
    public var category: StorageError.Category {
        switch self {
        case .notFound, .invalidName, .typeMismatch, .invalidClientState, .invalidQuery, .activityNotFound,
            .invalidated:
            .usage
        case .invalidItem, .missingUserInfo: .malformed
        case .mismatchedClientState: .locked
        }
    }

    /// A stable identifier of the error for programs and JSON.
    public var code: String {
        switch self {
        case .notFound: "notFound"
        case .invalidItem: "invalidItem"
        case .invalidClientState: "invalidClientState"
        case .mismatchedClientState: "mismatchedClientState"
        case .invalidName: "invalidName"
        case .typeMismatch: "typeMismatch"
        case .invalidQuery: "invalidQuery"
        case .activityNotFound: "notFound"
        case .missingUserInfo: "missingUserInfo"
        case .invalidated: "invalidated"
        }
    }
}

/// A validation error of an item.
public struct ItemError: Error, Sendable, Hashable {
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

    /// Creates an error.
    public init(
        _ reason: String, item: String? = nil, attribute: String? = nil, line: Int? = nil, column: Int? = nil
    ) {
        self.reason = reason
        self.item = item
        self.attribute = attribute
        self.line = line
        self.column = column
    }
}

extension SearchableIndexError: CustomStringConvertible {
    /// The problem and the remedy, in one line.
    public var message: String {
        switch self {
        case .notFound(let id): return "there is no item “\(id)”; correct the identifier"
        case .invalidItem(let fault):
            var text = ""
            if let item = fault.item { text += "item “\(item)”: " }
            if let attribute = fault.attribute { text += "\(attribute): " }
            return text + fault.reason
        case .invalidClientState(let bytes):
            return "the client state has \(bytes) bytes; use at most \(SearchableIndex.maximumClientStateSize)"
        case .mismatchedClientState(let expected, let found):
            let state = found.map { "“\($0)”" } ?? "none"
            return "the client state is \(state), not “\(expected)”; nothing was changed, reconcile and try again"
        case .invalidName(let name):
            return "invalid name “\(name)”; use 1 to 100 letters, digits, '.', '-' or '_'"
        case .typeMismatch(let attribute, let type):
            return "the attribute \(attribute) already has the type \(type); use it or choose another name"
        case .invalidQuery(let error): return error.description
        case .activityNotFound(let id): return "there is no activity “\(id)”; correct the identifier"
        case .missingUserInfo(let id, let keys):
            return "cannot continue the activity \(id); add to its userInfo: \(keys.joined(separator: ", "))"
        case .invalidated(let id): return "the activity \(id) was invalidated; begin a new one"
        }
    }

    /// The same as ``message``.
    public var description: String { message }
}
