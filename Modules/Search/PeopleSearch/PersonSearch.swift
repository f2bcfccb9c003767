public import GRDB
public import SwitchboardIncrementalIndex
public import SwitchboardKeypad
import SwitchboardSearchEngine
public import SwitchboardStorage

/// The people in a database that a ``PersonSearch`` finds.
///
/// The source builds the index with the options of ``PersonField`` and `IndexBuilder.add(_:)` for ``PersonTexts``.
public protocol PersonSource<Person>: IndexSource {
    /// A person as a search returns it.
    associatedtype Person: Sendable

    /// The database that contains the people.
    var storage: Storage { get }

    /// Returns people by key, without those that no longer exist.
    func people(_ keys: [Int64], in db: Database) throws -> [Int64: Person]

    /// Returns the texts of people by key, for highlighting.
    func texts(of people: [Int64: Person], in db: Database) throws -> [Int64: PersonTexts]

    /// Returns a person from the bytes that the index stores with it, or nil if it must be read from the database.
    func stored(_ bytes: [UInt8]) -> (any StoredPerson)?

    /// Returns the person that the index stores.
    static func person(of stored: any StoredPerson) -> Person

    /// Returns the number of a person at a position as it is displayed.
    func number(at position: Int, of person: Person) -> ShownNumber

    /// Returns the text of a person with a key in highlights as it is displayed, and other notations of a number.
    func shownTexts(_ key: String, of person: Person) -> [String]
}

/// A person as an index stores it, decoded when needed.
public protocol StoredPerson: AnyObject, Sendable {
    /// Returns the texts of the person for highlighting. The texts after the names may be missing without
    /// `includingDetails`.
    func texts(includingDetails: Bool) -> PersonTexts

    /// Returns the number at a position as it is displayed.
    func number(at position: Int) -> ShownNumber

    /// Returns the text with a key in highlights as it is displayed, and other notations of a number.
    func shownTexts(_ key: String) -> [String]
}

/// A displayed phone number.
public struct ShownNumber: Sendable {
    let key: String
    let text: String
    let extensionDigits: Int

    /// Creates a displayed number.
    ///
    /// - Parameters:
    ///   - key: The key of the number in highlights.
    ///   - text: The number as it is displayed.
    ///   - extensionDigits: The number of digits at the end of the text that belong to an extension.
    public init(key: String, text: String, extensionDigits: Int = 0) {
        self.key = key
        self.text = text
        self.extensionDigits = extensionDigits
    }
}

extension HighlightRanges {
    /// Returns the range of a displayed number from the first to the last digit that matched, in Unicode scalars. The
    /// range includes separators such as spaces and dashes, which queries ignore.
    ///
    /// A format of a number and the displayed text share their last digits, so both are counted from the end. Digits
    /// that are not displayed, such as a country code, are not highlighted.
    ///
    /// - Parameters:
    ///   - letters: The matched letters of the format.
    ///   - number: The format that matched.
    ///   - text: The number as it is displayed.
    ///   - extensionDigits: The number of digits at the end of the text that the format does not contain.
    public static func ofNumber(
        _ letters: Range<Int>, of number: String, in text: String, extensionDigits: Int = 0
    ) -> [Range<Int>] {
        var digits: [Int] = []
        for (position, scalar) in text.unicodeScalars.enumerated()
        where scalar.properties.numericType == .decimal || (scalar == "+" && digits.isEmpty) {
            digits.append(position)
        }
        // A format may include the extension.
        let scalars = Array(text.unicodeScalars)
        let shownEnd = digits.suffix(extensionDigits + 1).compactMap {
            scalars[$0].properties.numericValue.map(Int.init)
        }
        let formatEnd = number.suffix(extensionDigits + 1).compactMap(\.wholeNumberValue)
        if shownEnd != formatEnd { digits.removeLast(min(digits.count, extensionDigits)) }
        let offset = digits.count - number.utf16.count
        let shown = letters.map { $0 + offset }.filter { digits.indices.contains($0) }
        guard let first = shown.first, let last = shown.last else { return [] }
        return [digits[first]..<(digits[last] + 1)]
    }
}

/// A person found by a search, with its match.
public struct PersonHit<Person: Sendable>: SpelledHit {
    private enum Content {
        indirect case person(Person)
        case stored(any StoredPerson, person: @Sendable (any StoredPerson) -> Person)
    }

    private var content: Content

    /// The person.
    public var person: Person {
        get {
            switch content {
            case .person(let person): person
            case .stored(let stored, let person): person(stored)
            }
        }
        set { content = .person(newValue) }
    }

    /// The person as the index stores it; nil if it was read from the database.
    package var stored: (any StoredPerson)? { if case .stored(let stored, _) = content { stored } else { nil } }

    /// The kind of match.
    public var match: ResultMatch
    /// The number of edits of a typo or other spelling; a wrong first letter adds a half.
    public var edits = 0.0
    /// The ranges to highlight, in Unicode scalars, sorted and disjoint, by field of the person, such as `name`,
    /// `organization`, `phones.0`, `emails.0` and `note`.
    public var highlights: [String: [Range<Int>]] = [:]
    /// The position of the number that matched; nil if something else matched.
    public var numberPosition: Int?
    /// The evidence of the match; nil if it was not weighed.
    public private(set) var weighed: WeighedMatch?

    fileprivate init(_ person: Person, _ hit: HighlightedHit) {
        self.init(hit, .person(person))
    }

    fileprivate init(_ hit: StoredHit, person: @escaping @Sendable (any StoredPerson) -> Person) {
        self.init(hit.hit, .stored(hit.person, person: person))
    }

    private init(_ hit: HighlightedHit, _ content: Content) {
        self.content = content
        (match, edits, highlights, numberPosition) = (hit.match, hit.edits, hit.highlights, hit.numberPosition)
        weighed = hit.weighed
    }
}

extension PersonHit: Identifiable where Person: Identifiable {
    /// The identifier of the person.
    public var id: Person.ID { person.id }
}

extension PersonHit: Equatable where Person: Equatable {
    /// Returns `true` if person and match are the same.
    public static func == (one: PersonHit, other: PersonHit) -> Bool {
        one.person == other.person && one.match == other.match && one.edits == other.edits
            && one.highlights == other.highlights && one.numberPosition == other.numberPosition
            && one.weighed == other.weighed
    }
}

extension PersonHit: Hashable where Person: Hashable {
    /// Hashes the person and the highlights.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(person)
        hasher.combine(highlights)
    }
}

/// The match of a person, with its highlights.
private struct HighlightedHit {
    let match: ResultMatch
    let edits: Double
    let highlights: [String: [Range<Int>]]
    /// Only the matches of the first matching number are highlighted.
    private(set) var numberPosition: Int?
    let weighed: WeighedMatch?

    init(_ hit: SearchHit, in texts: PersonTexts?, number: (Int) -> ShownNumber) {
        match = ResultMatch(hit.kind)
        edits = hit.edits
        weighed = WeighedMatch(hit)
        guard let texts, !hit.matches.isEmpty else {
            highlights = [:]
            return
        }
        // Most hits match in one field.
        var fields: [(key: String, ranges: [Range<Int>])] = []
        func add(_ ranges: [Range<Int>], to key: String) {
            if let position = fields.firstIndex(where: { $0.key == key }) {
                fields[position].ranges += ranges
            } else {
                fields.append((key, ranges))
            }
        }
        for location in MatchLocation.locations(of: hit, in: texts) {
            switch location {
            case .number(let position, let format, let letters):
                if numberPosition == nil { numberPosition = position }
                guard numberPosition == position else { continue }
                let number = number(position)
                let ranges = HighlightRanges.ofNumber(
                    letters, of: texts.numbers[position][format], in: number.text,
                    extensionDigits: number.extensionDigits)
                add(ranges, to: number.key)
            case .text(let position, let range): add([range], to: texts.key(of: position))
            }
        }
        var highlights: [String: [Range<Int>]] = [:]
        for field in fields { highlights[field.key] = HighlightRanges.merged(field.ranges) }
        self.highlights = highlights
    }
}

/// The match of a person that the index stores.
private struct StoredHit {
    let person: any StoredPerson
    let hit: HighlightedHit

    init(_ hit: SearchHit, _ stored: any StoredPerson) {
        person = stored
        let hasDetails = hit.matches.contains { $0.field == PersonField.details.rawValue }
        let texts = hit.matches.isEmpty ? nil : stored.texts(includingDetails: hasDetails)
        self.hit = HighlightedHit(hit, in: texts, number: stored.number)
    }
}

/// A search for people by text and by keypad.
///
/// For example:
///
/// ```swift
/// let search = ContactSearch(book: book)
/// let hits = try search.search(SearchInput(keys: "5646")).hits  // Jogo
/// let more = try search.search("gonzales").hits  // González, although misspelled
/// ```
///
/// Matching and ranking are described in `docs/matching.md`. A search sees one snapshot of the database, including the
/// changes of other processes. It can be used from several threads at the same time. Methods throw `StorageError`.
public final class PersonSearch<Person: Sendable>: Sendable {
    private let index: any PersonIndex<Person>

    /// Creates a search. Nothing is read before the first query.
    ///
    /// - Parameters:
    ///   - source: The people.
    ///   - rebuildsInBackground: `true` if the index may be rebuilt on another thread after many changes. A short-lived
    ///     program calls ``compact()`` instead.
    ///   - mergePolicy: The limits for segments and rebuilds of the index.
    public init(
        of source: some PersonSource<Person>, rebuildsInBackground: Bool = true,
        mergePolicy: MergePolicy = MergePolicy()
    ) {
        index = SourceIndex(source, rebuildsInBackground: rebuildsInBackground, mergePolicy: mergePolicy)
    }

    /// Returns the best matches. An empty input returns everyone, in the order of equal matches.
    ///
    /// - Parameters:
    ///   - input: The typed text, in any script and possibly with typos, or the digits of a keypad.
    ///   - limit: The maximum number of hits; 0 for all.
    ///   - isCancelled: Called repeatedly; the search ends with `CancellationError` when it returns `true`.
    public func search(
        _ input: SearchInput, limit: Int = 10, isCancelled: (@Sendable () -> Bool)? = nil
    ) throws -> SearchResults<PersonHit<Person>> {
        try index.search(input, limit: limit, among: nil, isCancelled: isCancelled)
    }

    /// Returns the best matches among some people.
    ///
    /// - Parameter keys: Returns the keys of the people.
    package func search(
        _ input: SearchInput, limit: Int, among keys: ((Database) throws -> [Int64])?,
        isCancelled: (@Sendable () -> Bool)?
    ) throws -> SearchResults<PersonHit<Person>> {
        try index.search(input, limit: limit, among: keys, isCancelled: isCancelled)
    }

    /// Returns the number of all matches among some people.
    package func count(
        _ input: SearchInput, among keys: (Database) throws -> [Int64], isCancelled: (@Sendable () -> Bool)?
    ) throws -> Int {
        try index.count(input, among: keys, isCancelled: isCancelled)
    }

    /// Returns the best matches without blocking the caller's actor; canceling the task cancels the search.
    public func search(_ input: SearchInput, limit: Int = 10) async throws -> SearchResults<PersonHit<Person>> {
        try await runCancellable { try self.search(input, limit: limit, isCancelled: $0) }
    }

    /// Opens or builds the index, so that the first query is as fast as later ones.
    public func warmUp() throws { try index.warmUp() }

    /// Rebuilds the index if many people have changed; otherwise cheap.
    public func compact() throws { try index.compact() }
}

/// A type-erased index of people, independent of its source.
private protocol PersonIndex<Person>: Sendable {
    associatedtype Person: Sendable

    func search(
        _ input: SearchInput, limit: Int, among keys: ((Database) throws -> [Int64])?,
        isCancelled: (@Sendable () -> Bool)?
    ) throws -> SearchResults<PersonHit<Person>>
    func count(
        _ input: SearchInput, among keys: (Database) throws -> [Int64], isCancelled: (@Sendable () -> Bool)?
    ) throws -> Int
    func warmUp() throws
    func compact() throws
}

private struct SourceIndex<Source: PersonSource>: PersonIndex {
    private let source: Source
    private let index: IncrementalIndex<Source>

    init(_ source: Source, rebuildsInBackground: Bool, mergePolicy: MergePolicy) {
        self.source = source
        index = IncrementalIndex(
            of: source, in: source.storage, rebuildsInBackground: rebuildsInBackground, mergePolicy: mergePolicy)
    }

    func warmUp() throws { try source.storage.read { db in try index.warmUp(in: db) } }

    func compact() throws { try index.compact() }

    func search(
        _ input: SearchInput, limit: Int, among keys: ((Database) throws -> [Int64])?,
        isCancelled: (@Sendable () -> Bool)?
    ) throws -> SearchResults<PersonHit<Source.Person>> {
        try TypedSpelling.preferring(
            input, limit: limit,
            texts: { key, hit in hit.stored?.shownTexts(key) ?? source.shownTexts(key, of: hit.person) }
        ) { limit, tier in
            let (results, documents) = try search(
                PersonQueryPlan(input), limit: limit, among: keys, through: tier, isCancelled)
            return (results, chosen: 0, documents)
        }
    }

    func count(
        _ input: SearchInput, among keys: (Database) throws -> [Int64], isCancelled: (@Sendable () -> Bool)?
    ) throws -> Int {
        let plan = PersonQueryPlan(input)
        return try source.storage.read { db in
            try index.count(in: db, among: keys(db)) { plan.requests(isCancelled: isCancelled) }
        }
    }

    private func search(
        _ plan: PersonQueryPlan, limit: Int, among keys: ((Database) throws -> [Int64])?, through tier: Int?,
        _ isCancelled: (@Sendable () -> Bool)?
    ) throws -> (SearchResults<PersonHit<Source.Person>>, documents: [SearchHit]) {
        let requests = { plan.requests(isCancelled: isCancelled).map { $0.ending(withGroupOf: tier) } }
        if keys == nil, let found = try index.searchInMemory(limit: limit, stages: requests) {
            let hits = storedHits(found)
            if !hits.contains(where: { $0 == nil }) { return (results(found, hits), found.hits) }
            let complete = try source.storage.read { db in
                try source.changes.generation(in: db) == found.generation ? results(found, hits, in: db) : nil
            }
            if let complete { return (complete, found.hits) }
        }
        return try source.storage.read { db in
            let found = try index.search(in: db, limit: limit, among: keys?(db), stages: requests)
            return (try results(found, storedHits(found), in: db), found.hits)
        }
    }

    private typealias Hit = PersonHit<Source.Person>

    /// Returns a hit for each found person that the index stores, and nil for each of the others.
    private func storedHits(_ found: FoundDocuments) -> [StoredHit?] {
        var hits: [StoredHit?] = []
        hits.reserveCapacity(found.hits.count)
        for (hit, bytes) in zip(found.hits, found.stored) {
            hits.append(source.stored(bytes).map { StoredHit(hit, $0) })
        }
        return hits
    }

    /// Returns the results. People that the index does not store are read from the database.
    private func results(_ found: FoundDocuments, _ hits: [StoredHit?], in db: Database) throws -> SearchResults<Hit> {
        let missing = hits.indices.filter { hits[$0] == nil }
        if missing.isEmpty { return results(found, hits) }
        let people = try source.people(missing.map { found.hits[$0].id }, in: db)
        let texts = try source.texts(of: people, in: db)
        var results = SearchResults<Hit>(hits: [], searchTime: found.time)
        for (hit, stored) in zip(found.hits, hits) {
            if let stored {
                results.hits.append(Hit(stored, person: Source.person))
            } else if let person = people[hit.id] {
                results.hits.append(
                    Hit(person, HighlightedHit(hit, in: texts[hit.id]) { source.number(at: $0, of: person) }))
            }
        }
        return results
    }

    private func results(_ found: FoundDocuments, _ hits: [StoredHit?]) -> SearchResults<Hit> {
        var results = SearchResults<Hit>(hits: [], searchTime: found.time)
        results.hits.reserveCapacity(hits.count)
        for case let hit? in hits { results.hits.append(Hit(hit, person: Source.person)) }
        return results
    }
}
