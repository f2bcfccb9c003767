public import SwitchboardKeypad
public import SwitchboardSearchEngine
import SwitchboardIncrementalIndex
import SwitchboardStorage

/// A prospect that a search found, with how and where it matches.
public struct ProspectHit: Sendable {
    /// The prospect.
    public var prospect: Prospect
    /// How it matches.
    public var match: ResultMatch
    /// The ranges to highlight, in Unicode scalars, sorted and apart, by the prospect's field: `name`, `organization`, `email`,
    /// `phone`, `met`, `note`.
    public var highlights: [String: [Range<Int>]]
}

/// What a search for prospects answers.
public struct ProspectResults: Sendable {
    /// The prospects, best first.
    public var hits: [ProspectHit]
    /// How long the search took: folding the query, finding and ordering; without opening the index and without reading the
    /// prospects that were found from the database.
    public var searchTime: Duration
}

/// Finds prospects by text and by keypad.
///
/// For example:
///
/// ```swift
/// let search = ProspectSearch(prospects: prospects)
/// let hits = try search.answer(finding: "nowka").hits      // Łukasz Nowak, although misspelt
/// ```
///
/// What matches, and in what order, is described in `docs/matching.md`; among equals those met last come first. A search sees
/// the state of the database at its beginning, with what other processes have written. It may be used from several threads at
/// once.
public final class ProspectSearch: Sendable {
    /// The list that is searched.
    public let prospects: Prospects

    private let index: IncrementalIndex<ProspectIndexSource>

    /// A search over a list. Nothing is read before the first question.
    ///
    /// - Parameters:
    ///   - prospects: what is searched.
    ///   - rebuildsInBackground: whether the index may be made anew on another thread once many prospects have changed; a program
    ///     that soon ends calls ``compact()`` instead.
    public convenience init(prospects: Prospects, rebuildsInBackground: Bool = true) {
        self.init(prospects: prospects, rebuildsInBackground: rebuildsInBackground, limits: MergePolicy())
    }

    init(prospects: Prospects, rebuildsInBackground: Bool, limits: MergePolicy) {
        self.prospects = prospects
        index = IncrementalIndex(
            of: ProspectIndexSource(), in: prospects.storage, rebuildsInBackground: rebuildsInBackground, limits: limits
        )
    }

    /// Makes the index anew if many prospects have changed since it was made; otherwise it costs a look.
    ///
    /// - Throws: `StorageError`.
    public func compact() throws { try index.compact() }

    /// What a text finds, best first; the empty text finds all, those met last first.
    ///
    /// - Parameters:
    ///   - text: what was typed, in any script, with typos.
    ///   - limit: how many at most; 0 for all.
    ///   - isCancelled: asked now and then; when it says true the search ends with `SearchCancelled`.
    /// - Throws: `SearchCancelled`, `StorageError`.
    public func answer(
        finding text: String, limit: Int = 10, isCancelled: (@Sendable () -> Bool)? = nil
    ) throws -> ProspectResults {
        try answer(limit: limit, isCancelled: isCancelled) { PersonQueryPlan(text) }
    }

    /// What the digits of a keypad find, best first; no digits find all.
    ///
    /// - Parameters: as for ``answer(finding:limit:isCancelled:)``.
    public func answer(
        dialling query: KeypadQuery, limit: Int = 10, isCancelled: (@Sendable () -> Bool)? = nil
    ) throws -> ProspectResults {
        try answer(limit: limit, isCancelled: isCancelled) { PersonQueryPlan(query) }
    }

    /// Reads or builds what the search needs, so that the first question is as quick as the next ones.
    ///
    /// - Throws: `StorageError`.
    public func warmUp() throws {
        try prospects.storage.read { db in try index.warmUp(in: db) }
    }

    private func answer(
        limit: Int, isCancelled: (@Sendable () -> Bool)?, _ makePlan: () -> PersonQueryPlan
    ) throws -> ProspectResults {
        try prospects.storage.read { db in
            let answer = try index.answer(in: db, limit: limit) { makePlan().request(isCancelled: isCancelled) }
            return ProspectResults(hits: try ProspectHit.reading(answer.hits, in: db), searchTime: answer.time)
        }
    }
}
