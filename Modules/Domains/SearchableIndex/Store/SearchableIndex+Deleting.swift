import Foundation
import GRDB
import SwitchboardStorage

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
        try writing { db, index, changed in
            var ids: [String] = []
            for domain in domains {
                ids += try String.fetchAll(
                    db, sql: "DELETE FROM item WHERE \(ItemDomain.condition) RETURNING id",
                    arguments: ItemDomain.arguments(index, domain))
            }
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
    static let maximumExpired = 1_000

    /// Removes expired items, and records them for the statistics.
    ///
    /// - Returns: The number of removed items.
    func expire(_ index: Int64, in db: Database) throws -> Int {
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
