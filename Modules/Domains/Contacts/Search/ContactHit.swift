public import SwitchboardSearchEngine

/// A contact that a search found, with how and where it matches.
public struct ContactHit: Sendable {
    /// The contact, the number that matched first among its numbers.
    public var contact: Contact
    /// How it matches.
    public var match: ResultMatch
    /// The ranges to highlight, in Unicode scalars, sorted and apart, by the contact's field: `name`, `nickname`,
    /// `phoneticName`, `organization`, `phones.0`, `emails.0`, `note`.
    public var highlights: [String: [Range<Int>]]

    /// A hit; see the properties.
    public init(contact: Contact, match: ResultMatch, highlights: [String: [Range<Int>]]) {
        self.contact = contact
        self.match = match
        self.highlights = highlights
    }
}

/// What a search for contacts answers.
public struct ContactResults: Sendable {
    /// The contacts, best first.
    public var hits: [ContactHit]
    /// How long the search took: folding the query, finding and ordering; without opening the index and without
    /// reading the contacts that were found from the database.
    public var searchTime: Duration
}
