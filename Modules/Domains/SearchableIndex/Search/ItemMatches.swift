import GRDB
import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardSearchEngine

/// All items that match a request, for an order or counts that need each of them.
///
/// They are read in parts, without the places of their matches: a million take 0.5 GB, those of the index included.
struct ItemMatches {
    /// An item that matches a reading.
    fileprivate struct Match {
        let key: Int64
        /// `false` for a part of a word, and for a text with typos.
        let isAsTyped: Bool

        init(_ key: Int64, _ match: ResultMatch, edits: Double) {
            self.key = key
            isAsTyped = !match.isWeak && edits == 0
        }

        init(_ hit: ItemHit) { self.init(hit.item.key, hit.match, edits: hit.edits) }
    }

    /// The matches of each reading; without one those that need none of its phrases.
    fileprivate let lists: [(reading: ItemRequest.Reading?, matches: [Match])]
    fileprivate let condition: ItemCondition
    fileprivate let hasActivities: Bool
    fileprivate let isCancelled: (@Sendable () -> Bool)?

    /// The number of items that are read at a time.
    private static let partSize = 1_000

    /// Calls `body` with the items that match as the request was typed or, if there are none, with the others. O(*n*).
    func forEach(in db: Database, _ body: (ItemAttributeSource) -> Void) throws {
        var (seen, subjects, isAny) = (Set<Int64>(), ResultDeduplicator(), false)
        for isAsTyped in [true, false] where !isAny {
            for (reading, matches) in lists {
                let keys = matches.filter { $0.isAsTyped == isAsTyped }.map(\.key)
                for start in stride(from: 0, to: keys.count, by: Self.partSize) {
                    if isCancelled?() ?? false { throw CancellationError() }
                    let part = Array(keys[start..<min(start + Self.partSize, keys.count)])
                    let items = try holding(part, reading, in: db)
                    for key in part {
                        guard let item = items[key], lists.count == 1 || seen.insert(key).inserted,
                            !hasActivities || subjects.isNew(item)
                        else { continue }
                        isAny = true
                        body(item)
                    }
                }
            }
        }
    }

    /// Returns those of some items that have the phrases of a reading, and nothing that is excluded.
    private func holding(
        _ keys: [Int64], _ reading: ItemRequest.Reading?, in db: Database
    ) throws -> [Int64: ItemAttributeSource] {
        var items: [Int64: ItemAttributeSource] = [:]
        try ItemRows.forEach(of: keys, in: db) { row in
            let item = try ItemAttributeSource(row, in: db)
            if let reading, condition.needs(reading), try !condition.holds(ItemRows.item(row), reading, in: db) {
                return
            }
            items[item.key] = item
        }
        return items
    }
}

extension ItemSearch {
    /// Searches for all matches of a request.
    func matches(
        _ searchIndex: IncrementalIndex<ItemIndexSource>, _ request: ItemRequest, in db: Database
    ) throws -> ItemMatches {
        try filtered(searchIndex, request, in: db) { keys, condition in
            func check() -> ItemCheck? { ItemCheck(condition, nil, among: keys, in: db) }
            var lists: [(reading: ItemRequest.Reading?, matches: [ItemMatches.Match])] = []
            if request.operators != nil {
                let literal = try literalHits(request, condition, in: db) {
                    try search(
                        searchIndex, $0, limit: $1, boosts: [:], among: keys, accepting: check(),
                        isCancelled: request.isCancelled, in: db
                    ).hits
                }
                lists.append((nil, literal.map { .init($0) }))
            }
            for reading in request.readings {
                lists.append(
                    (reading, try matches(searchIndex, reading.input, request, among: keys, accepting: check(), in: db))
                )
            }
            return ItemMatches(
                lists: lists, condition: condition,
                hasActivities: try ActivityRows.areInIndex(searchIndex.source.index, db),
                isCancelled: request.isCancelled)
        }
    }

    /// Returns the matches of a text in the index, then those in full texts.
    private func matches(
        _ searchIndex: IncrementalIndex<ItemIndexSource>, _ input: SearchInput, _ request: ItemRequest,
        among keys: [Int64]?, accepting check: ItemCheck?, in db: Database
    ) throws -> [ItemMatches.Match] {
        let isCancelled = request.isCancelled
        if input.keys == nil, let signs = SignSearch(input.text) {
            let hits = try signs.hits(
                searchIndex.source, limit: 0, among: keys, accepting: check, isCancelled: isCancelled, in: db)
            try check?.verify()
            return hits.map { .init($0) }
        }
        let plan = ItemQueryPlan(input)
        let preferred = try preferred(plan, searchIndex, in: db)
        let documents = try searchIndex.search(
            in: db, limit: 0, preferring: preferred, among: keys, accepting: check?.accepts
        ) {
            plan.requests(boosts: request.boosts, isCancelled: isCancelled).map { request in
                var request = request
                request.includesMatches = false
                return request
            }
        }
        try check?.verify()
        let matches = documents.hits.map { ItemMatches.Match($0.id, ResultMatch($0.kind), edits: $0.edits) }
        let texts = try texts(
            input, index: searchIndex.source.index, wanted: .max, among: keys, accepting: check,
            without: Set(matches.map(\.key)),
            isCancelled: isCancelled, in: db)
        guard let texts else { return matches }
        return matches + texts.keys.map { ItemMatches.Match($0, texts.match, edits: 0) }
    }
}
