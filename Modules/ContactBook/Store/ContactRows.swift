import Foundation
import GRDB
import TextFolding
import VCardFormat

/// A contact and what is worked out from it before it is stored; made on any thread, without the database.
struct PreparedContact: Sendable {
    var contact: Contact
    let nameKey: NameKey
    let sortKey: String
    let tokens: Data

    init(_ contact: Contact) {
        self.contact = contact
        nameKey = NameKey(contact.fullName)
        sortKey = contact.fullName.isEmpty ? NameKey(contact.displayName).sortText : nameKey.sortText
        tokens = ContactTokens.encoded(contact)
    }
}

/// Writes the rows of contacts within one transaction, each statement prepared once.
struct ContactRows {
    private let db: Database
    private let insertContact: Statement
    private let updateContact: Statement
    private let insertPhone: Statement
    private let insertEmail: Statement
    private let insertDetail: Statement
    private let insertTokens: Statement

    init(_ db: Database) throws {
        self.db = db
        insertContact = try db.cachedStatement(
            sql: """
                INSERT INTO contact (id, prefix, given, middle, family, suffix, formatted, nickname, phoneticGiven,
                    phoneticFamily, organization, department, title, note, birthday, isFavourite, callCount, lastCalledAt,
                    createdAt, modifiedAt, sourceUID, nameKey, sortKey)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        updateContact = try db.cachedStatement(
            sql: """
                UPDATE contact SET id = ?, prefix = ?, given = ?, middle = ?, family = ?, suffix = ?, formatted = ?,
                    nickname = ?, phoneticGiven = ?, phoneticFamily = ?, organization = ?, department = ?, title = ?,
                    note = ?, birthday = ?, isFavourite = ?, callCount = ?, lastCalledAt = ?, createdAt = ?, modifiedAt = ?,
                    sourceUID = ?, nameKey = ?, sortKey = ? WHERE key = ?
                """)
        insertPhone = try db.cachedStatement(sql: "INSERT INTO contact_phone VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        insertEmail = try db.cachedStatement(sql: "INSERT INTO contact_email VALUES (?, ?, ?, ?, ?, ?)")
        insertDetail = try db.cachedStatement(sql: "INSERT INTO contact_detail VALUES (?, ?, ?, ?, ?)")
        insertTokens = try db.cachedStatement(sql: "INSERT OR REPLACE INTO contact_search VALUES (?, ?)")
    }

    /// Stores a new contact and gives its key.
    func insert(_ prepared: PreparedContact) throws -> Int64 {
        try insertContact.execute(arguments: StatementArguments(ContactRows.columns(of: prepared)))
        let key = db.lastInsertedRowID
        try insertLists(of: prepared, key: key)
        return key
    }

    /// Stores a changed contact in the place of the old one.
    func replace(key: Int64, by prepared: PreparedContact) throws {
        try updateContact.execute(arguments: StatementArguments(ContactRows.columns(of: prepared) + [key]))
        for table in ["contact_phone", "contact_email", "contact_detail"] {
            try db.cachedStatement(sql: "DELETE FROM \(table) WHERE contact = ?").execute(arguments: [key])
        }
        try insertLists(of: prepared, key: key)
    }

    private static func columns(of prepared: PreparedContact) -> [(any DatabaseValueConvertible)?] {
        let contact = prepared.contact
        let name = contact.name
        let created = contact.createdAt?.timeIntervalSince1970 ?? 0
        return [
            contact.id, name.prefix, name.given, name.middle, name.family, name.suffix, contact.formattedName,
            contact.nickname, contact.phoneticGivenName, contact.phoneticFamilyName, contact.organization,
            contact.department, contact.title, contact.note, contact.birthday, contact.isFavourite, contact.callCount,
            contact.lastCalledAt?.timeIntervalSince1970, created, contact.modifiedAt?.timeIntervalSince1970 ?? created,
            contact.sourceUID.isEmpty ? nil : contact.sourceUID, prepared.nameKey.text, prepared.sortKey,
        ]
    }

    private func insertLists(of prepared: PreparedContact, key: Int64) throws {
        let contact = prepared.contact
        for (position, phone) in contact.phones.enumerated() {
            let number = phone.number
            try insertPhone.execute(arguments: [
                key, position, phone.label, number.text, number.e164, number.nationalNumber, number.trunkNumber,
                number.extensionNumber, phone.isPreferred, number.identity,
            ])
        }
        for (position, email) in contact.emails.enumerated() {
            try insertEmail.execute(arguments: [
                key, position, email.label, email.address, email.isPreferred, email.identity,
            ])
        }
        var position = 0
        func addDetail(_ kind: DetailKind, _ label: String, _ value: String) throws {
            try insertDetail.execute(arguments: [key, position, kind.rawValue, label, value])
            position += 1
        }
        for address in contact.addresses {
            try addDetail(.address, address.label, address.parts.map(VCardText.escaped).joined(separator: ";"))
        }
        for url in contact.urls { try addDetail(.url, url.label, url.url) }
        for property in contact.otherProperties { try addDetail(.property, "", property) }
        try insertTokens.execute(arguments: [key, prepared.tokens])
    }
}
