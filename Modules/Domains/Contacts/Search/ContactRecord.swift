import Foundation
import GRDB
import SwitchboardStorage
import SwitchboardTextNormalization

/// A contact to index, with the bytes to store for ``StoredContact``.
struct ContactRecord {
    /// Larger contacts are read from the database.
    private static let maxLength = 1_024

    let key: Int64
    private(set) var contact: Contact
    let tokens: Data
    /// Empty for a large contact.
    let bytes: [UInt8]

    /// Reads a contact and its lists.
    init(_ row: Row, _ lists: inout [ContactListCursor]) throws {
        let columnCount = StoredContact.columnCount
        key = try row.value(0)
        tokens = try row.value(columnCount)
        contact = try ContactFetching.contact(of: row)
        var writer = RowWriter()
        try writer.write(row, columns: columnCount)
        for number in lists.indices { try lists[number].addRows(of: key, to: &contact, &writer) }
        // Composing a name takes longer than reading it.
        writer.write(Array((contact.displayName == contact.formattedName ? "" : contact.displayName).utf8))
        // The folded texts are stored only if folding them again would load ICU.
        let needsTokens = !contact.texts.allSatisfy { FoldedText.isFoldedWithoutICU($0.text) }
        writer.write(needsTokens ? tokens : Data())
        bytes = writer.bytes.count > Self.maxLength ? [] : writer.bytes
    }
}

/// Reads the rows of a list in step with their contacts, both sorted by key.
struct ContactListCursor {
    private let table: ContactTable
    private let cursor: RowCursor
    private var next: Row?

    init(_ table: ContactTable, where list: String, in db: Database) throws {
        self.table = table
        let sql = "SELECT \(table.columns(withPhotos: false)) FROM \(table.rawValue)\(list) ORDER BY contact, position"
        cursor = try Row.fetchCursor(db, sql: sql)
        next = try cursor.next()
    }

    /// Adds the rows of a contact to the contact, and writes their number and columns.
    mutating func addRows(of key: Int64, to contact: inout Contact, _ writer: inout RowWriter) throws {
        var rows = RowWriter()
        var count = 0
        while let row = next {
            // Skips corrupt rows without a contact, which come first.
            let owner: Int64? = try row.value(0)
            if let owner, owner > key { break }
            if owner == key {
                try table.add(row, withPhotos: false, to: &contact)
                try rows.write(row, columns: table.columnCount)
                count += 1
            }
            next = try cursor.next()
        }
        writer.write(count: count)
        writer.append(rows)
    }
}
