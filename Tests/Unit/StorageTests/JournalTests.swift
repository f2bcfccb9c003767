import Foundation
import GRDB
import SwitchboardStorage
import SwitchboardTestFixtures
import SwitchboardTestSupport
import Testing

@Suite("Journals") struct JournalTests {
    let scratch = Scratch()
    let journal = MemoryJournal()

    /// Opens the replica of a server.
    func server(
        _ name: String, _ migrations: [ModuleMigrations] = [notes], creates: Bool = true
    ) throws -> Storage {
        var options = StorageOptions(createsIfMissing: creates)
        options.journal = journal
        return try Storage(at: path(name), migrations: migrations, options: options)
    }

    func path(_ name: String) -> String { "\(scratch.path)/\(name)/people.sqlite" }

    // MARK: - Reading and writing

    @Test("A change on one server is read on the other, and the change after it extends it")
    func sharing() throws {
        let (a, b) = try (server("a"), server("b"))
        try a.add("from a")
        #expect(try b.texts() == ["from a"])
        try b.add("from b")
        #expect(try a.texts() == ["from a", "from b"])
        #expect(try a.generation(of: "Notes") == b.generation(of: "Notes"))
        #expect(try a.dump() == b.dump())
        #expect(journal.state.entries.map(\.position.sequence) == [1, 2, 3])
        #expect(journal.state.entries.map(\.isImage) == [true, false, false])
    }

    @Test("A write without changes, and one that fails, append nothing")
    func nothingToAppend() throws {
        let a = try server("a")
        let count = journal.state.entries.count
        try a.write(changing: "Notes") { db in try db.execute(sql: "DELETE FROM note") }
        try a.write { db in
            try db.execute(sql: "INSERT INTO note (text) VALUES ('short-lived')")
            try db.execute(sql: "DELETE FROM note")
        }
        #expect(throws: CancellationError.self) {
            try a.write { db in
                try db.execute(sql: "INSERT INTO note (text) VALUES ('rolled back')")
                throw CancellationError()
            }
        }
        #expect(journal.state.entries.count == count)
        #expect(try a.texts().isEmpty)
    }

    @Test("A nested write is part of the outer one; rolled back alone, it is not appended")
    func nesting() throws {
        let (a, b) = try (server("a"), server("b"))
        let count = journal.state.entries.count
        try a.write { db in
            try a.add("outer")
            try? a.write { db in
                try db.execute(sql: "INSERT INTO note (text) VALUES ('inner')")
                throw CancellationError()
            }
            #expect(try a.texts() == ["outer"])
        }
        #expect(journal.state.entries.count == count + 1)
        #expect(try b.texts() == ["outer"])
    }

    @Test("A deletion of all rows by a cached statement is recorded")
    func truncation() throws {
        let (a, b) = try (server("a"), server("b"))
        let clear = { (db: Database) in try db.cachedStatement(sql: "DELETE FROM note").execute() }
        try a.write(clear)
        for text in ["one", "two"] { try a.add(text) }
        #expect(try b.texts().count == 2)
        try a.write(clear)
        #expect(try b.texts().isEmpty)
    }

    @Test("What full-text search has not written yet is recorded")
    func fullTextSearch() throws {
        let (a, b) = try (server("a", [library]), server("b", [library]))
        try a.write { db in
            try db.execute(sql: "INSERT INTO folder (name) VALUES ('any'); INSERT INTO page VALUES (1, 1, 'red text')")
        }
        #expect(try b.pages(with: "red") == [1])
        #expect(try a.dump() == b.dump())
    }

    @Test("If another server is first, the write is rolled back and can be repeated")
    func conflict() throws {
        let (a, b) = try (server("a"), server("b"))
        journal.fault = .overtaken { try b.add("from b") }
        #expect(throws: StorageError.locked(path: path("a"))) { try a.add("from a") }
        #expect(try a.texts() == ["from b"])
        try a.add("from a")
        #expect(try b.texts() == ["from b", "from a"])
        #expect(try a.dump() == b.dump())
    }

    @Test("An entry that was appended but not committed to the file is applied once, as after a crash")
    func appendedOnly() throws {
        let (a, b) = try (server("a"), server("b"))
        journal.fault = .lostAfterAppend
        #expect(throws: StorageError.journalUnavailable(reason: "test")) { try a.add("durable") }
        #expect(try a.texts() == ["durable"])
        #expect(try b.texts() == ["durable"])
        try a.add("next")
        #expect(try a.dump() == b.dump())
    }

    @Test("Without the journal, nothing is read or written")
    func unreachable() throws {
        let a = try server("a")
        try a.add("kept")
        journal.fault = .unreachable
        let unavailable = StorageError.journalUnavailable(reason: "test")
        #expect(throws: unavailable) { try a.texts() }
        #expect(throws: unavailable) { try a.add("lost") }
        #expect(throws: unavailable) { try server("a") }
        #expect(throws: unavailable) { try server("b") }
        #expect(!FileManager.default.fileExists(atPath: path("b")))
        journal.fault = nil
        #expect(try a.texts() == ["kept"])
    }

    @Test("A transaction that cannot be committed is not appended")
    func deferredForeignKey() throws {
        let a = try server("a", [library])
        let count = journal.state.entries.count
        #expect(throws: StorageError.self) {
            try a.write { db in try db.execute(sql: "INSERT INTO link (folder) VALUES (77)") }
        }
        #expect(journal.state.entries.count == count)
        try a.write { db in
            try db.execute(
                sql: "INSERT INTO link (folder) VALUES (77); INSERT INTO folder (key, name) VALUES (77, 'later')")
        }
        #expect(journal.state.entries.count == count + 1)
    }

    @Test("A change of the schema in a write is refused")
    func schemaChange() throws {
        let a = try server("a")
        let count = journal.state.entries.count
        #expect(throws: StorageError.self) {
            try a.write { db in try db.execute(sql: "CREATE TABLE other (id INTEGER PRIMARY KEY)") }
        }
        #expect(journal.state.entries.count == count)
        #expect(try a.read { db in try db.tableExists("other") } == false)
    }

    // MARK: - Files

    @Test("A missing file is fetched, whether the journal has a base or only entries")
    func fetching() throws {
        do {
            let a = try server("a")
            for number in 0..<5 { try a.add("note \(number)") }
        }
        #expect(try server("b", creates: false).texts().count == 5)
        journal.state.base = nil
        #expect(try server("c", creates: false).texts().count == 5)
        #expect(try server("c").dump() == server("a").dump())
    }

    @Test("An empty journal without permission to begin one is an error and creates no file")
    func missing() {
        #expect(throws: StorageError.missing(path: path("a"))) { try server("a", creates: false) }
        #expect(!FileManager.default.fileExists(atPath: path("a")))
        #expect(journal.state.entries.isEmpty)
    }

    @Test("Of two servers that begin a journal, one fetches the other's")
    func beginning() throws {
        journal.fault = .overtaken { [self] in try server("b").add("from b") }
        let a = try server("a")
        #expect(try a.texts() == ["from b"])
        #expect(journal.state.entries.map(\.isImage) == [true, false])
    }

    @Test("A deleted file is built again, also if its log is left", arguments: [[""], ["", "-wal", "-shm"]])
    func deleted(suffixes: [String]) throws {
        let a = try server("a")
        try a.add("first")
        // The copy of a log as a killed process leaves it.
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.createDirectory(atPath: scratch.path + "/b", withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: path("a") + suffix, toPath: path("b") + suffix)
        }
        for suffix in suffixes { try FileManager.default.removeItem(atPath: path("b") + suffix) }
        try a.add("second")
        let b = try server("b")
        #expect(try b.texts() == ["first", "second"])
        #expect(try b.check().isSound)
    }

    @Test("Several storages may build one file at the same time", arguments: 0..<4)
    func concurrentOpening(round: Int) async throws {
        do { try server("other").add("first") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<6 {
                group.addTask { [self] in
                    let storage = try server("a")
                    try storage.writeRetrying { db in
                        try db.execute(sql: "INSERT INTO note (text) VALUES (?)", arguments: ["note \(number)"])
                    }
                }
            }
            try await group.waitForAll()
        }
        let (a, other) = try (server("a"), server("other"))
        #expect(try a.texts().count == 7)
        #expect(try a.dump() == other.dump())
        #expect(try a.check().isSound)
    }

    @Test("A corrupt file is set aside and built again", arguments: [0, 4_096])
    func corrupt(offset: Int) throws {
        do { try server("a").add("kept") }
        var bytes = try Data(contentsOf: URL(filePath: path("a")))
        bytes.replaceSubrange(offset..<min(offset + 2_000, bytes.count), with: repeatElement(0x55, count: 2_000))
        try bytes.write(to: URL(filePath: path("a")))
        let a = try server("a")
        #expect(try a.texts() == ["kept"])
        #expect(try a.check().isSound)
        #expect(FileManager.default.fileExists(atPath: path("a") + ".damaged-1"))
    }

    @Test("An ordinary file is not replaced by a journal")
    func ordinaryFile() throws {
        do { try server("b").add("in the journal") }
        do { try Storage(at: path("a"), migrations: [notes]).add("on its own") }
        #expect {
            try server("a")
        } throws: {
            if case .unsuitable? = $0 as? StorageError { true } else { false }
        }
        #expect(try Storage(at: path("a"), migrations: [notes]).texts() == ["on its own"])
    }

    @Test("Without its journal, a replica is read-only and stays unchanged", arguments: [true, false])
    func withoutJournal(isInUse: Bool) throws {
        var a: Storage? = try server("a")
        try a?.add("kept")
        if !isInUse { a = nil }
        let before = try Data(contentsOf: URL(filePath: path("a")))
        let alone = try Storage(at: path("a"), migrations: [notes])
        #expect(alone.isReadOnly)
        #expect(try alone.texts() == ["kept"])
        #expect(throws: StorageError.replica(path: path("a"))) { try alone.add("lost") }
        #expect(throws: StorageError.replica(path: path("a"))) { try Storage(at: path("a"), migrations: [laterNotes]) }
        #expect(try Data(contentsOf: URL(filePath: path("a"))) == before)
        withExtendedLifetime(a) {}
    }

    @Test("A replica cannot be opened read-only with its journal")
    func readOnly() throws {
        var options = StorageOptions(readOnly: true)
        options.journal = journal
        #expect(throws: StorageError.self) { try Storage(at: path("a"), migrations: [notes], options: options) }
        #expect(journal.state.entries.isEmpty)
    }

    @Test("A backup of a replica is an ordinary database")
    func backup() throws {
        let a = try server("a")
        try a.add("kept")
        let file = scratch.path + "/backup.sqlite"
        try a.backup(to: file)
        let backup = try Storage(at: file, migrations: [notes])
        try backup.add("more")
        #expect(try backup.texts() == ["kept", "more"])
        #expect(try a.texts() == ["kept"])
    }

    // MARK: - Images and bases

    @Test("A restore is an entry of the journal")
    func restore() throws {
        let (a, b) = try (server("a"), server("b"))
        try a.add("restored")
        let file = scratch.path + "/backup.sqlite"
        try a.backup(to: file)
        try b.add("undone")
        let former = try a.generation(of: "Notes")
        try a.restore(from: file)
        #expect(journal.state.entries.last?.isImage == true)
        #expect(try b.texts() == ["restored"])
        #expect(try b.generation(of: "Notes") > former)
        try b.add("after")
        #expect(try a.texts() == ["restored", "after"])
        #expect(try a.dump() == b.dump())
    }

    @Test("A restore loses to a change by another server")
    func restoreConflict() throws {
        let (a, b) = try (server("a"), server("b"))
        try a.add("kept")
        let file = scratch.path + "/backup.sqlite"
        try a.backup(to: file)
        journal.fault = .overtaken { try b.add("from b") }
        #expect(throws: StorageError.locked(path: path("a"))) { try a.restore(from: file) }
        #expect(try a.texts() == ["kept", "from b"])
    }

    @Test("A newer program migrates the schema for all; an older one refuses it and goes on after an update")
    func migration() throws {
        let old = try server("a")
        try old.add("kept")
        let new = try server("b", [laterNotes])
        try new.write { db in
            try db.execute(sql: "INSERT INTO note (text, colour) VALUES ('red note', 'red')")
        }
        #expect(throws: StorageError.self) { try old.texts() }
        #expect(throws: StorageError.self) { try old.add("old") }
        #expect(throws: StorageError.self) { try server("c") }
        old.close()
        let updated = try server("a", [laterNotes])
        #expect(try updated.dump() == new.dump())
        #expect(try updated.texts() == ["kept", "red note"])
    }

    @Test("Two newer programs migrate once")
    func migrationConflict() throws {
        do { try server("a").add("kept") }
        journal.fault = .overtaken { [self] in _ = try server("b", [laterNotes]) }
        let a = try server("a", [laterNotes])
        #expect(try a.texts() == ["kept"])
        #expect(journal.state.entries.last?.position.sequence == 3)
    }

    @Test("Rows from before a migration can be changed and deleted")
    func rowsBeforeMigration() throws {
        let old = try server("a")
        for text in ["kept", "changed", "deleted"] { try old.add(text) }
        old.close()
        let b = try server("b", [laterNotes])
        try b.write { db in
            try db.execute(
                sql: "DELETE FROM note WHERE text = 'deleted'; UPDATE note SET colour = 'red' WHERE text = 'changed'")
        }
        // Applies the changes to the image of the migration.
        let c = try server("c", [laterNotes])
        #expect(
            try c.read { db in try String.fetchAll(db, sql: "SELECT text || colour FROM note ORDER BY id") }
                == ["keptwhite", "changedred"])
        #expect(try c.dump() == b.dump())
        #expect(try server("a", [laterNotes]).dump() == b.dump())
    }

    @Test("Many entries make a base; servers that lack entries before it are built from it")
    func bases() throws {
        let behind = try server("behind")
        let a = try server("a")
        for number in 0..<2_100 { try a.add("note \(number)") }
        let state = journal.state
        #expect(state.base?.position.sequence == 2_001)
        #expect(state.entries.first?.position.sequence == 1_002)
        #expect(try behind.texts().count == 2_100)
        #expect(try server("new").texts().count == 2_100)
        #expect(try behind.dump() == a.dump())
    }

    @Test("Large entries make a base")
    func largeEntries() throws {
        let a = try server("a")
        for letter in ["a", "b", "c"] { try a.add(String(repeating: letter, count: 400_000)) }
        #expect(journal.state.base?.position.sequence == 4)
    }

    @Test("A file that is ahead of its journal, or differs from it, is discarded", arguments: [0, 1, 2])
    func divergence(furtherEntries: Int) throws {
        let a = try server("a")
        try a.add("kept")
        let earlier = journal.state
        try a.add("lost")
        #expect(try a.texts() == ["kept", "lost"])
        // The journal was restored from a backup, and another server went on.
        journal.state = earlier
        let b = try server("b")
        for number in 0..<furtherEntries { try b.add("after \(number)") }
        #expect(try a.texts() == b.texts())
        #expect(try a.texts().first == "kept" && a.texts().count == 1 + furtherEntries)
        try a.add("new")
        #expect(try a.dump() == b.dump())
    }

    @Test("A write to a file that is ahead of its journal discards the file, and can be repeated")
    func divergenceBeforeWrite() throws {
        let a = try server("a")
        try a.add("kept")
        let earlier = journal.state
        try a.add("lost")
        journal.state = earlier
        #expect(throws: StorageError.locked(path: path("a"))) { try a.add("new") }
        try a.add("new")
        #expect(try a.texts() == ["kept", "new"])
        #expect(try server("b").dump() == a.dump())
    }

    @Test("A journal that has lost everything is not taken for a new one")
    func lostJournal() throws {
        let a = try server("a")
        try a.add("kept")
        journal.state = MemoryJournal.State()
        #expect {
            try a.texts()
        } throws: {
            if case .journalUnavailable? = $0 as? StorageError { true } else { false }
        }
        #expect(throws: StorageError.self) { try server("a") }
        #expect(throws: StorageError.self) { try a.add("lost") }
        #expect(journal.state.entries.isEmpty)
        #expect(try Storage(at: path("a"), migrations: [notes]).texts() == ["kept"])
    }

    // MARK: - Random changes

    @Test("After random changes on both servers, with faults, the files are equal and sound", arguments: 1...12)
    func randomChanges(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        var servers = try ["a", "b"].map { try server($0, [library]) }
        var acknowledged: Set<String> = []
        for step in 0..<120 {
            let index = Int.random(in: 0..<2, using: &random)
            let other = servers[1 - index]
            switch Int.random(in: 0..<12, using: &random) {
            case 0: journal.fault = .lostAfterAppend
            case 1: journal.fault = .overtaken { try other.addPage("overtaking step\(step)", folder: "other") }
            // A server starts again, perhaps without its file.
            case 2:
                servers[index].close()
                let name = ["a", "b"][index]
                if Bool.random(using: &random) { try FileManager.default.removeItem(atPath: scratch.path + "/" + name) }
                servers[index] = try server(name, [library])
            default: break
            }
            let before = journal.state.entries.count
            let word = "step\(step)"
            do {
                try servers[index].changeRandomly(word, &random)
                acknowledged.insert(word)
            } catch StorageError.locked, StorageError.journalUnavailable {
                #expect(journal.state.entries.count <= before + 1)
            }
            journal.fault = nil
            // Full-text search caches its structure on each connection.
            #expect(try servers[0].pages(with: word) == servers[1].pages(with: word))
        }
        #expect(try servers[0].dump() == servers[1].dump())
        let fresh = try server("c", [library])
        #expect(try fresh.dump() == servers[0].dump())
        for server in servers + [fresh] {
            #expect(try server.check().isSound)
            // Compares the index with the table.
            try server.backup(to: scratch.path + "/check.sqlite")
            let copy = try Storage(at: scratch.path + "/check.sqlite", migrations: [library])
            try copy.write { db in
                try db.execute(sql: "INSERT INTO page_body (page_body, rank) VALUES ('integrity-check', 1)")
            }
        }
        let log = try servers[0].read { db in try Set(String.fetchAll(db, sql: "SELECT text FROM page_note")) }
        #expect(acknowledged.isSubset(of: log), "acknowledged changes are missing")
    }

    @Test("Writers and readers on several threads of one server do not conflict")
    func oneServer() async throws {
        let a = try server("a")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    for number in 0..<25 {
                        try a.add("\(writer)-\(number)")
                        #expect(try a.texts().contains("\(writer)-\(number)"))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try a.texts().count == 100)
        #expect(try server("b").dump() == a.dump())
    }

    @Test("Writers on several threads of two servers lose no change")
    func concurrentWriters() async throws {
        let servers = try (server("a"), server("b"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                let storage = writer.isMultiple(of: 2) ? servers.0 : servers.1
                group.addTask {
                    for number in 0..<25 {
                        try storage.writeRetrying { db in
                            try db.execute(
                                sql: "INSERT INTO note (text) VALUES (?)", arguments: ["\(writer)-\(number)"])
                        }
                        _ = try storage.texts()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try servers.0.texts().count == 100)
        #expect(try servers.0.dump() == servers.1.dump())
    }
}

extension Storage {
    fileprivate func addPage(_ text: String, folder: String) throws {
        try write(changing: "Library") { db in
            try db.execute(
                sql: "INSERT INTO folder (name) SELECT ?1 WHERE NOT EXISTS (SELECT 1 FROM folder WHERE name = ?1)",
                arguments: [folder])
            try db.execute(
                sql: "INSERT INTO page (folder, text) SELECT key, ? FROM folder WHERE name = ?",
                arguments: [text, folder])
        }
    }

    /// Makes one to four changes and records the word in the table of notes.
    fileprivate func changeRandomly(_ word: String, _ random: inout SplitMix) throws {
        try write(changing: "Library") { db in
            try db.execute(sql: "INSERT INTO page_note VALUES (0, ?, 0)", arguments: [word])
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let folder = "folder \(Int.random(in: 0..<5, using: &random))"
                let text = "\(word) \(["red", "green", "blue"].randomElement(using: &random) ?? "") text"
                let number = Int.random(in: 0..<20, using: &random)
                switch Int.random(in: 0..<8, using: &random) {
                case 0: try db.execute(sql: "DELETE FROM folder WHERE name = ?", arguments: [folder])
                case 1: try db.execute(sql: "UPDATE page SET text = ? WHERE key % 20 = ?", arguments: [text, number])
                case 2: try db.execute(sql: "DELETE FROM page WHERE key % 20 = ?", arguments: [number])
                case 3:
                    try db.execute(sql: "UPDATE OR IGNORE page SET key = key + 1000 WHERE key = ?", arguments: [number])
                case 4: try db.execute(sql: "REPLACE INTO page_note VALUES (1, ?, ?)", arguments: [folder, number])
                case 5 where number == 0: try db.execute(sql: "DELETE FROM page")
                default: try addPage(text, folder: folder)
                }
            }
        }
    }
}
