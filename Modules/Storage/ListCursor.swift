import Foundation
package import GRDB

/// The position in a sorted list at which a page begins.
///
/// A client gets the cursor of the next page as text, and treats it as opaque.
package enum ListCursor: Sendable, Hashable {
    /// After a number of rows. Such a page shifts if rows are added or removed before it.
    case rows(Int)
    /// After a row. Such a page neither repeats nor misses a row that keeps its position.
    case row(RowPlace)

    /// The position of a row in a sorted list: its sort value, and its key, which orders rows of the same value.
    package struct RowPlace: Sendable, Hashable {
        let value: SortValue
        let key: Int64
    }

    enum SortValue: Sendable, Hashable {
        case text(String)
        case real(Double)
    }
}

/// A page of a sorted list.
package struct ListPage<Element> {
    package var rows: [Element]
    /// The cursor of the next page; nil on the last one.
    package var next: ListCursor?
    /// The number of rows of all pages.
    package var total: Int

    package init(rows: [Element], next: ListCursor?, total: Int) {
        self.rows = rows
        self.next = next
        self.total = total
    }

    /// Returns the page with converted rows. Rows that become nil are omitted.
    package func compactMap<Other>(_ convert: (Element) throws -> Other?) rethrows -> ListPage<Other> {
        ListPage<Other>(rows: try rows.compactMap(convert), next: next, total: total)
    }
}

extension ListPage: Sendable where Element: Sendable {}

// MARK: - Reading

extension Database {
    /// Returns the keys of the rows of a table whose identifiers begin with an ASCII text.
    ///
    /// - Parameter table: The table, with the columns `key` and `sortKey` and an index on `id`.
    /// - Complexity: O(log *n* + rows).
    package func keys(of table: String, identifiedFrom start: String) throws -> [Int64] {
        try Int64.fetchAll(
            self, sql: "SELECT key FROM \(table) WHERE id >= ? AND id < ? ORDER BY +sortKey, key",
            arguments: [start, start + "\u{10FFFF}"])
    }

    /// Returns the keys of a page of a table.
    ///
    /// - Parameters:
    ///   - table: The table, with a column `key`.
    ///   - condition: The condition of the rows, with `?` for the arguments.
    ///   - column: The column by which the rows are sorted, text or a real number.
    ///   - isDescending: `true` to sort the column and the key in descending order.
    ///   - cursor: The position at which the page begins.
    ///   - limit: The maximum number of rows.
    /// - Complexity: O(*n*) in the number of rows of the table for the total; after a row, the page itself takes time
    ///   proportional to its length if the table has an index on the column and the key.
    package func page(
        of table: String, where condition: String = "1", arguments: StatementArguments = [], sortedBy column: String,
        isDescending: Bool = false, at cursor: ListCursor, limit: Int
    ) throws -> ListPage<Int64> {
        let total = try Int.fetchOne(
            self, sql: "SELECT count(*) FROM \(table) WHERE \(condition)", arguments: arguments)
        var (conditions, bounds, offset) = ("(\(condition))", arguments, 0)
        switch cursor {
        case .rows(let count): offset = max(count, 0)
        case .row(let place):
            conditions += " AND (\(column), key) \(isDescending ? "<" : ">") (?, ?)"
            bounds += [place.value, place.key]
        }
        let order = isDescending ? " DESC" : ""
        let found = try Row.fetchAll(
            self,
            sql: """
                SELECT key, \(column) FROM \(table) WHERE \(conditions) ORDER BY \(column)\(order), key\(order)
                LIMIT ? OFFSET ?
                """, arguments: bounds + [limit + 1, offset])
        let keys: [Int64] = try found.prefix(limit).map { try $0.value(0) }
        guard found.count > limit, limit > 0 else { return ListPage(rows: keys, next: nil, total: total ?? 0) }
        let last = ListCursor.RowPlace(value: try ListCursor.SortValue(found[limit - 1]), key: keys[limit - 1])
        return ListPage(rows: keys, next: .row(last), total: total ?? 0)
    }
}

extension ListCursor.SortValue: DatabaseValueConvertible {
    var databaseValue: DatabaseValue {
        switch self {
        case .text(let text): text.databaseValue
        case .real(let number): number.databaseValue
        }
    }

    static func fromDatabaseValue(_ value: DatabaseValue) -> ListCursor.SortValue? {
        switch value.storage {
        case .string(let text): .text(text)
        case .double(let number): .real(number)
        default: nil
        }
    }

    /// Reads the second column of a row.
    fileprivate init(_ row: Row) throws {
        // `value(_:)` throws for a corrupt value.
        self = try ListCursor.SortValue.fromDatabaseValue(row[1]) ?? .text(row.value(1))
    }
}

// MARK: - As text

extension ListCursor: LosslessStringConvertible {
    /// The cursor as letters, digits, `-` and `_`: a number of rows, or a row after the letter `k`.
    package var description: String {
        switch self {
        case .rows(let count): String(count)
        case .row(let place):
            switch place.value {
            case .text(let text): "k" + Data("\(place.key) t\(text)".utf8).base64URL
            case .real(let number): "k" + Data("\(place.key) r\(number.bitPattern)".utf8).base64URL
            }
        }
    }

    package init?(_ description: String) {
        guard description.first == "k" else {
            guard description.utf8.count <= 9, description.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let count = Int(description)
            else { return nil }
            self = .rows(count)
            return
        }
        guard let data = Data(base64URL: String(description.dropFirst())),
            let text = String(validating: data, as: UTF8.self)
        else { return nil }
        let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let key = Int64(parts[0]) else { return nil }
        switch parts[1].first {
        case "t": self = .row(RowPlace(value: .text(String(parts[1].dropFirst())), key: key))
        case "r":
            guard let bits = UInt64(parts[1].dropFirst()), Double(bitPattern: bits).isFinite else { return nil }
            self = .row(RowPlace(value: .real(Double(bitPattern: bits)), key: key))
        default: return nil
        }
    }
}
