import Foundation
import GRDB
import SwitchboardSearchEngine
import SwitchboardIncrementalIndex
import SwitchboardStorage
import Synchronization

/// What a search for items answers.
public struct ItemResults: Sendable {
    /// The items, best first.
    public var hits: [ItemHit]
    /// How long the search took: folding the query, finding and ordering; without opening the index and without reading the items
    /// that were found.
    public var searchTime: Duration
}

/// Which items a search is limited to; all conditions must hold.
public struct ItemFilter: Sendable {
    /// Only items of this domain and of those inside it.
    public var domain: String?
    /// Only items of this content type or one that conforms to it.
    public var contentType: String?
    /// Only items for which this query holds.
    public var query: AttributeQuery?

    /// All items.
    public init() {}

    var isEmpty: Bool { domain == nil && contentType == nil && query == nil }
}

/// Finds items as they are typed.
///
/// For example:
///
/// ```swift
/// let search = ItemSearch(index: index)
/// let hits = try search.answer(finding: "braking d").hits      // Breaking Dunes, although misspelt
/// try index.engage("show-1", query: "braking d")               // next time it comes first
/// ```
///
/// What matches, and in what order, is described in `docs/matching.md`. A search sees the state of the database at its
/// beginning, with what other processes have written. It may be used from several threads at once.
public final class ItemSearch: Sendable {
    /// The index that is searched.
    public let index: SearchableIndex

    private let rebuildsInBackground: Bool
    private let limits: MergePolicy
    private let followed = Mutex<IncrementalIndex<ItemIndexSource>?>(nil)

    /// A search over an index. Nothing is read before the first question.
    ///
    /// - Parameters:
    ///   - index: what is searched.
    ///   - rebuildsInBackground: whether the index may be made anew on another thread once many items have changed; a program
    ///     that soon ends calls ``compact()`` instead.
    public convenience init(index: SearchableIndex, rebuildsInBackground: Bool = true) {
        self.init(index: index, rebuildsInBackground: rebuildsInBackground, limits: MergePolicy())
    }

    init(index: SearchableIndex, rebuildsInBackground: Bool, limits: MergePolicy) {
        self.index = index
        self.rebuildsInBackground = rebuildsInBackground
        self.limits = limits
    }

    /// No index has so many items.
    static let mostAsked = 1 << 40

    /// How many items are looked for that a query was engaged with.
    private static let mostPreferred = 8

    /// What a text finds, best first; the empty text finds all, those that matter most first.
    ///
    /// - Parameters:
    ///   - text: what was typed, in any script, with typos.
    ///   - limit: how many at most; 0 for all.
    ///   - offset: how many to leave out first.
    ///   - filter: only some items.
    ///   - isCancelled: asked now and then; when it says true the search ends with `SearchCancelled`.
    /// - Throws: `SearchCancelled`, `StorageError`.
    public func answer(
        finding text: String, limit: Int = 10, offset: Int = 0, filter: ItemFilter = ItemFilter(),
        isCancelled: (@Sendable () -> Bool)? = nil
    ) throws -> ItemResults {
        try expire()
        // More than these are all there are; so sums and products of limits stay numbers.
        let limit = min(limit, ItemSearch.mostAsked)
        let offset = min(max(offset, 0), ItemSearch.mostAsked)
        let wanted = limit == 0 ? 0 : limit + offset
        var answer = try index.storage.read { db -> ItemResults in
            guard let followed = try followed(in: db) else { return ItemResults(hits: [], searchTime: .zero) }
            if filter.isEmpty {
                return try self.answer(followed, text, limit: wanted, isCancelled: isCancelled, in: db)
            }
            return try self.answer(followed, text, limit: wanted, filter: filter, isCancelled: isCancelled, in: db)
        }
        if offset > 0 { answer.hits.removeFirst(min(offset, answer.hits.count)) }
        return answer
    }

    /// How many items a text finds.
    ///
    /// - Parameters: as for ``answer(finding:limit:offset:filter:isCancelled:)``.
    /// - Complexity: O(what is found), some ten microseconds each.
    public func count(
        finding text: String, filter: ItemFilter = ItemFilter(), isCancelled: (@Sendable () -> Bool)? = nil
    ) throws -> Int {
        try answer(finding: text, limit: 0, filter: filter, isCancelled: isCancelled).hits.count
    }

    /// Reads or builds what the search needs, so that the first question is as quick as the next ones.
    ///
    /// - Throws: `StorageError`.
    public func warmUp() throws {
        try expire()
        try index.storage.read { db in try followed(in: db)?.warmUp(in: db) }
    }

    /// Makes the index anew if many items have changed since it was made; otherwise it costs a look.
    ///
    /// - Throws: `StorageError`.
    public func compact() throws {
        try index.storage.read { db in try followed(in: db) }?.compact()
    }

    // MARK: - Searching

    private func followed(in db: Database) throws -> IncrementalIndex<ItemIndexSource>? {
        guard let key = try ItemRows.indexKey(index.name, in: db) else { return nil }
        return followed.withLock { followed in
            if let followed, followed.source.index == key { return followed }
            let new = IncrementalIndex(
                of: ItemIndexSource(index: key), in: index.storage, rebuildsInBackground: rebuildsInBackground,
                limits: limits)
            followed = new
            return new
        }
    }

    private func answer(
        _ followed: IncrementalIndex<ItemIndexSource>, _ text: String, limit: Int, isCancelled: (@Sendable () -> Bool)?,
        in db: Database
    ) throws -> ItemResults {
        let key = followed.source.index
        let start = ContinuousClock.now
        let plan = ItemQueryPlan(text)
        let preferred = try Engagement.preferred(
            for: plan.key, index: key, limit: ItemSearch.mostPreferred, in: db)
        let planTime = ContinuousClock.now - start
        let first = try followed.answer(in: db, limit: limit, preferring: preferred) {
            plan.request(stage: 0, isCancelled: isCancelled)
        }
        var (found, time) = (first.hits, first.time)
        for stage in plan.stages.indices.dropFirst() where found.isEmpty {
            let other = try followed.answer(in: db, limit: limit, preferring: preferred) {
                plan.request(stage: stage, isCancelled: isCancelled)
            }
            found = other.hits
            time += other.time
        }
        var hits = try ItemHit.reading(found, searchable: try followed.source.searchable(in: db), in: db)
        if !plan.queries.isEmpty, limit == 0 || found.count < limit {
            if isCancelled?() ?? false { throw SearchCancelled() }
            hits += try BodySearch.hits(
                text, index: key, wanted: limit == 0 ? .max : limit - found.count, without: Set(found.map(\.id)),
                in: db)
            if hits.isEmpty { hits = try misspeltBodies(text, index: key, limit: limit, in: db) }
        }
        let single = ResultDeduplicator.each(hits)
        if single.count < hits.count, hits.count == limit {
            // What was left out makes room for more.
            var more = try answer(
                followed, text, limit: limit + hits.count - single.count, isCancelled: isCancelled, in: db)
            more.hits.removeLast(max(more.hits.count - limit, 0))
            return more
        }
        return ItemResults(hits: single, searchTime: planTime + time)
    }

    /// What is found in whole texts once the words are put right.
    private func misspeltBodies(_ text: String, index: Int64, limit: Int, in db: Database) throws -> [ItemHit] {
        guard try BodySearch.isAnything(in: db), let corrected = try BodySpelling.corrected(text, in: db) else {
            return []
        }
        let wanted = limit == 0 ? Int.max : limit
        return try BodySearch.hits(corrected, index: index, wanted: wanted, without: [], in: db).map { hit in
            var hit = hit
            hit.match = .typo
            return hit
        }
    }

    /// With a filter more and more is asked for, until enough of it passes.
    private func answer(
        _ followed: IncrementalIndex<ItemIndexSource>, _ text: String, limit: Int, filter: ItemFilter,
        isCancelled: (@Sendable () -> Bool)?, in db: Database
    ) throws -> ItemResults {
        let predicate = filter.query?.predicate(at: index.clock(), in: .current)
        var time = Duration.zero
        var asked = limit == 0 ? 0 : max(limit, 10) * 4
        while true {
            let answer = try answer(followed, text, limit: asked, isCancelled: isCancelled, in: db)
            time += answer.searchTime
            let passed = answer.hits.filter { hit in
                let source = ItemSource(hit.item, in: db)
                if let domain = filter.domain, !source.isIn(domain: domain) { return false }
                if let type = filter.contentType, !source.conforms(to: type) { return false }
                return predicate?.matches(source) ?? true
            }
            if asked == 0 || answer.hits.count < asked || passed.count >= limit {
                return ItemResults(hits: limit == 0 ? passed : Array(passed.prefix(limit)), searchTime: time)
            }
            asked = min(asked, ItemSearch.mostAsked) * 8
        }
    }

    /// Takes out what has expired. If another process is writing it waits for later; what has expired is then found once more.
    private func expire() throws {
        let now = index.clock().timeIntervalSince1970
        let isDue = try index.storage.read { db in
            try ItemRows.indexKey(index.name, in: db).map { try index.isAnyExpired($0, at: now, in: db) } ?? false
        }
        if isDue { try? index.writing { _, _, _ in } }
    }
}
