import Foundation
import GRDB
import SwitchboardStorage

// MARK: - Querying

extension SearchableIndex {
    /// The items for which a query holds, in the order in which they were put first, without their whole texts.
    ///
    /// For example:
    ///
    /// ```swift
    /// let dramas = try index.items(matching: AttributeQuery("keywords == 'drama'c && rating >= 4"))
    /// ```
    ///
    /// - Parameters:
    ///   - query: read with the attributes of ``attributeTypes()``, so that it may name the app's own.
    ///   - limit: how many at most; 0 for all.
    ///   - offset: how many to leave out first.
    ///   - isCancelled: asked now and then; when it says true the query ends with ``SearchableIndexError/cancelled``.
    /// - Complexity: O(items), some microseconds each; of those alone that identifier, domain and content type allow, if the query demands
    ///   one of these.
    public func items(
        matching query: AttributeQuery, limit: Int = 0, offset: Int = 0, isCancelled: (@Sendable () -> Bool)? = nil
    ) throws -> [StoredItem] {
        let now = clock()
        let predicate = query.predicate(at: now, in: .current)
        let condition = StoreCondition(query.root)
        return try storage.read { db in
            guard let index = try ItemRows.indexKey(name, in: db) else { return [] }
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT \(ItemRows.columns) FROM item
                    WHERE indexKey = ? AND (expiresAt IS NULL OR expiresAt > ?)\(condition.sql) ORDER BY key
                    """,
                arguments: [index, now.timeIntervalSince1970] + StatementArguments(condition.arguments))
            var found: [StoredItem] = []
            var passed = 0
            var seen = 0
            while let row = try rows.next() {
                seen += 1
                if seen & 255 == 0, isCancelled?() ?? false { throw SearchableIndexError.cancelled }
                let holds = try row.withBytes(6) { predicate.matches(try ItemSource(row, $0, in: db)) }
                guard holds else { continue }
                passed += 1
                if passed <= offset { continue }
                found.append(try ItemRows.item(row))
                if limit > 0, found.count == limit { break }
            }
            return found
        }
    }

    /// Why an item is found by a query or not: each comparison of the query, as it is written, with what the item has there.
    ///
    /// - Throws: ``SearchableIndexError/notFound(id:)``.
    public func explain(_ id: String, _ query: AttributeQuery) throws -> QueryExplanation {
        let predicate = query.predicate(at: clock(), in: .current)
        return try storage.read { db in
            guard let index = try ItemRows.indexKey(name, in: db),
                let item = try ItemRows.item(try ItemRows.key(of: id, index: index, in: db), in: db)
            else { throw SearchableIndexError.notFound(id: id) }
            let source = ItemSource(item, in: db)
            let parts = query.root.comparisons.map { node in
                QueryExplanation.Part(
                    attribute: node.attribute,
                    holds: AttributeQuery(root: node, like: query).predicate(at: clock(), in: .current).matches(source),
                    values: node.attribute == "*" ? [] : source.values(of: node.attribute))
            }
            return QueryExplanation(matches: predicate.matches(source), parts: parts)
        }
    }
}

/// Why an item is found by a query or not.
public struct QueryExplanation: Sendable, Hashable {
    /// One comparison of the query.
    public struct Part: Sendable, Hashable {
        /// The attribute that is compared.
        public var attribute: String
        /// Whether the comparison holds.
        public var holds: Bool
        /// The item's values of the attribute; none if it is not set.
        public var values: [AttributeValue]
    }

    /// Whether the query holds as a whole.
    public var matches: Bool
    /// The comparisons, in the order of the query.
    public var parts: [Part]
}

/// What a query demands of the columns that SQL has an index of. Only bound values go into the statement.
private struct StoreCondition {
    var sql = ""
    var arguments: [String] = []

    init(_ node: QueryNode) {
        switch node {
        case .all(let nodes): for node in nodes { add(node) }
        default: add(node)
        }
    }

    private mutating func add(_ node: QueryNode) {
        guard case .text(let attribute, let value) = node, ["id", "domain", "contentType"].contains(attribute),
            value.modifiers.isEmpty, let first = value.pieces.first, !first.isEmpty,
            // SQLite compares bytes, a query canonical forms: only of ASCII these are the same.
            first.utf8.allSatisfy({ $0 < 0x80 })
        else { return }
        if value.pieces.count == 1 {
            sql += " AND \(attribute) = ?"
            arguments.append(first)
        } else {
            // A beginning; a letter of the beginning may carry an accent of its own in another form, so it is left out.
            let beginning = String(first.dropLast())
            guard !beginning.isEmpty else { return }
            sql += " AND \(attribute) >= ? AND \(attribute) < ?"
            arguments += [beginning, beginning + "\u{10FFFF}"]
        }
    }
}

extension QueryNode {
    /// The comparisons in a query, in its order.
    var comparisons: [QueryNode] {
        switch self {
        case .all(let nodes), .any(let nodes): nodes.flatMap(\.comparisons)
        case .not(let node): node.comparisons
        default: [self]
        }
    }

    /// The attribute of a comparison.
    var attribute: String {
        switch self {
        case .all, .any, .not: ""
        case .isSet(let name), .text(let name, _), .number(let name, _, _), .date(let name, _, _), .flag(let name, _),
            .numberRange(let name, _, _), .dateRange(let name, _, _):
            name
        }
    }
}
