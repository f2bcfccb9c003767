import Dispatch
import Foundation
package import GRDB
public import SwitchboardIncrementalIndex
public import SwitchboardKeypad
import SwitchboardSearchEngine
public import SwitchboardStorage
import Synchronization

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
public final class ItemSearch: ChangeFollower {
    /// The searched index.
    public let index: SearchableIndex

    private let rebuildsInBackground: Bool
    private let mergePolicy: MergePolicy
    private let searchIndex = Mutex<IncrementalIndex<ItemIndexSource>?>(nil)
    private let isRefoldingNeeded = Atomic(false)
    private let isRefolding = Atomic(false)

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
        index.storage.register(self, of: SearchableIndex.module)
    }

    /// The maximum effective limit, which avoids overflow of sums and products.
    private static let maximumLimit = 1 << 40

    /// The number of matches among which those with the typed operators come first.
    private static let mostLiteral = 10

    /// The maximum number of items that rank first because they were chosen for the query.
    private static let maximumPreferred = 8

    /// Returns the items that match an input, best first. The empty input matches all items.
    ///
    /// - Parameters:
    ///   - input: The text as typed, in any script, with typos; or the digits of a keypad, which find titles and digits.
    ///   - limit: The maximum number of hits; 0 for all.
    ///   - offset: The number of hits to skip.
    ///   - id: The identifier of a hit after which the hits begin, the last one of the page before. If it is not found near
    ///     its place any more, `offset` counts. So no hit is repeated or left out because others were added or deleted.
    ///   - filter: The conditions that hits must meet.
    ///   - order: The order of the hits; empty for the best first. In another order, typos and parts of words are left out
    ///     if anything matches as it was typed. O(*n*) in the matches.
    ///   - boosts: The bits to add to the likelihood of matches in an attribute and in those that are searched with it: in
    ///     title and display name; in alternate names and keywords; in all others. One bit is twice as likely.
    ///   - isCancelled: Polled regularly; when it returns `true` the search throws `CancellationError`.
    /// - Throws: ``SearchableIndexError/invalidSort(reason:)``.
    public func search(
        _ input: SearchInput, limit: Int = 10, offset: Int = 0, after id: String? = nil,
        filter: ItemFilter = ItemFilter(), sortedBy order: [ItemSort] = [], boosts: [Attribute: Int] = [:],
        isCancelled: (@Sendable () -> Bool)? = nil
    ) throws -> SearchResults<ItemHit> {
        // Clamped, so that sums and products of limits cannot overflow.
        let limit = min(limit, ItemSearch.maximumLimit)
        let offset = min(max(offset, 0), ItemSearch.maximumLimit)
        let wanted = limit == 0 ? 0 : limit + offset + (id == nil ? 0 : limit)
        var results = try read { searchIndex, db in
            let order = order.isEmpty ? [] : try index.attributeTypes(in: db).known(order)
            guard let searchIndex else { return SearchResults<ItemHit>(hits: [], searchTime: .zero) }
            let request = try ItemRequest(
                input, filter: filter, boosts: boosts, index: searchIndex.source.index, isCancelled: isCancelled, in: db
            )
            if order.isEmpty { return try search(searchIndex, request, limit: wanted, in: db) }
            var first = FirstItems(by: order, limit: wanted)
            let start = ContinuousClock.now
            let matches = try matches(searchIndex, request, in: db)
            let time = ContinuousClock.now - start
            try matches.forEach(in: db) { first.add($0) }
            // Only these are read as a whole, with their matches.
            let keys = first.sortedKeys()
            var results = try search(searchIndex, request, limit: 0, among: keys, in: db)
            let positions = Dictionary(uniqueKeysWithValues: zip(keys, keys.indices))
            results.hits.sort { positions[$0.item.key] ?? .max < positions[$1.item.key] ?? .max }
            results.searchTime += time
            return results
        }
        let place = id.flatMap { id in results.hits.firstIndex { $0.item.uniqueIdentifier == id } }
        results.hits.removeFirst(min(place.map { $0 + 1 } ?? offset, results.hits.count))
        if limit > 0 { results.hits.removeLast(max(results.hits.count - limit, 0)) }
        if isRefoldingNeeded.exchange(false, ordering: .relaxed) { refold() }
        return results
    }

    /// Returns the items that match a text, best first; see the search for an input.
    public func search(
        _ text: String, limit: Int = 10, offset: Int = 0, after id: String? = nil,
        filter: ItemFilter = ItemFilter(), sortedBy order: [ItemSort] = [], boosts: [Attribute: Int] = [:],
        isCancelled: (@Sendable () -> Bool)? = nil
    ) throws -> SearchResults<ItemHit> {
        try search(
            SearchInput(text), limit: limit, offset: offset, after: id, filter: filter, sortedBy: order, boosts: boosts,
            isCancelled: isCancelled)
    }

    /// Returns the items that match a text without blocking the caller's thread. Cancelling the task cancels the search.
    public func search(
        _ text: String, limit: Int = 10, offset: Int = 0, after id: String? = nil,
        filter: ItemFilter = ItemFilter(), sortedBy order: [ItemSort] = [], boosts: [Attribute: Int] = [:]
    ) async throws -> SearchResults<ItemHit> {
        try await runCancellable {
            try self.search(
                text, limit: limit, offset: offset, after: id, filter: filter, sortedBy: order, boosts: boosts,
                isCancelled: $0)
        }
    }

    /// Returns the number of matching items for each value of attributes, without typos if anything matches as typed.
    ///
    /// - Parameters:
    ///   - attributes: The names of standard or custom attributes. A list counts with each of its values.
    ///   - input: What the items must match; the empty input counts all items.
    ///   - filter: The conditions that they must meet.
    ///   - limit: The maximum number of values of an attribute; 0 for all.
    ///   - isCancelled: Polled regularly.
    /// - Throws: ``SearchableIndexError/invalidSort(reason:)`` for an unknown attribute.
    /// - Complexity: O(*n*) in the number of matches.
    public func facets(
        of attributes: [String], for input: SearchInput = SearchInput(""), filter: ItemFilter = ItemFilter(),
        limit: Int = 10, isCancelled: (@Sendable () -> Bool)? = nil
    ) throws -> [ItemFacet] {
        try read { searchIndex, db in
            let types = try index.attributeTypes(in: db)
            var counter = FacetCounter(try attributes.map { try types.known($0) })
            if let searchIndex {
                let request = try ItemRequest(
                    input, filter: filter, boosts: [:], index: searchIndex.source.index, isCancelled: isCancelled,
                    in: db)
                try matches(searchIndex, request, in: db).forEach(in: db) { counter.add($0) }
            }
            return counter.facets(limit: limit)
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

    /// Indexes a large change before it is committed.
    package func follow(in db: Database) { (try? searchIndex(in: db))?.follow(in: db) }

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

    /// Searches for one reading of what was typed.
    ///
    /// - Parameters:
    ///   - keys: The items to search; nil for all.
    ///   - check: The check of items that match; nil for none.
    func search(
        _ searchIndex: IncrementalIndex<ItemIndexSource>, _ input: SearchInput, limit: Int, boosts: [ItemField: Int],
        among keys: [Int64]?, accepting check: ItemCheck?, isCancelled: (@Sendable () -> Bool)?, in db: Database
    ) throws -> SearchResults<ItemHit> {
        let key = searchIndex.source.index
        let start = ContinuousClock.now
        if input.keys == nil, let signs = SignSearch(input.text) {
            let hits = try signs.hits(
                searchIndex.source, limit: limit, among: keys, accepting: check, isCancelled: isCancelled, in: db)
            try check?.verify()
            return SearchResults(
                hits: ResultDeduplicator.deduplicated(hits, in: db), searchTime: ContinuousClock.now - start)
        }
        let plan = ItemQueryPlan(input)
        let preferred = try preferred(plan, searchIndex, in: db)
        let planTime = ContinuousClock.now - start
        let searchable = try searchIndex.source.searchable(in: db)
        var found: Set<Int64> = []
        let results = try TypedSpelling.preferring(
            input, limit: limit,
            texts: { (key, hit: ItemHit) in [hit.item.attributeSet.text(ofField: key)].compactMap(\.self) }
        ) { limit, tier in
            let documents = try searchIndex.search(
                in: db, limit: limit, preferring: preferred, among: keys, accepting: check?.accepts,
                stages: {
                    plan.requests(boosts: boosts, isCancelled: isCancelled).map { $0.ending(withGroupOf: tier) }
                })
            try check?.verify()
            found = Set(documents.hits.map(\.id))
            let hits = try ItemHit.reading(documents.hits, searchable: searchable, in: db)
            return (
                results: SearchResults(hits: hits, searchTime: documents.time),
                chosen: documents.hits.prefix { preferred.contains($0.id) }.count, documents: documents.hits
            )
        }
        var hits = results.hits
        if limit == 0 || hits.count < limit {
            let texts = try texts(
                input, index: key, wanted: limit == 0 ? .max : limit - hits.count, among: keys, accepting: check,
                without: found, isCancelled: isCancelled, in: db)
            hits += try texts?.hits(in: db) ?? []
        }
        let single = ResultDeduplicator.deduplicated(hits, in: db)
        if single.count < hits.count, hits.count == limit {
            // Duplicates were removed; fetch more to fill the limit.
            var more = try search(
                searchIndex, input, limit: limit + hits.count - single.count, boosts: boosts, among: keys,
                accepting: check, isCancelled: isCancelled, in: db)
            more.hits.removeLast(max(more.hits.count - limit, 0))
            return more
        }
        return SearchResults(hits: single, searchTime: planTime + results.searchTime)
    }

    /// Returns the items that rank first because they were chosen for the query.
    func preferred(
        _ plan: ItemQueryPlan, _ searchIndex: IncrementalIndex<ItemIndexSource>, in db: Database
    ) throws -> [Int64] {
        try Engagement.preferred(
            for: plan.key, index: searchIndex.source.index, limit: ItemSearch.maximumPreferred, in: db)
    }

    /// Searches the full texts; if nothing else was found either, for the words that were probably meant.
    func texts(
        _ input: SearchInput, index: Int64, wanted: Int, among keys: [Int64]?, accepting check: ItemCheck?,
        without known: @autoclosure () -> Set<Int64>, isCancelled: (@Sendable () -> Bool)?, in db: Database
    ) throws -> BodySearch? {
        guard input.keys == nil, let query = BodyQuery(input.text), try BodySearch.hasTexts(in: db) else { return nil }
        if isCancelled?() ?? false { throw CancellationError() }
        if try BodyRefolding.isNeeded(in: db) { isRefoldingNeeded.store(true, ordering: .relaxed) }
        let found = known()
        var texts = try BodySearch(
            query, index: index, wanted: wanted, among: keys, accepting: check, without: found, in: db)
        if texts.keys.isEmpty, found.isEmpty, let corrected = try query.corrected(in: db) {
            texts = try BodySearch(
                corrected, isCorrected: true, index: index, wanted: wanted, among: keys, accepting: check, without: [],
                in: db)
        }
        try check?.verify()
        return texts
    }

    /// Stores the terms of full texts of an earlier version: all on another thread, or some now in a short-lived program.
    /// A later search goes on after an error, such as a locked file.
    private func refold() {
        guard rebuildsInBackground else {
            for _ in 0..<Self.maximumRefoldings where (try? BodyRefolding.run(in: index.storage)) != true { return }
            return
        }
        if isRefolding.exchange(true, ordering: .relaxed) { return }
        DispatchQueue.global(qos: .utility).async { [self] in
            while (try? BodyRefolding.run(in: index.storage)) ?? false {}
            isRefolding.store(false, ordering: .relaxed)
        }
    }

    /// The number of transactions in which a search of a short-lived program stores terms, some tenths of a second.
    private static let maximumRefoldings = 4

    /// Searches for all readings of a request.
    ///
    /// - Parameter keys: Items that pass the filter, of which only these are searched; nil for all.
    private func search(
        _ searchIndex: IncrementalIndex<ItemIndexSource>, _ request: ItemRequest, limit: Int,
        among keys: [Int64]? = nil, in db: Database
    ) throws -> SearchResults<ItemHit> {
        try filtered(searchIndex, request, among: keys, in: db) { keys, condition in
            var time = Duration.zero
            func found(_ input: SearchInput, limit: Int, _ reading: ItemRequest.Reading?) throws -> [ItemHit] {
                let results = try search(
                    searchIndex, input, limit: limit, boosts: request.boosts, among: keys,
                    accepting: ItemCheck(condition, reading, among: keys, in: db), isCancelled: request.isCancelled,
                    in: db)
                time += results.searchTime
                return results.hits
            }
            let literal = try literalHits(request, condition, in: db) { try found($0, limit: $1, nil) }
            let lists = try request.readings.map { try found($0.input, limit: limit, $0) }
            let hits = ItemHit.merged(lists, preferring: request.typedReadings, after: literal)
            return SearchResults(hits: limit == 0 ? hits : Array(hits.prefix(limit)), searchTime: time)
        }
    }

    /// Calls `body` to search all items with a check of the matches or, if it rejects too many, the items that pass the
    /// filter.
    func filtered<Found>(
        _ searchIndex: IncrementalIndex<ItemIndexSource>, _ request: ItemRequest, among keys: [Int64]? = nil,
        in db: Database, _ body: ([Int64]?, ItemCondition) throws -> Found
    ) throws -> Found {
        let condition = try ItemCondition(
            request, index: searchIndex.source.index, at: index.clock(),
            searchable: searchIndex.source.searchable(in: db), in: db)
        do {
            return try body(keys, condition)
        } catch is ItemCheck.TooManyRejected {
            return try body(
                condition.keys(in: searchIndex.source.index, isCancelled: request.isCancelled, db), condition)
        }
    }

    /// Returns the best items that contain operators as they were typed, such as the title `AC -DC`.
    func literalHits(
        _ request: ItemRequest, _ condition: ItemCondition, in db: Database,
        _ search: (_ input: SearchInput, _ limit: Int) throws -> [ItemHit]
    ) throws -> [ItemHit] {
        guard let operators = request.operators else { return [] }
        return try search(request.input, Self.mostLiteral).filter {
            try condition.contains($0.item, in: db, operators.isIn)
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

// MARK: - Suggestions

extension ItemSearch {
    /// Returns completions of a text: its last word completed from titles, names and keywords.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - limit: The maximum number of completions.
    ///   - isCancelled: Polled regularly; when it returns `true` the search throws `CancellationError`.
    /// - Returns: Unique completions from the best items first, without the text itself.
    public func suggestions(
        for text: String, limit: Int = 5, isCancelled: (@Sendable () -> Bool)? = nil
    ) throws -> [String] {
        let typed = text.split(whereSeparator: \.isWhitespace)
        guard let last = typed.last, limit > 0, text.last.map({ !$0.isWhitespace }) ?? false else { return [] }
        let limitOfHits = max(min(limit, ItemSearch.maximumLimit) * 4, 20)
        let hits = try search(text, limit: limitOfHits, isCancelled: isCancelled).hits
        let before = typed.dropLast().joined(separator: " ")
        let lastKey = ItemQueryPlan(String(last)).key
        var seen: Set<String> = [ItemQueryPlan(text).key]
        var suggestions: [String] = []
        for hit in hits where hit.match != .typo && hit.match != .infix {
            for (key, ranges) in hit.highlights.sorted(by: { $0.key < $1.key }) {
                guard let whole = hit.item.attributeSet.text(ofField: key) else { continue }
                for range in ranges {
                    // A range may cover several words; the last one is being typed.
                    let word = Self.word(in: whole, around: range.upperBound - 1)
                    guard ItemQueryPlan(word).key.hasPrefix(lastKey) else { continue }
                    let suggestion = before.isEmpty ? word : before + " " + word
                    if seen.insert(ItemQueryPlan(suggestion).key).inserted { suggestions.append(suggestion) }
                    if suggestions.count == limit { return suggestions }
                }
            }
        }
        return suggestions
    }

    /// Returns completions without blocking the caller's thread. Cancelling the task cancels the search.
    public func suggestions(for text: String, limit: Int = 5) async throws -> [String] {
        try await runCancellable { try self.suggestions(for: text, limit: limit, isCancelled: $0) }
    }

    private static func word(in text: String, around position: Int) -> String {
        let scalars = Array(text.unicodeScalars)
        guard scalars.indices.contains(position) else { return "" }
        func isLetter(_ scalar: Unicode.Scalar) -> Bool {
            scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                || scalar.properties.generalCategory == .nonspacingMark || scalar == "'" || scalar == "’"
        }
        var start = position
        var end = position + 1
        while start > 0, isLetter(scalars[start - 1]) { start -= 1 }
        while end < scalars.count, isLetter(scalars[end]) { end += 1 }
        var word = String.UnicodeScalarView()
        word.append(contentsOf: scalars[start..<end])
        return String(word)
    }
}

extension SearchableItemAttributeSet {
    /// Returns the text of a field by its highlight key: `title`, `keywords.0`, `custom.channel.0`.
    public func text(ofField field: String) -> String? {
        let parts = field.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let values: [AttributeValue]
        if parts.first == "custom", parts.count == 3 {
            values = custom[parts[1]] ?? []
        } else {
            values = parts.first.flatMap(Attribute.init(name:)).map { self[$0] } ?? []
        }
        let position = parts.count > 1 ? Int(parts[parts.count - 1]) ?? 0 : 0
        guard values.indices.contains(position) else { return nil }
        switch values[position] {
        case .text(let text): return text
        case .person(let person): return person.name
        default: return nil
        }
    }
}

// MARK: - Filter and results

/// Conditions that all results must meet.
public struct ItemFilter: Sendable {
    /// The places within a distance.
    public struct Circle: Sendable, Hashable {
        /// The center.
        public var center: ItemLocation
        /// The greatest distance from the center in kilometers.
        public var radius: Double

        /// Creates a circle.
        public init(center: ItemLocation, radius: Double) {
            (self.center, self.radius) = (center, radius)
        }
    }

    /// The domain, including its subdomains.
    public var domain: String?
    /// The content type, including types that conform to it.
    public var contentType: String?
    /// The query that items must match.
    public var query: AttributeQuery?
    /// The circle in which the location of an item must be; items without one are left out.
    public var circle: Circle?

    /// Creates a filter that accepts all items.
    public init() {}

    var isEmpty: Bool { domain == nil && isDomain }

    /// Indicates that there is no other condition than the domain.
    var isDomain: Bool { contentType == nil && query == nil && circle == nil }
}

/// A search result: an item with its match.
public struct ItemHit: SpelledHit, Hashable, Identifiable {
    /// The item, without its full text.
    public var item: StoredItem
    /// The kind of match.
    public var match: ResultMatch
    /// The number of edits of a typo or other spelling; a wrong first letter adds a half.
    public var edits = 0.0
    /// The ranges to highlight, in Unicode scalars, sorted and disjoint, by field of the item: `title`, `keywords.0`,
    /// `contentDescription`, …
    public var highlights: [String: [Range<Int>]]
    /// The part of the description or full text around the match; `nil` if the match is elsewhere.
    public var snippet: Snippet?
    /// The evidence of the match; `nil` if it was not weighed.
    public var weighed: WeighedMatch?

    /// The identifier of the item.
    public var id: String { item.id }
}

extension ItemHit {
    /// Returns the items of hits with their highlights, in order. Items that no longer exist are omitted.
    static func reading(_ hits: [SearchHit], searchable: [String], in db: Database) throws -> [ItemHit] {
        if hits.isEmpty { return [] }
        let items = try ItemRows.items(hits.map(\.id), in: db)
        return hits.compactMap { hit in
            guard let item = items[hit.id] else { return nil }
            var ranges: [String: [Range<Int>]] = [:]
            var snippet: Snippet?
            if !hit.matches.isEmpty {
                let fields = hit.matches.compactMap { ItemField(rawValue: $0.field)?.texts }
                let texts = ItemTexts(item.attributeSet, searchable: searchable, of: fields)
                for case .text(let position, let range) in texts.locations(of: hit) {
                    ranges[texts.entries[position].key, default: []].append(range)
                }
                for (key, found) in ranges {
                    let merged = HighlightRanges.merged(found)
                    if merged != found { ranges[key] = merged }
                }
                if let marks = ranges["contentDescription"],
                    let text = item.attributeSet.texts(of: .contentDescription).first
                {
                    snippet = Snippet(of: text, field: "contentDescription", highlights: marks)
                }
            }
            return ItemHit(
                item: item, match: ResultMatch(hit.kind), edits: hit.edits, highlights: ranges, snippet: snippet,
                weighed: WeighedMatch(hit))
        }
    }
}

/// A filter that keeps one result for an item and the activities about it.
///
/// Two results are the same if they have the same web page, or if an activity names the item.
struct ResultDeduplicator {
    private var items: Set<String> = []
    private var pages: Set<String> = []

    /// Returns the hits without those whose subject an earlier hit already has.
    static func deduplicated(_ hits: [ItemHit], in db: Database) -> [ItemHit] {
        // Only activities refer to other items.
        guard hits.contains(where: { $0.item.uniqueIdentifier.hasPrefix(ActivityRows.prefix) }) else {
            return hits
        }
        var seen = ResultDeduplicator()
        return hits.filter { seen.isNew(ItemAttributeSource($0.item, in: db)) }
    }

    mutating func isNew(_ item: ItemAttributeSource) -> Bool {
        func texts(_ attributes: [Attribute]) -> [String] {
            attributes.flatMap { item.values(of: $0.name) }.compactMap {
                if case .text(let text) = $0 { text } else { nil }
            }
        }
        var ids = [item.id]
        if item.id.hasPrefix(ActivityRows.prefix) {
            ids += texts([.relatedUniqueIdentifier, .weakRelatedUniqueIdentifier])
        }
        let addresses = texts([.url, .contentURL]).map(Self.page)
        guard items.isDisjoint(with: ids), pages.isDisjoint(with: addresses) else { return false }
        items.formUnion(ids)
        pages.formUnion(addresses)
        return true
    }

    /// Returns a URL without its fragment and trailing slash.
    private static func page(_ url: String) -> String {
        var page = url.prefix { $0 != "#" }
        if page.last == "/" { page.removeLast() }
        return String(page)
    }
}

// MARK: - Engaging

extension SearchableIndex {
    /// Records that an item was chosen. It ranks higher in later searches, most of all for the same query.
    ///
    /// - Throws: ``SearchableIndexError/notFound(id:)``.
    public func engage(_ id: String, query: String? = nil) throws {
        let now = clock().timeIntervalSince1970
        try writing { db, index, changed in
            let key = try ItemRows.key(of: id, index: index, in: db)
            try db.execute(
                sql: "UPDATE item SET useCount = useCount + 1, usedAt = max(?, coalesce(usedAt, 0)) WHERE key = ?",
                arguments: [now, key])
            let query = query.map { ItemQueryPlan($0).key } ?? ""
            try db.execute(
                sql: """
                    INSERT INTO item_engagement VALUES (?, ?, 1, ?)
                    ON CONFLICT (item, query) DO UPDATE SET count = count + 1, engagedAt = excluded.engagedAt
                    """, arguments: [key, query, now])
            changed += 1
        }
    }
}

/// The record of chosen items per query.
private enum Engagement {
    /// Returns the items chosen for a query or one that it is a prefix of, the most often and recently chosen first.
    static func preferred(for query: String, index: Int64, limit: Int, in db: Database) throws -> [Int64] {
        guard !query.isEmpty else { return [] }
        // A cross join keeps the written order; otherwise SQLite might scan all items first.
        let rows = try Row.fetchAll(
            try db.cachedStatement(
                sql: """
                    SELECT key, sum(count), max(engagedAt) FROM item_engagement
                    CROSS JOIN item ON key = item_engagement.item
                    WHERE query >= ? AND query < ? AND indexKey = ? GROUP BY key
                    """),
            arguments: [query, query + "\u{10FFFF}", index])
        if rows.isEmpty { return [] }
        let order = try rows.map { row in
            try ItemIndexSource.SortKey(
                use: ItemIndexSource.SortKey.use(count: row.value(1), last: row.value(2)), hint: 0, key: row.value(0))
        }
        return order.sorted().prefix(limit).map(\.key)
    }
}
