package import GRDB
package import SwitchboardIncrementalIndex
public import SwitchboardStorage

extension ContactBook {
    /// The module name under which the storage counts changes of contacts.
    public static let module = "ContactBook"

    /// The log of changes for the search index.
    package static let changes = DocumentChanges(table: "contact_change", column: "contact", generationOf: module)

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
            // The tables of `SwitchboardContactSync`: linked folders and the state of their files.
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
