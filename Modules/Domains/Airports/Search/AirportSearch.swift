public import SwitchboardKeypad
import SwitchboardSearchEngine
public import SwitchboardStorage
import Synchronization

/// Finds airports in three stages: popular ones by their beginnings, popular ones with typos, the whole catalogue.
///
/// For example:
///
/// ```swift
/// let search = AirportSearch(airports: airports)
/// let answer = try search.search("frankfrut")        // Frankfurt, although misspelt: stage 2
/// let keys = try search.dial(KeypadQuery(parsing: "56636"))
/// ```
///
/// The stages and what they find are described in `docs/matching.md`; how matches are weighed against popularity, at
/// `NameClass`. Names are looked up in an index that is made on first use and kept beside the database. It may be used from
/// several threads at once; each search sees one popular list, whole.
public final class AirportSearch: Sendable {
    /// The airports that are searched.
    public let airports: Airports

    /// An index and the generation of the popular list that it was made for.
    private struct CurrentIndex {
        let generation: Int64
        let index: AirportIndex
    }

    private let popular = Mutex<CurrentIndex?>(nil)
    private let others = Mutex<CurrentIndex?>(nil)
    private let rowCache: RowCache
    /// The last answers: many type the same few letters.
    private let cache: GenerationCache<CacheKey, AirportResults>
    private let shared: AirportSearch?

    /// All that an answer depends on, but for the popular list.
    private struct CacheKey: Hashable {
        let text: String?
        let keys: KeypadQuery?
        let limit: Int
        let stage: Int?
        let language: String
    }

    /// How many answers are kept unless told.
    public static let defaultCacheCapacity = 1_024
    /// Longer answers are not kept.
    private static let maxCachedRows = 20

    /// A search over airports. Nothing is read before the first key.
    ///
    /// - Parameters:
    ///   - airports: what is searched.
    ///   - cacheCapacity: how many of the last answers are kept in memory, to be given again to whoever types the same; some 10 KB
    ///     each, 0 for none.
    public init(airports: Airports, cacheCapacity: Int = AirportSearch.defaultCacheCapacity) {
        self.airports = airports
        rowCache = RowCache()
        cache = GenerationCache(capacity: cacheCapacity)
        shared = nil
    }

    /// A search for one person among many: airports and indexes are those of `shared`, what was chosen is in a storage of their own.
    public init(storage: Storage, sharing shared: AirportSearch?) {
        airports = shared.map { Airports(storage: storage, sharing: $0.airports) } ?? Airports(storage: storage)
        rowCache = shared?.rowCache ?? RowCache()
        cache = shared?.cache ?? GenerationCache(capacity: AirportSearch.defaultCacheCapacity)
        self.shared = shared
    }

    /// The rows that a text finds; the empty text finds what ``Airports/suggestions(near:limit:)`` offers.
    ///
    /// - Parameters:
    ///   - text: what was typed.
    ///   - limit: how many rows at most; 0 for all.
    ///   - stage: only this stage, 1 to 3; nil for all in turn.
    ///   - language: the language of titles, whose names come first; "en" unless given.
    ///   - isCancelled: asked now and then; when it says true the search ends with `SearchCancelled`.
    /// - Throws: `SearchCancelled`, `AirportsError`, `StorageError`.
    public func search(
        _ text: String, limit: Int = 10, stage: Int? = nil, language: String = "en",
        isCancelled: (@Sendable () -> Bool)? = nil
    ) throws -> AirportResults {
        if text.allSatisfy(\.isWhitespace) {
            return try suggestions(limit: limit, stage: stage, language: language)
        }
        let key = CacheKey(text: text, keys: nil, limit: limit, stage: stage, language: language)
        return try answer(key, isCancelled) { AirportQuery(text) }
    }

    /// The rows that the digits of a keypad find; no digits find what is offered before anything is typed.
    ///
    /// - Parameters: as for ``search(_:limit:stage:language:isCancelled:)``.
    /// - Throws: `SearchCancelled`, `AirportsError`, `StorageError`.
    public func dial(
        _ query: KeypadQuery, limit: Int = 10, stage: Int? = nil, language: String = "en",
        isCancelled: (@Sendable () -> Bool)? = nil
    ) throws -> AirportResults {
        if query.keys.isEmpty, !query.isInternational {
            return try suggestions(limit: limit, stage: stage, language: language)
        }
        let key = CacheKey(text: nil, keys: query, limit: limit, stage: stage, language: language)
        return try answer(key, isCancelled) { AirportQuery(query) }
    }

    /// Whether a text is long enough for stage 3, which searches beyond the popular airports: from three letters on.
    public static func reachesBeyondPopular(_ text: String) -> Bool {
        AirportQuery(text).letterCount >= StagedSearch.minLettersForCatalogue
    }

    /// Whether there are enough keys for stage 3; see ``reachesBeyondPopular(_:)-(String)``.
    public static func reachesBeyondPopular(_ query: KeypadQuery) -> Bool {
        AirportQuery(query).letterCount >= StagedSearch.minLettersForCatalogue
    }

    /// Reads or builds what the search needs, so that the first question is as quick as the next ones.
    ///
    /// - Throws: `StorageError`.
    public func warmUp() throws {
        let list = try airports.loadedList()
        _ = try popularIndex(list)
        _ = try otherIndex(list)
    }

    private func answer(
        _ key: CacheKey, _ isCancelled: (@Sendable () -> Bool)?, _ makeQuery: () -> AirportQuery
    ) throws -> AirportResults {
        guard key.limit >= 0 else { throw AirportsError.negativeLimit(key.limit) }
        if isCancelled?() ?? false { throw SearchCancelled() }
        // One look at the storage for each search, so that all its stages see the same popular list.
        let list = try airports.loadedList()
        let generation = list?.generation ?? 0
        if let known = cache.value(for: key, generation: generation) { return known }
        let stages = StagedSearch(
            // There are never more rows than these; so what is asked for beyond the limit stays a number.
            query: makeQuery(), text: key.text, limit: min(key.limit, 1 << 20), language: key.language,
            rowCache: rowCache, catalogue: airports.catalogue,
            popular: { try self.popularIndex(list) }, others: { try self.otherIndex(list) }, isCancelled: isCancelled)
        let answer = try stages.answer(only: key.stage)
        if answer.hits.count <= AirportSearch.maxCachedRows {
            answers.insert(answer, for: key, generation: generation)
        }
        return answer
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

    /// The index in memory if it is of the popular list in use, else that of the file, else a new one.
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
