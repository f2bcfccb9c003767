import GRDB
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
