public import Foundation
import GRDB
package import SwitchboardStorage

/// Statistics of an index.
public struct ItemStats: Sendable, Hashable {
    /// The number of items.
    public var items: Int
    /// The number of items per domain, without subdomains; items without a domain are under the empty name.
    public var domains: [Domain]
    /// The items that expired most recently.
    public var expired: [ExpiredItem]
    /// The client state.
    public var clientState: String?
    /// The custom attributes.
    public var customAttributes: [CustomAttribute]
    /// The names of all indexes in the storage.
    public var indexes: [String]

    /// The number of items in a domain.
    public struct Domain: Sendable, Hashable, Encodable {
        /// The domain.
        public var domain: String
        /// The number of items.
        public var items: Int
    }
}

/// An item that was removed because it expired.
public struct ExpiredItem: Sendable, Hashable, Codable {
    /// The identifier.
    public var id: String
    /// The domain.
    public var domain: String?
    /// The title.
    public var title: String?
    /// The time at which it expired.
    public var expiredAt: Date
}

// MARK: - Reading

extension SearchableIndex {
    /// Returns an item with its full text.
    ///
    /// - Throws: ``SearchableIndexError/notFound(id:)``.
    public func item(_ id: String) throws -> StoredItem {
        let now = clock()
        return try storage.read { db in
            guard let index = try ItemRows.indexKey(name, in: db),
                let item = try ItemRows.item(try ItemRows.key(of: id, index: index, in: db), in: db),
                item.expirationDate.map({ $0 > now }) ?? true
            else { throw SearchableIndexError.notFound(id: id) }
            return item
        }
    }

    /// Calls `body` with each item, sorted by identifier and without full texts, in bounded memory.
    ///
    /// - Parameters:
    ///   - domain: The domain to list, including its subdomains.
    ///   - body: Returns `false` to stop.
    public func forEach(inDomain domain: String? = nil, _ body: (StoredItem) throws -> Bool) throws {
        let now = clock()
        try storage.read { db in
            guard let selection = try ItemSelection(of: self, domain: domain, at: now, in: db) else { return }
            let rows = try Row.fetchCursor(
                db, sql: "SELECT \(ItemRows.columns) FROM item WHERE \(selection.condition) ORDER BY id",
                arguments: selection.arguments)
            while let row = try rows.next() {
                if try !body(try ItemRows.item(row)) { return }
            }
        }
    }

    /// Returns a page of items, sorted by identifier and without full texts.
    ///
    /// - Parameters:
    ///   - domain: The domain to list, including its subdomains.
    ///   - withoutActivities: `true` to leave out the items of activities.
    ///   - cursor: The position at which the page begins.
    ///   - limit: The maximum number of items.
    package func page(
        inDomain domain: String? = nil, withoutActivities: Bool = false, at cursor: ListCursor, limit: Int
    ) throws -> ListPage<StoredItem> {
        let now = clock()
        return try storage.read { db in
            let selection = try ItemSelection(
                of: self, domain: domain, withoutActivities: withoutActivities, at: now, in: db)
            guard let selection else { return ListPage(rows: [], next: nil, total: 0) }
            let page = try db.page(
                of: "item", where: selection.condition, arguments: selection.arguments, sortedBy: "id", at: cursor,
                limit: limit)
            let items = try ItemRows.items(page.rows, in: db)
            return page.compactMap { items[$0] }
        }
    }

    /// Returns the number of items.
    public func count() throws -> Int {
        try storage.read { db in try ItemRows.indexKey(name, in: db).map { try count(of: $0, in: db) } ?? 0 }
    }

    /// Returns statistics of the index.
    public func stats() throws -> ItemStats {
        try storage.read { db in
            let indexes = try String.fetchAll(db, sql: "SELECT name FROM item_index ORDER BY name")
            guard let index = try ItemRows.indexKey(name, in: db) else {
                return ItemStats(
                    items: 0, domains: [], expired: [], clientState: nil, customAttributes: [], indexes: indexes)
            }
            let domains = try Row.fetchAll(
                db,
                sql: """
                    SELECT coalesce(domain, ''), count(*) FROM item WHERE indexKey = ? GROUP BY domain ORDER BY domain
                    """, arguments: [index])
            let expired = try Row.fetchAll(
                db,
                sql: """
                    SELECT id, domain, title, expiredAt FROM item_expired WHERE indexKey = ?
                    ORDER BY expiredAt DESC, id LIMIT 100
                    """, arguments: [index])
            return try ItemStats(
                items: count(of: index, in: db),
                domains: domains.map { try ItemStats.Domain(domain: $0.value(0), items: $0.value(1)) },
                expired: expired.map {
                    try ExpiredItem(id: $0.value(0), domain: $0.value(1), title: $0.value(2), expiredAt: $0.value(3))
                }, clientState: clientState(of: index, in: db),
                customAttributes: ItemRows.customAttributes(ofIndex: index, in: db), indexes: indexes)
        }
    }

    /// Declares a custom attribute, or changes whether it is searchable.
    ///
    /// - Throws: ``SearchableIndexError/invalidName(_:)``, or ``SearchableIndexError/typeMismatch(attribute:existing:)`` if it
    ///   already has another type.
    public func declare(_ attribute: CustomAttribute) throws {
        guard CustomAttribute.isValid(attribute.key) else { throw SearchableIndexError.invalidName(attribute.key) }
        try writing { db, index, changed in
            let known = try ItemRows.customAttributes(ofIndex: index, in: db).first { $0.key == attribute.key }
            if known == attribute { return }
            if let known, known.type != attribute.type {
                throw SearchableIndexError.typeMismatch(attribute: attribute.key, existing: known.type.rawValue)
            }
            try ItemRows.declare(attribute, ofIndex: index, in: db)
            // The searchable text of every item has changed; rebuild the index.
            changed = .max
        }
    }

    /// Returns the attributes that queries of this index may name.
    public func attributeTypes() throws -> AttributeTypes {
        try storage.read { db in
            guard let index = try ItemRows.indexKey(name, in: db) else { return .standard }
            return try ItemRows.customAttributes(ofIndex: index, in: db).reduce(.standard) {
                $0.adding($1.key, $1.type)
            }
        }
    }

    // MARK: - Client state

    /// The last client state set by the app: any text, such as the number of its last change.
    public func clientState() throws -> String? {
        try storage.read { db in
            try ItemRows.indexKey(name, in: db).flatMap { try clientState(of: $0, in: db) }
        }
    }

    static func check(_ state: String) throws(SearchableIndexError) {
        guard state.utf8.count <= maximumClientStateSize else { throw .invalidClientState(bytes: state.utf8.count) }
    }

    func clientState(of index: Int64, in db: Database) throws -> String? {
        try String.fetchOne(db, sql: "SELECT clientState FROM item_index WHERE key = ?", arguments: [index])
    }

    func setClientState(_ state: String, of index: Int64, in db: Database) throws {
        try SearchableIndex.check(state)
        try db.execute(sql: "UPDATE item_index SET clientState = ? WHERE key = ?", arguments: [state, index])
    }

    func expect(_ expected: String?, of index: Int64, in db: Database) throws {
        guard let expected else { return }
        let found = try clientState(of: index, in: db)
        // An index that never received an item matches the empty state.
        guard found ?? "" == expected else {
            throw SearchableIndexError.mismatchedClientState(expected: expected, found: found)
        }
    }

    // MARK: - Reindexing

    /// Verifies all items, and requests those with corrupt attributes from the delegate.
    ///
    /// The search index is rebuilt from the store when it is missing or corrupt, which needs no delegate. The store
    /// itself cannot be rebuilt; `Storage` reports corrupt pages.
    ///
    /// - Returns: The identifiers of the requested items, sorted.
    /// - Throws: Errors of the delegate, and `StorageError`.
    /// - Complexity: O(*n*) in the number of items, a few microseconds each.
    @discardableResult
    public func requestReindexing(from delegate: some SearchableIndexDelegate) throws -> [String] {
        let lost: [String] = try storage.read { db in
            guard let index = try ItemRows.indexKey(name, in: db) else { return [] }
            var lost: [String] = []
            let rows = try Row.fetchCursor(
                db, sql: "SELECT id, attributes FROM item WHERE indexKey = ? ORDER BY id", arguments: [index])
            while let row = try rows.next() {
                let isSound = (try? AttributeCoder.isValid(row.value(1))) ?? false
                if !isSound { try lost.append(row.value(0)) }
            }
            return lost
        }
        if !lost.isEmpty { try delegate.reindexItems(withIdentifiers: lost, in: self) }
        return lost
    }
}

/// The part of a query that selects the items of a list.
private struct ItemSelection {
    /// The condition on rows of `item`, with the arguments.
    let condition: String
    let arguments: StatementArguments

    /// Creates a selection of items that have not expired; nil if nothing was ever put into the index.
    init?(
        of index: SearchableIndex, domain: String?, withoutActivities: Bool = false, at now: Date, in db: Database
    ) throws {
        guard let key = try ItemRows.indexKey(index.name, in: db) else { return nil }
        let isInDomain = domain == nil ? "indexKey = ?" : ItemDomain.condition
        // “0” is the character after “/”, the last of the prefix of activities.
        let isOther = withoutActivities ? " AND NOT (id >= '\(ActivityRows.prefix)' AND id < 'activity0')" : ""
        condition = "\(isInDomain)\(isOther) AND (expiresAt IS NULL OR expiresAt > ?)"
        arguments = (domain.map { ItemDomain.arguments(key, $0) } ?? [key]) + [now.timeIntervalSince1970]
    }
}

/// A delegate that can put lost items again; implemented by the app that owns the items.
public protocol SearchableIndexDelegate {
    /// Puts the corrupt items again, or deletes them.
    func reindexItems(withIdentifiers ids: [String], in index: SearchableIndex) throws
}
