import Foundation
import GRDB
public import SwitchboardIncrementalIndex
public import SwitchboardKeypad
import SwitchboardSearchEngine
import SwitchboardStorage
import Synchronization

/// Conditions that all results must meet.
public struct ItemFilter: Sendable {
    /// The domain, including its subdomains.
    public var domain: String?
    /// The content type, including types that conform to it.
    public var contentType: String?
    /// The query that items must match.
    public var query: AttributeQuery?

    /// Creates a filter that accepts all items.
    public init() {}

    var isEmpty: Bool { domain == nil && contentType == nil && query == nil }
}

/// A type-ahead search for items.
///
/// For example:
///
/// ```swift
/// let search = ItemSearch(index: index)
/// let hits = try search.search("braking d").hits  // Breaking Dunes, in spite of the typo
/// try index.engage("show-1", query: "braking d")  // ranks first next time
/// ```
///
/// Matching and ranking are described in `docs/matching.md`. Each search reads one state of the database, including
/// changes by other processes. A search can be used from several threads. Methods throw `StorageError`.
public final class ItemSearch: Sendable {
    /// The searched index.
    public let index: SearchableIndex

    private let rebuildsInBackground: Bool
    private let mergePolicy: MergePolicy
    private let searchIndex = Mutex<IncrementalIndex<ItemIndexSource>?>(nil)

    /// Creates a search over an index. Nothing is read before the first search.
    ///
    /// - Parameters:
    ///   - index: The index to search.
    ///   - rebuildsInBackground: `true` to rebuild the search index on another thread after many changes; short-lived
    ///     programs pass `false` and call ``compact()``.
    ///   - mergePolicy: The limits for segments and rebuilds of the search index.
    public init(index: SearchableIndex, rebuildsInBackground: Bool = true, mergePolicy: MergePolicy = MergePolicy()) {
        self.index = index
        self.rebuildsInBackground = rebuildsInBackground
        self.mergePolicy = mergePolicy
    }

    /// The maximum effective limit, which avoids overflow of sums and products.
    static let maximumLimit = 1 << 40

    /// The maximum number of items that rank first because they were chosen for the query.
    private static let maximumPreferred = 8

    /// Returns the items that match an input, best first. The empty input matches all items.
    ///
    /// - Parameters:
    ///   - input: The text as typed, in any script, with typos; or the digits of a keypad, which find titles and digits.
    ///   - limit: The maximum number of hits; 0 for all.
    ///   - offset: The number of hits to skip.
    ///   - filter: The conditions that hits must meet.
    ///   - isCancelled: Polled regularly; when it returns `true` the search throws `CancellationError`.
    public func search(
        _ input: SearchInput, limit: Int = 10, offset: Int = 0, filter: ItemFilter = ItemFilter(),
        isCancelled: (@Sendable () -> Bool)? = nil
    ) throws -> SearchResults<ItemHit> {
        // Clamped, so that sums and products of limits cannot overflow.
        let limit = min(limit, ItemSearch.maximumLimit)
        let offset = min(max(offset, 0), ItemSearch.maximumLimit)
        let wanted = limit == 0 ? 0 : limit + offset
        var results = try read { searchIndex, db in
            guard let searchIndex else { return SearchResults<ItemHit>(hits: [], searchTime: .zero) }
            return try search(searchIndex, input, limit: wanted, filter: filter, isCancelled: isCancelled, in: db)
        }
        if offset > 0 { results.hits.removeFirst(min(offset, results.hits.count)) }
        return results
    }

    /// Returns the items that match a text, best first; see ``search(_:limit:offset:filter:isCancelled:)``.
    public func search(
        _ text: String, limit: Int = 10, offset: Int = 0, filter: ItemFilter = ItemFilter(),
        isCancelled: (@Sendable () -> Bool)? = nil
    ) throws -> SearchResults<ItemHit> {
        try search(SearchInput(text), limit: limit, offset: offset, filter: filter, isCancelled: isCancelled)
    }

    /// Returns the items that match a text without blocking the caller's thread. Cancelling the task cancels the search.
    public func search(
        _ text: String, limit: Int = 10, offset: Int = 0, filter: ItemFilter = ItemFilter()
    ) async throws -> SearchResults<ItemHit> {
        try await runCancellable {
            try self.search(text, limit: limit, offset: offset, filter: filter, isCancelled: $0)
        }
    }

    /// Returns the number of items that match a text. O(*n*) in the matches, about ten microseconds each.
    public func count(
        _ text: String, filter: ItemFilter = ItemFilter(), isCancelled: (@Sendable () -> Bool)? = nil
    ) throws -> Int {
        try search(text, limit: 0, filter: filter, isCancelled: isCancelled).hits.count
    }

    /// Opens or builds the search index, so that the first search is as fast as later ones.
    public func warmUp() throws {
        try read { searchIndex, db in try searchIndex?.warmUp(in: db) }
    }

    /// Rebuilds the search index if many items have changed; otherwise cheap.
    public func compact() throws {
        try index.storage.read { db in try searchIndex(in: db) }?.compact()
    }

    // MARK: - Searching

    private func searchIndex(in db: Database) throws -> IncrementalIndex<ItemIndexSource>? {
        guard let key = try ItemRows.indexKey(index.name, in: db) else { return nil }
        return searchIndex.withLock { searchIndex in
            if let searchIndex, searchIndex.source.index == key { return searchIndex }
            let new = IncrementalIndex(
                of: ItemIndexSource(index: key), in: index.storage, rebuildsInBackground: rebuildsInBackground,
                mergePolicy: mergePolicy)
            searchIndex = new
            return new
        }
    }

    private func search(
        _ searchIndex: IncrementalIndex<ItemIndexSource>, _ input: SearchInput, limit: Int,
        isCancelled: (@Sendable () -> Bool)?, in db: Database
    ) throws -> SearchResults<ItemHit> {
        let key = searchIndex.source.index
        let start = ContinuousClock.now
        let plan = ItemQueryPlan(input)
        let preferred = try Engagement.preferred(for: plan.key, index: key, limit: ItemSearch.maximumPreferred, in: db)
        let planTime = ContinuousClock.now - start
        let results = try searchIndex.search(
            in: db, limit: limit, preferring: preferred, stages: { plan.requests(isCancelled: isCancelled) })
        let found = results.hits
        var hits = try ItemHit.reading(found, searchable: try searchIndex.source.searchable(in: db), in: db)
        let text = input.text
        if !plan.queries.isEmpty, input.keys == nil, limit == 0 || found.count < limit {
            if isCancelled?() ?? false { throw CancellationError() }
            hits += try BodySearch.hits(
                text, index: key, wanted: limit == 0 ? .max : limit - found.count, without: Set(found.map(\.id)),
                in: db)
            if hits.isEmpty { hits = try correctedHits(text, index: key, limit: limit, in: db) }
        }
        let single = ResultDeduplicator.deduplicated(hits)
        if single.count < hits.count, hits.count == limit {
            // Duplicates were removed; fetch more to fill the limit.
            var more = try search(
                searchIndex, input, limit: limit + hits.count - single.count, isCancelled: isCancelled, in: db)
            more.hits.removeLast(max(more.hits.count - limit, 0))
            return more
        }
        return SearchResults(hits: single, searchTime: planTime + results.time)
    }

    private func correctedHits(_ text: String, index: Int64, limit: Int, in db: Database) throws -> [ItemHit] {
        guard try BodySearch.hasTexts(in: db), let corrected = try BodySpelling.corrected(text, in: db) else {
            return []
        }
        let wanted = limit == 0 ? Int.max : limit
        return try BodySearch.hits(corrected, index: index, wanted: wanted, without: [], in: db).map { hit in
            var hit = hit
            hit.match = .typo
            return hit
        }
    }

    /// Searches with increasing limits until enough hits pass the filter.
    private func search(
        _ searchIndex: IncrementalIndex<ItemIndexSource>, _ input: SearchInput, limit: Int, filter: ItemFilter,
        isCancelled: (@Sendable () -> Bool)?, in db: Database
    ) throws -> SearchResults<ItemHit> {
        if filter.isEmpty { return try search(searchIndex, input, limit: limit, isCancelled: isCancelled, in: db) }
        let predicate = filter.query?.predicate(at: index.clock(), in: .current)
        var time = Duration.zero
        var fetchLimit = limit == 0 ? 0 : max(limit, 10) * 4
        while true {
            let results = try search(searchIndex, input, limit: fetchLimit, isCancelled: isCancelled, in: db)
            time += results.searchTime
            let passed = results.hits.filter { hit in
                let source = ItemAttributeSource(hit.item, in: db)
                if let domain = filter.domain, !source.isIn(domain: domain) { return false }
                if let type = filter.contentType, !source.conforms(to: type) { return false }
                return predicate?.matches(source) ?? true
            }
            if fetchLimit == 0 || results.hits.count < fetchLimit || passed.count >= limit {
                return SearchResults(hits: limit == 0 ? passed : Array(passed.prefix(limit)), searchTime: time)
            }
            fetchLimit = min(fetchLimit, ItemSearch.maximumLimit) * 8
        }
    }

    /// Removes expired items, then reads the search index, which is nil if nothing was ever put into it. If another
    /// process is writing, expired items are removed later and may still be found.
    private func read<Value>(
        _ body: (_ searchIndex: IncrementalIndex<ItemIndexSource>?, Database) throws -> Value
    ) throws -> Value {
        let now = index.clock().timeIntervalSince1970
        let value: Value? = try index.storage.read { db in
            let searchIndex = try searchIndex(in: db)
            if let key = searchIndex?.source.index, try index.isAnyExpired(key, at: now, in: db) { return nil }
            return try body(searchIndex, db)
        }
        if let value { return value }
        try? index.writing { _, _, _ in }
        return try index.storage.read { db in try body(try searchIndex(in: db), db) }
    }
}
