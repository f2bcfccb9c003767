import SwitchboardIncrementalIndex
public import SwitchboardKeypad
import SwitchboardSearchEngine
import SwitchboardStorage

/// A search for contacts by text and by keypad.
///
/// For example:
///
/// ```swift
/// let search = ContactSearch(book: book)
/// let hits = try search.dial(KeypadQuery(parsing: "5646"))  // Jogo
/// let more = try search.find("gonzales")  // González, although misspelt
/// ```
///
/// Matching and ranking are described in `docs/matching.md`. A search sees one snapshot of the database, including the
/// changes of other processes. It can be used from several threads at the same time.
public final class ContactSearch: Sendable {
    /// The searched book.
    public let book: ContactBook

    private let index: IncrementalIndex<ContactIndexSource>
    private let cache = ContactCache(capacity: 512)

    /// Creates a search. Nothing is read before the first query.
    ///
    /// - Parameters:
    ///   - book: The book to search.
    ///   - rebuildsInBackground: `true` if the index may be rebuilt on another thread after many changes. A short-lived
    ///     program calls ``compact()`` instead.
    public convenience init(book: ContactBook, rebuildsInBackground: Bool = true) {
        self.init(book: book, rebuildsInBackground: rebuildsInBackground, limits: MergePolicy())
    }

    init(book: ContactBook, rebuildsInBackground: Bool, limits: MergePolicy) {
        self.book = book
        index = IncrementalIndex(
            of: ContactIndexSource(), in: book.storage, rebuildsInBackground: rebuildsInBackground, mergePolicy: limits)
    }

    /// Rebuilds the index if many contacts have changed; otherwise cheap.
    ///
    /// - Throws: `StorageError`.
    public func compact() throws { try index.compact() }

    /// Returns the best matches for the digits of a keypad; no digits return all contacts.
    ///
    /// - Parameters:
    ///   - query: The typed digits.
    ///   - limit: The maximum number of hits; 0 for all.
    ///   - isCancelled: Called repeatedly; the search ends with `CancellationError` when it returns true.
    /// - Throws: `CancellationError`, `StorageError`.
    public func dial(
        _ query: KeypadQuery, limit: Int = 10, isCancelled: (@Sendable () -> Bool)? = nil
    ) throws -> [ContactHit] {
        try answer(dialling: query, limit: limit, isCancelled: isCancelled).hits
    }

    /// Returns the best matches for a text; the empty text returns all contacts, favourites and most used first.
    ///
    /// - Parameters: As for ``dial(_:limit:isCancelled:)``.
    /// - Throws: `CancellationError`, `StorageError`.
    public func find(
        _ text: String, limit: Int = 10, isCancelled: (@Sendable () -> Bool)? = nil
    ) throws -> [ContactHit] {
        try answer(finding: text, limit: limit, isCancelled: isCancelled).hits
    }

    /// Returns the best matches for the digits of a keypad with the duration of the search.
    ///
    /// - Parameters: As for ``dial(_:limit:isCancelled:)``.
    public func answer(
        dialling query: KeypadQuery, limit: Int = 10, isCancelled: (@Sendable () -> Bool)? = nil
    ) throws -> ContactResults {
        try answer(limit: limit, isCancelled: isCancelled) { PersonQueryPlan(query) }
    }

    /// Returns the best matches for a text with the duration of the search.
    ///
    /// - Parameters: As for ``find(_:limit:isCancelled:)``.
    public func answer(
        finding text: String, limit: Int = 10, isCancelled: (@Sendable () -> Bool)? = nil
    ) throws -> ContactResults {
        try answer(limit: limit, isCancelled: isCancelled) { PersonQueryPlan(text) }
    }

    /// Opens or builds the index, so that the first query is as fast as later ones.
    ///
    /// - Throws: `StorageError`.
    public func warmUp() throws {
        try book.storage.read { db in try index.warmUp(in: db) }
    }

    private func answer(
        limit: Int, isCancelled: (@Sendable () -> Bool)?, _ makePlan: () -> PersonQueryPlan
    ) throws -> ContactResults {
        try book.storage.read { db in
            let answer = try index.search(in: db, limit: limit) { makePlan().request(isCancelled: isCancelled) }
            let hits = try ContactHit.load(answer.hits, generation: answer.generation, cache: cache, in: db)
            return ContactResults(hits: hits, searchTime: answer.time)
        }
    }
}
