public import Foundation
public import GRDB
import SwitchboardStorage

/// What the search index needs of one contact.
public struct SearchRecord: Sendable {
    /// The number of the contact inside the database; never given to another one.
    public var key: Int64
    /// The folded texts: ``ContactTokens/init(_:)`` reads them.
    public var tokens: Data
    /// The numbers in the order of the contact.
    public var numbers: [PhoneNumber]
    /// Whether the contact comes first.
    public var isFavourite: Bool
    /// How often the contact was chosen.
    public var callCount: Int
    /// When it was chosen last.
    public var lastCalledAt: Date?
    /// The folded name, by which equals are ordered.
    public var sortKey: String
}

extension ContactBook {
    /// Calls `body` with what the search needs of each contact, in order of the keys.
    ///
    /// - Parameters:
    ///   - db: a transaction of ``storage``, in which the generation can be read, too.
    ///   - keys: which contacts; nil for all.
    ///   - body: what is done with each; what it throws ends the reading.
    /// - Complexity: O(*n*), one pass over three tables; some 5 µs a contact.
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

    /// The folded texts of some contacts, in one go; those that are no more, or of another version, are missing.
    static func tokens(keys: [Int64], in db: Database) throws -> [Int64: ContactTokens] {
        var tokens: [Int64: ContactTokens] = [:]
        var start = 0
        while start < keys.count {
            // One statement for all, so that it stays prepared: the list is filled up with its last key.
            let batch = Array(keys[start..<min(start + 16, keys.count)])
            guard let last = batch.last else { break }
            let arguments = StatementArguments(batch + Array(repeating: last, count: 16 - batch.count))
            let statement = try db.cachedStatement(
                sql: "SELECT contact, tokens FROM contact_search WHERE contact IN (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)")
            let rows = try Row.fetchCursor(statement, arguments: arguments)
            while let row = try rows.next() {
                let key: Int64 = try row.value(0)
                tokens[key] = try ContactTokens.readable(row.value(1), of: key, in: db)
            }
            start += batch.count
        }
        return tokens
    }

    /// The contacts of some keys, in one go, without the bytes of photographs; those that are no more are missing. Ten take some
    /// 100 µs.
    public static func contacts(keys: [Int64], in db: Database) throws -> [Int64: Contact] {
        try ContactFetching.contacts(keys, withPhotos: false, in: db)
    }

    /// The key of an identifier inside the database.
    ///
    /// - Throws: ``ContactBookError/notFound(id:)``.
    public static func key(of id: String, in db: Database) throws -> Int64 {
        try ContactFetching.key(of: id, in: db)
    }
}
