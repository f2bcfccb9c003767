import GRDB
import SwitchboardStorage
import SwitchboardTesting

func storage(_ store: TemporaryStore) throws {
    let file = store.database
    let notes = ModuleMigrations(
        module: "Notes", [.init("1-notes", sql: "CREATE TABLE note (text TEXT)")])
    let storage = try Storage(at: file, migrations: [notes])
    try storage.write(changing: notes) { db in
        try db.execute(sql: "INSERT INTO note (text) VALUES (?)", arguments: ["Buy milk"])
    }
    print(try storage.read { db in try String.fetchAll(db, sql: "SELECT text FROM note") })
    print(try storage.check().isSound)
}
