import GRDB
import SwitchboardIncrementalIndex
import SwitchboardSearchEngine
import SwitchboardStorage
import SwitchboardTesting
import SwitchboardTextNormalization

// The words of notes, newest first.
struct NoteIndexSource: IndexSource {
    let fileName = "notes"
    let schemaVersion: UInt64 = 1
    let fields: [FieldOptions] = [[.wordSuffixes, .typos]]
    let changes = DocumentChanges(table: "note_change", column: "note", generationOf: "Notes")

    func sortKeys(of keys: [Int64], in db: Database) throws -> [Int64: Int64] {
        let known = try Int64.fetchSet(db, sql: "SELECT key FROM note")
        return Dictionary(uniqueKeysWithValues: keys.filter(known.contains).map { ($0, -$0) })
    }

    func add(_ keys: [Int64]?, ranks: [Int64: UInt64], to builder: inout IndexBuilder, in db: Database) throws {
        let rows = try Row.fetchAll(db, sql: "SELECT key, text FROM note ORDER BY key DESC")
        for (number, row) in rows.enumerated() where keys?.contains(row["key"]) ?? true {
            builder.beginDocument(id: row["key"], rank: ranks[row["key"]] ?? UInt64(number))
            if let value = FieldValue(text: 0, FoldedText(row["text"])) { builder.add(value, field: 0) }
        }
    }
}

func incrementalIndex(_ store: TemporaryStore) throws {
    let file = store.database
    let documents = NoteIndexSource()
    let notes = ModuleMigrations(
        module: "Notes",
        [
            .init("1-notes", sql: "CREATE TABLE note (key INTEGER PRIMARY KEY, text TEXT NOT NULL)"),
            .init("2-changes", sql: NoteIndexSource().changes.schema(tracking: "note")),
        ])
    let storage = try Storage(at: file, migrations: [notes])
    try storage.write(changing: "Notes") { db in
        try db.execute(sql: "INSERT INTO note (text) VALUES ('Buy milk'), ('Milk the cow')")
    }

    let index = IncrementalIndex(of: documents, in: storage)
    let hits = try storage.read { db in
        try index.search(in: db, limit: 10) {
            SearchRequest(
                queries: [SearchQuery(["mlik"])],
                tiers: [SearchTier(field: 0, .prefix), SearchTier(field: 0, .typo())])
        }.hits
    }
    for hit in hits { print(hit.id, hit.kind) }
}
