public import SwitchboardStorage

/// Why the index could not do what was asked, and what to do next.
public enum SearchableIndexError: Error, Sendable, Hashable {
    /// No item has this identifier.
    case notFound(id: String)
    /// An item cannot be put: which, and what is wrong with which attribute. Nothing of the call was kept.
    case invalidItem(ItemFault)
    /// A client state is longer than ``SearchableIndex/longestClientState``.
    case invalidClientState(bytes: Int)
    /// The index is not in the client state that was expected: the caller must look what it has missed.
    case mismatchedClientState(expected: String, found: String?)
    /// An index, or an attribute of an app's own, cannot have this name.
    case invalidName(String)
    /// An attribute of an app's own has another type already.
    case otherType(attribute: String, is: String)
    /// A query cannot be read; where, and what was expected.
    case invalidQuery(QueryError)
    /// No activity has this identifier.
    case noActivity(id: String)
    /// An activity lacks what it needs to be taken up.
    case missingUserInfo(id: String, keys: [String])
    /// An activity was ended for good.
    case invalidated(id: String)
    /// The caller ended the work; nothing of it was kept.
    case cancelled

    /// The kind of failure, in the words of the storage.
    public var category: StorageError.Category {
        switch self {
        case .notFound, .invalidName, .otherType, .cancelled, .invalidClientState, .invalidQuery, .noActivity,
            .invalidated:
            .usage
        case .invalidItem, .missingUserInfo: .malformed
        case .mismatchedClientState: .locked
        }
    }

    /// A stable name of the error for programs and JSON.
    public var code: String {
        switch self {
        case .notFound: "notFound"
        case .invalidItem: "invalidItem"
        case .invalidClientState: "invalidClientState"
        case .mismatchedClientState: "mismatchedClientState"
        case .invalidName: "invalidName"
        case .otherType: "otherType"
        case .invalidQuery: "invalidQuery"
        case .noActivity: "notFound"
        case .missingUserInfo: "missingUserInfo"
        case .invalidated: "invalidated"
        case .cancelled: "cancelled"
        }
    }
}

/// What is wrong with an item that was to be put.
public struct ItemFault: Error, Sendable, Hashable {
    /// What is wrong and what to do, in one line.
    public var reason: String
    /// The item, if it has an identifier.
    public var item: String?
    /// The attribute.
    public var attribute: String?
    /// The line in the input, from 1, if it came from a text.
    public var line: Int?
    /// The column in that line, in Unicode scalars from 1.
    public var column: Int?

    /// A fault; see the properties.
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
    /// One line: what happened, and what to do.
    public var message: String {
        switch self {
        case .notFound(let id): return "there is no item \(id); 'index list' shows them all"
        case .invalidItem(let fault):
            var text = ""
            if let item = fault.item { text += "item “\(item)”: " }
            if let attribute = fault.attribute { text += "\(attribute): " }
            return text + fault.reason
        case .invalidClientState(let bytes):
            return "a client state has \(SearchableIndex.longestClientState) bytes at most, this one has \(bytes)"
        case .mismatchedClientState(let expected, let found):
            let state = found.map { "“\($0)”" } ?? "none"
            return "the client state is \(state), not “\(expected)”; nothing was changed: look what was put since"
        case .invalidName(let name):
            return "“\(name)” is no name: give 1 to 100 letters, digits, '.', '-' or '_'"
        case .otherType(let attribute, let type):
            return "the attribute \(attribute) is there already and holds a \(type)"
        case .invalidQuery(let error): return error.description
        case .noActivity(let id): return "there is no activity \(id); 'activity list' shows them all"
        case .missingUserInfo(let id, let keys):
            return "the activity \(id) cannot be taken up: its userInfo lacks \(keys.joined(separator: ", "))"
        case .invalidated(let id): return "the activity \(id) was ended for good; begin it anew"
        case .cancelled: return "cancelled"
        }
    }

    /// The same as ``message``.
    public var description: String { message }
}
