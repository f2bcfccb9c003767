public import Foundation
import GRDB
import SwitchboardStorage

/// The measures of an index.
public struct ItemStats: Sendable, Hashable {
    /// How many items there are.
    public var items: Int
    /// How many there are in each domain, without those inside it; an item without a domain is under the empty one.
    public var domains: [Domain]
    /// What has expired last.
    public var expired: [ExpiredItem]
    /// The client state.
    public var clientState: String?
    /// The app's own attributes.
    public var customAttributes: [CustomAttribute]
    /// The names of all indexes in the storage.
    public var indexes: [String]

    /// A domain and how much is in it.
    public struct Domain: Sendable, Hashable {
        /// The domain.
        public var domain: String
        /// How many items.
        public var items: Int
    }
}

/// An item that was taken out because its time had come.
public struct ExpiredItem: Sendable, Hashable, Codable {
    /// Its identifier.
    public var id: String
    /// Its domain.
    public var domain: String?
    /// What it was called.
    public var title: String?
    /// When it expired.
    public var expiredAt: Date
}

// MARK: - Looking

extension SearchableIndex {
    /// An item, with its whole text.
    ///
    /// - Throws: ``SearchableIndexError/notFound(id:)``.
    public func item(_ id: String) throws -> StoredItem {
        let now = clock()
        return try storage.read { db in
            guard let index = try ItemRows.indexKey(name, in: db),
                let item = try ItemRows.item(try ItemRows.key(of: id, index: index, in: db), in: db),
                item.item.expirationDate.map({ $0 > now }) ?? true
            else { throw SearchableIndexError.notFound(id: id) }
            return item
        }
    }

    /// Calls `body` with each item, in order of the identifiers, without their whole texts; holding some hundred at a time.
    ///
    /// - Parameters:
    ///   - domain: only those of this domain and of all inside it.
    ///   - body: ends the listing by returning false.
    public func forEach(inDomain domain: String? = nil, _ body: (StoredItem) throws -> Bool) throws {
        let now = clock().timeIntervalSince1970
        try storage.read { db in
            guard let index = try ItemRows.indexKey(name, in: db) else { return }
            let condition = domain == nil ? "indexKey = ?" : ItemDomain.condition
            let arguments: StatementArguments = domain.map { ItemDomain.arguments(index, $0) } ?? [index]
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT \(ItemRows.columns) FROM item WHERE \(condition) AND (expiresAt IS NULL OR expiresAt > ?)
                    ORDER BY id
                    """, arguments: arguments + [now])
            while let row = try rows.next() {
                if try !body(try ItemRows.item(row)) { return }
            }
        }
    }

    /// How many items there are.
    public func count() throws -> Int {
        try storage.read { db in try ItemRows.indexKey(name, in: db).map { try count(of: $0, in: db) } ?? 0 }
    }

    /// What is in the index, and what has expired.
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
                    try ExpiredItem(
                        id: $0.value(0), domain: $0.value(1), title: $0.value(2), expiredAt: $0.value(3))
                }, clientState: clientState(of: index, in: db),
                customAttributes: ItemRows.customAttributes(ofIndex: index, in: db), indexes: indexes)
        }
    }

    /// Declares an attribute of the app's own, or says whether the texts of one that is known are searched.
    ///
    /// - Throws: ``SearchableIndexError/invalidName(_:)``; ``SearchableIndexError/otherType(attribute:is:)`` if it holds something else
    ///   already.
    public func declare(_ attribute: CustomAttribute) throws {
        guard CustomAttribute.isValid(attribute.key) else { throw SearchableIndexError.invalidName(attribute.key) }
        try writing { db, index, changed in
            let known = try ItemRows.customAttributes(ofIndex: index, in: db).first { $0.key == attribute.key }
            if known == attribute { return }
            if let known, known.type != attribute.type {
                throw SearchableIndexError.otherType(attribute: attribute.key, is: known.type.rawValue)
            }
            try ItemRows.declare(attribute, ofIndex: index, in: db)
            // What is searched has changed for every item: the index is made anew.
            changed = .max
        }
    }

    /// The attributes that a query may name in this index.
    public func attributeTypes() throws -> AttributeTypes {
        try storage.read { db in
            guard let index = try ItemRows.indexKey(name, in: db) else { return .standard }
            return try ItemRows.customAttributes(ofIndex: index, in: db).reduce(.standard) {
                $0.adding($1.key, $1.type)
            }
        }
    }
}
