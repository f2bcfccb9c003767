// An app's own table beside the contacts, opened by two versions of the app and by a reader without rights.

import Foundation
import GRDB
import SwitchboardContacts
import SwitchboardStorage

let table = ModuleMigrations.Migration("1-notes", sql: "CREATE TABLE note (text TEXT NOT NULL)")
let color = ModuleMigrations.Migration("2-color", sql: "ALTER TABLE note ADD COLUMN color TEXT")
let first = ModuleMigrations(module: "Notes", [table])
let second = ModuleMigrations(module: "Notes", [table, color])

do {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "app.sqlite").path
    let old = try Storage(at: file, migrations: [ContactBook.migrations, first])
    try old.write(changing: first) { try $0.execute(sql: "INSERT INTO note (text) VALUES ('Call Ana')") }
    try ContactBook(storage: old, region: "PT").add(Contact(name: PersonName(splitting: "Ana Sousa")))

    let new = try Storage(at: file, migrations: [ContactBook.migrations, second])
    try new.write(changing: second) { try $0.execute(sql: "UPDATE note SET color = 'red'") }
    print("notes:", try new.read { try String.fetchAll($0, sql: "SELECT text || ', ' || color FROM note") })
    do {
        _ = try Storage(at: file, migrations: [first]).read { try Int.fetchOne($0, sql: "SELECT 1") }
    } catch { print("first version:", error.localizedDescription.contains("newer version")) }
    do { try new.read { try $0.execute(sql: "DELETE FROM note") } } catch { print("read:", error.localizedDescription) }
    let contactsOnly = ContactBook(storage: try Storage(at: file, migrations: [ContactBook.migrations]), region: "PT")
    print("contacts:", try contactsOnly.count())
} catch {
    print("versions:", error.localizedDescription)
    exit(1)
}
