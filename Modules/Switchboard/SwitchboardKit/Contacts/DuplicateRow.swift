public import SwitchboardContacts

/// The row of a group of probable duplicates: the most complete contact, with all of them and the reasons.
///
/// Readable like any other contact row; the others are listed below it, like the airports of a city.
public struct DuplicateRow: Encodable, Sendable {
    /// The rows of the contacts, the most complete first.
    public let rows: [SearchResult]
    private let group: DuplicateGroup

    /// Creates the row of a group.
    public init(_ group: DuplicateGroup) {
        self.group = group
        rows = group.contacts.map(SearchResult.init)
    }

    /// The reasons in words, such as `same name and organisation “Initech”, same number +905321234567`.
    public var reason: String {
        group.facts.map { fact in
            switch fact.kind {
            case .name: "same name and \(DuplicateRow.name(of: fact.companion)) “\(fact.value)”"
            case .email: "same e-mail address \(fact.value)"
            case .phone: "same number \(fact.value)"
            }
        }.joined(separator: ", ")
    }

    private static func name(of companion: SharedFact.Companion?) -> String {
        switch companion {
        case .organization: "organisation"
        case .nickname: "nickname"
        case .birthday: "birthday"
        case .address: "postal address"
        case .url: "page"
        case nil: "facts"
        }
    }

    private struct Reason: Encodable {
        let reason: String
        let with: String?
        let value: String

        init(_ fact: SharedFact) {
            reason = fact.kind.rawValue
            with = fact.companion?.rawValue
            value = fact.value
        }
    }

    /// Encodes the row of the most complete contact and `"contacts": […], "reasons": [{"reason", "with", "value"}]`,
    /// where only names have `with`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: SearchResult.CodingKeys.self)
        try rows.first?.encode(to: &container)
        try container.encode(group.contacts, forKey: .contacts)
        try container.encode(group.facts.map(Reason.init), forKey: .reasons)
    }
}
