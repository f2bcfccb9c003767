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
/// let answer = try search.search("frankfrut")  // Frankfurt, although misspelt: stage 2
/// let keys = try search.dial(KeypadQuery(parsing: "56636"))
/// ```
///
/// The stages are described in `docs/matching.md`, the weighting of matches against popularity in `NameClass`. The
/// index is built on first use and stored beside the database. The search is safe to use from several threads; each
/// query sees one version of the popular list.
public final class AirportSearch: Sendable {
    /// The airports to search.
    public let airports: Airports

    private struct CurrentIndex {
        let generation: Int64
        let index: AirportIndex
    }

    private let popular = Mutex<CurrentIndex?>(nil)
    private let others = Mutex<CurrentIndex?>(nil)
    private let rowCache: RowCache
    /// The latest results: many users type the same few letters.
    private let cache: GenerationCache<CacheKey, AirportResults>
    private let shared: AirportSearch?

    /// The parameters that determine the results, apart from the popular list.
    private struct CacheKey: Hashable {
        let text: String?
        let keys: KeypadQuery?
        let limit: Int
        let stage: Int?
        let language: String
    }

    /// The default capacity of the result cache.
    public static let defaultCacheCapacity = 1_024
    private static let maxCachedRows = 20

    /// Creates a search. Nothing is read before the first query.
    ///
    /// - Parameters:
    ///   - airports: The airports to search.
    ///   - cacheCapacity: The number of recent results to cache, some 10 KB each; 0 for none.
    public init(airports: Airports, cacheCapacity: Int = AirportSearch.defaultCacheCapacity) {
        self.airports = airports
        rowCache = RowCache()
        cache = GenerationCache(capacity: cacheCapacity)
        shared = nil
    }

    /// Creates a search for one user of many: catalogue and indexes are shared, the choices are stored separately.
    public init(storage: Storage, sharing shared: AirportSearch?) {
        airports = shared.map { Airports(storage: storage, sharing: $0.airports) } ?? Airports(storage: storage)
        rowCache = shared?.rowCache ?? RowCache()
        cache = shared?.cache ?? GenerationCache(capacity: AirportSearch.defaultCacheCapacity)
        self.shared = shared
    }

    /// Returns the results for a text. An empty text returns ``Airports/suggestions(near:limit:)``.
    ///
    /// - Parameters:
    ///   - text: The text that was typed.
    ///   - limit: The maximum number of results; 0 for all.
    ///   - stage: The only stage to run, 1 to 3; nil for all in turn.
    ///   - language: The language of titles, whose names are preferred.
    ///   - isCancelled: Polled during the search, which throws `CancellationError` once it returns `true`.
    /// - Throws: `CancellationError`, `AirportsError`, `StorageError`.
    public func search(
        _ text: String, limit: Int = 10, stage: Int? = nil, language: String = "en",
        isCancelled: (@Sendable () -> Bool)? = nil
    ) throws -> AirportResults {
        if text.allSatisfy(\.isWhitespace) {
            return try suggestions(limit: limit, stage: stage, language: language)
        }
        let key = CacheKey(text: text, keys: nil, limit: limit, stage: stage, language: language)
        return try results(for: key, isCancelled) { AirportQuery(text) }
    }

    /// Returns the results for the digits of a keypad. No digits return the suggestions.
    ///
    /// - Parameters: See ``search(_:limit:stage:language:isCancelled:)``.
    /// - Throws: `CancellationError`, `AirportsError`, `StorageError`.
    public func dial(
        _ query: KeypadQuery, limit: Int = 10, stage: Int? = nil, language: String = "en",
        isCancelled: (@Sendable () -> Bool)? = nil
    ) throws -> AirportResults {
        if query.keys.isEmpty, !query.isInternational {
            return try suggestions(limit: limit, stage: stage, language: language)
        }
        let key = CacheKey(text: nil, keys: query, limit: limit, stage: stage, language: language)
        return try results(for: key, isCancelled) { AirportQuery(query) }
    }

    /// Returns `true` if a text is long enough for stage 3, that is, has three letters or more.
    public static func reachesBeyondPopular(_ text: String) -> Bool {
        AirportQuery(text).letterCount >= StagedSearch.minLettersForCatalogue
    }

    /// Returns `true` if there are enough keys for stage 3; see ``reachesBeyondPopular(_:)-(String)``.
    public static func reachesBeyondPopular(_ query: KeypadQuery) -> Bool {
        AirportQuery(query).letterCount >= StagedSearch.minLettersForCatalogue
    }

    /// Opens or builds the indexes, so that the first query is as fast as later ones.
    ///
    /// - Throws: `StorageError`.
    public func warmUp() throws {
        let list = try airports.loadedList()
        _ = try popularIndex(list)
        _ = try otherIndex(list)
    }

    private func results(
        for key: CacheKey, _ isCancelled: (@Sendable () -> Bool)?, _ makeQuery: () -> AirportQuery
    ) throws -> AirportResults {
        guard key.limit >= 0 else { throw AirportsError.negativeLimit(key.limit) }
        if isCancelled?() ?? false { throw CancellationError() }
        // Read the list once, so that all stages see the same one.
        let list = try airports.loadedList()
        let generation = list?.generation ?? 0
        if let known = cache.value(for: key, generation: generation) { return known }
        let stages = StagedSearch(
            // Clamp the limit, so that multiples of it do not overflow.
            query: makeQuery(), text: key.text, limit: min(key.limit, 1 << 20), language: key.language,
            rowCache: rowCache, catalogue: airports.catalogue,
            popular: { try self.popularIndex(list) }, others: { try self.otherIndex(list) }, isCancelled: isCancelled)
        let results = try stages.run(only: key.stage)
        if results.hits.count <= AirportSearch.maxCachedRows {
            cache.insert(results, for: key, generation: generation)
        }
        return results
    }

    private func suggestions(limit: Int, stage: Int?, language: String) throws -> AirportResults {
        guard stage ?? 1 == 1 else { return AirportResults(hits: [], isFinal: true) }
        let hits = try airports.suggestions(limit: limit).map { airport in
            let row = DisplayRow(airport, airports: [], catalogue: airports.catalogue, language: language)
            return AirportHit(
                airport: airport, title: row.title, subtitle: row.subtitle,
                match: airport.distance == nil ? .prefix : .nearby, stage: 1, highlights: [:])
        }
        return AirportResults(hits: hits, isFinal: true)
    }

    // MARK: - Indexes

    private func popularIndex(_ list: PopularList?) throws -> AirportIndex {
        if let shared { return try shared.popularIndex(list) }
        return try index(.popular, list, popular, "airports-popular.index")
    }

    private func otherIndex(_ list: PopularList?) throws -> AirportIndex {
        if let shared { return try shared.otherIndex(list) }
        return try index(.others, list, others, "airports.index")
    }

    /// Returns the index in memory if it is current, else that of the file, else a new one.
    private func index(
        _ extent: SubjectList.Extent, _ list: PopularList?, _ current: borrowing Mutex<CurrentIndex?>, _ name: String
    ) throws -> AirportIndex {
        let generation = list?.generation ?? 0
        return try current.withLock { current in
            if let current, current.generation == generation { return current.index }
            let subjects = SubjectList(catalogue: airports.catalogue, loaded: list, extent: extent)
            let index = try AirportIndex.open(subjects, file: file(name))
            current = CurrentIndex(generation: generation, index: index)
            return index
        }
    }

    private func file(_ name: String) -> DerivedFile? {
        airports.storage.flatMap { DerivedFile(named: name, of: $0) }
    }
}
