public import GRDB
public import SwitchboardKeypad
public import SwitchboardSearchEngine
public import SwitchboardStorage

/// The people in a database that a ``PersonSearch`` finds.
///
/// The source builds the index with the options of ``PersonField`` and `IndexBuilder.add(_:)` for ``PersonTexts``.
public protocol PersonSource<Person>: IndexSource {
    /// A person as a search returns it.
    associatedtype Person: Sendable

    /// The database.
    var storage: Storage { get }

    /// Returns people by key. Those that no longer exist are missing.
    func people(_ keys: [Int64], in db: Database) throws -> [Int64: Person]

    /// Returns the texts of people by key, for highlighting.
    func texts(of people: [Int64: Person], in db: Database) throws -> [Int64: PersonTexts]

    /// Returns a person from the bytes that the index stores with it, or nil if it must be read from the database.
    func stored(_ bytes: [UInt8]) throws -> (person: Person, texts: PersonTexts)?

    /// Returns the number at a position as it is displayed, after moving it to the place where results show it.
    func showNumber(at position: Int, of person: inout Person) -> ShownNumber
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
    ///   - extensionDigits: The number of digits at the end of the text that belong to an extension.
    public init(key: String, text: String, extensionDigits: Int = 0) {
        self.key = key
        self.text = text
        self.extensionDigits = extensionDigits
    }
}

/// A person found by a search, with its match.
public struct PersonHit<Person: Sendable>: Sendable {
    /// The person. The matched number is the first of its numbers.
    public var person: Person
    /// The kind of match.
    public var match: ResultMatch
    /// The number of edits of a typo or other spelling; a wrong first letter adds a half.
    public var edits = 0.0
    /// The ranges to highlight, in Unicode scalars, sorted and disjoint, by field of the person, such as `name`,
    /// `organization`, `emails.0` and `note`.
    public var highlights: [String: [Range<Int>]] = [:]
}

/// A search for people by text and by keypad.
///
/// For example:
///
/// ```swift
/// let search = ContactSearch(book: book)
/// let hits = try search.search(SearchInput(keys: "5646")).hits  // Jogo
/// let more = try search.search("gonzales").hits  // González, although misspelt
/// ```
///
/// Matching and ranking are described in `docs/matching.md`. A search sees one snapshot of the database, including the
/// changes of other processes. It can be used from several threads at the same time. Methods throw `StorageError`.
public final class PersonSearch<Person: Sendable>: Sendable {
    private let index: any PersonIndex<Person>

    /// Creates a search. Nothing is read before the first query.
    ///
    /// - Parameters:
    ///   - rebuildsInBackground: `true` if the index may be rebuilt on another thread after many changes. A short-lived
    ///     program calls ``compact()`` instead.
    ///   - mergePolicy: The limits for segments and rebuilds of the index.
    public init(
        of source: some PersonSource<Person>, rebuildsInBackground: Bool = true,
        mergePolicy: MergePolicy = MergePolicy()
    ) {
        index = SourceIndex(source, rebuildsInBackground: rebuildsInBackground, mergePolicy: mergePolicy)
    }

    /// Returns the best matches; an empty input returns everyone, in the order of equal matches.
    ///
    /// - Parameters:
    ///   - input: The typed text, in any script and possibly with typos, or the digits of a keypad.
    ///   - limit: The maximum number of hits; 0 for all.
    ///   - isCancelled: Called repeatedly; the search ends with `CancellationError` when it returns `true`.
    public func search(
        _ input: SearchInput, limit: Int = 10, isCancelled: (@Sendable () -> Bool)? = nil
    ) throws -> SearchResults<PersonHit<Person>> {
        try index.search(input, limit: limit, isCancelled: isCancelled)
    }

    /// Returns the best matches without blocking the caller's actor; cancelling the task cancels the search.
    public func search(_ input: SearchInput, limit: Int = 10) async throws -> SearchResults<PersonHit<Person>> {
        try await runCancellable { try self.search(input, limit: limit, isCancelled: $0) }
    }

    /// Opens or builds the index, so that the first query is as fast as later ones.
    public func warmUp() throws { try index.warmUp() }

    /// Rebuilds the index if many people have changed; otherwise cheap.
    public func compact() throws { try index.compact() }
}

/// An index of people whose source is not part of its type.
private protocol PersonIndex<Person>: Sendable {
    associatedtype Person: Sendable

    func search(
        _ input: SearchInput, limit: Int, isCancelled: (@Sendable () -> Bool)?
    ) throws -> SearchResults<PersonHit<Person>>
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
        _ input: SearchInput, limit: Int, isCancelled: (@Sendable () -> Bool)?
    ) throws -> SearchResults<PersonHit<Source.Person>> {
        try source.storage.read { db in
            let found = try index.search(in: db, limit: limit) {
                PersonQueryPlan(input).request(isCancelled: isCancelled)
            }
            var hits: [PersonHit<Source.Person>?] = []
            hits.reserveCapacity(found.hits.count)
            for (hit, stored) in zip(found.hits, found.stored) {
                if let (person, texts) = try source.stored(stored) {
                    hits.append(self.hit(hit, person, texts))
                } else {
                    hits.append(nil)
                }
            }
            let missing = hits.indices.filter { hits[$0] == nil }
            if !missing.isEmpty {
                let people = try source.people(missing.map { found.hits[$0].id }, in: db)
                let texts = try source.texts(of: people, in: db)
                for position in missing {
                    let hit = found.hits[position]
                    hits[position] = people[hit.id].map { self.hit(hit, $0, texts[hit.id]) }
                }
            }
            return SearchResults(hits: hits.compactMap { $0 }, searchTime: found.time)
        }
    }

    private func hit(
        _ hit: SearchHit, _ person: consuming Source.Person, _ texts: PersonTexts?
    ) -> PersonHit<Source.Person> {
        guard !hit.matches.isEmpty, let texts else {
            return PersonHit(person: person, match: ResultMatch(hit.kind), edits: hit.edits)
        }
        var ranges: [String: [Range<Int>]] = [:]
        var shown: (position: Int, number: ShownNumber)?
        for location in MatchLocation.locations(of: hit, in: texts) {
            switch location {
            case .number(let position, let format, let letters):
                // Only the matches of the first matching number are highlighted.
                let (shownPosition, number) = shown ?? (position, source.showNumber(at: position, of: &person))
                shown = (shownPosition, number)
                guard shownPosition == position else { continue }
                ranges[number.key, default: []] += HighlightRanges.ofNumber(
                    letters, of: texts.numbers[position][format], in: number.text,
                    extensionDigits: number.extensionDigits)
            case .text(let position, let range): ranges[texts.keys[position], default: []].append(range)
            }
        }
        return PersonHit(
            person: person, match: ResultMatch(hit.kind), edits: hit.edits,
            highlights: ranges.mapValues(HighlightRanges.merged))
    }
}
