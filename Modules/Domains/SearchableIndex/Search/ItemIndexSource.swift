import Foundation
import GRDB
import SwitchboardAlgorithms
import SwitchboardIncrementalIndex
import SwitchboardSearchEngine
import SwitchboardStorage

/// The items of an index as a source of documents for its search index.
struct ItemIndexSource: IndexSource {
    let index: Int64
    let schemaVersion: UInt64 = 1
    let fields = ItemField.allCases.map(\.options)

    var fileName: String { "items-\(index)" }
    var changes: DocumentChanges { SearchableIndex.changes(ofIndex: index) }

    /// The rank of an item: by engagement, then ranking hint, then insertion order.
    struct SortKey: Comparable {
        let use: Double
        let hint: Double
        let key: Int64

        static func < (one: SortKey, other: SortKey) -> Bool {
            if one.use != other.use { return one.use > other.use }
            return one.hint == other.hint ? one.key < other.key : one.hint > other.hint
        }

        static func use(count: Int, last: Double?) -> Double {
            last.map { UseRank.rank(count: max(count, 1), last: $0) } ?? -.infinity
        }
    }

    /// The columns that ``sortKey(of:)`` reads.
    private static let columns = "key, useCount, usedAt, rankingHint"

    private static func sortKey(of row: Row) throws -> SortKey {
        try SortKey(use: SortKey.use(count: row.value(1), last: row.value(2)), hint: row.value(3), key: row.value(0))
    }

    func sortKeys(of keys: [Int64], in db: Database) throws -> [Int64: SortKey] {
        let statement = try db.cachedStatement(
            sql: "SELECT \(ItemIndexSource.columns) FROM item WHERE key IN (SELECT value FROM json_each(?))")
        var sortKeys: [Int64: SortKey] = [:]
        let rows = try Row.fetchCursor(statement, arguments: [ItemRows.list(keys)])
        while let row = try rows.next() {
            let sortKey = try ItemIndexSource.sortKey(of: row)
            sortKeys[sortKey.key] = sortKey
        }
        return sortKeys
    }

    private func ranks(in db: Database) throws -> [Int64: UInt64] {
        var order: [SortKey] = []
        let rows = try Row.fetchCursor(
            db, sql: "SELECT \(ItemIndexSource.columns) FROM item WHERE indexKey = ? ORDER BY key",
            arguments: [index])
        while let row = try rows.next() {
            try order.append(ItemIndexSource.sortKey(of: row))
        }
        order.sort()
        var ranks: [Int64: UInt64] = [:]
        ranks.reserveCapacity(order.count)
        for (rank, sortKey) in order.enumerated() { ranks[sortKey.key] = UInt64(rank) }
        return ranks
    }

    /// The number of items folded at a time, on all processors.
    private static let batchSize = 2_048

    func add(_ keys: [Int64]?, ranks: [Int64: UInt64], to builder: inout IndexBuilder, in db: Database) throws {
        let searchable = try self.searchable(in: db)
        let ranks = keys == nil ? try self.ranks(in: db) : ranks
        let some = keys == nil ? "" : " AND key IN (SELECT value FROM json_each(?))"
        let rows = try Row.fetchCursor(
            db, sql: "SELECT key, attributes FROM item WHERE indexKey = ?\(some) ORDER BY key",
            arguments: keys.map { [index, ItemRows.list($0)] } ?? [index])
        var batch: [(key: Int64, attributes: Data)] = []
        func flush() {
            for (key, values) in ItemIndexSource.values(of: batch, searchable: searchable) {
                builder.beginDocument(id: key, rank: ranks[key] ?? .max)
                for (field, value) in values { builder.add(value, field: field) }
            }
            batch.removeAll(keepingCapacity: true)
        }
        while let row = try rows.next() {
            try batch.append((row.value(0), row.value(1)))
            if batch.count == ItemIndexSource.batchSize { flush() }
        }
        flush()
    }

    /// Returns the keys of the searchable custom attributes.
    func searchable(in db: Database) throws -> [String] {
        try ItemRows.customAttributes(ofIndex: index, in: db).filter { $0.isSearchable && $0.type == .text }.map(\.key)
    }

    private static func values(
        of items: [(key: Int64, attributes: Data)], searchable: [String]
    ) -> [(key: Int64, values: [(field: Int, value: FieldValue)])] {
        items.concurrentMap(chunksOf: 64) { chunk in
            chunk.map { item in
                let set = item.attributes.withUnsafeBytes { AttributeCoder.decoded($0) }
                let texts = ItemTexts(set, searchable: searchable)
                let folded = texts.folded
                let values = ItemField.allCases.flatMap { field in
                    texts.values(field, folded).map { (field: field.rawValue, value: $0) }
                }
                return (item.key, values)
            }
        }
        .flatMap(\.self)
    }
}
