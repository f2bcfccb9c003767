import Foundation
import GRDB
import SwitchboardStorage

/// The order in which contacts of equal matches are shown: favourites, then by use, then by name, then as they were added.
///
/// Use is the logarithm of a count that halves every thirty days: log2(calls) + last call / 30 days. As a logarithm
/// it does not depend on the present, so the order stays right while time goes by without anything being written.
struct ContactOrder: Comparable {
    let isFavourite: Bool
    let use: Double
    let sortKey: String
    let key: Int64

    /// Seconds after which a call counts half.
    static let halfLife = 30.0 * 86_400

    private static let columns = "key, isFavourite, callCount, lastCalledAt, sortKey"

    private init(_ row: Row) throws {
        key = try row.value(0)
        isFavourite = try row.value(1)
        use = try ContactOrder.use(calls: row.value(2), last: row.value(3))
        sortKey = try row.value(4)
    }

    private static func use(calls: Int, last: Double?) -> Double {
        calls > 0 ? log2(Double(calls)) + (last ?? 0) / halfLife : -.infinity
    }

    static func < (left: ContactOrder, right: ContactOrder) -> Bool {
        if left.isFavourite != right.isFavourite { return left.isFavourite }
        if left.use != right.use { return left.use > right.use }
        // As SQLite orders them.
        let (leftKey, rightKey) = (left.sortKey.utf8, right.sortKey.utf8)
        if leftKey.elementsEqual(rightKey) { return left.key < right.key }
        return leftKey.lexicographicallyPrecedes(rightKey)
    }

    static func == (left: ContactOrder, right: ContactOrder) -> Bool { left.key == right.key }

    /// What orders some contacts, by key; those that are no more are missing.
    static func places(of keys: [Int64], in db: Database) throws -> [Int64: ContactOrder] {
        var places: [Int64: ContactOrder] = [:]
        let statement = try db.cachedStatement(
            sql: "SELECT \(columns) FROM contact WHERE key IN (SELECT value FROM json_each(?))")
        let list = "[" + keys.map { String($0) }.joined(separator: ",") + "]"
        let rows = try Row.fetchCursor(statement, arguments: [list])
        while let row = try rows.next() { try places[row.value(0)] = ContactOrder(row) }
        return places
    }

    /// The place of every contact, from 0. O(n log n).
    static func ranks(in db: Database) throws -> [Int64: UInt64] {
        var rows: [(key: Int64, isFavourite: Bool, use: Double)] = []
        let cursor = try Row.fetchCursor(db, sql: "SELECT \(columns) FROM contact ORDER BY sortKey, key")
        while let row = try cursor.next() {
            try rows.append((row.value(0), row.value(1), use(calls: row.value(2), last: row.value(3))))
        }
        // In order of the names already; most have no use and are no favourites.
        let order = rows.indices.sorted { left, right in
            if rows[left].isFavourite != rows[right].isFavourite { return rows[left].isFavourite }
            return rows[left].use == rows[right].use ? left < right : rows[left].use > rows[right].use
        }
        var ranks: [Int64: UInt64] = [:]
        ranks.reserveCapacity(order.count)
        for (rank, row) in order.enumerated() { ranks[rows[row].key] = UInt64(rank) }
        return ranks
    }
}
