import GRDB
import SwitchboardStorage
import Testing

@Suite("Migrations")
struct MigrationTests {
    @Test("Each migration runs once, in order, also on a file that has the earlier ones")
    func upgrade() throws {
        let scratch = Scratch()
        do { try Storage(at: scratch.database, migrations: [notes]).add("old") }
        let storage = try Storage(at: scratch.database, migrations: [laterNotes])
        try storage.read { (db: Database) throws in
            #expect(try String.fetchOne(db, sql: "SELECT colour FROM note") == "white")
        }
        #expect(try storage.stats().modules.first { $0.name == "Notes" }?.migrations == ["1-notes", "2-colours"])
    }

    @Test("Modules unknown to a program stay unchanged")
    func otherModules() throws {
        let scratch = Scratch()
        let tasks = ModuleMigrations(
            module: "Tasks",
            [.init("1-tasks", sql: "CREATE TABLE task (id INTEGER PRIMARY KEY)")])
        do { try Storage(at: scratch.database, migrations: [laterNotes]).add("kept") }
        _ = try Storage(at: scratch.database, migrations: [tasks])
        let both = try Storage(at: scratch.database, migrations: [tasks, laterNotes])
        #expect(try both.texts() == ["kept"])
        #expect(try both.stats().modules.map(\.name) == ["Notes", "Storage", "Tasks"])
    }

    @Test("A failing migration is named, and all migrations of that opening are rolled back")
    func failing() throws {
        let scratch = Scratch()
        do { try Storage(at: scratch.database, migrations: [notes]).add("kept") }
        let before = scratch.state(of: "people.sqlite").bytes
        let broken = ModuleMigrations(
            module: "Tasks",
            [
                .init("1-tasks", sql: "CREATE TABLE task (id INTEGER PRIMARY KEY)"),
                .init("2-nonsense", sql: "ALTER TABLE nowhere ADD COLUMN x"),
            ])
        #expect {
            try Storage(at: scratch.database, migrations: [laterNotes, broken])
        } throws: { error in
            guard case .migrationFailed(_, "Tasks", "2-nonsense", _)? = error as? StorageError else { return false }
            return true
        }
        #expect(scratch.state(of: "people.sqlite").bytes == before)
        #expect(try Storage(at: scratch.database, migrations: [notes]).texts() == ["kept"])
    }

    @Test("Two modules of one name are refused, unless they are the same")
    func sameNames() throws {
        let scratch = Scratch()
        let other = ModuleMigrations(module: "Notes", [.init("1-other", sql: "CREATE TABLE other (id INTEGER)")])
        #expect(
            throws: StorageError.migrationFailed(
                path: scratch.database, module: "Notes", migration: "1-other",
                reason: "two modules have this name; rename one of them")
        ) { try Storage(at: scratch.database, migrations: [notes, other]) }
        #expect(throws: StorageError.self) { try Storage.inMemory(migrations: [notes, other]) }
        #expect(try Storage(at: scratch.database, migrations: [notes, notes]).texts().isEmpty)
    }

    @Test("A change of an unknown module is refused, and nothing is written")
    func unknownModule() throws {
        let storage = try Storage.inMemory(migrations: [notes])
        #expect(throws: StorageError.missingModule("Note")) {
            try storage.write(changing: "Note") { db in try db.execute(sql: "DELETE FROM note") }
        }
        #expect(try storage.texts().isEmpty)
    }

    @Test("A table of two modules fails the migration of the second, which names the first")
    func clashOfModules() throws {
        let table = ModuleMigrations.Migration("1-notes", sql: "CREATE TABLE note (id INTEGER PRIMARY KEY)")
        let own = ModuleMigrations.Migration("0-own", sql: "CREATE TABLE jotting (id INTEGER PRIMARY KEY)")
        func expectClash(_ migrations: [ModuleMigrations], _ reason: String, in scratch: Scratch = Scratch()) {
            let before = scratch.bytes(of: "people.sqlite")
            let error = StorageError.migrationFailed(
                path: scratch.database, module: "Jottings", migration: "1-notes", reason: reason)
            #expect(throws: error) { try Storage(at: scratch.database, migrations: migrations) }
            if !before.isEmpty { #expect(scratch.bytes(of: "people.sqlite") == before) }
        }
        let jottings = ModuleMigrations(module: "Jottings", [table])
        let named = "table note belongs to Notes; rename it"
        expectClash([notes, jottings], named)
        // A later migration of a module that is in the file already.
        let later = Scratch()
        do {
            _ = try Storage(
                at: later.database, migrations: [notes, ModuleMigrations(module: "Jottings", [own])])
        }
        expectClash([notes, ModuleMigrations(module: "Jottings", [own, table])], named, in: later)
        // A module of another program.
        let shared = Scratch()
        do { try Storage(at: shared.database, migrations: [notes]).add("kept") }
        expectClash([jottings], "table note already exists, of another module; rename it", in: shared)
        expectClash([notes, jottings], named, in: shared)
        #expect(try Storage(at: shared.database, migrations: [notes]).texts() == ["kept"])
    }

    @Test("A referenced table can be rebuilt, but not so that rows lose their parent")
    func rebuilding() throws {
        let base = ModuleMigrations.Migration(
            "1",
            sql: """
                CREATE TABLE parent (id INTEGER PRIMARY KEY);
                CREATE TABLE child (id INTEGER PRIMARY KEY, parent INTEGER NOT NULL
                    REFERENCES parent (id) ON DELETE CASCADE);
                INSERT INTO parent VALUES (1), (2);
                INSERT INTO child VALUES (10, 1), (20, 2);
                """)
        func rebuilding(where condition: String) -> ModuleMigrations {
            ModuleMigrations(
                module: "Family",
                [
                    base,
                    .init(
                        "2",
                        sql: """
                            CREATE TABLE newParent (id INTEGER PRIMARY KEY, name TEXT);
                            INSERT INTO newParent (id) SELECT id FROM parent WHERE \(condition);
                            DROP TABLE parent;
                            ALTER TABLE newParent RENAME TO parent;
                            """),
                ])
        }
        let scratch = Scratch()
        _ = try Storage(at: scratch.database, migrations: [ModuleMigrations(module: "Family", [base])])
        let careless = rebuilding(where: "id = 1")
        #expect(code { try Storage(at: scratch.database, migrations: [careless]) } == "migrationFailed")
        let storage = try Storage(at: scratch.database, migrations: [rebuilding(where: "true")])
        #expect(try storage.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM child") } == 2)
        #expect(code { try storage.write { try $0.execute(sql: "INSERT INTO child VALUES (30, 3)") } } == "constraint")
    }

    @Test("Several processes can open an empty file at the same time")
    func atOnce() async throws {
        let scratch = Scratch()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<6 {
                group.addTask {
                    await #expect(processExitsWith: .success) {
                        [database = scratch.database as String, number = number as Int] in
                        for round in 0..<5 {
                            try Storage(at: database, migrations: [laterNotes]).add("\(number).\(round)")
                        }
                    }
                }
            }
        }
        let storage = try Storage(at: scratch.database, migrations: [laterNotes])
        #expect(try storage.texts().count == 30)
        #expect(try storage.check().isSound)
    }
}
