import Foundation
import GRDB
import SwitchboardStorage

extension SearchableIndex {
    /// Returns the attributes whose numbers or dates have an index of their own, sorted.
    public func indexedAttributes() throws -> [String] {
        try storage.read { db in
            try ItemRows.indexKey(name, in: db).map { try IndexedValues(index: $0, in: db).attributes } ?? []
        }
    }

    /// Creates or removes an index of the numbers or dates of an attribute.
    ///
    /// A query with a comparison or range of the attribute, which all items must meet, then reads only those that do. Each
    /// put takes some microseconds longer.
    ///
    /// - Parameters:
    ///   - isIndexed: `false` to remove the index.
    ///   - attribute: The name of a standard or declared attribute with numbers or dates.
    /// - Throws: ``SearchableIndexError/notIndexable(_:)``.
    /// - Complexity: O(*n*) in the number of items.
    public func setIndexed(_ isIndexed: Bool, _ attribute: String) throws {
        try writing { db, index, _ in
            let types = try attributeTypes(in: db)
            let known = types.name(for: attribute)
            guard let type = types[known], type == .number || type == .date, known != "expiresAt" else {
                throw SearchableIndexError.notIndexable(attribute)
            }
            let values = try IndexedValues(index: index, in: db)
            if values.attributes.contains(known) == isIndexed { return }
            let rows = try Row.fetchCursor(
                db, sql: ItemIndexSource.items(areAll: true), arguments: [index])
            if !isIndexed {
                while let row = try rows.next() { try IndexedValues.delete(row.value(0), known, in: db) }
                try db.execute(
                    sql: "DELETE FROM item_indexed WHERE indexKey = ? AND attribute = ?", arguments: [index, known])
                return
            }
            try db.execute(sql: "INSERT INTO item_indexed VALUES (?, ?)", arguments: [index, known])
            while let row = try rows.next() { try IndexedValues.insert(row.value(0), known, row.value(1), in: db) }
        }
    }
}

/// The numbers and dates of the attributes of an index that have an index of their own (`item_value`).
struct IndexedValues {
    /// The names of the attributes, sorted.
    let attributes: [String]

    init(index: Int64, in db: Database) throws {
        let sql = "SELECT attribute FROM item_indexed WHERE indexKey = ? ORDER BY attribute"
        attributes = try Row.fetchAll(db.cachedStatement(sql: sql), arguments: [index]).map { try $0.value(0) }
    }

    /// Replaces the values of an item.
    func put(_ key: Int64, _ bytes: Data, in db: Database) throws {
        for attribute in attributes {
            try Self.delete(key, attribute, in: db)
            try Self.insert(key, attribute, bytes, in: db)
        }
    }

    static func delete(_ key: Int64, _ attribute: String, in db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM item_value WHERE item = ? AND attribute = ?")
            .execute(arguments: [key, attribute])
    }

    static func insert(_ key: Int64, _ attribute: String, _ bytes: Data, in db: Database) throws {
        let values = ItemAttributeSource.values(of: attribute, in: bytes).compactMap(number)
        if values.isEmpty { return }
        let insert = try db.cachedStatement(sql: "INSERT INTO item_value VALUES (NULL, ?, ?, ?)")
        for value in values { try insert.execute(arguments: [key, attribute, value]) }
    }

    /// The number that stands for a value in SQL.
    private static func number(_ value: AttributeValue) -> Double? {
        switch value {
        case .number(let number): number
        case .date(let date): date.timeIntervalSinceReferenceDate
        default: nil
        }
    }
}
