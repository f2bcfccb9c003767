public import SwitchboardStorage

/// What can be wrong about people and their tokens.
public enum AccountsError: Error, Sendable, Equatable {
    /// A name that is empty, too long, or has control characters.
    case invalidName(String)
    /// Nobody has that name or identifier.
    case unknownPerson(String)
    /// No token has that identifier.
    case unknownToken(String)
    /// No such scope.
    case unknownScope(String)

    /// What kind of failure it is.
    public var category: StorageError.Category { .usage }

    /// A stable name for programs.
    public var code: String {
        switch self {
        case .invalidName: "invalidName"
        case .unknownPerson: "unknownPerson"
        case .unknownToken: "unknownToken"
        case .unknownScope: "unknownScope"
        }
    }

    /// Whether it is about something that is not there.
    public var isNotFound: Bool {
        switch self {
        case .unknownPerson, .unknownToken: true
        case .invalidName, .unknownScope: false
        }
    }

    /// One line: what is wrong and what to do.
    public var message: String {
        switch self {
        case .invalidName(let name):
            "“\(name)” cannot be the name of a person; give 1 to \(Accounts.longestName) bytes without control characters"
        case .unknownPerson(let name): "nobody is called “\(name)”; 'person list' shows everybody"
        case .unknownToken(let id): "there is no token “\(id)”; 'token list' shows all"
        case .unknownScope(let scope):
            scope.isEmpty
                ? "say what the token is for: some of \(ScopeSet.known.joined(separator: ", "))"
                : "there is no scope “\(scope)”; give some of \(ScopeSet.known.joined(separator: ", "))"
        }
    }
}

extension AccountsError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
