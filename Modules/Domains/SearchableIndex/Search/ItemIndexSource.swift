import Dispatch
import Foundation
import GRDB
import SwitchboardSearchEngine
import SwitchboardIncrementalIndex
import SwitchboardStorage
import Synchronization

/// What of the items of an index stands in its search index.
struct ItemIndexSource: IndexSource {
    let index: Int64
    let schemaVersion: UInt64 = 1
    let fields = ItemField.allCases.map(\.options)

    var fileName: String { "items-\(index)" }
    var changes: DocumentChanges { SearchableIndex.changes(ofIndex: index) }

    /// What was chosen often or lately comes first, then what its app says matters more, then what was put first.
    struct SortKey: Comparable {
        let use: Double
        let hint: Double
        let key: Int64

        static func < (one: SortKey, other: SortKey) -> Bool {
            if one.use != other.use { return one.use > other.use }
            return one.hint == other.hint ? one.key < other.key : one.hint > other.hint
        }

        /// Seconds after which a choice counts half.
        private static let halfLife = 30.0 * 86_400

        /// The logarithm of a count that halves every thirty days, so that it does not depend on the present.
        static func use(count: Int, last: Double?) -> Double {
            guard let last else { return -.infinity }
            return log2(Double(max(count, 1))) + last / halfLife
        }
    }

    /// The columns that ``place(of:)`` reads.
    private static let columns = "key, useCount, usedAt, rankingHint"

    private static func place(of row: Row) throws -> SortKey {
        try SortKey(use: SortKey.use(count: row.value(1), last: row.value(2)), hint: row.value(3), key: row.value(0))
    }

    func sortKeys(of keys: [Int64], in db: Database) throws -> [Int64: SortKey] {
        let statement = try db.cachedStatement(
            sql: "SELECT \(ItemIndexSource.columns) FROM item WHERE key IN (SELECT value FROM json_each(?))")
        var sortKeys: [Int64: SortKey] = [:]
        let rows = try Row.fetchCursor(statement, arguments: [ItemRows.list(keys)])
        while let row = try rows.next() {
            let place = try ItemIndexSource.place(of: row)
            sortKeys[place.key] = place
        }
        return sortKeys
    }

    private func ranks(in db: Database) throws -> [Int64: UInt64] {
        var order: [SortKey] = []
        let rows = try Row.fetchCursor(
            db, sql: "SELECT \(ItemIndexSource.columns) FROM item WHERE indexKey = ? ORDER BY key",
            arguments: [index])
        while let row = try rows.next() {
            try order.append(ItemIndexSource.place(of: row))
        }
        order.sort()
        var ranks: [Int64: UInt64] = [:]
        ranks.reserveCapacity(order.count)
        for (rank, place) in order.enumerated() { ranks[place.key] = UInt64(rank) }
        return ranks
    }

    /// So many items are folded in one go, on all processors.
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

    /// The keys of the app's own attributes that are searched.
    func searchable(in db: Database) throws -> [String] {
        try ItemRows.customAttributes(ofIndex: index, in: db).filter { $0.isSearchable && $0.type == .text }.map(\.key)
    }

    private static func values(
        of items: [(key: Int64, attributes: Data)], searchable: [String]
    ) -> [(key: Int64, values: [(field: Int, value: FieldValue)])] {
        let share = 64
        let shares = (items.count + share - 1) / share
        let results = Mutex<[Int: [(key: Int64, values: [(field: Int, value: FieldValue)])]]>([:])
        DispatchQueue.concurrentPerform(iterations: shares) { number in
            let part = items[number * share..<min((number + 1) * share, items.count)].map { item in
                let set = item.attributes.withUnsafeBytes { AttributeBytes.decoded($0) }
                let texts = ItemTexts(set, searchable: searchable)
                let folded = texts.folded
                let values = ItemField.allCases.flatMap { field in
                    texts.values(field, folded).map { (field.rawValue, $0) }
                }
                return (item.key, values)
            }
            results.withLock { $0[number] = part }
        }
        return results.withLock { results in (0..<shares).flatMap { results[$0] ?? [] } }
    }
}
