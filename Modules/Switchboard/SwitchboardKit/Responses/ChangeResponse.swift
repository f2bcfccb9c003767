public import SwitchboardAirports
public import SwitchboardContacts
public import SwitchboardProspects

/// The response to a change: the identifier of the changed object, and the object itself under its kind.
public struct ChangeResponse: Encodable, Sendable {
    private let id: String
    private let contact: Contact?
    private let prospect: Prospect?
    private let airport: Airport?

    private enum CodingKeys: String, CodingKey { case id, contact, prospect, airport }

    /// Creates a response for a changed contact.
    public init(_ contact: Contact) {
        id = contact.id
        self.contact = contact
        prospect = nil
        airport = nil
    }

    /// Creates a response for a changed prospect.
    public init(_ prospect: Prospect) {
        id = prospect.id
        contact = nil
        self.prospect = prospect
        airport = nil
    }

    /// Creates a response for a chosen airport.
    public init(_ airport: Airport) {
        id = airport.code
        contact = nil
        prospect = nil
        self.airport = airport
    }

    /// Encodes `{"id", and "contact", "prospect" or "airport"}`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encodeIfPresent(contact, forKey: .contact)
        try container.encodeIfPresent(prospect, forKey: .prospect)
        try container.encodeIfPresent(airport, forKey: .airport)
    }
}
