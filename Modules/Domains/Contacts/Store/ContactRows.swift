import Foundation
package import GRDB
import SwitchboardTextNormalization
import SwitchboardVCard

/// A contact with the values that are derived before it is stored, on any thread and without the database.
package struct PreparedContact: Sendable {
    package var contact: Contact
    /// The sorted folded words of the full name, or a name of symbols as typed; empty without a name.
    let nameKey: String
    let sortKey: String
    let tokens: Data
    /// The keys for matching other contacts: numbers, addresses, source identifier, name.
    let matchKeys: [String]

    package init(_ contact: Contact) {
        self.contact = contact
        let name = NameKey(contact.fullName)
        nameKey = contact.nameKey(of: name)
        sortKey = contact.fullName.isEmpty ? NameKey(contact.displayName).sortText : contact.sortKey(of: name)
        tokens = contact.searchTexts
        var matchKeys = contact.phones.map(\.number.identity) + contact.emails.map(\.identity)
        if !contact.sourceUID.isEmpty { matchKeys.append("uid " + contact.sourceUID) }
        matchKeys.append("name " + (nameKey.isEmpty ? sortKey : nameKey))
        self.matchKeys = matchKeys
    }
}

/// Writes the rows of contacts within one transaction with prepared statements.
package struct ContactRows {
    private let db: Database
    private let insertContact: RowStatement
    private let updateContact: RowStatement
    private let insertPhone: RowStatement
    private let insertEmail: RowStatement
    private let insertDetail: RowStatement
    private let insertTokens: RowStatement

    /// The columns of `contact` except for the key.
    static let columns = ContactFetching.storedColumns + ", nameKey, sortKey"

    package init(_ db: Database) throws {
        self.db = db
        // A failure rolls back the whole transaction, so OR FAIL can skip the statement journal. That saves a third of
        // the time.
        let (columns, places) = (ContactRows.columns, databaseQuestionMarks(count: 23))
        insertContact = try RowStatement(db, "INSERT OR FAIL INTO contact (\(columns), key) VALUES (\(places), ?)")
        updateContact = try RowStatement(db, "UPDATE contact SET (\(columns)) = (\(places)) WHERE key = ?")
        insertPhone = try RowStatement(db, "INSERT INTO contact_phone VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        insertEmail = try RowStatement(db, "INSERT INTO contact_email VALUES (?, ?, ?, ?, ?, ?, ?)")
        insertDetail = try RowStatement(db, "INSERT INTO contact_detail VALUES (?, ?, ?, ?, ?)")
        insertTokens = try RowStatement(db, "INSERT OR REPLACE INTO contact_search VALUES (?, ?)")
    }

    package func insert(_ prepared: PreparedContact) throws -> Int64 {
        try write(prepared, with: insertContact, key: nil)
        let key = db.lastInsertedRowID
        try insertLists(of: prepared, key: key)
        return key
    }

    package func replace(key: Int64, by prepared: PreparedContact) throws {
        try write(prepared, with: updateContact, key: key)
        for table in ["contact_phone", "contact_email", "contact_detail"] {
            try db.cachedStatement(sql: "DELETE FROM \(table) WHERE contact = ?").execute(arguments: [key])
        }
        try insertLists(of: prepared, key: key)
    }

    /// Removes a contact and the records of its merges, which can no longer be undone.
    package static func delete(_ key: Int64, in db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM contact WHERE key = ?").execute(arguments: [key])
        try db.cachedStatement(sql: "DELETE FROM contact_merge WHERE contact = ?").execute(arguments: [key])
    }

    /// Binds all columns of `contact`, the key last. A new contact gets its key from SQLite.
    private func write(_ prepared: PreparedContact, with statement: RowStatement, key: Int64?) throws {
        let contact = prepared.contact
        let name = contact.name
        let created = contact.createdAt?.timeIntervalSince1970 ?? 0
        try statement.execute(
            contact.id, name.prefix, name.given, name.middle, name.family, name.suffix, contact.formattedName,
            contact.nickname, contact.phoneticGivenName, contact.phoneticFamilyName, contact.organization,
            contact.department, contact.title, contact.note, contact.birthday, contact.isFavourite, contact.callCount,
            contact.lastCalledAt?.timeIntervalSince1970, created, contact.modifiedAt?.timeIntervalSince1970 ?? created,
            contact.sourceUID.isEmpty ? nil : contact.sourceUID, prepared.nameKey, prepared.sortKey, key)
    }

    private func insertLists(of prepared: PreparedContact, key: Int64) throws {
        let contact = prepared.contact
        for (position, phone) in contact.phones.enumerated() {
            let number = phone.number
            try insertPhone.execute(
                key, position, phone.label, number.text, number.e164, number.nationalNumber, number.trunkNumber,
                number.extensionNumber, phone.isPreferred, number.identity, phone.parameters)
        }
        for (position, email) in contact.emails.enumerated() {
            try insertEmail.execute(
                key, position, email.label, email.address, email.isPreferred, email.identity, email.parameters)
        }
        var position = 0
        func addDetail(_ kind: DetailKind, _ label: String, _ value: some StatementBinding) throws {
            try insertDetail.execute(key, position, kind.rawValue, label, value)
            position += 1
        }
        for address in contact.addresses {
            try addDetail(.address, address.label, VCardText.structured(address.allComponents))
        }
        for url in contact.urls { try addDetail(.url, url.label, url.url) }
        for property in contact.otherProperties { try addDetail(.property, "", property) }
        for group in contact.groups { try addDetail(.group, "", group) }
        let extendedName = [contact.name.secondFamily, contact.name.generation]
        if extendedName != ["", ""] {
            try addDetail(.extendedName, "", VCardText.structured(extendedName))
        }
        if let photo = contact.photo, let data = photo.data {
            try addDetail(.photo, photo.mediaType + photo.parameters, data)
        }
        try insertTokens.execute(key, prepared.tokens)
    }
}

extension Contact {
    func nameKey(of name: NameKey) -> String { name.words.isEmpty ? NameAsTyped(fullName).text : name.text }

    /// Returns the words of the name in order, without prefixes such as "Dr.", which do not affect the order.
    func sortKey(of name: NameKey) -> String {
        let prefix = NameKey(self.name.prefix).words
        guard !prefix.isEmpty, name.words.count > prefix.count, name.words.starts(with: prefix) else {
            return name.sortText
        }
        return NameKey(words: Array(name.words.dropFirst(prefix.count))).sortText
    }
}
