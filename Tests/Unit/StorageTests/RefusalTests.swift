import GRDB
import Glibc
import SwitchboardStorage
import Testing

@Suite("Files that are refused stay as they were")
struct RefusalTests {
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

    @Test("What is no database is refused", arguments: cases)
    func noDatabase(_ test: Case) {
        let scratch = Scratch()
        scratch.write(test.bytes, to: "people.sqlite")
        expectRefusal(scratch, codes: test.codes)
    }

    static let damagesOfSchema = [
        ("DROP TABLE page", "SELECT title FROM page"),
        ("ALTER TABLE page RENAME COLUMN title TO tytle", "SELECT title FROM page"),
        ("ALTER TABLE page ADD COLUMN more TEXT", "INSERT INTO page VALUES ('b', 'b')"),
        ("DROP INDEX page_key", "SELECT title FROM page INDEXED BY page_key"),
        ("DROP INDEX page_key", "INSERT INTO page VALUES ('b', 'b') ON CONFLICT (key) DO UPDATE SET title = 'c'"),
        (written("NOCASE", as: "NOKASE"), "SELECT title FROM page WHERE title = 'a'"),
        (written("NOCASE", as: "NOKASE"), "SELECT title FROM page ORDER BY title"),
        (written("page (title)", as: "page (tytle)"), "INSERT INTO link VALUES ('b')"),
        (written("fts5", as: "fts6"), "SELECT text FROM body WHERE body MATCH 'a'"),
        (written("tokenize", as: "tokenise"), "SELECT text FROM body WHERE body MATCH 'a'"),
        (written("ascii", as: "asdii"), "SELECT text FROM body WHERE body MATCH 'a'"),
        ("DELETE FROM body_config", "SELECT text FROM body WHERE body MATCH 'a'"),
        ("UPDATE body_config SET v = 3", "SELECT text FROM body WHERE body MATCH 'a'"),
        ("DROP TABLE body_config", "SELECT text FROM body WHERE body MATCH 'a'"),
        ("DROP TABLE body_data", "SELECT text FROM body WHERE body MATCH 'a'"),
        ("DROP TABLE body_idx", "SELECT text FROM body WHERE body MATCH 'a'"),
        ("ALTER TABLE body_content RENAME COLUMN c0 TO c1", "SELECT text FROM body WHERE body MATCH 'a'"),
        ("DROP TABLE body_docsize", "INSERT INTO body VALUES ('b')"),
    ]

    /// Changes a word of the schema, as a flipped bit would.
    private static func written(_ word: String, as other: String) -> String {
        "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = replace (sql, '\(word)', '\(other)')"
    }

    @Test("A schema that damage has changed is told as damage", arguments: damagesOfSchema)
    func damagedSchema(_ damage: String, _ statement: String) throws {
        let scratch = Scratch()
        let pages = ModuleMigrations(
            module: "Pages",
            [
                (
                    name: "1-pages",
                    migrate: { db in
                        try db.execute(
                            sql: """
                                CREATE TABLE page (title TEXT COLLATE NOCASE PRIMARY KEY, key TEXT);
                                CREATE UNIQUE INDEX page_key ON page (key);
                                CREATE TABLE link (title TEXT REFERENCES page (title));
                                CREATE VIRTUAL TABLE body USING fts5 (text, tokenize = ascii);
                                INSERT INTO body VALUES ('a');
                                """)
                    }
                )
            ])
        try Storage(at: scratch.database, migrations: [pages]).write { db in try db.execute(sql: damage) }
        // The file opens all the same: what is not damaged can be read.
        let storage = try Storage(at: scratch.database, migrations: [pages])
        let error = #expect(throws: StorageError.self) {
            if statement.hasPrefix("SELECT") {
                try storage.read { db in _ = try Row.fetchAll(db, sql: statement) }
            } else {
                try storage.write { db in try db.execute(sql: statement) }
            }
        }
        #expect(error?.code == "damaged", "\(String(describing: error))")
    }

    @Test("A record of migrations that lacks one is told as damage", arguments: ["Storage", "Notes"])
    func damagedMigrations(_ module: String) throws {
        let scratch = Scratch()
        try Storage(at: scratch.database, migrations: [notes]).write { db in
            try db.execute(sql: "UPDATE storage_migration SET module = 'Motes' WHERE module = ?", arguments: [module])
        }
        expectRefusal(scratch, codes: ["damaged"])
    }

    @Test(
        "A record of generations that holds something else is found by a check, and no backup",
        arguments: ["module = CAST(module AS BLOB)", "generation = 'many'"])
    func damagedGenerations(_ damage: String) throws {
        let scratch = Scratch()
        try fill(scratch)
        let backup = scratch.path + "/backup.sqlite"
        try Storage(at: scratch.database, migrations: [notes]).backup(to: backup)
        let queue = try DatabaseQueue(path: backup)
        try queue.write { db in try db.execute(sql: "UPDATE storage_generation SET \(damage) WHERE module = 'Notes'") }
        try queue.close()
        let storage = try Storage(at: scratch.database, migrations: [notes])
        #expect(code { try storage.restore(from: backup) } == "restoreRefused")
        #expect(try storage.texts().count == 200)
        let damaged = try Storage(at: backup, migrations: [notes])
        #expect(try !damaged.check().isSound)
    }

    @Test("An empty file is a new database")
    func empty() throws {
        let scratch = Scratch()
        scratch.write([], to: "people.sqlite")
        let storage = try Storage(at: scratch.database, migrations: [notes])
        try storage.add("first")
        #expect(try storage.texts() == ["first"])
    }

    @Test(
        "A damaged header is refused, whichever byte of what matters it is", arguments: [0, 5, 15, 16, 21, 22, 23, 47])
    func damagedHeader(_ offset: Int) throws {
        let scratch = Scratch()
        try fill(scratch)
        var bytes = scratch.bytes(of: "people.sqlite")
        bytes[offset] ^= 0xFF
        scratch.write(bytes, to: "people.sqlite")
        expectRefusal(scratch, codes: ["notADatabase", "damaged"])
    }

    @Test("A header that forbids writing is told as damage; what is there is still read")
    func damagedWriteVersion() throws {
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

    @Test("A file cut short is refused", arguments: [100, 512, 4096])
    func cutShort(_ length: Int) throws {
        let scratch = Scratch()
        try fill(scratch)
        scratch.write(Array(scratch.bytes(of: "people.sqlite").prefix(length)), to: "people.sqlite")
        expectRefusal(scratch, codes: ["notADatabase", "damaged"])
    }

    @Test("A folder, and what is no plain file, is refused")
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

    @Test("A newer schema is refused: of a module, of the whole")
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

    @Test("A newer schema that is still in the log of a killed process is refused without moving it into the file")
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

    @Test("A missing file is not made where it is not wanted")
    func missing() {
        let scratch = Scratch()
        let options = StorageOptions(createsIfMissing: false)
        #expect(code { try Storage(at: scratch.database, migrations: [notes], options: options) } == "missing")
        #expect(scratch.names == [])
    }

    @Test(
        "Names that cannot be are refused",
        arguments: ["", "a\0b", "/dev/null/x", String(repeating: "x", count: 300)])
    func names(_ name: String) {
        let scratch = Scratch()
        let path = name.hasPrefix("/") || name.isEmpty ? name : scratch.path + "/" + name
        #expect(code { try Storage(at: path, migrations: [notes]) } == "cannotOpen")
        #expect(scratch.names == [])
    }

    @Test(
        "Names that SQLite would read as something else are plain files",
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

/// The code of the storage error that `body` throws, or what it does instead.
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
