import GRDB
import SwitchboardSearchEngine
import SwitchboardIncrementalIndex
import SwitchboardStorage
import SwitchboardTesting
import SwitchboardTextNormalization

// What of the notes stands in the index: their words, the newest first.
struct NoteRecords: IndexedRecords {
    let fileName = "notes"
    let rules: UInt64 = 1
    let lanes: [LaneOptions] = [[.runs, .typos]]
    let changes = RecordChanges(table: "note_change", column: "note", generationOf: "Notes")

    func places(of keys: [Int64], in db: Database) throws -> [Int64: Int64] {
        let known = try Int64.fetchSet(db, sql: "SELECT key FROM note")
        return Dictionary(uniqueKeysWithValues: keys.filter(known.contains).map { ($0, -$0) })
    }

    func add(_ keys: [Int64]?, ranks: [Int64: UInt64], to builder: inout IndexBuilder, in db: Database) throws {
        let rows = try Row.fetchAll(db, sql: "SELECT key, text FROM note ORDER BY key DESC")
        for (number, row) in rows.enumerated() where keys?.contains(row["key"]) ?? true {
            builder.beginRecord(id: row["key"], rank: ranks[row["key"]] ?? UInt64(number))
            if let field = LaneField(text: 0, FoldedText(row["text"])) { builder.add(field, lane: 0) }
        }
    }
}

func recordLookup(_ store: TemporaryStore) throws {
    let file = store.database
    let records = NoteRecords()
    let notes = ModuleMigrations(
        module: "Notes",
        [
            (
                name: "1-notes",
                migrate: { db in
                    try db.execute(sql: "CREATE TABLE note (key INTEGER PRIMARY KEY, text TEXT NOT NULL)")
                    try db.execute(sql: NoteRecords().changes.schema(noting: "note"))
                }
            )
        ])
    let storage = try Storage(at: file, migrations: [notes])
    try storage.write(changing: "Notes") { db in
        try db.execute(sql: "INSERT INTO note (text) VALUES ('Buy milk'), ('Milk the cow')")
    }

    let index = FollowedIndex(of: records, in: storage)
    let hits = try storage.read { db in
        try index.answer(in: db, limit: 10) {
            LookupRequest(
                queries: [LookupQuery(["mlik"])],
                tiers: [LookupTier(lane: 0, kind: .prefix), LookupTier(lane: 0, kind: .typo)])
        }.hits
    }
    for hit in hits { print(hit.id, hit.kind) }
}
