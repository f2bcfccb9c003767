import Foundation
import GRDB
import SwitchboardAlgorithms
import SwitchboardIncrementalIndex
import SwitchboardSearchEngine
import SwitchboardStorage

/// The items of an index as a source of documents for its search index.
struct ItemIndexSource: IndexSource {
    let index: Int64
    let schemaVersion: UInt64 = 2
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

    private func sortKeys(
        where condition: String, _ arguments: StatementArguments, in db: Database
    ) throws -> [SortKey] {
        let columns = "key, useCount, usedAt, rankingHint"
        let statement = try db.cachedStatement(sql: "SELECT \(columns) FROM item WHERE \(condition)")
        var sortKeys: [SortKey] = []
        let rows = try Row.fetchCursor(statement, arguments: arguments)
        while let row = try rows.next() {
            let use = try SortKey.use(count: row.value(1), last: row.value(2))
            try sortKeys.append(SortKey(use: use, hint: row.value(3), key: row.value(0)))
        }
        return sortKeys
    }

    func sortKeys(of keys: [Int64], in db: Database) throws -> [Int64: SortKey] {
        let condition = "key IN (SELECT value FROM json_each(?))"
        let sortKeys = try sortKeys(where: condition, [ItemRows.list(keys)], in: db)
        return Dictionary(uniqueKeysWithValues: sortKeys.map { ($0.key, $0) })
    }

    private func ranks(in db: Database) throws -> [Int64: UInt64] {
        let order = try sortKeys(where: "indexKey = ? ORDER BY key", [index], in: db).sorted()
        return Dictionary(uniqueKeysWithValues: order.enumerated().map { ($0.element.key, UInt64($0.offset)) })
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

    func searchable(in db: Database) throws -> [String] {
        try ItemRows.customAttributes(ofIndex: index, in: db).filter { $0.isSearchable && $0.type == .text }.map(\.key)
    }

    private static func values(
        of items: [(key: Int64, attributes: Data)], searchable: [String]
    ) -> [(key: Int64, values: [(field: Int, value: FieldValue)])] {
        items.concurrentMap(chunksOf: 64) { chunk in
            chunk.map { item in
                let set = AttributeCoder.decoded(item.attributes)
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
