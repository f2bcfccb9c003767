public import SwitchboardAirports
import SwitchboardBadges
public import SwitchboardContacts
public import SwitchboardProspects
public import SwitchboardStorage

/// A list of rows: `{"results": […]}`, with the query in a batch.
public struct ListResponse<Row: Encodable & Sendable>: Encodable, Sendable {
    /// The query in a batch.
    public var query: String?
    /// The rows in order.
    public var results: [Row]

    /// Creates a list.
    public init(_ results: [Row]) {
        self.results = results
    }
}

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
    /// The subject.
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
