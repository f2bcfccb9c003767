import GRDB
import SwitchboardIncrementalIndex
import SwitchboardSearchEngine
import SwitchboardStorage
import SwitchboardTesting

// The words of notes, newest first.
struct NoteIndexSource: IndexSource {
    let fileName = "notes"
    let schemaVersion: UInt64 = 1
    let fields: [FieldOptions] = [.text]
    let changes = DocumentChanges(table: "note_change", column: "note", generationOf: "Notes")

    func sortKeys(of keys: [Int64], in db: Database) throws -> [Int64: Int64] {
        let known = try Int64.fetchAll(db, sql: "SELECT key FROM note WHERE key IN (\(list(keys)))")
        return Dictionary(uniqueKeysWithValues: known.map { ($0, -$0) })
    }

    func add(_ keys: [Int64]?, ranks: [Int64: UInt64], to builder: inout IndexBuilder, in db: Database) throws {
        let some = keys.map { " WHERE key IN (\(list($0)))" } ?? ""
        let rows = try Row.fetchCursor(db, sql: "SELECT key, text FROM note\(some) ORDER BY key DESC")
        var number: UInt64 = 0
        while let row = try rows.next() {
            builder.beginDocument(id: row["key"], rank: ranks[row["key"]] ?? number)
            builder.add(row["text"])
            number += 1
        }
    }

    private func list(_ keys: [Int64]) -> String { keys.map(String.init).joined(separator: ",") }
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
    try storage.write(changing: notes) { db in
        try db.execute(sql: "INSERT INTO note (text) VALUES ('Buy milk'), ('Milk the cow')")
    }

    let index = IncrementalIndex(of: documents, in: storage)
    let hits = try storage.read { db in
        try index.search(in: db, limit: 10) {
            SearchRequest(queries: [SearchQuery(folding: "mlik")], tiers: SearchTier.text(in: 0))
        }.hits
    }
    for hit in hits { print(hit.id, hit.kind) }
}
