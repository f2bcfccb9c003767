public import SwitchboardAirports
public import SwitchboardContacts
public import SwitchboardProspects

/// What a change answers: the identifier of what was changed, and the thing itself under its kind.
public struct ChangeResponse: Encodable, Sendable {
    private let id: String
    private let contact: Contact?
    private let prospect: Prospect?
    private let airport: Airport?

    private enum CodingKeys: String, CodingKey { case id, contact, prospect, airport }

    /// A contact as it is now.
    public init(_ contact: Contact) {
        id = contact.id
        self.contact = contact
        prospect = nil
        airport = nil
    }

    /// A prospect as it is now.
    public init(_ prospect: Prospect) {
        id = prospect.id
        contact = nil
        self.prospect = prospect
        airport = nil
    }

    /// An airport as it is now.
    public init(_ airport: Airport) {
        id = airport.code
        contact = nil
        prospect = nil
        self.airport = airport
    }

    /// Writes `{"id", and "contact", "prospect" or "airport"}`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encodeIfPresent(contact, forKey: .contact)
        try container.encodeIfPresent(prospect, forKey: .prospect)
        try container.encodeIfPresent(airport, forKey: .airport)
    }
}
