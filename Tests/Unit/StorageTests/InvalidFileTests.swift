import GRDB
import Glibc
import SwitchboardStorage
import Testing

@Suite("Invalid files are refused and stay unchanged")
struct InvalidFileTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let bytes: [UInt8]
        let codes: Set<String>

        init(_ name: String, _ bytes: [UInt8], _ codes: Set<String> = ["notADatabase"]) {
            testDescription = name
            self.bytes = bytes
            self.codes = codes
        }
    }

    static let magic = Array("SQLite format 3\0".utf8)

    static let cases = [
        Case("one byte", [0x41]),
        Case("a text", Array("Dear Ana,\nit was good to see you.\n".utf8)),
        Case("a long text", Array(String(repeating: "All work and no play.\n", count: 4000).utf8)),
        Case("a picture", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 7, count: 9000)),
        Case("zeros", [UInt8](repeating: 0, count: 8192)),
        Case("a header and no more", magic, ["notADatabase", "damaged"]),
        Case("a header with a nonsense page size", magic + [0x12, 0x34] + [UInt8](repeating: 1, count: 4096)),
        Case("a vCard", Array("BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ana\r\nEND:VCARD\r\n".utf8)),
    ]

    @Test("A file that is not a database is refused", arguments: cases)
    func noDatabase(_ test: Case) {
        let scratch = Scratch()
        scratch.write(test.bytes, to: "people.sqlite")
        expectRefusal(scratch, codes: test.codes)
    }

    static let schemaCorruptions = [
        ("DROP TABLE page", "SELECT title FROM page"),
        ("ALTER TABLE page RENAME COLUMN title TO tytle", "SELECT title FROM page"),
        ("ALTER TABLE page ADD COLUMN more TEXT", "INSERT INTO page VALUES ('b', 'b')"),
        ("DROP INDEX page_key", "SELECT title FROM page INDEXED BY page_key"),
        ("DROP INDEX page_key", "INSERT INTO page VALUES ('b', 'b') ON CONFLICT (key) DO UPDATE SET title = 'c'"),
        (replacing("NOCASE", with: "NOKASE"), "SELECT title FROM page WHERE title = 'a'"),
        (replacing("NOCASE", with: "NOKASE"), "SELECT title FROM page ORDER BY title"),
        (replacing("page (title)", with: "page (tytle)"), "INSERT INTO link VALUES ('b')"),
        (replacing("fts5", with: "fts6"), "SELECT text FROM body WHERE body MATCH 'a'"),
        (replacing("tokenize", with: "tokenise"), "SELECT text FROM body WHERE body MATCH 'a'"),
        (replacing("ascii", with: "asdii"), "SELECT text FROM body WHERE body MATCH 'a'"),
        ("DELETE FROM body_config", "SELECT text FROM body WHERE body MATCH 'a'"),
        ("UPDATE body_config SET v = 3", "SELECT text FROM body WHERE body MATCH 'a'"),
        ("DROP TABLE body_config", "SELECT text FROM body WHERE body MATCH 'a'"),
        ("DROP TABLE body_data", "SELECT text FROM body WHERE body MATCH 'a'"),
        ("DROP TABLE body_idx", "SELECT text FROM body WHERE body MATCH 'a'"),
        ("ALTER TABLE body_content RENAME COLUMN c0 TO c1", "SELECT text FROM body WHERE body MATCH 'a'"),
        ("DROP TABLE body_docsize", "INSERT INTO body VALUES ('b')"),
        (replacing("INTO visit", with: "INTO vizit"), "INSERT INTO link VALUES ('a')"),
        ("DROP TABLE visit", "INSERT INTO link VALUES ('a')"),
        ("DROP TABLE page", "SELECT 1 FROM link; SELECT title FROM page"),
    ]

    /// Returns a statement that changes a word of the schema, as a flipped bit would.
    private static func replacing(_ word: String, with other: String) -> String {
        "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = replace (sql, '\(word)', '\(other)')"
    }

    @Test("A corrupt schema is reported as corruption", arguments: schemaCorruptions)
    func corruptSchema(_ corruption: String, _ statement: String) throws {
        let scratch = Scratch()
        let pages = ModuleMigrations(
            module: "Pages",
            [
                .init(
                    "1-pages",
                    sql: """
                        CREATE TABLE page (title TEXT COLLATE NOCASE PRIMARY KEY, key TEXT);
                        CREATE UNIQUE INDEX page_key ON page (key);
                        CREATE TABLE link (title TEXT REFERENCES page (title));
                        CREATE VIRTUAL TABLE body USING fts5 (text, tokenize = ascii);
                        CREATE TABLE visit (title TEXT);
                        CREATE TRIGGER link_on_insert AFTER INSERT ON link BEGIN INSERT INTO visit VALUES ('a'); END;
                        INSERT INTO body VALUES ('a');
                        """)
            ])
        try Storage(at: scratch.database, migrations: [pages]).write { db in try db.execute(sql: corruption) }
        // The file opens, because its intact tables can be read.
        let storage = try Storage(at: scratch.database, migrations: [pages])
        let error = #expect(throws: StorageError.self) {
            if statement.hasPrefix("SELECT") {
                try storage.read { db in try db.allStatements(sql: statement).forEach { _ = try Row.fetchAll($0) } }
            } else {
                try storage.write { db in try db.execute(sql: statement) }
            }
        }
        #expect(error?.code == "damaged", "\(String(describing: error))")
    }

    /// Statements that are wrong in an intact file, with the beginning of the message.
    static let wrongStatements = [
        ("SELECT text FROM noet", "no such table: noet"), ("SELECT txet FROM note", "no such column: txet"),
        ("SELECT 1 FROM note; SELECT text FROM noet", "no such table: noet"),
        ("SELECT fold(text) FROM note", "no such function: fold"),
        ("SELECT text FROM note ORDER BY text COLLATE fold", "no such collation sequence: fold"),
        ("INSERT INTO note VALUES (1)", "table note has 2 columns but 1 values were supplied"),
        ("INSERT INTO noet VALUES (1)", "no such table: noet"), ("DROP INDEX note_index", "no such index: note_index"),
    ]

    @Test("A wrong statement is not reported as corruption", arguments: wrongStatements, [false, true])
    func wrongStatement(_ wrong: (sql: String, message: String), isReadOnly: Bool) throws {
        let scratch = Scratch()
        do { try Storage(at: scratch.database, migrations: [notes]).add("kept") }
        let options = StorageOptions(readOnly: isReadOnly)
        let storage = try Storage(at: scratch.database, migrations: [notes], options: options)
        let error = #expect(throws: StorageError.self) {
            if isReadOnly || wrong.sql.hasPrefix("SELECT") {
                try storage.read { db in try db.execute(sql: wrong.sql) }
            } else {
                try storage.write { db in try db.execute(sql: wrong.sql) }
            }
        }
        #expect(error?.code == "storageFailed")
        #expect(
            error?.message.contains(": \(wrong.message); correct the statement") ?? false, "\(error?.message ?? "")")
        #expect(try storage.texts() == ["kept"])
    }

    @Test("A module that uses a storage without its migrations is named")
    func missingModule() throws {
        let scratch = Scratch()
        let tasks = ModuleMigrations(module: "Tasks", [.init("1", sql: "CREATE TABLE task (id INTEGER PRIMARY KEY)")])
        let storage = try Storage(at: scratch.database, migrations: [tasks])
        for module in [tasks, laterNotes, notes] { storage.register(module) }
        storage.register(ModuleMigrations(module: "Broken", [.init("1", sql: "CREATE TABLE task (id INTEGER)")]))
        for _ in 0..<2 {
            #expect(throws: StorageError.missingModule("Notes")) { try storage.texts() }
            #expect(throws: StorageError.missingModule("Notes")) { try storage.add("one") }
            #expect(throws: StorageError.missingModule("Notes")) {
                try storage.write { _ in try storage.read { _ in try storage.texts() } }
            }
        }
        #expect(code { try storage.read { try $0.execute(sql: "SELECT * FROM noet") } } == "storageFailed")
        #expect(try storage.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM task") } == 0)
        // A table that is gone from the file is corruption, whoever uses it.
        try storage.write { try $0.execute(sql: "DROP TABLE task") }
        #expect(code { try storage.read { try $0.execute(sql: "SELECT * FROM task") } } == "damaged")
        // The tables of another program's module can be used without its migrations.
        do { try Storage(at: scratch.database, migrations: [tasks, notes]).add("one") }
        #expect(try storage.texts() == ["one"])
    }

    @Test("A missing record of a migration is reported as corruption", arguments: ["Storage", "Notes"])
    func corruptMigrations(_ module: String) throws {
        let scratch = Scratch()
        try Storage(at: scratch.database, migrations: [notes]).write { db in
            try db.execute(sql: "UPDATE storage_migration SET module = 'Motes' WHERE module = ?", arguments: [module])
        }
        expectRefusal(scratch, codes: ["damaged"])
    }

    @Test(
        "A generation of the wrong type fails the check and is refused as a backup",
        arguments: ["module = CAST(module AS BLOB)", "generation = 'many'"])
    func corruptGenerations(_ corruption: String) throws {
        let scratch = Scratch()
        try fill(scratch)
        let backup = scratch.path + "/backup.sqlite"
        try Storage(at: scratch.database, migrations: [notes]).backup(to: backup)
        let queue = try DatabaseQueue(path: backup)
        try queue.write { db in
            try db.execute(sql: "UPDATE storage_generation SET \(corruption) WHERE module = 'Notes'")
        }
        try queue.close()
        let storage = try Storage(at: scratch.database, migrations: [notes])
        #expect(code { try storage.restore(from: backup) } == "restoreRefused")
        #expect(try storage.texts().count == 200)
        let corrupt = try Storage(at: backup, migrations: [notes])
        #expect(try !corrupt.check().isSound)
    }

    @Test("An empty file becomes a new database")
    func empty() throws {
        let scratch = Scratch()
        scratch.write([], to: "people.sqlite")
        let storage = try Storage(at: scratch.database, migrations: [notes])
        try storage.add("first")
        #expect(try storage.texts() == ["first"])
    }

    @Test("A corrupt header is refused", arguments: [0, 5, 15, 16, 21, 22, 23, 47])
    func corruptHeader(_ offset: Int) throws {
        let scratch = Scratch()
        try fill(scratch)
        var bytes = scratch.bytes(of: "people.sqlite")
        bytes[offset] ^= 0xFF
        scratch.write(bytes, to: "people.sqlite")
        expectRefusal(scratch, codes: ["notADatabase", "damaged"])
    }

    @Test("A header with an unsupported write version is reported as corruption, but the data can be read")
    func corruptWriteVersion() throws {
        let scratch = Scratch()
        try fill(scratch)
        let backup = scratch.path + "/backup.sqlite"
        try Storage(at: scratch.database, migrations: [notes]).backup(to: backup)
        var bytes = scratch.bytes(of: "people.sqlite")
        bytes[18] = 9
        scratch.write(bytes, to: "people.sqlite")
        do {
            let storage = try Storage(at: scratch.database, migrations: [notes])
            #expect(try !storage.texts().isEmpty)
            #expect(code { try storage.add("more") } == "damaged")
            #expect(try !storage.check().isSound)
        }
        #expect(scratch.bytes(of: "people.sqlite") == bytes)
        let report = try Storage.restore(at: scratch.database, from: backup, migrations: [notes])
        #expect(report.setAside == scratch.database + ".damaged-1")
        let storage = try Storage(at: scratch.database, migrations: [notes])
        try storage.add("more")
        #expect(try storage.check().isSound)
    }

    @Test("A truncated file is refused", arguments: [100, 512, 4096])
    func cutShort(_ length: Int) throws {
        let scratch = Scratch()
        try fill(scratch)
        scratch.write(Array(scratch.bytes(of: "people.sqlite").prefix(length)), to: "people.sqlite")
        expectRefusal(scratch, codes: ["notADatabase", "damaged"])
    }

    @Test("Folders, pipes and devices are refused")
    func notAFile() {
        let scratch = Scratch()
        mkdir(scratch.database, 0o755)
        #expect(code { try Storage(at: scratch.database, migrations: [notes]) } == "notADatabase")
        #expect(scratch.names == ["people.sqlite"])
        let pipe = scratch.path + "/pipe"
        mkfifo(pipe, 0o600)
        #expect(code { try Storage(at: pipe, migrations: [notes]) } == "notADatabase")
        #expect(code { try Storage(at: "/dev/null", migrations: [notes]) } == "notADatabase")
    }

    @Test("Another program's database is refused")
    func foreign() throws {
        let scratch = Scratch()
        do {
            let queue = try DatabaseQueue(path: scratch.database)
            try queue.write { try $0.execute(sql: "CREATE TABLE bookmark (url TEXT)") }
        }
        expectRefusal(scratch, codes: ["foreignDatabase"])
        do {
            let queue = try DatabaseQueue(path: scratch.database)
            try queue.write { try $0.execute(sql: "PRAGMA application_id = 42") }
        }
        expectRefusal(scratch, codes: ["foreignDatabase"])
    }

    @Test("A newer schema is refused")
    func newer() throws {
        let scratch = Scratch()
        _ = try Storage(at: scratch.database, migrations: [laterNotes])
        expectRefusal(scratch, codes: ["newerSchema"])
        #expect(throws: StorageError.newerSchema(path: scratch.database, module: "Notes", migration: "2-colours")) {
            try Storage(at: scratch.database, migrations: [notes])
        }
        do {
            let queue = try DatabaseQueue(path: scratch.database)
            try queue.write { try $0.execute(sql: "PRAGMA user_version = 7") }
        }
        let before = scratch.state(of: "people.sqlite")
        #expect(code { try Storage(at: scratch.database, migrations: [laterNotes]) } == "newerSchema")
        #expect(scratch.state(of: "people.sqlite") == before)
    }

    @Test("A newer schema in the log of a killed process is refused without a checkpoint")
    func newerInLog() async throws {
        let scratch = Scratch()
        try fill(scratch)
        await #expect(processExitsWith: .signal(SIGKILL)) { [database = scratch.database as String] in
            let storage = try Storage(at: database, migrations: [laterNotes])
            withExtendedLifetime(storage) { _ = kill(getpid(), SIGKILL) }
        }
        #expect(!scratch.bytes(of: "people.sqlite-wal").isEmpty)
        let log = scratch.state(of: "people.sqlite-wal")
        let before = scratch.state(of: "people.sqlite")
        #expect(code { try Storage(at: scratch.database, migrations: [notes]) } == "newerSchema")
        #expect(scratch.state(of: "people.sqlite") == before)
        #expect(scratch.state(of: "people.sqlite-wal") == log)
        _ = try Storage(at: scratch.database, migrations: [laterNotes])
    }

    @Test("A missing file is not created unless requested")
    func missing() {
        let scratch = Scratch()
        let options = StorageOptions(createsIfMissing: false)
        #expect(code { try Storage(at: scratch.database, migrations: [notes], options: options) } == "missing")
        #expect(scratch.names == [])
    }

    @Test(
        "Invalid paths are refused",
        arguments: ["", "a\0b", "/dev/null/x", String(repeating: "x", count: 300)])
    func names(_ name: String) {
        let scratch = Scratch()
        let path = name.hasPrefix("/") || name.isEmpty ? name : scratch.path + "/" + name
        #expect(code { try Storage(at: path, migrations: [notes]) } == "cannotOpen")
        #expect(scratch.names == [])
    }

    @Test(
        "Paths with a special meaning for SQLite are plain files",
        arguments: [":memory:", "file:x?mode=memory", "ä ö%20#"])
    func strangeNames(_ name: String) throws {
        let scratch = Scratch()
        do { try Storage(at: scratch.path + "/" + name, migrations: [notes]).add("here") }
        #expect(scratch.names == [name])
        let options = StorageOptions(readOnly: true)
        let storage = try Storage(at: scratch.path + "/" + name, migrations: [notes], options: options)
        #expect(try storage.texts() == ["here"])
    }

    private func fill(_ scratch: Scratch) throws {
        let storage = try Storage(at: scratch.database, migrations: [notes])
        try storage.write { _ in
            for number in 0..<200 { try storage.add("note \(number)") }
        }
    }

    private func expectRefusal(
        _ scratch: Scratch, codes: Set<String>, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let before = scratch.state(of: "people.sqlite")
        let code = code { try Storage(at: scratch.database, migrations: [notes]) }
        #expect(codes.contains(code), "\(code)", sourceLocation: sourceLocation)
        #expect(scratch.state(of: "people.sqlite") == before, sourceLocation: sourceLocation)
        #expect(scratch.names == ["people.sqlite"], sourceLocation: sourceLocation)
    }
}

/// Returns the code of the storage error that `body` throws.
func code<T>(of body: () throws -> T) -> String {
    do {
        _ = try body()
        return "no error"
    } catch let error as StorageError {
        return error.code
    } catch {
        return "\(error)"
    }
}
