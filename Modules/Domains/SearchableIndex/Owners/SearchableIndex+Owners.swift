import GRDB
import SwitchboardStorage

// MARK: - Owners

extension SearchableIndex {
    /// Sets the program that opens the items of a domain, in place of an earlier one.
    public func setOwner(_ owner: ItemOwner) throws {
        try storage.write { db in
            let index = try ItemRows.indexKey(making: name, in: db)
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO item_owner (indexKey, domain, application, urlTemplate, action)
                    VALUES (?, ?, ?, ?, ?)
                    """,
                arguments: [index, owner.domain, owner.application, owner.urlTemplate, owner.action])
        }
    }

    /// Removes the owner of a domain. Its items are then opened by the owner of the nearest parent domain, if any.
    ///
    /// - Throws: ``SearchableIndexError/ownerNotFound(domain:)``.
    public func removeOwner(ofDomain domain: String) throws {
        try storage.write { db in
            try db.execute(
                sql: "DELETE FROM item_owner WHERE domain = ? AND \(Self.isOfIndex)", arguments: [domain, name])
            guard db.changesCount > 0 else { throw SearchableIndexError.ownerNotFound(domain: domain) }
        }
    }

    /// Returns the owners, sorted by domain.
    public func owners() throws -> [ItemOwner] {
        try storage.read { db in
            try Row.fetchAll(
                db, sql: "SELECT \(Self.columns) FROM item_owner WHERE \(Self.isOfIndex) ORDER BY domain",
                arguments: [name]
            ).compactMap(Self.owner)
        }
    }

    /// Returns the owner of a domain, or else the owner of the nearest parent domain; nil if there is none.
    ///
    /// - Parameter domain: The domain of an item; nil for an item without a domain, which has no owner.
    public func owner(ofDomain domain: String?) throws -> ItemOwner? {
        guard let domain, !domain.isEmpty else { return nil }
        return try storage.read { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT \(Self.columns) FROM item_owner
                    WHERE \(Self.isOfIndex) AND substr(? || '.', 1, length(domain) + 1) = domain || '.'
                    ORDER BY length(domain) DESC LIMIT 1
                    """)
            return try Row.fetchOne(statement, arguments: [name, domain]).flatMap(Self.owner)
        }
    }

    private static let columns = "domain, application, urlTemplate, action"
    private static let isOfIndex = "indexKey = (SELECT key FROM item_index WHERE name = ?)"

    /// Returns the owner of a row; nil if its names are invalid.
    private static func owner(_ row: Row) throws -> ItemOwner? {
        let (domain, application): (String, String) = (try row.value(0), try row.value(1))
        let (template, action): (String?, String?) = (try row.value(2), try row.value(3))
        return try? ItemOwner(domain: domain, application: application, urlTemplate: template, action: action)
    }
}
