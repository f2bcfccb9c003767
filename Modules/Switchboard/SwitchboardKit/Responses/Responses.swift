public import SwitchboardAirports
import SwitchboardBadges
public import SwitchboardContacts
public import SwitchboardProspects
public import SwitchboardSearchableIndex
public import SwitchboardStorage

/// A list of rows: `{"results": […]}`, with the query in a batch.
public struct ListResponse<Row: Encodable & Sendable>: Encodable, Sendable {
    /// The query in a batch.
    public var query: String?
    /// The rows, in order.
    public var results: [Row]

    /// Creates a list.
    public init(_ results: [Row]) {
        self.results = results
    }
}

/// A response with one object: its identifier, and the object itself under its kind.
///
/// `{"id", and "contact", "prospect", "airport", "item" or "activity"}`
public struct ChangeResponse: Encodable, Sendable {
    private enum CodingKeys: String, CodingKey { case id, contact, prospect, airport, item, activity }

    private let id: String
    private let kind: CodingKeys
    private let object: any Encodable & Sendable

    private init(_ id: String, _ kind: CodingKeys, _ object: any Encodable & Sendable) {
        (self.id, self.kind, self.object) = (id, kind, object)
    }

    /// Creates the response for a contact.
    public init(_ contact: Contact) { self.init(contact.id, .contact, contact) }
    /// Creates the response for a prospect.
    public init(_ prospect: Prospect) { self.init(prospect.id, .prospect, prospect) }
    /// Creates the response for an airport.
    public init(_ airport: Airport) { self.init(airport.code, .airport, airport) }
    /// Creates the response for an item.
    public init(_ stored: StoredItem) { self.init(stored.item.uniqueIdentifier, .item, stored) }
    /// Creates the response for an activity.
    public init(_ stored: StoredActivity) { self.init(stored.id, .activity, stored) }

    /// Encodes the identifier and the object.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(object, forKey: kind)
    }
}

/// The user's own badge: `{"me": {…}, "vCard": "…"}`, where the vCard is the content of the QR code.
public struct MeResponse: Encodable, Sendable {
    /// The user's details.
    public let me: MyDetails
    /// The content of the QR code.
    public let vCard: String

    /// Creates the response for a badge.
    public init(_ me: MyDetails) {
        self.me = me
        vCard = Badge(me).vCard
    }
}

/// The access status of a subject: `{"what", "status", "purpose"}`.
public struct AccessRow: Encodable, Sendable {
    /// The subject, such as notifications.
    public let what: String
    /// The status: notDetermined, denied or authorized.
    public let status: String
    /// The purpose.
    public let purpose: String

    /// Creates a row from the status in a storage.
    public init(of subject: AccessSubject, in storage: Storage) throws {
        what = subject.rawValue
        status = try storage.status(of: subject).rawValue
        purpose = subject.defaultPurpose
    }
}
