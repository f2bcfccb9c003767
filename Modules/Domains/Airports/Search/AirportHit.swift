public import SwitchboardSearchEngine

/// A row that a search for airports found: an airport, or a city with its airports.
public struct AirportHit: Sendable {
    /// The airport, or the city's row (`isCity`).
    public var airport: Airport
    /// The airports of a city's row, the most used first; empty for an airport.
    public var airports: [Airport]
    /// What is shown first, for example "Frankfurt am Main".
    public var title: String
    /// What is shown below, for example "Frankfurt, Germany".
    public var subtitle: String
    /// How it matches.
    public var match: ResultMatch
    /// The stage that found it: 1, 2 or 3.
    public var stage: Int
    /// The ranges to highlight in `title` and `subtitle`, in Unicode scalars, sorted and apart.
    public var highlights: [String: [Range<Int>]]

    /// A hit; see the properties.
    public init(
        airport: Airport, airports: [Airport] = [], title: String, subtitle: String, match: ResultMatch, stage: Int,
        highlights: [String: [Range<Int>]]
    ) {
        self.airport = airport
        self.airports = airports
        self.title = title
        self.subtitle = subtitle
        self.match = match
        self.stage = stage
        self.highlights = highlights
    }
}

/// What a search for airports answers.
public struct AirportResults: Sendable {
    /// The rows, best first.
    public var hits: [AirportHit]
    /// Whether no later stage can add rows.
    public var isFinal: Bool

    /// An answer; see the properties.
    public init(hits: [AirportHit], isFinal: Bool) {
        self.hits = hits
        self.isFinal = isFinal
    }
}
