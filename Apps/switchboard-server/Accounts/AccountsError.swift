@_exported public import SwitchboardErrors

/// An error about people or their tokens.
public enum AccountsError: CodedError, Equatable {
    /// A name is empty, too long or contains control characters.
    case invalidName(String)
    /// Another person has this name.
    case nameInUse(String)
    /// No person has this name or identifier.
    case unknownPerson(String)
    /// No token has this identifier.
    case unknownToken(String)
    /// A scope does not exist.
    case unknownScope(String)

    /// The code, the category and the message.
    public var details: ErrorDetails {
        switch self {
        case .invalidName(let name):
            .init(
                "invalidName", .usage,
                "invalid name “\(name)”; use 1 to \(Accounts.maximumNameLength) bytes without control characters")
        case .nameInUse(let name):
            .init("nameInUse", .usage, "another person is named “\(name)”; use a different name")
        case .unknownPerson(let name): .init("unknownPerson", .notFound, "unknown person “\(name)”")
        case .unknownToken(let id): .init("unknownToken", .notFound, "unknown token “\(id)”")
        case .unknownScope(let scope):
            .init(
                "unknownScope", .usage,
                (scope.isEmpty ? "no scope given" : "unknown scope “\(scope)”")
                    + "; use \(ScopeSet.known.joined(separator: ", "))")
        }
    }
}
