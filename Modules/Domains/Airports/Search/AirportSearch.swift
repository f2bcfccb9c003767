public import SwitchboardIncrementalIndex
public import SwitchboardKeypad
import SwitchboardSearchEngine
public import SwitchboardStorage
import Synchronization

/// Searches for airports in three stages: prefix matches among the popular airports, typos among the popular airports,
/// and the whole catalogue.
///
/// For example:
///
/// ```swift
/// let search = AirportSearch(airports: airports)
/// let results = try search.search("frankfrut")  // Frankfurt, although misspelled: stage 2
/// let keys = try search.search(SearchInput(keys: "56636"))
/// ```
///
/// The stages are described in `docs/matching.md`, the weights of matches in ``AirportLikelihood``. The
/// indexes are embedded in the program; only the indexes of a loaded popular list are built, and stored beside the
/// database. The search is safe to use from several threads; each query sees one version of the popular list.
public final class AirportSearch: Sendable {
    /// The airports to search.
    public let airports: Airports

    private let shared: AirportSearch?
    private let current = Mutex<AirportIndexes?>(nil)

    /// Creates a search. Nothing is read before the first query.
    public init(airports: Airports) {
        self.airports = airports
        shared = nil
    }

    /// Creates a search for one user of many: catalogue and indexes are shared, the choices are stored separately.
    public init(storage: Storage, sharing shared: AirportSearch?) {
        airports = shared.map { Airports(storage: storage, sharing: $0.airports) } ?? Airports(storage: storage)
        self.shared = shared
    }

    /// Returns the results for a text or the digits of a keypad. `SearchResults.isFinal` is `true` if no later stage
    /// can add results. An empty input returns ``Airports/suggestions(near:limit:)``.
    ///
    /// - Parameters:
    ///   - input: The text or the digits that were typed.
    ///   - limit: The maximum number of results; 0 for all.
    ///   - stage: The only stage to run, 1 to 3; nil for all in turn.
    ///   - language: The language of titles, whose names are preferred.
    ///   - firstStage: Called with the results of stage 1, if there are any, before the other stages run.
    ///   - isCancelled: Polled during the search, which throws `CancellationError` once it returns `true`.
    /// - Throws: `CancellationError`, `AirportsError`, `StorageError`.
    public func search(
        _ input: SearchInput, limit: Int = 10, stage: Int? = nil, language: String = "en",
        firstStage: (([AirportHit]) -> Void)? = nil, isCancelled: (@Sendable () -> Bool)? = nil
    ) throws -> SearchResults<AirportHit> {
        guard limit >= 0 else { throw AirportsError.negativeLimit(limit) }
        if isCancelled?() ?? false { throw CancellationError() }
        let clock = ContinuousClock()
        var start = clock.now
        if input.isEmpty {
            let hits = stage ?? 1 == 1 ? try suggestions(limit: limit, language: language) : []
            return SearchResults(hits: hits, searchTime: clock.now - start)
        }
        let query = AirportQuery(input)
        let queryTime = clock.now - start
        // The list is read once, so that all stages see the same one.
        let indexes = indexes(of: try airports.recentlyLoadedList())
        let reachesCatalogue = query.reachesCatalogue && stage ?? 3 == 3
        // The first stage does not wait for the index of the others.
        if reachesCatalogue, firstStage == nil { _ = try indexes.others }
        start = clock.now
        let stages = try StagedSearch(
            session: SearchSession(language: language, isCancelled: isCancelled), query: query,
            // The limit is clamped, so that multiples of it do not overflow.
            limit: min(limit, 1 << 20), popular: indexes.popular,
            others: reachesCatalogue ? { try indexes.others } : nil,
            places: reachesCatalogue && query.reachesPlaces ? { try indexes.places } : nil, firstStage: firstStage)
        var results = try stages.run(only: stage)
        results.searchTime = queryTime + (clock.now - start)
        return results
    }

    /// Returns the results without blocking the caller's thread. Cancelling the task cancels the search.
    public func search(
        _ input: SearchInput, limit: Int = 10, stage: Int? = nil, language: String = "en"
    ) async throws -> SearchResults<AirportHit> {
        try await runCancellable {
            try self.search(input, limit: limit, stage: stage, language: language, isCancelled: $0)
        }
    }

    /// Returns the results as the stages find them: those of stage 1, if there are any, then all.
    ///
    /// The search ends when the loop over the stream ends, or the task is canceled.
    public func results(
        for input: SearchInput, limit: Int = 10, language: String = "en"
    ) -> AsyncThrowingStream<SearchResults<AirportHit>, any Error> {
        AsyncThrowingStream { results in
            let task = Task {
                do {
                    results.yield(
                        try await runCancellable { isCancelled in
                            try self.search(
                                input, limit: limit, language: language,
                                firstStage: {
                                    results.yield(SearchResults(hits: $0, searchTime: .zero, isFinal: false))
                                }, isCancelled: isCancelled)
                        })
                    results.finish()
                } catch {
                    results.finish(throwing: error)
                }
            }
            results.onTermination = { _ in task.cancel() }
        }
    }

    /// Returns `true` if an input is long enough for stage 3, that is, has at least three letters or keys, or
    /// two characters of Chinese, Japanese or Korean.
    public static func reachesCatalogue(_ input: SearchInput) -> Bool { AirportQuery(input).reachesCatalogue }

    /// Opens or builds the indexes, so that the first query is as fast as later ones.
    ///
    /// - Throws: `StorageError`.
    public func warmUp() throws {
        let indexes = indexes(of: try airports.loadedList())
        _ = try (indexes.popular, indexes.others, indexes.places)
    }

    private func suggestions(limit: Int, language: String) throws -> [AirportHit] {
        try airports.suggestions(limit: limit).map { airport in
            let row = DisplayRow(airport, catalogue: airports.catalogue, language: language)
            return AirportHit(
                airport: airport, title: row.title, subtitle: row.subtitle,
                match: airport.distance == nil ? .prefix : .nearby, stage: 1, highlights: [:])
        }
    }

    private func indexes(of list: PopularList?) -> AirportIndexes {
        if let shared { return shared.indexes(of: list) }
        return current.withLock { current in
            if let current, current.generation == list?.generation ?? 0 { return current }
            let indexes = AirportIndexes(of: list, airports)
            current = indexes
            return indexes
        }
    }
}

/// The indexes for one popular list, each opened or built on first use.
private final class AirportIndexes: Sendable {
    let generation: Int64
    private let subjects: SubjectList
    private let storage: Storage?
    private let popularIndex = Once<AirportIndex>()
    private let otherIndex = Once<AirportIndex>()
    private let placeIndex = Once<AirportIndex>()

    init(of list: PopularList?, _ airports: Airports) {
        generation = list?.generation ?? 0
        subjects = SubjectList(catalogue: airports.catalogue, loaded: list)
        storage = airports.storage
    }

    var popular: AirportIndex {
        get throws { try popularIndex { try AirportIndex(of: subjects, in: storage) } }
    }

    var places: AirportIndex {
        get throws { try placeIndex { try AirportIndex(of: subjects.places ?? subjects, in: storage) } }
    }

    var others: AirportIndex {
        get throws { try otherIndex { try AirportIndex(of: subjects.others ?? subjects, in: storage) } }
    }
}

/// An index of airports with the subjects that its documents stand for.
final class AirportIndex: Sendable {
    let source: SubjectList
    let searchIndex: SearchIndex
    /// A searcher for each field that has word suffixes.
    private let searchers: [FieldSearcher?]

    /// Opens or builds the index; see ``StaticIndex``.
    init(of source: SubjectList, in storage: Storage?) throws {
        let index = try StaticIndex(of: source, in: storage)
        self.source = source
        searchIndex = index.searchIndex
        searchers = try source.fields.indices.map { try FieldSearcher(index.searchIndex, field: $0) }
    }

    /// The searcher of a field, if the index has the field.
    func searcher(of field: Int) -> FieldSearcher? { searchers.indices.contains(field) ? searchers[field] : nil }

    /// Returns `true` if a name of a field begins with the given letters.
    func contains(_ letters: [UInt16], in field: Int) -> Bool { searcher(of: field)?.containsPrefix(letters) ?? false }
}

/// A search result: an airport, or a city with its airports.
public struct AirportHit: Sendable, Hashable, Identifiable {
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
    /// The evidence of the match and its weights; nil without a query.
    public var likelihood: AirportLikelihood?
    /// The stage that found it: 1, 2 or 3.
    public var stage: Int
    /// The ranges to highlight in `title` and `subtitle`, in Unicode scalars, sorted and disjoint.
    public var highlights: [String: [Range<Int>]]

    /// The code of the airport, or that of the city after "city ".
    public var id: String { airport.isCity ? "city " + airport.code : airport.code }
}
