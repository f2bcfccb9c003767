import Foundation
import GRDB
import SwitchboardIncrementalIndex
import SwitchboardPhoneNumbers
public import SwitchboardStorage
import SwitchboardTextNormalization

/// A prospect with its derived columns, computed before the transaction begins.
struct PreparedProspect {
    let prospect: Prospect
    let numbers: PhoneForms
    let sortKey: String
    let tokens: Data

    init(_ prospect: Prospect, region: String?) {
        self.prospect = prospect
        numbers = PhoneForms(prospect.phone, region: region)
        sortKey = NameKey(prospect.displayName).sortText
        tokens = prospect.searchTexts
    }
}

enum ProspectRows {
    /// The columns of `prospect` except for the key and the time of removal.
    private static let columns = """
        id, name, email, phone, organization, note, met, contactedAt, createdAt, modifiedAt, metAt, emailKey, phoneKey,
        sortKey
        """
    private static let places = databaseQuestionMarks(count: 14)

    // MARK: - Reading

    static func prospect(
        _ id: String, removed: Bool = false, in db: Database
    ) throws -> (key: Int64, prospect: Prospect) {
        let key = try Int64.fetchOne(
            db, sql: "SELECT key FROM prospect WHERE id = ? AND removedAt IS \(removed ? "NOT NULL" : "NULL")",
            arguments: [id])
        guard let key, let prospect = try prospects([key], in: db)[key] else {
            throw removed ? ProspectsError.notRemoved(id: id) : ProspectsError.notFound(id: id)
        }
        return (key, prospect)
    }

    static func keys(
        _ filter: ProspectFilter, _ order: ProspectOrder, limit: Int?, offset: Int, in db: Database
    ) throws -> [Int64] {
        try Int64.fetchAll(
            db, sql: "SELECT key FROM prospect WHERE \(filter.condition) ORDER BY \(order.columns) LIMIT ? OFFSET ?",
            arguments: [max(limit ?? -1, -1), max(offset, 0)])
    }

    /// Returns the prospects with these keys. Keys that no longer exist are skipped.
    static func prospects(_ keys: [Int64], in db: Database) throws -> [Int64: Prospect] {
        var prospects: [Int64: Prospect] = [:]
        try db.forEachRow("SELECT key, \(columns) FROM prospect WHERE key IN", keys) { row in
            try prospects[row.value(0)] = prospect(of: row)
        }
        let meetings = "SELECT prospect, time, place FROM prospect_meeting WHERE prospect IN"
        try db.forEachRow(meetings, keys, orderedBy: "prospect, position") { row in
            let meeting = try Prospect.Meeting(time: row.value(1), place: row.value(2))
            try prospects[row.value(0)]?.meetings.append(meeting)
        }
        return prospects
    }

    private static func prospect(of row: Row) throws -> Prospect {
        var prospect = try Prospect(
            name: row.value(2), email: row.value(3), phone: row.value(4), organization: row.value(5),
            note: row.value(6), met: row.value(7))
        prospect.id = try row.value(1)
        prospect.contactedAt = try row.value(8)
        prospect.createdAt = try row.value(9) as Date
        prospect.modifiedAt = try row.value(10) as Date
        return prospect
    }

    /// Returns the stored prospect who is the same person, if any.
    static func existing(_ prepared: PreparedProspect, in db: Database) throws -> (key: Int64, prospect: Prospect)? {
        let new = prepared.prospect
        func first(_ column: String, _ key: String) throws -> (key: Int64, prospect: Prospect)? {
            guard !key.isEmpty else { return nil }
            let statement = try db.cachedStatement(
                sql: """
                    SELECT key FROM prospect WHERE \(column) = ? AND \(column) <> '' AND removedAt IS NULL ORDER BY key
                    """)
            let keys = try Int64.fetchAll(statement, arguments: [key])
            let prospects = try prospects(keys, in: db)
            for key in keys {
                if let old = prospects[key], ProspectMerging.isSamePerson(old, new) { return (key, old) }
            }
            return nil
        }
        return try first("emailKey", EmailKey.key(of: new.email)) ?? first("phoneKey", prepared.numbers.identity)
    }

    // MARK: - Writing

    static func insert(_ prepared: PreparedProspect, in db: Database) throws {
        let statement = try db.cachedStatement(sql: "INSERT INTO prospect (\(columns)) VALUES (\(places))")
        try statement.execute(arguments: StatementArguments(values(of: prepared)))
        try insertLists(of: prepared, key: db.lastInsertedRowID, in: db)
    }

    static func replace(_ key: Int64, by prepared: PreparedProspect, in db: Database) throws {
        let statement = try db.cachedStatement(sql: "UPDATE prospect SET (\(columns)) = (\(places)) WHERE key = ?")
        try statement.execute(arguments: StatementArguments(values(of: prepared) + [key]))
        try db.cachedStatement(sql: "DELETE FROM prospect_meeting WHERE prospect = ?").execute(arguments: [key])
        try insertLists(of: prepared, key: key, in: db)
    }

    private static func values(of prepared: PreparedProspect) -> [(any DatabaseValueConvertible)?] {
        let prospect = prepared.prospect
        let created = prospect.createdAt?.timeIntervalSince1970 ?? 0
        return [
            prospect.id, prospect.name, prospect.email, prospect.phone, prospect.organization, prospect.note,
            prospect.met, prospect.contactedAt?.timeIntervalSince1970, created,
            prospect.modifiedAt?.timeIntervalSince1970 ?? created,
            prospect.meetings.last?.time.timeIntervalSince1970 ?? created, EmailKey.key(of: prospect.email),
            prepared.numbers.identity, prepared.sortKey,
        ]
    }

    private static func insertLists(of prepared: PreparedProspect, key: Int64, in db: Database) throws {
        let meeting = try db.cachedStatement(sql: "INSERT INTO prospect_meeting VALUES (?, ?, ?, ?)")
        for (position, entry) in prepared.prospect.meetings.enumerated() {
            try meeting.execute(arguments: [key, position, entry.time.timeIntervalSince1970, entry.place])
        }
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO prospect_search VALUES (?, ?, ?)").execute(
            arguments: [key, prepared.tokens, prepared.numbers.stored])
    }
}

// MARK: - Migrations

extension Prospects {
    /// The module name for the storage's generation of prospects.
    public static let module = "Prospects"

    /// The name for the generation of the indexed texts.
    ///
    /// Marking a prospect as contacted, the most frequent change, does not advance it.
    static let texts = "Prospects.texts"

    /// The log of changes to the indexed texts.
    static let changes = DocumentChanges(table: "prospect_change", column: "prospect", generationOf: texts)

    /// The numbered changes of prospects, by identifier.
    static let journal = ChangeJournal(module: module)

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
                sql: changes.schema(tracking: "prospect", updatesOf: searchedColumns)),
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
            .init("4-journal", sql: journal.schema(tracking: "prospect", removedIf: isRemoved)),
            // The same triggers with faster statements.
            .init(
                "5-triggers",
                sql: changes.triggers(tracking: "prospect", updatesOf: searchedColumns)
                    + journal.triggers(tracking: "prospect", removedIf: isRemoved)),
        ])

    private static let searchedColumns = [
        "name", "email", "phone", "organization", "note", "met", "metAt", "removedAt",
    ]
    private static let isRemoved = "new.removedAt IS NOT NULL"
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
