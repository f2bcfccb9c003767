import GRDB
import SwitchboardAlgorithms
import SwitchboardStorage

/// The order of equal matches: favorites, then by usage, then by name, then by key.
///
/// Usage is the logarithm of a call count with a half-life of thirty days: log2(calls) + last call / 30 days. The
/// logarithm does not depend on the current time, so the order needs no updates.
struct ContactOrder: Comparable {
    let isFavourite: Bool
    let usage: Double
    let sortKey: String
    let key: Int64

    private static let columns = "key, isFavourite, callCount, lastCalledAt, sortKey"

    private init(_ row: Row) throws {
        key = try row.value(0)
        isFavourite = try row.value(1)
        usage = try ContactOrder.usage(calls: row.value(2), last: row.value(3))
        sortKey = try row.value(4)
    }

    private static func usage(calls: Int, last: Double?) -> Double {
        UseRank.rank(count: calls, last: last ?? 0)
    }

    static func < (left: ContactOrder, right: ContactOrder) -> Bool {
        if left.isFavourite != right.isFavourite { return left.isFavourite }
        if left.usage != right.usage { return left.usage > right.usage }
        // Compares bytes like SQLite.
        let (leftKey, rightKey) = (left.sortKey.utf8, right.sortKey.utf8)
        if leftKey.elementsEqual(rightKey) { return left.key < right.key }
        return leftKey.lexicographicallyPrecedes(rightKey)
    }

    static func == (left: ContactOrder, right: ContactOrder) -> Bool { left.key == right.key }

    /// Returns the orders of the given contacts by key. Contacts that no longer exist are missing.
    static func orders(of keys: [Int64], in db: Database) throws -> [Int64: ContactOrder] {
        var orders: [Int64: ContactOrder] = [:]
        try db.forEachRow("SELECT \(columns) FROM contact WHERE key IN", keys) { row in
            try orders[row.value(0)] = ContactOrder(row)
        }
        return orders
    }

    /// Returns the rank of each contact, from 0, in O(*n* log *n*).
    static func ranks(in db: Database) throws -> [Int64: UInt64] {
        var rows: [(key: Int64, isFavourite: Bool, usage: Double)] = []
        let cursor = try Row.fetchCursor(db, sql: "SELECT \(columns) FROM contact ORDER BY sortKey, key")
        while let row = try cursor.next() {
            try rows.append((row.value(0), row.value(1), usage(calls: row.value(2), last: row.value(3))))
        }
        // The rows are already sorted by name.
        let order = rows.indices.sorted { left, right in
            if rows[left].isFavourite != rows[right].isFavourite { return rows[left].isFavourite }
            return rows[left].usage == rows[right].usage ? left < right : rows[left].usage > rows[right].usage
        }
        var ranks: [Int64: UInt64] = [:]
        ranks.reserveCapacity(order.count)
        for (rank, row) in order.enumerated() { ranks[rows[row].key] = UInt64(rank) }
        return ranks
    }
}
