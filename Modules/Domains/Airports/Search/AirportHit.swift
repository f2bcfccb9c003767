public import SwitchboardSearchEngine

/// A search result: an airport, or a city with its airports.
public struct AirportHit: Sendable {
    /// The airport, or the city (`isCity`).
    public var airport: Airport
    /// The airports of a city, most used first; empty for an airport.
    public var airports: [Airport] = []
    /// The title, for example "Frankfurt am Main".
    public var title: String
    /// The subtitle, for example "Frankfurt, Germany".
    public var subtitle: String
    /// The kind of match.
    public var match: ResultMatch
    /// The number of edits of a typo or other spelling; a wrong first letter adds a half.
    public var edits = 0.0
    /// `true` for a match that few users type: initials, or the beginning of an additional name, of a later word of a
    /// name, or of a transliteration.
    public var isWeak = false
    /// The stage that found it: 1, 2 or 3.
    public var stage: Int
    /// The ranges to highlight in `title` and `subtitle`, in Unicode scalars, sorted and disjoint.
    public var highlights: [String: [Range<Int>]]
}
