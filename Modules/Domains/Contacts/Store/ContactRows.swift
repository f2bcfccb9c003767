import Foundation
package import GRDB
import SwitchboardTextNormalization
import SwitchboardVCard

/// A contact with the values that are derived before it is stored, on any thread and without the database.
package struct PreparedContact: Sendable {
    package var contact: Contact
    let nameKey: NameKey
    let sortKey: String
    let tokens: Data
    /// The keys for matching other contacts: numbers, addresses, source identifier, name.
    let matchKeys: [String]

    package init(_ contact: Contact) {
        self.contact = contact
        nameKey = NameKey(contact.fullName)
        sortKey = contact.fullName.isEmpty ? NameKey(contact.displayName).sortText : nameKey.sortText
        tokens = ContactTokens.encoded(contact)
        var matchKeys = contact.phones.map(\.number.identity) + contact.emails.map(\.identity)
        if !contact.sourceUID.isEmpty { matchKeys.append("uid " + contact.sourceUID) }
        matchKeys.append("name " + sortKey)
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

    package init(_ db: Database) throws {
        self.db = db
        // A failure rolls back the whole transaction. OR FAIL saves SQLite the statement journal, a third of the time.
        insertContact = try RowStatement(
            db,
            """
            INSERT OR FAIL INTO contact (id, prefix, given, middle, family, suffix, formatted, nickname, phoneticGiven,
                phoneticFamily, organization, department, title, note, birthday, isFavourite, callCount, lastCalledAt,
                createdAt, modifiedAt, sourceUID, nameKey, sortKey)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        updateContact = try RowStatement(
            db,
            """
            UPDATE contact SET id = ?, prefix = ?, given = ?, middle = ?, family = ?, suffix = ?, formatted = ?,
                nickname = ?, phoneticGiven = ?, phoneticFamily = ?, organization = ?, department = ?, title = ?,
                note = ?, birthday = ?, isFavourite = ?, callCount = ?, lastCalledAt = ?, createdAt = ?, modifiedAt = ?,
                sourceUID = ?, nameKey = ?, sortKey = ? WHERE key = ?
            """)
        insertPhone = try RowStatement(db, "INSERT INTO contact_phone VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        insertEmail = try RowStatement(db, "INSERT INTO contact_email VALUES (?, ?, ?, ?, ?, ?, ?)")
        insertDetail = try RowStatement(db, "INSERT INTO contact_detail VALUES (?, ?, ?, ?, ?)")
        insertTokens = try RowStatement(db, "INSERT OR REPLACE INTO contact_search VALUES (?, ?)")
    }

    /// Inserts a contact and returns its key.
    package func insert(_ prepared: PreparedContact) throws -> Int64 {
        try insertContact.execute { ContactRows.add(prepared, to: &$0) }
        let key = db.lastInsertedRowID
        try insertLists(of: prepared, key: key)
        return key
    }

    /// Replaces a contact.
    package func replace(key: Int64, by prepared: PreparedContact) throws {
        try updateContact.execute { values in
            ContactRows.add(prepared, to: &values)
            values.add(key)
        }
        for table in ["contact_phone", "contact_email", "contact_detail"] {
            try db.cachedStatement(sql: "DELETE FROM \(table) WHERE contact = ?").execute(arguments: [key])
        }
        try insertLists(of: prepared, key: key)
    }

    /// Adds the values of all columns of `contact` except the key.
    private static func add(_ prepared: PreparedContact, to values: inout RowStatement.Values) {
        let contact = prepared.contact
        let name = contact.name
        let created = contact.createdAt?.timeIntervalSince1970 ?? 0
        values.add(contact.id)
        for part in [name.prefix, name.given, name.middle, name.family, name.suffix] { values.add(part) }
        values.add(contact.formattedName)
        values.add(contact.nickname)
        values.add(contact.phoneticGivenName)
        values.add(contact.phoneticFamilyName)
        values.add(contact.organization)
        values.add(contact.department)
        values.add(contact.title)
        values.add(contact.note)
        values.add(contact.birthday)
        values.add(contact.isFavourite)
        values.add(contact.callCount)
        values.add(contact.lastCalledAt?.timeIntervalSince1970)
        values.add(created)
        values.add(contact.modifiedAt?.timeIntervalSince1970 ?? created)
        values.add(contact.sourceUID.isEmpty ? nil : contact.sourceUID)
        values.add(prepared.nameKey.text)
        values.add(prepared.sortKey)
    }

    private func insertLists(of prepared: PreparedContact, key: Int64) throws {
        let contact = prepared.contact
        for (position, phone) in contact.phones.enumerated() {
            let number = phone.number
            try insertPhone.execute { values in
                values.add(key)
                values.add(position)
                values.add(phone.label)
                values.add(number.text)
                values.add(number.e164)
                values.add(number.nationalNumber)
                values.add(number.trunkNumber)
                values.add(number.extensionNumber)
                values.add(phone.isPreferred)
                values.add(number.identity)
                values.add(phone.parameters)
            }
        }
        for (position, email) in contact.emails.enumerated() {
            try insertEmail.execute { values in
                values.add(key)
                values.add(position)
                values.add(email.label)
                values.add(email.address)
                values.add(email.isPreferred)
                values.add(email.identity)
                values.add(email.parameters)
            }
        }
        var position = 0
        func addDetail(_ kind: DetailKind, _ label: String, _ value: String) throws {
            try insertDetail.execute { values in
                values.add(key)
                values.add(position)
                values.add(kind.rawValue)
                values.add(label)
                values.add(value)
            }
            position += 1
        }
        for address in contact.addresses {
            try addDetail(.address, address.label, address.allComponents.map(VCardText.escaped).joined(separator: ";"))
        }
        for url in contact.urls { try addDetail(.url, url.label, url.url) }
        for property in contact.otherProperties { try addDetail(.property, "", property) }
        for group in contact.groups { try addDetail(.group, "", group) }
        let extendedName = [contact.name.secondFamily, contact.name.generation]
        if extendedName != ["", ""] {
            try addDetail(.extendedName, "", extendedName.map(VCardText.escaped).joined(separator: ";"))
        }
        if let photo = contact.photo, let data = photo.data {
            try insertDetail.execute { values in
                values.add(key)
                values.add(position)
                values.add(DetailKind.photo.rawValue)
                values.add(photo.mediaType + photo.parameters)
                values.add(data)
            }
        }
        try insertTokens.execute { values in
            values.add(key)
            values.add(prepared.tokens)
        }
    }
}
