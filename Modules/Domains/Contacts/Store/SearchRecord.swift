public import Foundation
public import GRDB
import SwitchboardStorage

/// The data of a contact for a search index.
public struct SearchRecord: Sendable {
    /// The key of the contact in the database, which is never reused.
    public var key: Int64
    /// The serialized texts, parsed by ``ContactTokens/init(_:)``.
    public var tokens: Data
    /// The phone numbers in order.
    public var numbers: [PhoneNumber]
    /// `true` if the contact is a favourite.
    public var isFavourite: Bool
    /// The number of times the contact was chosen.
    public var callCount: Int
    /// The time when the contact was last chosen.
    public var lastCalledAt: Date?
    /// The folded name, which orders equal matches.
    public var sortKey: String
}

extension ContactBook {
    /// Calls a closure with the search record of each contact in order of the keys.
    ///
    /// - Parameters:
    ///   - db: A transaction of ``storage``.
    ///   - keys: The contacts to read; nil for all.
    ///   - body: Receives each record. An error ends the iteration and is rethrown.
    /// - Complexity: O(*n*), some 5 µs per contact.
    public static func forEachSearchRecord(
        in db: Database, keys: [Int64]? = nil, _ body: (SearchRecord) throws -> Void
    ) throws {
        let list = keys.map { " WHERE contact IN (" + Set($0).map { String($0) }.joined(separator: ",") + ")" } ?? ""
        let contacts = try Row.fetchCursor(
            db,
            sql: """
                SELECT contact, tokens, isFavourite, callCount, lastCalledAt, sortKey FROM contact_search
                JOIN contact ON contact.key = contact_search.contact\(list) ORDER BY contact
                """)
        let phones = try Row.fetchCursor(
            db,
            sql: """
                SELECT contact, number, e164, national, trunk, extension FROM contact_phone\(list)
                ORDER BY contact, position
                """)
        var phone = try phones.next()
        while let row = try contacts.next() {
            let key: Int64 = try row.value(0)
            var record = try SearchRecord(
                key: key, tokens: row.value(1), numbers: [], isFavourite: row.value(2), callCount: row.value(3),
                lastCalledAt: row.value(4), sortKey: row.value(5))
            while let next = phone {
                let owner: Int64 = try next.value(0)
                guard owner <= key else { break }
                if owner == key {
                    try record.numbers.append(
                        PhoneNumber(
                            text: next.value(1), e164: next.value(2), nationalNumber: next.value(3),
                            trunkNumber: next.value(4), extensionNumber: next.value(5)))
                }
                phone = try phones.next()
            }
            try body(record)
        }
    }

    /// Returns the texts of some contacts. Contacts that no longer exist are missing.
    static func tokens(keys: [Int64], in db: Database) throws -> [Int64: ContactTokens] {
        var tokens: [Int64: ContactTokens] = [:]
        var start = 0
        while start < keys.count {
            // A fixed list size keeps the statement cached. The list is padded with its last key.
            let batch = Array(keys[start..<min(start + 16, keys.count)])
            guard let last = batch.last else { break }
            let arguments = StatementArguments(batch + Array(repeating: last, count: 16 - batch.count))
            let statement = try db.cachedStatement(
                sql: "SELECT contact, tokens FROM contact_search WHERE contact IN (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)")
            let rows = try Row.fetchCursor(statement, arguments: arguments)
            while let row = try rows.next() {
                let key: Int64 = try row.value(0)
                tokens[key] = try ContactTokens.decoded(row.value(1), of: key, in: db)
            }
            start += batch.count
        }
        return tokens
    }

    /// Returns the contacts with some keys, without the bytes of photos. Contacts that no longer exist are missing. Ten
    /// take some 100 µs.
    public static func contacts(keys: [Int64], in db: Database) throws -> [Int64: Contact] {
        try ContactFetching.contacts(keys, withPhotos: false, in: db)
    }

    /// Returns the database key of a contact.
    ///
    /// - Throws: ``ContactBookError/notFound(id:)``.
    public static func key(of id: String, in db: Database) throws -> Int64 {
        try ContactFetching.key(of: id, in: db)
    }
}
