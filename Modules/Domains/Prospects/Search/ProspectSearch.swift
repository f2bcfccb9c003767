import SwitchboardIncrementalIndex
public import SwitchboardKeypad
public import SwitchboardSearchEngine
import SwitchboardStorage

/// A prospect found by a search, with its match.
public struct ProspectHit: Sendable {
    /// The prospect.
    public var prospect: Prospect
    /// The kind of match.
    public var match: ResultMatch
    /// The ranges to highlight, in Unicode scalars, sorted and disjoint, by field: `name`, `organization`, `email`,
    /// `phone`, `met`, `note`.
    public var highlights: [String: [Range<Int>]]
}

/// The results of a search for prospects.
public struct ProspectResults: Sendable {
    /// The prospects, best first.
    public var hits: [ProspectHit]
    /// The duration of the search: normalizing the query, matching and ranking, without opening the index or reading
    /// the prospects from the database.
    public var searchTime: Duration
}

/// A search for prospects by text and by keypad.
///
/// For example:
///
/// ```swift
/// let search = ProspectSearch(prospects: prospects)
/// let hits = try search.answer(finding: "nowka").hits  // Łukasz Nowak, although misspelt
/// ```
///
/// Matching and ranking are described in `docs/matching.md`. Among equal matches, the latest met comes first. A search
/// sees one snapshot of the database, including the changes of other processes. It can be used from several threads at
/// the same time.
public final class ProspectSearch: Sendable {
    /// The searched list.
    public let prospects: Prospects

    private let index: IncrementalIndex<ProspectIndexSource>

    /// Creates a search. Nothing is read before the first query.
    ///
    /// - Parameters:
    ///   - prospects: The list to search.
    ///   - rebuildsInBackground: `true` if the index may be rebuilt on another thread after many changes. A short-lived
    ///     program calls ``compact()`` instead.
    public convenience init(prospects: Prospects, rebuildsInBackground: Bool = true) {
        self.init(prospects: prospects, rebuildsInBackground: rebuildsInBackground, limits: MergePolicy())
    }

    init(prospects: Prospects, rebuildsInBackground: Bool, limits: MergePolicy) {
        self.prospects = prospects
        index = IncrementalIndex(
            of: ProspectIndexSource(), in: prospects.storage, rebuildsInBackground: rebuildsInBackground,
            mergePolicy: limits
        )
    }

    /// Rebuilds the index if many prospects have changed; otherwise cheap.
    public func compact() throws { try index.compact() }

    /// Returns the best matches for a text; the empty text returns all prospects, the latest met first.
    ///
    /// - Parameters:
    ///   - text: The typed text, in any script, possibly with typos.
    ///   - limit: The maximum number of hits; 0 for all.
    ///   - isCancelled: Called repeatedly; the search ends with `CancellationError` when it returns true.
    /// - Throws: `CancellationError`, `StorageError`.
    public func answer(
        finding text: String, limit: Int = 10, isCancelled: (@Sendable () -> Bool)? = nil
    ) throws -> ProspectResults {
        try answer(limit: limit, isCancelled: isCancelled) { PersonQueryPlan(text) }
    }

    /// Returns the best matches for the digits of a keypad; no digits return all prospects.
    ///
    /// - Parameters: As for ``answer(finding:limit:isCancelled:)``.
    public func answer(
        dialling query: KeypadQuery, limit: Int = 10, isCancelled: (@Sendable () -> Bool)? = nil
    ) throws -> ProspectResults {
        try answer(limit: limit, isCancelled: isCancelled) { PersonQueryPlan(query) }
    }

    /// Reads or builds the index, so that the first query takes no longer than later ones.
    public func warmUp() throws {
        try prospects.storage.read { db in try index.warmUp(in: db) }
    }

    private func answer(
        limit: Int, isCancelled: (@Sendable () -> Bool)?, _ makePlan: () -> PersonQueryPlan
    ) throws -> ProspectResults {
        try prospects.storage.read { db in
            let answer = try index.search(in: db, limit: limit) { makePlan().request(isCancelled: isCancelled) }
            return ProspectResults(hits: try ProspectHit.reading(answer.hits, in: db), searchTime: answer.time)
        }
    }
}
