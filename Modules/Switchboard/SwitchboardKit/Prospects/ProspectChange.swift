public import SwitchboardProspects

/// A change to a prospect by field: nil leaves a field unchanged, an empty value removes it.
///
/// Used for new and existing prospects in all front ends.
public struct ProspectChange: Sendable {
    /// The whole name.
    public var name: String?
    /// The e-mail address.
    public var email: String?
    /// The phone number.
    public var phone: String?
    /// The company.
    public var organization: String?
    /// The note.
    public var note: String?
    /// The place of the meeting.
    public var met: String?

    /// Creates an empty change.
    public init() {}

    private var fields: [(path: WritableKeyPath<Prospect, String>, text: String?)] {
        [
            (\.name, name), (\.email, email), (\.phone, phone), (\.organization, organization), (\.note, note),
            (\.met, met),
        ]
    }

    /// `true` if the change is empty.
    public var isEmpty: Bool { fields.allSatisfy { $0.text == nil } }

    /// Applies the change.
    public func apply(to prospect: inout Prospect) {
        for (path, text) in fields {
            if let text { prospect[keyPath: path] = text }
        }
    }
}
