public import SwitchboardStorage

/// An error about people or their tokens.
public enum AccountsError: Error, Sendable, Equatable {
    /// A name is empty, too long or contains control characters.
    case invalidName(String)
    /// No person has this name or identifier.
    case unknownPerson(String)
    /// No token has this identifier.
    case unknownToken(String)
    /// A scope does not exist.
    case unknownScope(String)

    /// The category of the error.
    public var category: StorageError.Category { .usage }

    /// A stable error code.
    public var code: String {
        switch self {
        case .invalidName: "invalidName"
        case .unknownPerson: "unknownPerson"
        case .unknownToken: "unknownToken"
        case .unknownScope: "unknownScope"
        }
    }

    /// `true` if a person or token does not exist.
    public var isNotFound: Bool {
        switch self {
        case .unknownPerson, .unknownToken: true
        case .invalidName, .unknownScope: false
        }
    }

    /// A one-line message with the problem and its remedy.
    public var message: String {
        switch self {
        case .invalidName(let name):
            "invalid name “\(name)”; use 1 to \(Accounts.maximumNameLength) bytes without control characters"
        case .unknownPerson(let name): "unknown person “\(name)”"
        case .unknownToken(let id): "unknown token “\(id)”"
        case .unknownScope(let scope):
            scope.isEmpty
                ? "no scope given; use \(ScopeSet.known.joined(separator: ", "))"
                : "unknown scope “\(scope)”; use \(ScopeSet.known.joined(separator: ", "))"
        }
    }
}

extension AccountsError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
