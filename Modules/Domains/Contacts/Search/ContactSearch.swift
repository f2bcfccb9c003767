public import SwitchboardKeypad
import SwitchboardSearchEngine
import SwitchboardIncrementalIndex
import SwitchboardStorage

/// Finds contacts by keypad and by text.
///
/// For example:
///
/// ```swift
/// let search = ContactSearch(book: book)
/// let hits = try search.dial(KeypadQuery(parsing: "5646"))      // Jogo
/// let more = try search.find("gonzales")                        // González, although misspelt
/// ```
///
/// What matches, and in what order, is described in `docs/matching.md`. A search sees the state of the database at its
/// beginning, with what other processes have written. It may be used from several threads at once.
public final class ContactSearch: Sendable {
    /// The book that is searched.
    public let book: ContactBook

    private let index: IncrementalIndex<ContactIndexSource>
    private let found = FoundContacts(capacity: 512)

    /// A search over a book. Nothing is read before the first question.
    ///
    /// - Parameters:
    ///   - book: what is searched.
    ///   - rebuildsInBackground: whether the index may be made anew on another thread once many contacts have changed; a program
    ///     that soon ends calls ``compact()`` instead.
    public convenience init(book: ContactBook, rebuildsInBackground: Bool = true) {
        self.init(book: book, rebuildsInBackground: rebuildsInBackground, limits: MergePolicy())
    }

    init(book: ContactBook, rebuildsInBackground: Bool, limits: MergePolicy) {
        self.book = book
        index = IncrementalIndex(
            of: ContactIndexSource(), in: book.storage, rebuildsInBackground: rebuildsInBackground, mergePolicy: limits)
    }

    /// Makes the index anew if many contacts have changed since it was made; otherwise it costs a look.
    ///
    /// - Throws: `StorageError`.
    public func compact() throws { try index.compact() }

    /// The contacts that the digits of a keypad find, best first; no digits find all.
    ///
    /// - Parameters:
    ///   - query: the digits.
    ///   - limit: how many at most; 0 for all.
    ///   - isCancelled: asked now and then; when it says true the search ends with `SearchCancelled`.
    /// - Throws: `SearchCancelled`, `StorageError`.
    public func dial(
        _ query: KeypadQuery, limit: Int = 10, isCancelled: (@Sendable () -> Bool)? = nil
    ) throws -> [ContactHit] {
        try answer(dialling: query, limit: limit, isCancelled: isCancelled).hits
    }

    /// The contacts that a text finds, best first; the empty text finds all, favourites and most used first.
    ///
    /// - Parameters: as for ``dial(_:limit:isCancelled:)``.
    /// - Throws: `SearchCancelled`, `StorageError`.
    public func find(
        _ text: String, limit: Int = 10, isCancelled: (@Sendable () -> Bool)? = nil
    ) throws -> [ContactHit] {
        try answer(finding: text, limit: limit, isCancelled: isCancelled).hits
    }

    /// What the digits of a keypad find, and how long the search alone took.
    ///
    /// - Parameters: as for ``dial(_:limit:isCancelled:)``.
    public func answer(
        dialling query: KeypadQuery, limit: Int = 10, isCancelled: (@Sendable () -> Bool)? = nil
    ) throws -> ContactResults {
        try answer(limit: limit, isCancelled: isCancelled) { PersonQueryPlan(query) }
    }

    /// What a text finds, and how long the search alone took.
    ///
    /// - Parameters: as for ``find(_:limit:isCancelled:)``.
    public func answer(
        finding text: String, limit: Int = 10, isCancelled: (@Sendable () -> Bool)? = nil
    ) throws -> ContactResults {
        try answer(limit: limit, isCancelled: isCancelled) { PersonQueryPlan(text) }
    }

    /// Reads or builds what the search needs, so that the first question is as quick as the next ones.
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
            let hits = try ContactHit.reading(answer.hits, generation: answer.generation, memory: found, in: db)
            return ContactResults(hits: hits, searchTime: answer.time)
        }
    }
}
