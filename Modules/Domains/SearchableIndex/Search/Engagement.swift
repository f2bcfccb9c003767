import Foundation
import GRDB
import SwitchboardStorage

/// The record of chosen items per query.
enum Engagement {
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
