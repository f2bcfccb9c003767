public import SwitchboardAirports
public import SwitchboardContacts
public import SwitchboardSearchEngine
public import SwitchboardProspects
public import SwitchboardSearchableIndex

/// A row of an answer or list: what it is, how it matches, and the thing itself under its kind.
public struct SearchResult: Sendable {
    /// The thing itself.
    public enum Object: Sendable {
        /// A contact.
        case contact(Contact)
        /// Somebody met.
        case prospect(Prospect)
        /// An airport; for the row of a city also its airports, the most used first.
        case airport(Airport, airports: [Airport])
        /// An item, and the name of its index if it is not the usual one.
        case item(StoredItem, index: String?)
    }

    /// The identifier that every command takes.
    public var id: String
    /// What is shown first.
    public var title: String
    /// What is shown beside or below it; empty if there is nothing to say.
    public var subtitle: String
    /// How it matches; nil in lists that match nothing.
    public var match: ResultMatch?
    /// The stage that found an airport; nil where there are none.
    public var stage: Int?
    /// The ranges to highlight, in Unicode scalars, sorted and apart, by the field of the object, or `title` or `subtitle`.
    public var highlights: [String: [Range<Int>]]
    /// The thing itself.
    public var object: Object

    /// A row; see the properties.
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
        self.object = object
    }

    /// The kind of thing it is.
    public var kind: ResultKind {
        switch object {
        case .contact: .contact
        case .prospect: .prospect
        case .airport: .airport
        case .item: .item
        }
    }
}

// MARK: - Rows of contacts

extension SearchResult {
    /// The row of a contact.
    public init(_ contact: Contact) {
        let ways = [contact.organization, contact.phones.first?.number.text ?? "", contact.emails.first?.address ?? ""]
        self.init(
            id: contact.id, title: contact.displayName,
            subtitle: ways.first { !$0.isEmpty && $0 != contact.displayName } ?? "", object: .contact(contact))
    }

    /// The row of a contact that was found.
    public init(_ hit: ContactHit) {
        self.init(hit.contact)
        match = hit.match
        highlights = hit.highlights
    }
}

// MARK: - Rows of prospects

extension SearchResult {
    /// The row of a prospect.
    public init(_ prospect: Prospect) {
        let ways = [prospect.email, prospect.phone, prospect.organization, prospect.met]
        self.init(
            id: prospect.id, title: prospect.displayName,
            subtitle: ways.first { !$0.isEmpty && $0 != prospect.displayName } ?? "", object: .prospect(prospect))
    }

    /// The row of a prospect that was found.
    public init(_ hit: ProspectHit) {
        self.init(hit.prospect)
        match = hit.match
        highlights = hit.highlights
    }
}

// MARK: - Rows of airports

extension SearchResult {
    /// The row of an airport or city that was found.
    public init(_ hit: AirportHit) {
        self.init(
            id: hit.airport.code, title: hit.title, subtitle: hit.subtitle, match: hit.match, stage: hit.stage,
            highlights: hit.highlights,
            object: .airport(hit.airport.withRoundDistance, airports: hit.airports.map(\.withRoundDistance)))
    }

    /// The row of an airport or city in a list.
    ///
    /// - Parameters:
    ///   - airport: the airport, or the city as a row of the search.
    ///   - airports: of a city, its airports.
    ///   - match: how it matches, where it does.
    ///   - catalogue: what names countries and cities.
    ///   - language: the language of the title.
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

extension Airport {
    /// The same with its distance in whole metres: more of it would be noise.
    var withRoundDistance: Airport {
        var airport = self
        airport.distance = distance.map { ($0 * 1_000).rounded() / 1_000 }
        return airport
    }
}

// MARK: - JSON

extension SearchResult: Encodable {
    private enum CodingKeys: String, CodingKey {
        case kind, id, title, subtitle, match, stage, highlights, contact, prospect, airport, airports, item, index
    }

    /// Writes the row as the contract has it; `match` and `stage` only where there are any.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(kind, forKey: .kind)
        try container.encode(id, forKey: .id)
        try container.encode(title, forKey: .title)
        try container.encode(subtitle, forKey: .subtitle)
        try container.encodeIfPresent(match, forKey: .match)
        try container.encodeIfPresent(stage, forKey: .stage)
        try container.encode(Highlights(ranges: highlights), forKey: .highlights)
        switch object {
        case .contact(let contact): try container.encode(contact, forKey: .contact)
        case .prospect(let prospect): try container.encode(prospect, forKey: .prospect)
        case .airport(let airport, let airports):
            try container.encode(airport, forKey: .airport)
            if airport.isCity { try container.encode(airports, forKey: .airports) }
        case .item(let item, let index):
            try container.encode(item, forKey: .item)
            try container.encodeIfPresent(index, forKey: .index)
        }
    }
}

/// Ranges by field as `{"title": [[start, length]]}`, the fields in alphabetical order.
private struct Highlights: Encodable {
    let ranges: [String: [Range<Int>]]

    private struct Field: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Field.self)
        for (field, ranges) in ranges.sorted(by: { $0.key < $1.key }) where !ranges.isEmpty {
            try container.encode(ranges.map { [$0.lowerBound, $0.count] }, forKey: Field(stringValue: field))
        }
    }
}
