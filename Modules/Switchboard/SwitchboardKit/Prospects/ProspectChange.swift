public import SwitchboardProspects

/// What a person says about a prospect, field by field: what is nil stays as it is, what is empty is removed.
///
/// The same for a new prospect and for one that is changed, whichever front end it comes from.
public struct ProspectChange: Sendable {
    /// The whole name.
    public var name: String?
    /// The e-mail address.
    public var email: String?
    /// The phone number.
    public var phone: String?
    /// The company.
    public var organization: String?
    /// Anything else.
    public var note: String?
    /// Where they were met.
    public var met: String?

    /// A change of nothing.
    public init() {}

    private var fields: [(path: WritableKeyPath<Prospect, String>, text: String?)] {
        [
            (\.name, name), (\.email, email), (\.phone, phone), (\.organization, organization), (\.note, note),
            (\.met, met),
        ]
    }

    /// Whether nothing would change.
    public var isEmpty: Bool { fields.allSatisfy { $0.text == nil } }

    /// Makes the change.
    public func apply(to prospect: inout Prospect) {
        for (path, text) in fields {
            if let text { prospect[keyPath: path] = text }
        }
    }
}
