public import SwitchboardStorage

/// Why the list of prospects could not do what was asked, and what to do next.
///
/// ``message`` is one line for a person; ``category`` is what a front end turns into an exit status or an HTTP status. What
/// the storage below reports comes as `StorageError`.
public enum ProspectsError: Error, Sendable, Equatable {
    /// No prospect has this identifier.
    case notFound(id: String)

    /// No removed prospect has this identifier, or it was removed too long ago.
    case notRemoved(id: String)

    /// A removed prospect cannot come back, because the same person is in the list again.
    case metAgain(id: String, as: String)

    /// A prospect needs a name, a company, an e-mail address or a number.
    case nameless

    /// A text that should be an e-mail address is none.
    case notAnAddress(String)

    /// A text that should be a phone number has no digits.
    case notANumber(String)

    /// The kind of failure, in the words of the storage.
    public var category: StorageError.Category { .usage }

    /// A stable name of the error for programs and JSON.
    public var code: String {
        switch self {
        case .notFound: "notFound"
        case .notRemoved: "notRemoved"
        case .metAgain: "metAgain"
        case .nameless: "nameless"
        case .notAnAddress: "notAnAddress"
        case .notANumber: "notANumber"
        }
    }
}

extension ProspectsError: CustomStringConvertible {
    /// One line: what happened, and what to do.
    public var message: String {
        switch self {
        case .notFound(let id): "there is no prospect \(id); 'prospects list' shows them all"
        case .notRemoved(let id):
            "no prospect \(id) was removed in the last \(Prospects.daysToRestore) days; add them again"
        case .metAgain(let id, let other):
            "prospect \(id) is in the list again as \(other); remove that one first, or go on with it"
        case .nameless: "a prospect needs a name, an organisation, an e-mail address or a number; give one of them"
        case .notAnAddress(let text): "“\(text)” is no e-mail address; it should look like ana@example.org"
        case .notANumber(let text): "“\(text)” is no phone number: it has no digits"
        }
    }

    /// The same as ``message``.
    public var description: String { message }
}
