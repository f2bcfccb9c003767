public import SwitchboardAirports
import SwitchboardBadges
public import SwitchboardContacts
public import SwitchboardIncrementalIndex
public import SwitchboardJSON
public import SwitchboardKeypad
public import SwitchboardPeopleSearch
public import SwitchboardProspects
public import SwitchboardSearchableIndex
public import SwitchboardStorage

/// The response to a search.
public struct SearchResponse: Sendable {
    /// The search text or keypad digits.
    public var input: SearchInput
    /// `true` if no later stage can add results.
    public var isFinal: Bool
    /// The duration of the search alone, excluding opening the index, parsing the query and printing.
    public var elapsed: Duration
    /// The results, best first.
    public var results: [SearchResult]
    /// The number of results for each value of the attributes for which it was asked.
    public var facets: [ItemFacet] = []
    /// The total number of results, if the search had to find them all; nil if unknown.
    package var total: Int?

    /// Creates a response.
    public init(_ input: SearchInput, isFinal: Bool = true, elapsed: Duration, results: [SearchResult]) {
        self.input = input
        self.isFinal = isFinal
        self.elapsed = elapsed
        self.results = results
    }

    /// The text or digits as typed.
    public var query: String { input.text }

    /// The duration in microseconds, to one decimal.
    public var elapsedMicroseconds: Double {
        let (seconds, attoseconds) = elapsed.components
        return (Double(seconds) * 1e7 + Double(attoseconds) / 1e11).rounded() / 10
    }
}

extension SearchResponse: JSONObjectEncodable {
    /// Encodes `{"query", "final", "elapsedMicroseconds", "results"}`.
    public func encode(to members: inout JSONMembers) throws { try encode(to: &members, isTimed: true) }

    /// - Parameter isTimed: `false` to leave the duration out, so that equal responses have equal texts.
    package func encode(to members: inout JSONMembers, isTimed: Bool) throws {
        try members.add("query", query)
        try members.add("final", isFinal)
        if isTimed { try members.add("elapsedMicroseconds", elapsedMicroseconds) }
        try members.add("results", results)
        if !facets.isEmpty { try members.add("facets", facets) }
    }
}

extension ItemFacet: JSONObjectEncodable {
    /// Encodes `{"attribute", "values": [{"value", "count"}], "others"}`.
    public func encode(to members: inout JSONMembers) throws {
        try members.add("attribute", attribute)
        try members.add("values", values)
        try members.add("others", others)
    }
}

extension ItemFacet.Value: JSONObjectEncodable {
    /// Encodes `{"value", "count"}`.
    public func encode(to members: inout JSONMembers) throws {
        try members.add("value", value)
        try members.add("count", count)
    }
}

/// The kind of a search result.
///
/// The order of the cases is the order of equally good results.
public enum ResultKind: String, Sendable, CaseIterable, Codable {
    /// A contact of the address book.
    case contact
    /// A prospect: a person whose badge was scanned.
    case prospect
    /// An airport, or a city with its airports.
    case airport
    /// An item that an app has added to the index.
    case item
}

/// A row of a search response or list: the object under its kind, and how it matches.
public struct SearchResult: Sendable {
    /// The object of a result.
    public enum Object: Sendable {
        /// A contact.
        case contact(Contact)
        /// A prospect.
        case prospect(Prospect)
        /// An airport or city; for a city, also its airports, most used first.
        case airport(Airport, airports: [Airport])
        /// An item, and the name of its index; nil for the default index.
        case item(StoredItem, index: String?)
    }

    /// The identifier of the object.
    public var id: String
    /// The title.
    public var title: String
    /// The subtitle; may be empty.
    public var subtitle: String
    /// The kind of match; nil in lists.
    public var match: ResultMatch?
    /// `true` for an airport name that few people type (``AirportHit/isWeak``), and for a contact that matches only by
    /// its details, such as its city or job title.
    var isWeakField = false
    /// The number of edits of a typo; a wrong first letter adds a half.
    var edits = 0.0
    /// The evidence of the match and its weights; nil for airports and in lists.
    var weighed: WeighedMatch?
    /// The same for airports.
    var airportLikelihood: AirportLikelihood?
    /// The reasons for the match and the rank, strongest first; empty unless returned by
    /// ``SearchResponse/explained()``.
    public internal(set) var evidence: [String] = []
    /// The weight of the object's choices for the query; nil if never chosen. See `SearchChoices/Preference/weight`.
    var choiceWeight: Double?
    /// The stage that found an airport; nil for other kinds.
    public var stage: Int?
    /// The ranges to highlight, in Unicode scalars, sorted and disjoint, keyed by field of the object, `title` or
    /// `subtitle`.
    public var highlights: [String: [Range<Int>]]
    /// The object of a result, or the stored part of it in the index.
    private enum Content {
        indirect case object(Object)
        case storedContact(StoredContact)
    }

    private var content: Content

    /// The object of a result.
    public var object: Object {
        get {
            switch content {
            case .object(let object): object
            case .storedContact(let stored): .contact(stored.contact)
            }
        }
        set { content = .object(newValue) }
    }

    /// The position of the number of a contact that matched; nil if something else matched.
    private var numberPosition: Int?

    /// The number to show for a person: the one that matched or, if something else matched, the preferred or first one;
    /// empty for a person without a number, nil for other kinds.
    public var number: String? {
        if case .object(.prospect(let prospect)) = content { return prospect.phone }
        return kind == .contact ? phoneNumber?.text ?? "" : nil
    }

    /// ``number`` as it is dialed: in its E.164 form, if it has one.
    public var dialedNumber: String? { phoneNumber?.e164 ?? number }

    /// The `tel:` URI that dials ``number``; nil if there is nothing to dial.
    public var numberURI: String? {
        if case .object(.prospect(let prospect)) = content { return prospect.phoneURI }
        return phoneNumber?.uri
    }

    private var phoneNumber: PhoneNumber? {
        switch content {
        case .storedContact(let stored): stored.number(numberPosition)
        case .object(.contact(let contact)): contact.phone(at: numberPosition)?.number
        case .object: nil
        }
    }

    /// Creates a result.
    public init(
        id: String, title: String, subtitle: String, match: ResultMatch? = nil, stage: Int? = nil,
        highlights: [String: [Range<Int>]] = [:], object: Object
    ) {
        self.id = id
        self.title = title
        self.subtitle = subtitle
        self.match = match
        self.stage = stage
        self.highlights = highlights
        content = .object(object)
    }

    /// `true` for a match that users rarely intend: a typo, the inside of a word, a place nearby, an uncommon name of
    /// an airport, or a detail of a contact that describes many people.
    public var isWeak: Bool { isWeakField || match?.isWeak ?? false }

    /// The kind of the object.
    public var kind: ResultKind {
        switch content {
        case .storedContact, .object(.contact): .contact
        case .object(.prospect): .prospect
        case .object(.airport): .airport
        case .object(.item): .item
        }
    }

    /// True for a favorite contact or a contacted prospect.
    public var isFlagged: Bool {
        switch content {
        case .storedContact(let stored): stored.isFavourite
        case .object(.contact(let contact)): contact.isFavourite
        case .object(.prospect(let prospect)): prospect.isContacted
        case .object: false
        }
    }

    /// Creates the row for a contact stored in the index.
    private init(_ stored: StoredContact, number position: Int?) {
        id = stored.id
        title = stored.displayName
        subtitle = stored.firstDetail(number: position)
        highlights = [:]
        content = .storedContact(stored)
        numberPosition = position
    }
}

extension SearchResult {
    /// Creates the row for a contact.
    public init(_ contact: Contact) { self.init(contact, number: nil) }

    /// Creates the row for a contact whose birthday was typed.
    init(bornOnTypedDay contact: Contact) {
        self.init(contact)
        match = .exact
        highlights = [ContactTextField.birthday.key: [0..<contact.birthday.unicodeScalars.count]]
    }

    /// `true` for a person whose birthday matched.
    var isBornOnTypedDay: Bool { highlights[ContactTextField.birthday.key] != nil }

    private init(_ contact: Contact, number position: Int?) {
        let number = contact.phone(at: position)?.number.text ?? ""
        self.init(
            id: contact.id, name: contact.displayName,
            [contact.organization, number, contact.emails.first?.address ?? ""], .contact(contact))
        numberPosition = position
    }

    /// Creates the row for a search hit.
    public init(_ hit: PersonHit<Contact>) {
        if let stored = hit.stored as? StoredContact {
            self.init(stored, number: hit.numberPosition)
        } else {
            self.init(hit.person, number: hit.numberPosition)
        }
        match = hit.match
        edits = hit.edits
        highlights = hit.highlights
        weighed = hit.weighed
        isWeakField = !highlights.isEmpty && highlights.keys.allSatisfy(Contact.isSecondaryField)
    }

    /// Creates the row for a prospect.
    public init(_ prospect: Prospect) {
        self.init(
            id: prospect.id, name: prospect.displayName,
            [prospect.email, prospect.phone, prospect.organization, prospect.met], .prospect(prospect))
    }

    /// Creates the row for a person. The subtitle is the first detail other than the name.
    private init(id: String, name: String, _ details: [String], _ person: Object) {
        self.init(id: id, title: name, subtitle: details.first { !$0.isEmpty && $0 != name } ?? "", object: person)
    }

    /// Creates the row for a search hit.
    public init(_ hit: PersonHit<Prospect>) {
        self.init(hit.person)
        match = hit.match
        edits = hit.edits
        weighed = hit.weighed
        highlights = hit.highlights
    }

    /// Creates the row for a search hit.
    public init(_ hit: AirportHit) {
        self.init(
            id: hit.airport.code, title: hit.title, subtitle: hit.subtitle, match: hit.match, stage: hit.stage,
            highlights: hit.highlights,
            object: .airport(hit.airport.withRoundDistance, airports: hit.airports.map(\.withRoundDistance)))
        edits = hit.edits
        isWeakField = hit.isWeak
        airportLikelihood = hit.likelihood
    }

    /// Creates the row for an airport or city in a list.
    ///
    /// - Parameters:
    ///   - airport: The airport or city.
    ///   - airports: The airports of a city.
    ///   - match: The kind of match, if any.
    ///   - catalogue: The catalog with the names of countries.
    ///   - language: The language of the title.
    public init(
        _ airport: Airport, airports: [Airport] = [], match: ResultMatch? = nil, catalogue: Catalogue, language: String
    ) {
        let country = catalogue.country(code: airport.country)?.title(in: language) ?? airport.country
        let title = airport.title(in: language)
        let city = airport.cityTitle(in: language)
        self.init(
            id: airport.code, title: title,
            subtitle: airport.isCity || city.isEmpty ? country : "\(city), \(country)", match: match,
            object: .airport(airport.withRoundDistance, airports: airports))
    }
}

extension Contact {
    /// Returns the number at a position, or else the preferred or first one.
    fileprivate func phone(at position: Int?) -> Phone? {
        if let position, phones.indices.contains(position) { return phones[position] }
        return preferredPhone
    }
}

extension Airport {
    /// The airport with its distance rounded to meters.
    var withRoundDistance: Airport {
        var airport = self
        airport.distance = distance.map { ($0 * 1_000).rounded() / 1_000 }
        return airport
    }
}

extension SearchResult: JSONObjectEncodable {
    /// Encodes the row; `number` for a person, and `match`, `stage` and `evidence` only if present.
    public func encode(to members: inout JSONMembers) throws {
        try members.add("kind", kind.rawValue)
        try members.add("id", id)
        try members.add("title", title)
        try members.add("subtitle", subtitle)
        if let number { try members.add("number", number) }
        if let match { try members.add("match", match.rawValue) }
        if let stage { try members.add("stage", stage) }
        try members.add("highlights", Highlights(ranges: highlights))
        try members.addUnlessEmpty("evidence", evidence)
        switch content {
        case .storedContact(let stored): try members.add("contact", stored)
        case .object(.contact(let contact)): try members.add("contact", contact)
        case .object(.prospect(let prospect)): try members.add("prospect", prospect)
        case .object(.airport(let airport, let airports)):
            try members.add("airport", airport)
            if airport.isCity { try members.add("airports", airports) }
        case .object(.item(let item, let index)):
            try members.add("item", item)
            if let index { try members.add("index", index) }
        }
    }
}

/// Highlights encoded as `{"title": [[start, length]]}`, with the fields in alphabetical order.
private struct Highlights: JSONObjectEncodable {
    let ranges: [String: [Range<Int>]]

    func encode(to members: inout JSONMembers) throws {
        // In JSON, `title` is the title of the row, not the job title of a contact.
        for (field, ranges) in ranges.sorted(by: { $0.key < $1.key }) where field != "jobTitle" {
            try members.addUnlessEmpty(field, ranges)
        }
    }
}

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

extension SearchResponse {
    /// Returns the response with the ``SearchResult/evidence`` of each result.
    public func explained() -> SearchResponse {
        var response = self
        for index in response.results.indices {
            response.results[index].evidence = response.results[index].reasons
        }
        return response
    }
}

extension SearchResult {
    /// The reasons for the match and the rank, strongest first.
    fileprivate var reasons: [String] {
        var reasons: [String] = []
        if let choiceWeight {
            reasons.append("chosen for such queries, weight \((choiceWeight * 100).rounded() / 100)")
        }
        if let match { reasons.append(description(of: match)) }
        if !highlights.isEmpty { reasons.append("in \(highlights.keys.sorted().joined(separator: ", "))") }
        if let ranges = highlights["name"] ?? highlights["title"] {
            let letters = ranges.reduce(0) { $0 + $1.count }
            reasons.append("\(letters) of \(title.unicodeScalars.count) letters")
        }
        if isWeak { reasons.append("weak") }
        if let summands = weighed?.summands ?? airportLikelihood?.summands { reasons.append(summands.description) }
        if let stage { reasons.append("stage \(stage)") }
        switch object {
        case .contact(let contact):
            if contact.isFavourite { reasons.append("favourite") }
            if contact.callCount > 0 { reasons.append("called \(contact.callCount)×") }
        case .prospect(let prospect): if prospect.isContacted { reasons.append("contacted") }
        case .airport(let airport, _):
            if let distance = airport.distance { reasons.append("\(Int(distance.rounded())) km") }
        case .item(let item, _): if item.useCount > 0 { reasons.append("opened \(item.useCount)×") }
        }
        return reasons
    }

    private func description(of match: ResultMatch) -> String {
        switch match {
        case .exact: "the whole text"
        case .prefix: "a beginning"
        case .initials: "beginnings of words"
        case .words: "words in any order"
        case .infix: "inside a word"
        case .typo where edits == 0: "similar"
        case .typo:
            // A wrong first letter counts as half an edit.
            "\(Int(edits)) \(edits < 2 ? "edit" : "edits")\(edits == edits.rounded() ? "" : ", also the first letter")"
        case .layout: "another keyboard layout"
        case .code: "a code"
        case .nearby: "near a match"
        }
    }
}
