public import SwitchboardSearchEngine

/// A contact found by a search, with its match.
public struct ContactHit: Sendable {
    /// The contact. The matched number is the first of its numbers.
    public var contact: Contact
    /// The kind of match.
    public var match: ResultMatch
    /// The ranges to highlight, in Unicode scalars, sorted and disjoint, by field: `name`, `nickname`,
    /// `phoneticName`, `organization`, `phones.0`, `emails.0`, `note`.
    public var highlights: [String: [Range<Int>]]

    /// Creates a hit.
    public init(contact: Contact, match: ResultMatch, highlights: [String: [Range<Int>]]) {
        self.contact = contact
        self.match = match
        self.highlights = highlights
    }
}

/// The results of a search for contacts.
public struct ContactResults: Sendable {
    /// The contacts, best first.
    public var hits: [ContactHit]
    /// The duration of the search: normalizing the query, matching and ranking, without opening the index or reading
    /// the contacts from the database.
    public var searchTime: Duration
}
