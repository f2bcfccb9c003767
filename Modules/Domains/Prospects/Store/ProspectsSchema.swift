import GRDB
import SwitchboardIncrementalIndex
import SwitchboardPhoneNumbers
public import SwitchboardStorage

extension Prospects {
    /// The module name for the storage's generation of prospects.
    public static let module = "Prospects"

    /// The name for the generation of the indexed texts.
    ///
    /// Marking a prospect as contacted, the most frequent change, does not advance it.
    static let texts = "Prospects.texts"

    /// The log of changes to the indexed texts.
    static let changes = DocumentChanges(table: "prospect_change", column: "prospect", generationOf: texts)

    /// The tables of prospects.
    ///
    /// `prospect.key` is a small number for joins and for the search index, never reused; `prospect.id` is the public
    /// identifier. Missing texts are empty. A row with `removedAt` can be restored for some time.
    public static let migrations = ModuleMigrations(
        module: module,
        [
            .init(
                "1-prospects",
                sql: """
                    CREATE TABLE prospect (
                        key INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
                        email TEXT NOT NULL, phone TEXT NOT NULL, organization TEXT NOT NULL,
                        note TEXT NOT NULL, met TEXT NOT NULL, contactedAt REAL, createdAt REAL NOT NULL,
                        modifiedAt REAL NOT NULL, metAt REAL NOT NULL, removedAt REAL,
                        emailKey TEXT NOT NULL, phoneKey TEXT NOT NULL, sortKey TEXT NOT NULL);
                    CREATE INDEX prospect_on_emailKey ON prospect (emailKey)
                        WHERE emailKey <> '' AND removedAt IS NULL;
                    CREATE INDEX prospect_on_phoneKey ON prospect (phoneKey)
                        WHERE phoneKey <> '' AND removedAt IS NULL;
                    CREATE INDEX prospect_by_name ON prospect (sortKey, key, contactedAt)
                        WHERE removedAt IS NULL;
                    CREATE INDEX prospect_by_time ON prospect (metAt DESC, key DESC, contactedAt)
                        WHERE removedAt IS NULL;
                    CREATE INDEX prospect_on_removedAt ON prospect (removedAt) WHERE removedAt IS NOT NULL;
                    CREATE TABLE prospect_meeting (
                        prospect INTEGER NOT NULL REFERENCES prospect (key) ON DELETE CASCADE,
                        position INTEGER NOT NULL, time REAL NOT NULL, place TEXT NOT NULL,
                        PRIMARY KEY (prospect, position)) WITHOUT ROWID;
                    CREATE TABLE prospect_search (
                        prospect INTEGER PRIMARY KEY REFERENCES prospect (key) ON DELETE CASCADE,
                        tokens BLOB NOT NULL, numbers TEXT NOT NULL);
                    CREATE TABLE prospect_me (
                        field TEXT NOT NULL PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;
                    """),
            .init(
                "2-changes",
                sql: changes.schema(
                    tracking: "prospect",
                    updatesOf: ["name", "email", "phone", "organization", "note", "met", "metAt", "removedAt"])),
            // Numbers without an E.164 form used to be identified by their digits.
            .init("3-identities") { db in
                for row in try Row.fetchAll(db, sql: "SELECT key, phone, phoneKey FROM prospect WHERE phoneKey <> ''") {
                    let (phone, old): (String, String) = try (row.value(1), row.value(2))
                    let number = ParsedPhoneNumber(phone, region: nil)
                    let new = PhoneNumberIdentity.of(
                        phone, e164: old.hasPrefix("+") ? old : nil, extensionNumber: number?.extensionNumber)
                    if new == old { continue }
                    try db.execute(
                        sql: "UPDATE prospect SET phoneKey = ? WHERE key = ?", arguments: [new, row.value(0) as Int64])
                }
            },
        ])
}

extension ProspectFilter {
    var condition: String {
        switch self {
        case .everyone: "removedAt IS NULL"
        case .contacted: "removedAt IS NULL AND contactedAt IS NOT NULL"
        case .uncontacted: "removedAt IS NULL AND contactedAt IS NULL"
        }
    }
}

extension ProspectOrder {
    var columns: String {
        switch self {
        case .name: "sortKey, key"
        case .recent: "metAt DESC, key DESC"
        }
    }
}
