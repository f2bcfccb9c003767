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
    ///   - order: The order of the items; empty for the order of insertion.
    ///   - isCancelled: Polled regularly; when it returns `true` the query throws `CancellationError`.
    /// - Throws: ``SearchableIndexError/invalidSort(reason:)`` for an order by an unknown attribute.
    /// - Complexity: O(*n*) in the number of items, at a few microseconds each. Conditions on identifier, domain and
    ///   content type use SQL indexes.
    public func search(
        _ query: AttributeQuery, limit: Int = 0, offset: Int = 0, sortedBy order: [ItemSort] = [],
        isCancelled: (@Sendable () -> Bool)? = nil
    ) throws -> [StoredItem] {
        try storage.read { db in
            let order = order.isEmpty ? [] : try attributeTypes(in: db).known(order)
            var passed = 0
            if order.isEmpty {
                var found: [StoredItem] = []
                try forEachMatch(of: query, isCancelled: isCancelled, in: db) { row, _ in
                    passed += 1
                    if passed > offset { found.append(try ItemRows.item(row)) }
                    return limit == 0 || found.count < limit
                }
                return found
            }
            let offset = max(offset, 0)
            let (wanted, isOverflow) = limit.addingReportingOverflow(offset)
            var first = FirstItems(by: order, limit: limit <= 0 || isOverflow ? 0 : wanted)
            try forEachMatch(of: query, isCancelled: isCancelled, in: db) { _, source in
                first.add(source)
                return true
            }
            let shown = Array(first.sortedKeys().dropFirst(offset))
            let items = try ItemRows.items(shown, in: db)
            return shown.compactMap { items[$0] }
        }
    }

    /// Returns the items that match a query without blocking the caller's thread. Cancelling the task cancels the
    /// search.
    public func search(
        _ query: AttributeQuery, limit: Int = 0, offset: Int = 0, sortedBy order: [ItemSort] = []
    ) async throws -> [StoredItem] {
        try await runCancellable {
            try self.search(query, limit: limit, offset: offset, sortedBy: order, isCancelled: $0)
        }
    }

    /// Returns the items that match the text of a query, which may name custom attributes; see the search for a query.
    ///
    /// - Throws: A ``QueryError`` with the position of the first error.
    public func search(
        _ query: String, limit: Int = 0, offset: Int = 0, sortedBy order: [ItemSort] = [],
        isCancelled: (@Sendable () -> Bool)? = nil
    ) throws -> [StoredItem] {
        let query = try AttributeQuery(query, attributes: attributeTypes())
        return try search(query, limit: limit, offset: offset, sortedBy: order, isCancelled: isCancelled)
    }

    /// Returns the number of items that match a query for each value of attributes.
    ///
    /// - Parameters:
    ///   - attributes: The names of standard or custom attributes. A list counts with each of its values.
    ///   - query: The query.
    ///   - limit: The maximum number of values of an attribute; 0 for all.
    ///   - isCancelled: Polled regularly.
    /// - Throws: ``SearchableIndexError/invalidSort(reason:)`` for an unknown attribute.
    /// - Complexity: O(*n*) in the number of items.
    public func facets(
        of attributes: [String], matching query: AttributeQuery, limit: Int = 10,
        isCancelled: (@Sendable () -> Bool)? = nil
    ) throws -> [ItemFacet] {
        try storage.read { db in
            let types = try attributeTypes(in: db)
            var counter = FacetCounter(try attributes.map { try types.known($0) })
            try forEachMatch(of: query, isCancelled: isCancelled, in: db) { _, source in
                counter.add(source)
                return true
            }
            return counter.facets(limit: limit)
        }
    }

    /// Calls `body` with the rows of the items that match a query, until it returns `false`.
    private func forEachMatch(
        of query: AttributeQuery, isCancelled: (@Sendable () -> Bool)?, in db: Database,
        _ body: (Row, ItemAttributeSource) throws -> Bool
    ) throws {
        guard let index = try ItemRows.indexKey(name, in: db) else { return }
        let now = clock()
        let predicate = query.predicate(at: now, in: .current)
        try ItemRows.forEach(in: index, query: query, at: now, isCancelled: isCancelled, db) { row, source in
            try !predicate.matches(source) || body(row, source)
        }
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

extension ItemRows {
    /// Returns `true` if SQL indexes select the items that a query can match.
    static func isIndexed(_ query: AttributeQuery, in index: Int64, at now: Date, _ db: Database) throws -> Bool {
        try !SQLCondition(query, index: index, at: now, in: db).sql.isEmpty
    }

    /// Calls `body` with the rows of the items of an index by key, until it returns `false`. Expired items are left out,
    /// and most of those that SQL indexes know not to be in the domain or not to match the query.
    static func forEach(
        in index: Int64, domain: String? = nil, query: AttributeQuery?, at now: Date,
        isCancelled: (@Sendable () -> Bool)?, _ db: Database, _ body: (Row, ItemAttributeSource) throws -> Bool
    ) throws {
        let condition = try SQLCondition(query, index: index, at: now, in: db)
        let isInIndex = condition.hasColumn ? "indexKey = ?" : "+indexKey = ?"
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT \(columns) FROM item WHERE \(domain == nil ? isInIndex : ItemDomain.condition)
                    AND (expiresAt IS NULL OR expiresAt > ?)\(condition.sql)
                ORDER BY key
                """,
            arguments: (domain.map { ItemDomain.arguments(index, $0) } ?? [index]) + [now.timeIntervalSince1970]
                + StatementArguments(condition.arguments))
        var seen = 0
        while let row = try rows.next() {
            seen += 1
            if seen & 255 == 0, isCancelled?() ?? false { throw CancellationError() }
            if try !body(row, ItemAttributeSource(row, in: db)) { return }
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
    private(set) var sql = ""
    private(set) var arguments: [any DatabaseValueConvertible] = []
    /// `true` if a column of `item` is compared, which has an index. Otherwise rows are read by key, because SQLite would
    /// read all of them by the index of identifiers and sort them.
    private(set) var hasColumn = false
    private let indexed: [String]
    private let now: Date

    init(_ query: AttributeQuery?, index: Int64, at now: Date, in db: Database) throws {
        indexed = try IndexedValues(index: index, in: db).attributes
        self.now = now
        switch query?.root {
        case nil: break
        case .all(let nodes): for node in nodes { add(node) }
        case let node?: add(node)
        }
    }

    private func seconds(of time: TimeExpression) -> Double {
        time.date(at: now, in: .current).timeIntervalSinceReferenceDate
    }

    private mutating func addValues(_ attribute: String, _ test: QueryTest) {
        guard indexed.contains(attribute) else { return }
        let (condition, bounds): (String, [Double])
        switch test {
        case .number(let operation, let bound): (condition, bounds) = ("value \(operation.rawValue) ?", [bound])
        case .numberRange(let lower, let upper): (condition, bounds) = ("value BETWEEN ? AND ?", [lower, upper])
        case .date(let operation, let time):
            (condition, bounds) = ("value \(operation.rawValue) ?", [seconds(of: time)])
        case .dateRange(let lower, let upper):
            (condition, bounds) = (
                "value BETWEEN ? AND ?", [lower, upper].map(seconds)
            )
        case .isSet: (condition, bounds) = ("1", [])
        case .text, .flag: return
        }
        sql += " AND key IN (SELECT item FROM item_value WHERE attribute = ? AND \(condition))"
        arguments += [attribute] + bounds
    }

    private mutating func add(_ node: QueryNode) {
        if case .comparison(let attribute, let test) = node { addValues(attribute, test) }
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
        hasColumn = true
    }
}

/// The attributes of an item for queries, including derived attributes.
struct ItemAttributeSource: AttributeSource {
    private enum Attributes {
        case set(SearchableItemAttributeSet)
        case bytes(Data)
    }

    let key: Int64
    let id: String
    private let domain: String?
    private let expiresAt: Date?
    private let attributes: Attributes
    private let db: Database

    init(_ stored: StoredItem, in db: Database) {
        key = stored.key
        id = stored.item.uniqueIdentifier
        domain = stored.item.domainIdentifier
        expiresAt = stored.item.expirationDate
        attributes = .set(stored.item.attributeSet)
        self.db = db
    }

    /// - Parameter row: A row of ``ItemRows/columns``.
    init(_ row: Row, in db: Database) throws {
        key = try row.value(0)
        id = try row.value(1)
        domain = try row.value(2)
        expiresAt = try row.value(3)
        attributes = .bytes(try row.value(6))
        self.db = db
    }

    private subscript(attribute: Attribute) -> [AttributeValue] {
        switch attributes {
        case .set(let set): set[attribute]
        case .bytes(let bytes): AttributeCoder.values(of: attribute, in: bytes)
        }
    }

    private func custom(_ key: String) -> [AttributeValue] {
        switch attributes {
        case .set(let set): set.custom[key] ?? []
        case .bytes(let bytes): AttributeCoder.values(custom: key, in: bytes)
        }
    }

    /// Returns the values of a standard or custom attribute with numbers or dates in encoded attributes.
    static func values(of attribute: String, in bytes: Data) -> [AttributeValue] {
        let known = Attribute(name: attribute)
        let values = known.map { AttributeCoder.values(of: $0, in: bytes) } ?? []
        return values.isEmpty && known?.mayBeCustom ?? true
            ? AttributeCoder.values(custom: attribute, in: bytes) : values
    }

    func values(of attribute: String) -> [AttributeValue] {
        switch attribute {
        case "id": return [.text(id)]
        case "domain": return domain.map { [.text($0)] } ?? []
        case "expiresAt": return expiresAt.map { [.date($0)] } ?? []
        // The full text is read only if a query uses it.
        case "textContent": return (try? ItemRows.text(of: key, in: db)).flatMap { $0 }.map { [.text($0)] } ?? []
        default: break
        }
        guard let known = Attribute(name: attribute) else { return custom(attribute) }
        switch known {
        case .contentTypeTree:
            let given = self[.contentTypeTree]
            if !given.isEmpty { return given }
            guard case .text(let type)? = self[.contentType].first else { return [] }
            return ContentType.tree(of: type).map { .text($0) }
        case .authors, .recipients: return Self.names(self[known])
        case .authorNames: return Self.names(self[.authors]) + self[known]
        case .recipientNames: return Self.names(self[.recipients]) + self[known]
        case .authorEmailAddresses: return Self.emails(self[.authors]) + self[known]
        case .recipientEmailAddresses: return Self.emails(self[.recipients]) + self[known]
        default:
            let values = self[known]
            return values.isEmpty && known.mayBeCustom ? custom(attribute) : values
        }
    }

    private static func persons(_ values: [AttributeValue]) -> [IndexedPerson] {
        values.compactMap { if case .person(let person) = $0 { person } else { nil } }
    }

    private static func names(_ values: [AttributeValue]) -> [AttributeValue] {
        persons(values).map { .text($0.name) }
    }

    private static func emails(_ values: [AttributeValue]) -> [AttributeValue] {
        persons(values).flatMap(\.emails).map { .text($0) }
    }

    func isIn(domain: String) -> Bool {
        guard let own = self.domain else { return false }
        return own == domain || own.hasPrefix(domain + ".")
    }

    func conforms(to type: String) -> Bool { values(of: "contentTypeTree").contains(.text(type)) }
}
