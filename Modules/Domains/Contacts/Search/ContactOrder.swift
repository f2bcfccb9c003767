import GRDB
import SwitchboardAlgorithms
import SwitchboardSearchEngine
import SwitchboardStorage
import SwitchboardTextNormalization

/// An order of contacts in lists. Equal contacts are sorted by name.
public enum ContactSortOrder: String, CaseIterable, Sendable {
    /// By the full name, as it is displayed.
    case name
    /// By the given name; contacts without one come last.
    case given
    /// By the family name; contacts without one come last.
    case family
    /// By the organization; contacts without one come last.
    case organization
    /// The most recently created first.
    case created
    /// The most recently changed first.
    case changed
}

extension ContactSortOrder {
    /// Returns the keys of contacts in this order.
    ///
    /// - Parameter condition: A `WHERE` clause.
    func keys(where condition: String, limit: Int, offset: Int, in db: Database) throws -> [Int64] {
        let column: String
        switch self {
        case .name: return try keys(where: condition, by: "sortKey", limit: limit, offset: offset, in: db)
        case .created: return try keys(where: condition, by: "createdAt DESC", limit: limit, offset: offset, in: db)
        case .changed: return try keys(where: condition, by: "modifiedAt DESC", limit: limit, offset: offset, in: db)
        case .given: column = "given"
        case .family: column = "family"
        case .organization: column = "organization"
        }
        // SQLite does not fold texts.
        let rows = try Row.fetchAll(db, sql: "SELECT key, \(column) FROM contact \(condition) ORDER BY sortKey, key")
        let texts = try rows.enumerated().map {
            position, row -> (isEmpty: Int, text: String, position: Int, key: Int64) in
            let text = NameKey(try row.value(1)).sortText
            return (text.isEmpty ? 1 : 0, text, position, try row.value(0))
        }
        let keys = texts.sorted { ($0.isEmpty, $0.text, $0.position) < ($1.isEmpty, $1.text, $1.position) }.map(\.key)
        return Array(limit < 0 ? keys.dropFirst(offset) : keys.dropFirst(offset).prefix(limit))
    }

    private func keys(where condition: String, by order: String, limit: Int, offset: Int, in db: Database) throws
        -> [Int64]
    {
        try Int64.fetchAll(
            db, sql: "SELECT key FROM contact \(condition) ORDER BY \(order), sortKey, key LIMIT ? OFFSET ?",
            arguments: [limit, offset])
    }
}

/// The order of equal matches: favorites, then by usage, then by name, then by key.
///
/// Usage is the logarithm of a call count with a half-life of thirty days: log2(calls) + last call / 30 days. The
/// logarithm does not depend on the current time, so the order needs no updates.
struct ContactOrder: Comparable {
    let isFavourite: Bool
    let usage: Double
    let sortKey: String
    let key: Int64
    var isPreferred: Bool { isFavourite || usage > -.infinity }

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
        // Sorting all rows takes less time than reading them in the order of an index.
        let cursor = try Row.fetchCursor(db, sql: "SELECT \(columns) FROM contact NOT INDEXED ORDER BY sortKey, key")
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
        for (position, row) in order.enumerated() {
            let isPreferred = rows[row].isFavourite || rows[row].usage > -.infinity
            ranks[rows[row].key] = SearchIndex.rank(at: position, isPreferred: isPreferred)
        }
        return ranks
    }
}
