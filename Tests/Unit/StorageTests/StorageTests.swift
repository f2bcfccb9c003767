import GRDB
import SwitchboardStorage
import Testing

@Suite("Opening, reading and writing")
struct StorageTests {
    @Test("A new file is private, in WAL mode, and has our application identifier")
    func newFile() throws {
        let scratch = Scratch()
        let path = scratch.path + "/a/b/people.sqlite"
        let storage = try Storage(at: path, migrations: [notes])
        try storage.add("hello")
        #expect(try storage.texts() == ["hello"])
        try storage.read { (db: Database) throws in
            #expect(try String.fetchOne(db, sql: "PRAGMA journal_mode") == "wal")
            #expect(try Int.fetchOne(db, sql: "PRAGMA synchronous") == 2)
            #expect(try Bool.fetchOne(db, sql: "PRAGMA foreign_keys") == true)
            #expect(try Int.fetchOne(db, sql: "PRAGMA application_id") == 0x5357_4244)
        }
        #expect(scratch.state(of: "a/b/people.sqlite").mode == 0o600)
        #expect(scratch.state(of: "a/b/people.sqlite-wal").mode == 0o600)
        #expect(scratch.state(of: "a").mode == 0o700)
    }

    @Test("Data persists, and opening a file changes nothing")
    func reopen() throws {
        let scratch = Scratch()
        do {
            let storage = try Storage(at: scratch.database, migrations: [notes])
            try storage.add("kept")
        }
        #expect(scratch.names == ["people.sqlite"])
        let before = scratch.state(of: "people.sqlite")
        do {
            let storage = try Storage(at: scratch.database, migrations: [notes])
            #expect(try storage.texts() == ["kept"])
        }
        #expect(scratch.state(of: "people.sqlite") == before)
        #expect(scratch.names == ["people.sqlite"])
    }

    @Test("A write that throws is rolled back and rethrows the error")
    func rollback() throws {
        struct Oops: Error {}
        let storage = try Storage.inMemory(migrations: [notes])
        #expect(throws: Oops.self) {
            try storage.write { db in
                try db.execute(sql: "INSERT INTO note (text) VALUES ('gone')")
                throw Oops()
            }
        }
        #expect(try storage.texts() == [])
    }

    @Test("An SQLite error becomes a storage error")
    func constraint() throws {
        let storage = try Storage.inMemory(migrations: [notes])
        try storage.add("once")
        #expect {
            try storage.add("once")
        } throws: { error in
            (error as? StorageError)?.code == "constraint"
        }
    }

    @Test("Accesses inside a write join its transaction")
    func nested() throws {
        struct Oops: Error {}
        let scratch = Scratch()
        let storage = try Storage(at: scratch.database, migrations: [notes])
        try storage.write { (_: Database) throws in
            try storage.add("outer")
            #expect(try storage.texts() == ["outer"])
            try? storage.write { db in
                try db.execute(sql: "INSERT INTO note (text) VALUES ('undone')")
                throw Oops()
            }
        }
        #expect(try storage.texts() == ["outer"])
    }
}
