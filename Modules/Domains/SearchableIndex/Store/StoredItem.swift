public import Foundation
import GRDB
import SwitchboardAlgorithms
public import SwitchboardJSON
import SwitchboardStorage

/// An item as stored in the database. The item's properties are available directly: `stored.uniqueIdentifier`.
@dynamicMemberLookup
public struct StoredItem: Sendable, Hashable, Identifiable {
    let key: Int64
    /// The item; its expiration is a date or never.
    public var item: SearchableItem
    /// The number of times the item was chosen.
    public var useCount = 0
    /// The time of the last choice.
    public var usedAt: Date?
}

extension StoredItem {
    /// Creates a stored item that is not in a database.
    public init(_ item: SearchableItem) {
        self.init(key: 0, item: item)
    }

    /// A property of the item.
    public subscript<Value>(dynamicMember property: KeyPath<SearchableItem, Value>) -> Value {
        item[keyPath: property]
    }

    /// The identifier of the item.
    public var id: String { item.uniqueIdentifier }

    /// The identifier of the activity, if this is the item of an activity.
    public var activityIdentifier: String? { ActivityRows.id(ofItem: item.uniqueIdentifier) }
}

// The JSON of an item: identifier, domain and expiration beside the attributes, as in the input.

extension StoredItem: JSONObjectEncodable {
    /// Encodes the object that responses contain under `item`. Identifier, domain, expiration and the common attributes
    /// are always present (null if unknown), the others only if they are set.
    public func encode(to members: inout JSONMembers) throws {
        try members.add("id", item.uniqueIdentifier)
        try members.add("domain", item.domainIdentifier)
        try members.add("expiresAt", item.expirationDate?.iso8601)
        let set = item.attributeSet
        let always: [Attribute] = [.title, .contentDescription, .keywords, .contentType, .url]
        for attribute in always {
            let texts = set.texts(of: attribute)
            if attribute.isList {
                try members.add(attribute.name, texts)
            } else {
                try members.add(attribute.name, texts.first)
            }
        }
        try JSONAttributes.add(set, without: always, to: &members)
        if useCount > 0 { try members.add("useCount", useCount) }
        if let usedAt, useCount > 0 { try members.add("usedAt", usedAt.iso8601) }
    }
}

struct JSONAttributes: JSONObjectEncodable {
    let set: SearchableItemAttributeSet
    let domain: String?

    func encode(to members: inout JSONMembers) throws {
        if let domain { try members.add("domain", domain) }
        try JSONAttributes.add(set, without: [], to: &members)
    }

    static func add(
        _ set: SearchableItemAttributeSet, without omitted: [Attribute], to members: inout JSONMembers
    ) throws {
        for entry in set.entries where !omitted.contains(entry.attribute) {
            try members.add(entry.attribute.name, json(entry.values, isList: entry.attribute.isList))
        }
        if !set.custom.isEmpty { try members.add("custom", CustomAttributes(values: set.custom)) }
    }

    fileprivate static func json(_ values: [AttributeValue], isList: Bool) -> JSONValue {
        isList ? JSONValue(values.map(\.json)) : values.first?.json ?? .null
    }
}

/// The values of custom attributes, in order of their keys.
private struct CustomAttributes: JSONObjectEncodable {
    let values: [String: [AttributeValue]]

    func encode(to members: inout JSONMembers) throws {
        for (key, values) in values.sorted(by: { $0.key < $1.key }) {
            try members.add(key, JSONAttributes.json(values, isList: values.count > 1))
        }
    }
}

extension AttributeValue {
    /// The value in JSON: dates in ISO 8601 and UTC, data in Base64.
    fileprivate var json: JSONValue {
        switch self {
        case .text(let text): .string(text)
        case .number(let number): .number(number)
        case .date(let date): .string(date.iso8601)
        case .flag(let flag): .bool(flag)
        case .data(let data): .string(data.base64EncodedString())
        case .person(let person): person.json
        }
    }
}

extension IndexedPerson {
    fileprivate var json: JSONValue {
        var members: [(key: String, value: JSONValue)] = [("name", .string(name))]
        for (key, texts) in [("phones", phones), ("emails", emails)] where !texts.isEmpty {
            members.append((key, JSONValue(texts.map { .string($0) })))
        }
        return JSONValue(members)
    }
}

// MARK: - Rows

enum ItemRows {
    /// Returns the key of an index, or `nil` if nothing was ever put into it.
    static func indexKey(_ name: String, in db: Database) throws -> Int64? {
        try Int64.fetchOne(try db.cachedStatement(sql: "SELECT key FROM item_index WHERE name = ?"), arguments: [name])
    }

    /// Returns the key of an index, created if missing.
    static func indexKey(making name: String, in db: Database) throws -> Int64 {
        if let key = try indexKey(name, in: db) { return key }
        guard name.utf8.count <= 100, !name.isEmpty,
            name.unicodeScalars.allSatisfy({
                $0.properties.isAlphabetic || $0.properties.numericType != nil || ".-_".unicodeScalars.contains($0)
            })
        else { throw SearchableIndexError.invalidName(name) }
        try db.execute(sql: "INSERT INTO item_index (name) VALUES (?)", arguments: [name])
        return db.lastInsertedRowID
    }

    static func key(of id: String, index: Int64, in db: Database) throws -> Int64 {
        let statement = try db.cachedStatement(sql: "SELECT key FROM item WHERE indexKey = ? AND id = ?")
        guard let key = try Int64.fetchOne(statement, arguments: [index, id]) else {
            throw SearchableIndexError.notFound(id: id)
        }
        return key
    }

    /// Returns an item with its full text.
    static func item(_ key: Int64, in db: Database) throws -> StoredItem? {
        guard var stored = try items([key], in: db)[key] else { return nil }
        stored.item.attributeSet.textContent = try text(of: key, in: db)
        return stored
    }

    static func text(of key: Int64, in db: Database) throws -> String? {
        try String.fetchOne(try db.cachedStatement(sql: "SELECT text FROM item_text WHERE item = ?"), arguments: [key])
    }

    static let columns = "key, id, domain, expiresAt, useCount, usedAt, attributes"

    /// Returns items without their full texts. Keys that no longer exist are omitted.
    static func items(_ keys: [Int64], in db: Database) throws -> [Int64: StoredItem] {
        var items: [Int64: StoredItem] = [:]
        try forEach(of: keys, in: db) { row in try items[row.value(0)] = item(row) }
        return items
    }

    /// Calls `body` with the rows of items. Keys that no longer exist are omitted.
    static func forEach(of keys: [Int64], in db: Database, _ body: (Row) throws -> Void) throws {
        let statement = try db.cachedStatement(
            sql: "SELECT \(columns) FROM item WHERE key IN (SELECT value FROM json_each(?))")
        let rows = try Row.fetchCursor(statement, arguments: [list(keys)])
        while let row = try rows.next() { try body(row) }
    }

    static func item(_ row: Row) throws -> StoredItem {
        let set = AttributeCoder.decoded(try row.value(6))
        let expiresAt: Date? = try row.value(3)
        let item = try SearchableItem(
            uniqueIdentifier: row.value(1), domainIdentifier: row.value(2), attributeSet: set,
            expiration: expiresAt.map { .at($0) } ?? .never)
        return try StoredItem(key: row.value(0), item: item, useCount: row.value(4), usedAt: row.value(5))
    }

    /// Returns the keys as a JSON array for `json_each`.
    static func list(_ keys: [Int64]) -> String { "[" + keys.map { String($0) }.joined(separator: ",") + "]" }

    // MARK: - Custom attributes

    static func customAttributes(ofIndex key: Int64, in db: Database) throws -> [CustomAttribute] {
        let rows = try Row.fetchAll(
            try db.cachedStatement(
                sql: "SELECT key, type, isSearchable FROM item_attribute WHERE indexKey = ? ORDER BY key"),
            arguments: [key])
        return try rows.compactMap { row in
            try AttributeType(rawValue: row.value(1)).map {
                CustomAttribute(key: try row.value(0), type: $0, isSearchable: try row.value(2))
            }
        }
    }

    static func declare(_ attribute: CustomAttribute, ofIndex key: Int64, in db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO item_attribute VALUES (?, ?, ?, ?)",
            arguments: [key, attribute.key, attribute.type.rawValue, attribute.isSearchable])
    }
}
