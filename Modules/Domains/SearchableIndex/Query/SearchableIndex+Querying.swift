import Foundation
import GRDB
import SwitchboardIncrementalIndex
import SwitchboardStorage

// MARK: - Querying

extension SearchableIndex {
    /// Returns the items that match a query, in insertion order, without their full texts.
    ///
    /// For example:
    ///
    /// ```swift
    /// let dramas = try index.search(AttributeQuery("keywords == 'drama'c && rating >= 4"))
    /// ```
    ///
    /// - Parameters:
    ///   - query: The query, parsed with ``attributeTypes()`` if it names custom attributes.
    ///   - limit: The maximum number of items; 0 for all.
    ///   - offset: The number of items to skip.
    ///   - isCancelled: Polled regularly; when it returns `true` the query throws `CancellationError`.
    /// - Complexity: O(*n*) in the number of items, at a few microseconds each. Conditions on identifier, domain and
    ///   content type use SQL indexes.
    public func search(
        _ query: AttributeQuery, limit: Int = 0, offset: Int = 0, isCancelled: (@Sendable () -> Bool)? = nil
    ) throws -> [StoredItem] {
        let now = clock()
        let predicate = query.predicate(at: now, in: .current)
        let condition = SQLCondition(query.root)
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
                if seen & 255 == 0, isCancelled?() ?? false { throw CancellationError() }
                guard predicate.matches(try ItemAttributeSource(row, in: db)) else { continue }
                passed += 1
                if passed <= offset { continue }
                found.append(try ItemRows.item(row))
                if limit > 0, found.count == limit { break }
            }
            return found
        }
    }

    /// Returns the items that match a query without blocking the caller's thread. Cancelling the task cancels the
    /// search.
    public func search(_ query: AttributeQuery, limit: Int = 0, offset: Int = 0) async throws -> [StoredItem] {
        try await runCancellable { try self.search(query, limit: limit, offset: offset, isCancelled: $0) }
    }

    /// Evaluates each comparison of a query on an item, to explain why the item matches or not.
    ///
    /// - Throws: ``SearchableIndexError/notFound(id:)``.
    public func explain(_ id: String, _ query: AttributeQuery) throws -> QueryExplanation {
        let now = clock()
        let predicate = query.predicate(at: now, in: .current)
        return try storage.read { db in
            guard let index = try ItemRows.indexKey(name, in: db),
                let item = try ItemRows.item(try ItemRows.key(of: id, index: index, in: db), in: db)
            else { throw SearchableIndexError.notFound(id: id) }
            let source = ItemAttributeSource(item, in: db)
            let parts = query.root.comparisons.map { attribute, test in
                let part = query.predicate(of: .comparison(attribute, test), at: now, in: .current)
                return QueryExplanation.Part(
                    attribute: attribute, holds: part.matches(source),
                    values: attribute == "*" ? [] : source.values(of: attribute))
            }
            return QueryExplanation(matches: predicate.matches(source), parts: parts)
        }
    }
}

/// The evaluation of a query on an item.
public struct QueryExplanation: Sendable, Hashable {
    /// The evaluation of one comparison.
    public struct Part: Sendable, Hashable {
        /// The compared attribute.
        public var attribute: String
        /// `true` if the comparison holds.
        public var holds: Bool
        /// The item's values of the attribute; empty if it is not set.
        public var values: [AttributeValue]
    }

    /// `true` if the whole query matches.
    public var matches: Bool
    /// The comparisons in query order.
    public var parts: [Part]
}

/// The part of a query that SQL indexes can answer. Values are bound, never inserted into the statement.
private struct SQLCondition {
    var sql = ""
    var arguments: [String] = []

    init(_ node: QueryNode) {
        switch node {
        case .all(let nodes): for node in nodes { add(node) }
        default: add(node)
        }
    }

    private mutating func add(_ node: QueryNode) {
        guard case .comparison(let attribute, .text(let value)) = node,
            ["id", "domain", "contentType"].contains(attribute),
            value.modifiers.isEmpty, let first = value.pieces.first, !first.isEmpty,
            // SQLite compares bytes, queries compare canonical forms; they agree on ASCII only.
            first.utf8.allSatisfy({ $0 < 0x80 })
        else { return }
        if value.pieces.count == 1 {
            sql += " AND \(attribute) = ?"
            arguments.append(first)
        } else {
            // A prefix. Its last letter is dropped, because another form may combine it with an accent.
            let beginning = String(first.dropLast())
            guard !beginning.isEmpty else { return }
            sql += " AND \(attribute) >= ? AND \(attribute) < ?"
            arguments += [beginning, beginning + "\u{10FFFF}"]
        }
    }
}
