public import SwitchboardAirports
public import SwitchboardContacts
public import SwitchboardProspects

/// The response to a change: the identifier of the changed object, and the object itself under its kind.
///
/// `{"id", and "contact", "prospect" or "airport"}`
public struct ChangeResponse: Encodable, Sendable {
    private let id: String
    private var contact: Contact?
    private var prospect: Prospect?
    private var airport: Airport?

    /// Creates a response for a changed contact.
    public init(_ contact: Contact) {
        id = contact.id
        self.contact = contact
    }

    /// Creates a response for a changed prospect.
    public init(_ prospect: Prospect) {
        id = prospect.id
        self.prospect = prospect
    }

    /// Creates a response for a chosen airport.
    public init(_ airport: Airport) {
        id = airport.code
        self.airport = airport
    }
}
