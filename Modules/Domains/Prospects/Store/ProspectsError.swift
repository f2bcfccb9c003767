@_exported public import SwitchboardErrors

/// An error of the list of prospects. Errors of the storage are thrown as `StorageError`.
public enum ProspectsError: CodedError, Equatable {
    /// No prospect has this identifier.
    case notFound(id: String)

    /// No removed prospect has this identifier, or it was removed too long ago.
    case notRemoved(id: String)

    /// A removed prospect cannot be restored, because the same person was added again.
    case metAgain(id: String, as: String)

    /// A prospect needs a name, a company, an e-mail address or a number.
    case nameless

    /// A field is too long.
    case tooLong(field: String, limit: Int)

    /// A field contains U+0000, at which the stored text would end.
    case nulText(field: String)

    /// A text cannot be an e-mail address.
    case notAnAddress(String)

    /// A text cannot be a phone number, because it has no digits.
    case notANumber(String)

    /// The code, the category and the message.
    public var details: ErrorDetails {
        switch self {
        case .notFound(let id): .init("notFound", .notFound, "there is no prospect \(id)")
        case .notRemoved(let id):
            .init(
                "notRemoved", .notFound,
                "no prospect \(id) was removed in the last \(Prospects.daysToRestore) days; add them again")
        case .metAgain(let id, let other):
            .init("metAgain", .usage, "prospect \(id) was added again as \(other); remove that one first, or keep it")
        case .nameless:
            .init(
                "nameless", .usage,
                "a prospect needs a name, an organisation, an e-mail address or a number; give one of them",
                field: "name")
        case .tooLong(let field, let limit):
            .tooLong(field, limit: limit, field: field)
        case .nulText(let field): .nulText(field, field: field)
        case .notAnAddress(let text):
            .init(
                "notAnAddress", .usage, "cannot read the e-mail address “\(text)”; use the form ana@example.org",
                field: "email")
        case .notANumber(let text):
            .init(
                "notANumber", .usage, "cannot read the phone number “\(text)”; use a number with digits",
                field: "phone")
        }
    }
}
