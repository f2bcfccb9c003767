public import Foundation
import GRDB
@_exported public import SwitchboardErrors
import SwitchboardIncrementalIndex
public import SwitchboardStorage

/// A searchable index of app content: apps add items with attributes, and users search them and open the exact place.
///
/// This is the counterpart of Core Spotlight. An index is stored in a `Storage` whose migrations include
/// ``migrations``; a storage can contain several named indexes. When a method that changes the index returns, the
/// change is durable and searchable.
///
/// For example:
///
/// ```swift
/// let storage = try Storage(at: "people.sqlite", migrations: [SearchableIndex.migrations])
/// let index = SearchableIndex(storage: storage)
/// var attributes = SearchableItemAttributeSet()
/// attributes.title = "Breaking Dunes"
/// attributes.keywords = ["drama", "desert"]
/// try index.put([SearchableItem(uniqueIdentifier: "show-1", domainIdentifier: "tv-shows", attributeSet: attributes)])
/// let hits = try ItemSearch(index: index).search("braking").hits
/// try index.deleteItems(inDomains: ["tv-shows"])
/// ```
///
/// Unless documented otherwise, methods throw ``SearchableIndexError`` for errors that the caller can correct, and
/// `StorageError` for all others.
public struct SearchableIndex: Sendable {
    /// The name of the default index.
    public static let defaultName = "default"
    /// The default lifetime of an item: 30 days.
    public static let defaultLifetime: TimeInterval = 30 * 86_400
    /// The maximum size of a client state in bytes.
    public static let maximumClientStateSize = 250

    /// The storage of the items.
    public let storage: Storage
    /// The name of the index in the storage.
    public let name: String

    let clock: @Sendable () -> Date

    /// Creates access to an index in a storage. An index without items needs no creation.
    ///
    /// - Parameters:
    ///   - storage: A storage opened with the migrations of this module.
    ///   - name: The name of the index.
    ///   - clock: Returns the current time.
    public init(
        storage: Storage, name: String = SearchableIndex.defaultName,
        clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        storage.register(Self.migrations)
        self.storage = storage
        self.name = name
        self.clock = clock
    }
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

    private func count(of index: Int64, in db: Database) throws -> Int {
        try Int.fetchOne(
            try db.cachedStatement(sql: "SELECT count(*) FROM item WHERE indexKey = ?"), arguments: [index]) ?? 0
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
    public func attributeTypes() throws -> AttributeTypes { try storage.read(attributeTypes) }

    func attributeTypes(in db: Database) throws -> AttributeTypes {
        guard let index = try ItemRows.indexKey(name, in: db) else { return .standard }
        return try ItemRows.customAttributes(ofIndex: index, in: db).reduce(.standard) { $0.adding($1.key, $1.type) }
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

// MARK: - Writing

extension SearchableIndex {
    /// Writes to the index in one transaction, removes expired items, and compacts the change log.
    ///
    /// - Parameter body: Receives the key of the index, and counts the changed items.
    func writing<T>(_ body: (Database, Int64, inout Int) throws -> T) throws -> T {
        try storage.write(changing: SearchableIndex.module) { db in
            try Storage.withLargeCache(in: db) {
                let index = try ItemRows.indexKey(making: name, in: db)
                let before = db.totalChangesCount
                var changed = try expire(index, in: db)
                let result = try body(db, index, &changed)
                if db.totalChangesCount != before {
                    let changes = SearchableIndex.changes(ofIndex: index)
                    try changes.trim(afterChanging: changed, of: { try count(of: index, in: db) }, in: db)
                    try Storage.bump(changes.generationModule, in: db)
                }
                return result
            }
        }
    }
}

// MARK: - Deleting

extension SearchableIndex {
    /// Deletes items. If one identifier is unknown, nothing is deleted, whereas Core Spotlight ignores it.
    ///
    /// - Throws: ``SearchableIndexError/notFound(id:)``.
    public func deleteItems(withIdentifiers ids: [String]) throws {
        try writing { db, index, changed in
            var deleted: Set<String> = []
            let statement = try db.cachedStatement(sql: "DELETE FROM item WHERE key = ?")
            for id in ids where deleted.insert(id).inserted {
                try statement.execute(arguments: [try ItemRows.key(of: id, index: index, in: db)])
            }
            changed += deleted.count
            changed += try ActivityRows.delete(about: ids, index: index, in: db)
        }
    }

    /// Deletes the items in domains and their subdomains: `account` includes `account.mailbox`, but not `accounts`.
    ///
    /// - Returns: The identifiers of the deleted items, sorted.
    @discardableResult
    public func deleteItems(inDomains domains: [String]) throws -> [String] {
        // No item has such a domain, and SQLite would compare the part before U+0000.
        let domains = domains.filter { !$0.utf8.contains(0) }
        let list = String(decoding: try JSONEncoder().encode(domains), as: UTF8.self)
        return try writing { db, index, changed in
            let selected = "SELECT item.key FROM json_each(?) AS named CROSS JOIN item WHERE indexKey = ? AND domain"
            // In the order of the keys, so that each page of the table is written once for all domains.
            let ids = try String.fetchAll(
                db,
                sql: """
                    DELETE FROM item WHERE key IN (
                        \(selected) = named.value
                        UNION ALL \(selected) >= named.value || '.' AND domain < named.value || '/')
                    RETURNING id
                    """, arguments: [list, index, list, index])
            changed += ids.count
            changed += try ActivityRows.delete(about: ids, index: index, in: db)
            return ids.sorted()
        }
    }

    /// Deletes all items and the client state of the index. In the default index, this includes the items of user
    /// activities, and thus the activities that searches find and those about a deleted item.
    ///
    /// - Returns: The identifiers of the deleted items, sorted.
    @discardableResult
    public func deleteAllItems() throws -> [String] {
        try writing { db, index, changed in
            let ids = try String.fetchAll(
                db, sql: "DELETE FROM item WHERE indexKey = ? RETURNING id", arguments: [index])
            try db.execute(sql: "UPDATE item_index SET clientState = NULL WHERE key = ?", arguments: [index])
            changed += ids.count
            changed += try ActivityRows.delete(about: ids, index: index, in: db)
            return ids.sorted()
        }
    }

    // MARK: - Expiry

    /// The number of expired items to list in the statistics, and the size of a batch.
    private static let maximumExpired = 1_000

    /// Removes expired items, and records them for the statistics.
    ///
    /// - Returns: The number of removed items.
    private func expire(_ index: Int64, in db: Database) throws -> Int {
        let now = clock().timeIntervalSince1970
        var count = 0
        // Items that were put together expire together; batches bound the memory.
        while try isAnyExpired(index, at: now, in: db) { count += try expireBatch(index, at: now, in: db) }
        return count
    }

    private func expireBatch(_ index: Int64, at now: Double, in db: Database) throws -> Int {
        let expired = try Row.fetchAll(
            try db.cachedStatement(
                sql: """
                    DELETE FROM item WHERE key IN (
                        SELECT key FROM item WHERE indexKey = ? AND expiresAt <= ? ORDER BY expiresAt LIMIT ?)
                    RETURNING id, domain, expiresAt, attributes
                    """), arguments: [index, now, SearchableIndex.maximumExpired])
        let remember = try db.cachedStatement(
            sql: "INSERT INTO item_expired (indexKey, id, domain, title, expiredAt) VALUES (?, ?, ?, ?, ?)")
        for row in expired {
            let set = AttributeCoder.decoded(try row.value(3))
            try remember.execute(arguments: [
                index, try row.value(0) as String, try row.value(1) as String?, set.shownName,
                try row.value(2) as Double,
            ])
        }
        try db.execute(
            sql: """
                DELETE FROM item_expired WHERE indexKey = ? AND key <= (
                    SELECT max(key) FROM item_expired WHERE indexKey = ?) - ?
                """, arguments: [index, index, SearchableIndex.maximumExpired])
        let ids: [String] = try expired.map { try $0.value(0) }
        return expired.count + (try ActivityRows.delete(about: ids, index: index, in: db))
    }

    func isAnyExpired(_ index: Int64, at now: Double, in db: Database) throws -> Bool {
        try Bool.fetchOne(
            try db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM item WHERE indexKey = ? AND expiresAt <= ?)"),
            arguments: [index, now]) ?? false
    }
}

/// SQL conditions on domains, which are hierarchical by dots.
enum ItemDomain {
    /// The condition on rows of `item` for a domain and its subdomains.
    static let condition = "indexKey = ? AND (domain = ? OR (domain >= ? AND domain < ?))"

    static func arguments(_ index: Int64, _ domain: String) -> StatementArguments {
        // "/" is the character after ".".
        [index, domain, domain + ".", domain + "/"]
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

/// A delegate that can put lost items again; implemented by the app that owns the items.
public protocol SearchableIndexDelegate {
    /// Puts the corrupt items again, or deletes them.
    func reindexItems(withIdentifiers ids: [String], in index: SearchableIndex) throws
}

// MARK: - Errors

/// An error of the searchable index.
public enum SearchableIndexError: CodedError, Hashable {
    /// There is no item with this identifier.
    case notFound(id: String)
    /// An item is invalid; the call stored nothing.
    case invalidItem(ItemError)
    /// A client state is longer than ``SearchableIndex/maximumClientStateSize``.
    case invalidClientState(bytes: Int)
    /// The index is in another client state than expected; the caller must reconcile its changes.
    case mismatchedClientState(expected: String, found: String?)
    /// The name of an index or custom attribute is invalid.
    case invalidName(String)
    /// A custom attribute already has another type.
    case typeMismatch(attribute: String, existing: String)
    /// The query cannot be parsed.
    case invalidQuery(QueryError)
    /// An order or a count of results is invalid; the reason names the problem and the remedy.
    case invalidSort(reason: String)
    /// An attribute has neither numbers nor dates, or is unknown.
    case notIndexable(String)
    /// Synonyms are invalid; the reason names the problem and the remedy.
    case invalidSynonyms(reason: String)
    /// There is no activity with this identifier.
    case activityNotFound(id: String)
    /// An activity lacks required keys in its `userInfo`.
    case missingUserInfo(id: String, keys: [String])
    /// An activity was invalidated and cannot become current again.
    case invalidated(id: String)
    /// The owner of a domain is invalid; the reason names the problem and the remedy.
    case invalidOwner(reason: String)
    /// The domain has no owner of its own.
    case ownerNotFound(domain: String)

    /// The code, the category, the message and the location.
    public var details: ErrorDetails {
        switch self {
        case .notFound(let id):
            .init("notFound", .notFound, "there is no item “\(id)”; correct the identifier")
        case .invalidItem(let error): error.details
        case .invalidClientState(let bytes):
            .init(
                "invalidClientState", .usage,
                "the client state has \(bytes) bytes; use at most \(SearchableIndex.maximumClientStateSize)")
        case .mismatchedClientState(let expected, let found):
            .init(
                "mismatchedClientState", .locked,
                "the client state is \(found.map { "“\($0)”" } ?? "none"), not “\(expected)”; nothing was changed, "
                    + "reconcile and try again")
        case .invalidName(let name):
            .init("invalidName", .usage, "invalid name “\(name)”; use 1 to 100 letters, digits, '.', '-' or '_'")
        case .typeMismatch(let attribute, let type):
            .init(
                "typeMismatch", .usage,
                "the attribute \(attribute) already has the type \(type); use it or choose another name")
        case .invalidQuery(let error): error.details
        case .invalidSort(let reason): .init("invalidSort", .usage, reason)
        case .notIndexable(let name):
            .init(
                "notIndexable", .usage,
                "the attribute “\(name)” has neither numbers nor dates that are known; correct the name or declare it")
        case .invalidSynonyms(let reason): .init("invalidSynonyms", .usage, reason)
        case .activityNotFound(let id):
            .init("notFound", .notFound, "there is no activity “\(id)”; correct the identifier")
        case .missingUserInfo(let id, let keys):
            .init(
                "missingUserInfo", .malformed,
                "cannot continue the activity \(id); add to its userInfo: \(keys.joined(separator: ", "))")
        case .invalidated(let id):
            .init("invalidated", .usage, "the activity \(id) was invalidated; begin a new one")
        case .invalidOwner(let reason): .init("invalidOwner", .usage, reason)
        case .ownerNotFound(let domain):
            .init("notFound", .notFound, "the domain “\(domain)” has no owner; correct its name")
        }
    }
}

/// A validation error of an item.
public struct ItemError: CodedError, Hashable {
    /// The problem and the remedy, in one line.
    public var reason: String
    /// The identifier of the item, if it has one.
    public var item: String?
    /// The attribute.
    public var attribute: String?
    /// The line in the input, from 1, if the item came from text.
    public var line: Int?
    /// The column in that line, in Unicode scalars from 1.
    public var column: Int?

    /// The code, the category, the message with the item and the attribute, and the location.
    public var details: ErrorDetails {
        let subject = (item.map { "item “\($0)”: " } ?? "") + (attribute.map { "\($0): " } ?? "")
        return ErrorDetails(
            "malformedInput", .malformed, subject + reason, line: line, column: column, field: attribute)
    }
}
