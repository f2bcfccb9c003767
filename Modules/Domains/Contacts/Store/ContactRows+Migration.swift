import Foundation
import GRDB
import SwitchboardIncrementalIndex
import SwitchboardStorage
import SwitchboardTextNormalization
import SwitchboardVCard

extension ContactRows {
    /// Moves photos and groups from the other properties to rows of their own kinds.
    ///
    /// No change is recorded because the searchable texts stay the same.
    static func extractPhotosAndGroups(in db: Database) throws {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT rowid, contact, position, value FROM contact_detail
                WHERE kind = ? AND (value LIKE 'PHOTO%' OR value LIKE 'CATEGORIES%') ORDER BY contact, position
                """, arguments: [DetailKind.property.rawValue])
        var changes: [(row: Int64, contact: Int64, position: Int, line: String)] = []
        while let row = try rows.next() {
            try changes.append((row.value(0), row.value(1), row.value(2), row.value(3)))
        }
        // An existing photo stays.
        var contactsWithPhoto = Set(
            try Int64.fetchAll(
                db, sql: "SELECT contact FROM contact_detail WHERE kind = ?", arguments: [DetailKind.photo.rawValue]))
        for change in changes {
            guard let property = try? VCardProperty(unfolded: change.line) else { continue }
            var contact = Contact()
            if property.name == "CATEGORIES" {
                for group in property.list { contact.addGroup(group) }
            } else if property.name == "PHOTO", !contactsWithPhoto.contains(change.contact) {
                contact.photo = ContactPhoto(property)
            }
            guard contact.photo != nil || property.name == "CATEGORIES" else { continue }
            try db.execute(sql: "DELETE FROM contact_detail WHERE rowid = ?", arguments: [change.row])
            let insert = "INSERT INTO contact_detail VALUES (?, ?, ?, ?, ?)"
            for group in contact.groups {
                try db.execute(
                    sql: insert,
                    arguments: [change.contact, change.position, DetailKind.group.rawValue, "", group])
            }
            if let photo = contact.photo, let data = photo.data {
                contactsWithPhoto.insert(change.contact)
                try db.execute(
                    sql: insert,
                    arguments: [change.contact, change.position, DetailKind.photo.rawValue, photo.mediaType, data])
            }
            if contact.isFavourite {
                try db.execute(sql: "UPDATE contact SET isFavourite = 1 WHERE key = ?", arguments: [change.contact])
            }
        }
    }

    /// Recomputes the sort keys of names with a prefix.
    static func dropPrefixesFromSortKeys(in db: Database) throws {
        let sql = "SELECT key, prefix, given, middle, family, suffix, formatted FROM contact WHERE prefix <> ''"
        for row in try Row.fetchAll(db, sql: sql) {
            let name = try PersonName(
                prefix: row.value(1), given: row.value(2), middle: row.value(3), family: row.value(4),
                suffix: row.value(5))
            let contact = try Contact(name: name, formattedName: row.value(6))
            try db.execute(
                sql: "UPDATE contact SET sortKey = ? WHERE key = ?",
                arguments: [contact.sortKey(of: NameKey(contact.fullName)), try row.value(0) as Int64])
        }
    }

    /// Appends job titles, departments, cities, groups and related names to the searchable texts.
    static func addSecondaryTexts(in db: Database) throws {
        var contacts: [Int64: Contact] = [:]
        let texts = "CAST(title AS TEXT), CAST(department AS TEXT)"
        for row in try Row.fetchAll(db, sql: "SELECT key, \(texts) FROM contact") {
            var contact = Contact()
            (contact.title, contact.department) = try (row.value(1), row.value(2))
            try contacts[row.value(0)] = contact
        }
        let kinds = [DetailKind.address, .property, .group].map { String($0.rawValue) }.joined(separator: ",")
        let details = try Row.fetchCursor(
            db,
            sql: """
                SELECT key, kind, CAST(value AS TEXT) FROM contact JOIN contact_detail ON contact = key
                WHERE kind IN (\(kinds)) ORDER BY key, position
                """)
        while let row = try details.next() {
            let key: Int64 = try row.value(0)
            let value: String = try row.value(2)
            switch DetailKind(rawValue: try row.value(1)) {
            case .address:
                contacts[key]?.addresses.append(
                    PostalAddress(label: "", components: VCardText.components(of: value)))
            case .group: contacts[key]?.groups.append(value)
            default: contacts[key]?.otherProperties.append(value)
            }
        }
        for (key, contact) in contacts {
            // Drops the version at the beginning.
            let texts = PersonTexts.serialized(contact.secondaryTexts).dropFirst()
            guard !texts.isEmpty,
                let tokens = try Data.fetchOne(
                    db, sql: "SELECT tokens FROM contact_search WHERE contact = ?", arguments: [key])
            else { continue }
            try db.execute(
                sql: "UPDATE contact_search SET tokens = ? WHERE contact = ?", arguments: [tokens + texts, key])
        }
    }

    /// Gives the table of details a primary key, without which SQLite's session extension does not record its changes.
    ///
    /// The key replaces an index of the same columns. Groups from one line of a card used to share their position.
    static func addPrimaryKeyOfDetails(in db: Database) throws {
        try db.execute(
            sql: """
                UPDATE contact_detail SET position = place
                FROM (
                    SELECT rowid AS row, row_number() OVER (PARTITION BY contact ORDER BY position, rowid) - 1 AS place
                    FROM contact_detail WHERE contact IN (
                        SELECT contact FROM contact_detail GROUP BY contact, position HAVING count(*) > 1))
                WHERE contact_detail.rowid = row AND position <> place;
                CREATE TABLE contact_keyedDetail (
                    contact INTEGER NOT NULL REFERENCES contact (key) ON DELETE CASCADE,
                    position INTEGER NOT NULL, kind INTEGER NOT NULL, label TEXT NOT NULL,
                    value TEXT NOT NULL, PRIMARY KEY (contact, position));
                INSERT INTO contact_keyedDetail SELECT contact, position, kind, label, value FROM contact_detail;
                DROP TABLE contact_detail;
                ALTER TABLE contact_keyedDetail RENAME TO contact_detail;
                CREATE INDEX contact_detail_on_group ON contact_detail (value, contact)
                    WHERE kind = \(DetailKind.group.rawValue);
                """)
    }

    /// Recomputes the identities of numbers and the keys of names that consist of symbols.
    static func updateIdentities(in db: Database) throws {
        // Numbers with an E.164 form and without a pause keep their identity.
        try updateNumbers(where: "e164 IS NULL OR number GLOB '*[,;pPwW]*'", in: db)
        let sql = "SELECT key, prefix, given, middle, family, suffix, formatted FROM contact WHERE nameKey = ''"
        for row in try Row.fetchAll(db, sql: sql) {
            let name = try PersonName(
                prefix: row.value(1), given: row.value(2), middle: row.value(3), family: row.value(4),
                suffix: row.value(5))
            let contact = try Contact(name: name, formattedName: row.value(6))
            let nameKey = contact.nameKey(of: NameKey(contact.fullName))
            guard !nameKey.isEmpty else { continue }
            try db.execute(
                sql: "UPDATE contact SET nameKey = ? WHERE key = ?", arguments: [nameKey, try row.value(0) as Int64])
        }
    }

    /// Recomputes the identities of numbers.
    static func updateNumbers(
        where condition: String, arguments: StatementArguments = [], in db: Database
    ) throws {
        let rows = try Row.fetchAll(
            db,
            sql: "SELECT contact, position, number, e164, extension, identity FROM contact_phone WHERE \(condition)",
            arguments: arguments)
        for row in rows {
            let number = try PhoneNumber(
                text: row.value(2), e164: row.value(3), nationalNumber: "", trunkNumber: nil,
                extensionNumber: row.value(4))
            guard number.identity != (try row.value(5) as String) else { continue }
            try db.execute(
                sql: "UPDATE contact_phone SET identity = ? WHERE contact = ? AND position = ?",
                arguments: [number.identity, try row.value(0) as Int64, try row.value(1) as Int])
        }
    }
}
