public import SwitchboardStorage

/// An error of the list of prospects. Errors of the storage are thrown as `StorageError`.
///
/// ``message`` is one line for the user. ``category`` maps to an exit status or an HTTP status.
public enum ProspectsError: Error, Sendable, Equatable {
    /// No prospect has this identifier.
    case notFound(id: String)

    /// No removed prospect has this identifier, or it was removed too long ago.
    case notRemoved(id: String)

    /// A removed prospect cannot be restored, because the same person was added again.
    case metAgain(id: String, as: String)

    /// A prospect needs a name, a company, an e-mail address or a number.
    case nameless

    /// A text cannot be an e-mail address.
    case notAnAddress(String)

    /// A text cannot be a phone number, because it has no digits.
    case notANumber(String)

    /// The category of the error, one of the storage's.
    public var category: StorageError.Category { .usage }

    /// A stable code of the error, for programs and JSON.
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
    /// The problem and its remedy in one line.
    public var message: String {
        switch self {
        case .notFound(let id): "there is no prospect \(id)"
        case .notRemoved(let id):
            "no prospect \(id) was removed in the last \(Prospects.daysToRestore) days; add them again"
        case .metAgain(let id, let other):
            "prospect \(id) was added again as \(other); remove that one first, or keep it"
        case .nameless: "a prospect needs a name, an organisation, an e-mail address or a number; give one of them"
        case .notAnAddress(let text): "cannot read the e-mail address “\(text)”; use the form ana@example.org"
        case .notANumber(let text): "cannot read the phone number “\(text)”; use a number with digits"
        }
    }

    /// The same as ``message``.
    public var description: String { message }
}
