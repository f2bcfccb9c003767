import Foundation
import GRDB

/// A writer of the items of one index within one transaction.
struct ItemWriter {
    private let db: Database
    private let indexKey: Int64
    private let now: Date
    private var custom: [String: AttributeType]
    private let find: Statement
    private let upsert: Statement
    private let insertText: Statement
    private let deleteText: Statement

    init(_ db: Database, index: Int64, now: Date) throws {
        self.db = db
        indexKey = index
        self.now = now
        custom = [:]
        find = try db.cachedStatement(sql: "SELECT key FROM item WHERE indexKey = ? AND id = ?")
        upsert = try db.cachedStatement(
            sql: """
                INSERT INTO item (indexKey, id, domain, contentType, expiresAt, rankingHint, usedAt, attributes, useCount)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)
                ON CONFLICT (indexKey, id) DO UPDATE SET domain = excluded.domain, contentType = excluded.contentType,
                    expiresAt = excluded.expiresAt, rankingHint = excluded.rankingHint, attributes = excluded.attributes,
                    usedAt = CASE WHEN excluded.usedAt > coalesce(usedAt, 0) THEN excluded.usedAt ELSE usedAt END
                """)
        insertText = try db.cachedStatement(sql: "INSERT OR REPLACE INTO item_text VALUES (?, ?)")
        deleteText = try db.cachedStatement(sql: "DELETE FROM item_text WHERE item = ?")
        for attribute in try ItemRows.customAttributes(ofIndex: index, in: db) {
            custom[attribute.key] = attribute.type
        }
    }

    static func put(_ item: SearchableItem, index: Int64, now: Date, in db: Database) throws {
        do {
            var writer = try ItemWriter(db, index: index, now: now)
            try writer.put(try PreparedItem(item))
        } catch let fault as ItemError {
            throw SearchableIndexError.invalidItem(fault)
        }
    }

    /// Inserts an item, or replaces the one with the same identifier.
    mutating func put(_ item: PreparedItem) throws {
        if !item.custom.isEmpty { try declare(item) }
        let expiresAt: Date? =
            switch item.expiration {
            case .default: now.addingTimeInterval(SearchableIndex.defaultLifetime)
            case .at(let date): date
            case .never: nil
            }
        try upsert.execute(arguments: [
            indexKey, item.id, item.domain, item.contentType, expiresAt?.timeIntervalSince1970, item.rankingHint,
            item.lastUsedDate?.timeIntervalSince1970, Data(item.attributes),
        ])
        // A replaced item may have had a text.
        guard item.text != nil || hasTexts else { return }
        guard let key = try key(of: item.id) else { return }
        if let text = item.text {
            try insertText.execute(arguments: [key, text])
        } else {
            try deleteText.execute(arguments: [key])
        }
    }

    /// Indicates that any item has a full text; most indexes have none.
    private lazy var hasTexts: Bool = (try? Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM item_text)")) ?? true

    /// Updates an existing item.
    ///
    /// - Throws: An ``ItemError`` if there is no such item.
    mutating func update(_ update: SearchableItemUpdate) throws {
        // SQLite would find the item whose identifier is the part before U+0000.
        guard !update.uniqueIdentifier.utf8.contains(0), let key = try key(of: update.uniqueIdentifier),
            let old = try ItemRows.item(key, in: db)
        else {
            throw ItemError(
                reason: "there is no such item to update; put the whole item without “isUpdate”",
                item: update.uniqueIdentifier)
        }
        var item = old.item
        for attribute in update.removed { item.attributeSet[attribute] = [] }
        for key in update.removedCustom { item.attributeSet.custom[key] = nil }
        for entry in update.attributeSet.entries { item.attributeSet[entry.attribute] = entry.values }
        for (key, values) in update.attributeSet.custom { item.attributeSet.custom[key] = values }
        if let domain = update.domainIdentifier { item.domainIdentifier = domain }
        if let expiration = update.expiration { item.expiration = expiration }
        try put(try PreparedItem(item))
    }

    private func key(of id: String) throws -> Int64? {
        try Int64.fetchOne(find, arguments: [indexKey, id])
    }

    private mutating func declare(_ item: PreparedItem) throws {
        for (key, type) in item.custom {
            if let known = custom[key] {
                // Dates are strings in JSON.
                guard known == type else {
                    throw ItemError(
                        reason:
                            "has the type \(known.rawValue) in other items, not \(type.rawValue); use the same type",
                        item: item.id, attribute: "custom.\(key)")
                }
            } else {
                custom[key] = type
                try ItemRows.declare(CustomAttribute(key: key, type: type), ofIndex: indexKey, in: db)
            }
        }
    }
}
