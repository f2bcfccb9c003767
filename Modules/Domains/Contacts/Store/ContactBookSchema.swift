import Foundation
package import GRDB
package import SwitchboardIncrementalIndex
import SwitchboardPeopleSearch
public import SwitchboardStorage
import SwitchboardTextNormalization
import SwitchboardVCard

extension ContactBook {
    /// The module name under which the storage counts changes of contacts.
    public static let module = "ContactBook"

    /// The log of changes for the search index.
    package static let changes = DocumentChanges(table: "contact_change", column: "contact", generationOf: module)

    /// The numbered changes of contacts, by identifier. Group cards have identifiers of their own.
    package static let journal = ChangeJournal(module: module)

    /// The tables of the contact book.
    ///
    /// `contact.key` is an integer for joins and the search index that is never reused. `contact.id` is the public
    /// identifier. Missing texts are empty. `contact_change` is the table of `DocumentChanges`.
    public static let migrations = ModuleMigrations(
        module: module,
        [
            .init(
                "1-contacts",
                sql: """
                    CREATE TABLE contact (
                        key INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
                        prefix TEXT NOT NULL, given TEXT NOT NULL, middle TEXT NOT NULL, family TEXT NOT NULL,
                        suffix TEXT NOT NULL, formatted TEXT NOT NULL, nickname TEXT NOT NULL,
                        phoneticGiven TEXT NOT NULL, phoneticFamily TEXT NOT NULL, organization TEXT NOT NULL,
                        department TEXT NOT NULL, title TEXT NOT NULL, note TEXT NOT NULL,
                        birthday TEXT NOT NULL, isFavourite INTEGER NOT NULL, callCount INTEGER NOT NULL,
                        lastCalledAt REAL, createdAt REAL NOT NULL, modifiedAt REAL NOT NULL,
                        sourceUID TEXT, nameKey TEXT NOT NULL, sortKey TEXT NOT NULL);
                    CREATE INDEX contact_on_sourceUID ON contact (sourceUID) WHERE sourceUID IS NOT NULL;
                    CREATE INDEX contact_on_nameKey ON contact (nameKey);
                    CREATE TABLE contact_phone (
                        contact INTEGER NOT NULL REFERENCES contact (key) ON DELETE CASCADE,
                        position INTEGER NOT NULL, label TEXT NOT NULL, number TEXT NOT NULL, e164 TEXT,
                        national TEXT NOT NULL, trunk TEXT, extension TEXT, isPreferred INTEGER NOT NULL,
                        identity TEXT NOT NULL, PRIMARY KEY (contact, position)) WITHOUT ROWID;
                    CREATE INDEX contact_phone_on_identity ON contact_phone (identity);
                    CREATE TABLE contact_email (
                        contact INTEGER NOT NULL REFERENCES contact (key) ON DELETE CASCADE,
                        position INTEGER NOT NULL, label TEXT NOT NULL, address TEXT NOT NULL,
                        isPreferred INTEGER NOT NULL, identity TEXT NOT NULL,
                        PRIMARY KEY (contact, position)) WITHOUT ROWID;
                    CREATE INDEX contact_email_on_identity ON contact_email (identity);
                    CREATE TABLE contact_detail (
                        contact INTEGER NOT NULL REFERENCES contact (key) ON DELETE CASCADE,
                        position INTEGER NOT NULL, kind INTEGER NOT NULL, label TEXT NOT NULL,
                        value TEXT NOT NULL);
                    CREATE INDEX contact_detail_on_contact ON contact_detail (contact, position);
                    CREATE TABLE contact_search (
                        contact INTEGER PRIMARY KEY REFERENCES contact (key) ON DELETE CASCADE,
                        tokens BLOB NOT NULL);
                    """),
            // ON DELETE CASCADE removes the rows of a contact; every other change touches the row in `contact`.
            .init("2-changes", sql: changes.schema(tracking: "contact")),
            // Copies of merged contacts. A merge may outlive its contact, which another merge may have removed.
            .init(
                "3-merges",
                sql: """
                    CREATE TABLE contact_merge (
                        key INTEGER PRIMARY KEY AUTOINCREMENT, contact INTEGER NOT NULL, mergedAt REAL NOT NULL,
                        callCount INTEGER NOT NULL, rows BLOB NOT NULL);
                    CREATE INDEX contact_merge_on_contact ON contact_merge (contact);
                    CREATE INDEX contact_merge_on_mergedAt ON contact_merge (mergedAt);
                    """),
            // The tables of `SwitchboardContactSync`: linked folders and the state of their files. Released under this
            // module, they stay in it; a file with a migration unknown to its module is refused as newer.
            .init(
                "4-folders",
                sql: """
                    CREATE TABLE contact_folder (
                        key INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL UNIQUE, linkedAt REAL NOT NULL,
                        takesAfter INTEGER);
                    CREATE TABLE contact_file (
                        folder INTEGER NOT NULL REFERENCES contact_folder (key) ON DELETE CASCADE, name TEXT NOT NULL,
                        contact TEXT NOT NULL, modified INTEGER NOT NULL, changed INTEGER NOT NULL, size INTEGER NOT NULL,
                        inode INTEGER NOT NULL, hash INTEGER NOT NULL, base BLOB NOT NULL, uid TEXT NOT NULL, contactModifiedAt REAL,
                        removedAt REAL, card BLOB, PRIMARY KEY (folder, name));
                    CREATE INDEX contact_file_on_contact ON contact_file (contact);
                    CREATE TABLE contact_unfollowed (contact TEXT PRIMARY KEY) WITHOUT ROWID;
                    """),
            // Photos and groups used to be stored with the other properties.
            .init("5-groups") { db in
                try db.execute(
                    sql: """
                        CREATE INDEX contact_detail_on_group ON contact_detail (value, contact)
                            WHERE kind = \(DetailKind.group.rawValue);
                        CREATE INDEX contact_on_birthday ON contact (birthday) WHERE birthday <> '';
                        """)
                try ContactRows.extractPhotosAndGroups(in: db)
            },
            // Group members from group cards that match no contact.
            .init(
                "6-strangers",
                sql: """
                    CREATE TABLE contact_stranger (
                        name TEXT NOT NULL, member TEXT NOT NULL, PRIMARY KEY (name, member)) WITHOUT ROWID;
                    """),
            .init(
                "7-parameters",
                sql: """
                    ALTER TABLE contact_phone ADD COLUMN parameters TEXT NOT NULL DEFAULT '';
                    ALTER TABLE contact_email ADD COLUMN parameters TEXT NOT NULL DEFAULT '';
                    """),
            // Write intents of `SwitchboardContactSync`.
            .init(
                "8-announced",
                sql: """
                    CREATE TABLE contact_file_announced (
                        folder INTEGER NOT NULL REFERENCES contact_folder (key) ON DELETE CASCADE, name TEXT NOT NULL,
                        contact TEXT NOT NULL, hash INTEGER NOT NULL, contactModifiedAt REAL, removed BLOB,
                        PRIMARY KEY (folder, name));
                    """),
            // Copies of removed contacts.
            .init(
                "9-removed",
                sql: """
                    CREATE TABLE contact_removed (
                        id TEXT PRIMARY KEY, removedAt REAL NOT NULL, rows BLOB NOT NULL) WITHOUT ROWID;
                    CREATE INDEX contact_removed_on_removedAt ON contact_removed (removedAt);
                    """),
            .init("10-prefixes") { db in try ContactRows.dropPrefixesFromSortKeys(in: db) },
            .init("11-secondary-fields") { db in try ContactRows.addSecondaryTexts(in: db) },
            .init("12-detail-keys") { db in try ContactRows.addPrimaryKeyOfDetails(in: db) },
            // Numbers without an E.164 form used to be identified by their digits, and names of symbols had no key.
            .init("13-identities") { db in try ContactRows.updateIdentities(in: db) },
            .init("14-pronouns") { db in try ContactRows.addColumn(of: .pronouns, in: db) },
            // The record of the last import (`ImportRecord`).
            .init(
                "15-imports",
                sql: """
                    CREATE TABLE contact_import (
                        key INTEGER PRIMARY KEY, importedAt REAL NOT NULL, file TEXT NOT NULL,
                        firstContact INTEGER NOT NULL, lastContact INTEGER NOT NULL, members BLOB NOT NULL);
                    CREATE TABLE contact_imported (
                        contact INTEGER PRIMARY KEY,
                        import INTEGER NOT NULL REFERENCES contact_import (key) ON DELETE CASCADE, rows BLOB NOT NULL);
                    CREATE INDEX contact_imported_on_import ON contact_imported (import);
                    """),
            // The identifiers of contacts that are not duplicates.
            .init(
                "16-different",
                sql: """
                    CREATE TABLE contact_different (
                        first TEXT NOT NULL, second TEXT NOT NULL, PRIMARY KEY (first, second)) WITHOUT ROWID;
                    """),
            .init("17-profiles") { db in
                try ContactRows.addTextsOfProperties(of: ContactListField.socialProfiles.search, in: db)
            },
            .init("18-journal", sql: journal.schema(tracking: "contact")),
            // The cards of `ContactCards`, which outlive their contacts: a restored contact gets its card back.
            .init(
                "19-cards",
                sql: """
                    CREATE TABLE contact_card (
                        key INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, contact TEXT NOT NULL UNIQUE,
                        uid TEXT NOT NULL, tag TEXT NOT NULL, size INTEGER NOT NULL, modifiedAt REAL NOT NULL,
                        number INTEGER NOT NULL, bytes BLOB NOT NULL);
                    CREATE INDEX contact_card_on_uid ON contact_card (uid);
                    """),
            .init("20-addresses") { db in try ContactRows.addTextsOfAddresses(in: db) },
            .init("21-other-properties") { db in try ContactRows.addTextsOfProperties(of: .other, in: db) },
            .init(
                "22-group-cards",
                sql: """
                    CREATE TABLE contact_group_card (card TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID;
                    CREATE TABLE contact_group_member (
                        card TEXT NOT NULL, member TEXT NOT NULL, PRIMARY KEY (card, member)) WITHOUT ROWID;
                    CREATE INDEX contact_group_member_on_member ON contact_group_member (member);
                    """),
            .init("23-birthdays") { db in try ContactRows.addTextsOfBirthdays(in: db) },
            // Favorites have an index of their own, or SQLite would read all contacts by name to find them.
            .init(
                "24-order",
                sql: """
                    CREATE INDEX contact_on_sortKey ON contact (sortKey);
                    CREATE INDEX contact_on_favourite ON contact (sortKey) WHERE isFavourite;
                    """),
            // The same triggers with faster statements.
            .init("25-triggers", sql: changes.triggers(tracking: "contact") + journal.triggers(tracking: "contact")),
        ])
}

enum DetailKind: Int {
    /// The components of a postal address, seven or more, escaped and separated by semicolons.
    case address = 1
    /// A web address.
    case url = 2
    /// A vCard property without a field in the model.
    case property = 3
    /// The bytes of the photo. The label has its media type and parameters.
    case photo = 4
    /// The name of a group.
    case group = 5
    /// The secondary surname and the generation, escaped and separated by a semicolon.
    case extendedName = 6
    /// The other parameters of a vCard property, whose name is the label. The key of a text field stands for its
    /// property.
    case parameters = 7
    /// The other parameters of a postal address, whose position is the label.
    case addressParameters = 8
    /// The other parameters of a web address, whose position is the label.
    case urlParameters = 9
}

extension ContactBook {
    /// Changes contacts in one transaction and compacts the change log.
    package func writing<T>(_ body: (Database) throws -> T) throws -> T {
        try storage.write(changing: ContactBook.module) { db in
            let result = try body(db)
            try ContactBook.changes.trim(in: db)
            return result
        }
    }
}

// MARK: - Migrations of rows

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
    fileprivate static func dropPrefixesFromSortKeys(in db: Database) throws {
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
        // Later fields have migrations of their own.
        let fields = ContactField.secondary.filter { $0.rawValue <= 10 }
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
            try append(contact.texts(in: fields), toTextsOf: key, in: db)
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

    /// Appends the components of addresses except for the city, and web addresses, to the searchable texts.
    static func addTextsOfAddresses(in db: Database) throws {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT contact, kind, CAST(value AS TEXT) FROM contact_detail WHERE kind IN (?, ?)
                ORDER BY contact, position
                """, arguments: [DetailKind.address.rawValue, DetailKind.url.rawValue])
        var contacts: [Int64: Contact] = [:]
        for row in rows {
            let value: String = try row.value(2)
            if DetailKind(rawValue: try row.value(1)) == .url {
                try contacts[row.value(0), default: Contact()].urls.append(WebAddress(url: value))
            } else {
                let address = PostalAddress(label: "", components: VCardText.components(of: value))
                try contacts[row.value(0), default: Contact()].addresses.append(address)
            }
        }
        for (key, contact) in contacts {
            try append(contact.texts(in: ContactField.addressesAndURLs), toTextsOf: key, in: db)
        }
    }

    /// Appends the texts of a field that reads the other properties to the searchable texts.
    static func addTextsOfProperties(of field: ContactField, in db: Database) throws {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT contact, CAST(value AS TEXT) FROM contact_detail WHERE kind = ? ORDER BY contact, position
                """, arguments: [DetailKind.property.rawValue])
        var contacts: [Int64: Contact] = [:]
        for row in rows { try contacts[row.value(0), default: Contact()].otherProperties.append(row.value(1)) }
        for (key, contact) in contacts {
            try append(contact.texts(in: [field]), toTextsOf: key, in: db)
        }
    }

    /// Appends birthdays that are no dates to the searchable texts.
    static func addTextsOfBirthdays(in db: Database) throws {
        let sql = "SELECT key, CAST(birthday AS TEXT) FROM contact WHERE birthday <> ''"
        for row in try Row.fetchAll(db, sql: sql) {
            var contact = Contact()
            contact.birthday = try row.value(1)
            try append(contact.texts(in: [.birthday]), toTextsOf: row.value(0), in: db)
        }
    }

    /// Appends texts to the searchable texts of a contact, unless they are not stored.
    private static func append(
        _ texts: [PersonTexts.Text<ContactField>], toTextsOf key: Int64, in db: Database
    ) throws {
        // Drops the version at the beginning.
        let texts = PersonTexts.serialized(texts).dropFirst()
        guard !texts.isEmpty,
            let tokens = try Data.fetchOne(
                db, sql: "SELECT tokens FROM contact_search WHERE contact = ?", arguments: [key]), !tokens.isEmpty
        else { return }
        try db.execute(
            sql: "UPDATE contact_search SET tokens = ? WHERE contact = ?", arguments: [tokens + texts, key])
    }

    /// Adds the column of a text field, and moves its vCard property there from the other properties.
    static func addColumn(of field: ContactTextField, in db: Database) throws {
        try db.execute(sql: "ALTER TABLE contact ADD COLUMN \(field.column) TEXT NOT NULL DEFAULT ''")
        guard let name = field.property else { return }
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT rowid, contact, CAST(value AS TEXT) FROM contact_detail WHERE kind = ? AND value LIKE ?
                ORDER BY contact, position
                """, arguments: [DetailKind.property.rawValue, name + "%"])
        var moved: Set<Int64> = []
        for row in rows {
            let (detail, key): (Int64, Int64) = try (row.value(0), row.value(1))
            // A second value stays where it is.
            guard let property = try? VCardProperty(unfolded: row.value(2)), property.name == name,
                !property.text.isEmpty, moved.insert(key).inserted
            else { continue }
            try db.execute(
                sql: "UPDATE contact SET \(field.column) = ? WHERE key = ?", arguments: [property.text, key])
            let parameters = property.otherParameters(than: [])
            if parameters.isEmpty {
                try db.execute(sql: "DELETE FROM contact_detail WHERE rowid = ?", arguments: [detail])
            } else {
                try db.execute(
                    sql: "UPDATE contact_detail SET kind = ?, label = ?, value = ? WHERE rowid = ?",
                    arguments: [DetailKind.parameters.rawValue, field.key, parameters, detail])
            }
            if let search = field.search { try append([(search, 0, property.text)], toTextsOf: key, in: db) }
        }
    }

    /// Recomputes the identities of numbers and the keys of names that consist of symbols.
    fileprivate static func updateIdentities(in db: Database) throws {
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
