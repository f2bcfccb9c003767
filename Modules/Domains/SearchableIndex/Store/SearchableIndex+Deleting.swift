import Foundation
import GRDB
import SwitchboardStorage

// MARK: - Deleting

extension SearchableIndex {
    /// Deletes items: all that are named or, if one is unknown, none.
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
            changed += try ActivityRows.forget(about: ids, index: index, in: db)
        }
    }

    /// Deletes the items of domains and of all domains inside them: `account` is also `account.mailbox`, but not `accounts`.
    ///
    /// - Returns: the identifiers of what was deleted, sorted.
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
            changed += try ActivityRows.forget(about: ids, index: index, in: db)
            return ids.sorted()
        }
    }

    /// Deletes all items of the index, and its client state.
    ///
    /// - Returns: the identifiers of what was deleted, sorted.
    @discardableResult
    public func deleteAllItems() throws -> [String] {
        try writing { db, index, changed in
            let ids = try String.fetchAll(
                db, sql: "DELETE FROM item WHERE indexKey = ? RETURNING id", arguments: [index])
            try db.execute(sql: "UPDATE item_index SET clientState = NULL WHERE key = ?", arguments: [index])
            changed += ids.count
            changed += try ActivityRows.forget(about: ids, index: index, in: db)
            return ids.sorted()
        }
    }

    // MARK: - Expiry

    /// How many expired items are remembered.
    static let mostRemembered = 1_000

    /// Takes out what has expired, and remembers it for those who ask where it is.
    ///
    /// - Returns: how many.
    func expire(_ index: Int64, in db: Database) throws -> Int {
        let now = clock().timeIntervalSince1970
        var count = 0
        // Items that were put together expire together: a portion at a time, so that memory stays bounded.
        while try isAnyExpired(index, at: now, in: db) { count += try expirePortion(index, at: now, in: db) }
        return count
    }

    private func expirePortion(_ index: Int64, at now: Double, in db: Database) throws -> Int {
        let expired = try Row.fetchAll(
            try db.cachedStatement(
                sql: """
                    DELETE FROM item WHERE key IN (
                        SELECT key FROM item WHERE indexKey = ? AND expiresAt <= ? ORDER BY expiresAt LIMIT ?)
                    RETURNING id, domain, expiresAt, attributes
                    """), arguments: [index, now, SearchableIndex.mostRemembered])
        let remember = try db.cachedStatement(sql: "INSERT INTO item_expired VALUES (?, ?, ?, ?, ?)")
        for row in expired {
            let attributes: Data = try row.value(3)
            let set = attributes.withUnsafeBytes { AttributeBytes.decoded($0) }
            try remember.execute(arguments: [
                index, try row.value(0) as String, try row.value(1) as String?, set.shownName,
                try row.value(2) as Double,
            ])
        }
        try db.execute(
            sql: """
                DELETE FROM item_expired WHERE indexKey = ? AND rowid <= (
                    SELECT max(rowid) FROM item_expired WHERE indexKey = ?) - ?
                """, arguments: [index, index, SearchableIndex.mostRemembered])
        let ids: [String] = try expired.map { try $0.value(0) }
        return expired.count + (try ActivityRows.forget(about: ids, index: index, in: db))
    }

    func isAnyExpired(_ index: Int64, at now: Double, in db: Database) throws -> Bool {
        try Bool.fetchOne(
            try db.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM item WHERE indexKey = ? AND expiresAt <= ?)"),
            arguments: [index, now]) ?? false
    }
}

/// Domains, the smaller behind the larger with a dot between.
enum ItemDomain {
    /// A condition on rows of `item` for a domain and all inside it.
    static let condition = "indexKey = ? AND (domain = ? OR (domain >= ? AND domain < ?))"

    static func arguments(_ index: Int64, _ domain: String) -> StatementArguments {
        // "/" is the character after ".".
        [index, domain, domain + ".", domain + "/"]
    }
}
