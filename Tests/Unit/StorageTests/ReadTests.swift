import Dispatch
import Foundation
import GRDB
import SwitchboardStorage
import SwitchboardTestFixtures
import Testing

@Suite("Reads refuse writes")
struct ReadTests {
    /// A way to read.
    enum Access: CaseIterable, Sendable {
        case idle, busy, long, nested, nestedWhileBusy, inMemory, readOnly, replica, busyReplica, sql
    }

    /// Statements that write to the file, even if they change no row.
    static let statements = [
        "DELETE FROM note", "DELETE FROM note WHERE id = 999", "INSERT INTO note (text) VALUES ('new')",
        "REPLACE INTO note VALUES (1, 'new')", "UPDATE note SET text = text || '!'", "CREATE TABLE other (id INTEGER)",
        "DROP TABLE note", "CREATE INDEX note_index ON note (text)", "ALTER TABLE note ADD COLUMN colour TEXT",
        "PRAGMA user_version = 1", "SAVEPOINT inner; DELETE FROM note; RELEASE inner",
        "DELETE FROM note RETURNING id",
    ]

    private let scratch = Scratch()

    /// Returns a storage with two notes.
    private func storage(for access: Access) throws -> Storage {
        var options = StorageOptions()
        switch access {
        case .inMemory:
            let storage = try Storage.inMemory(migrations: [notes])
            try storage.addBoth()
            return storage
        case .readOnly:
            do { try Storage(at: scratch.database, migrations: [notes]).addBoth() }
            return try Storage(at: scratch.database, migrations: [notes], options: StorageOptions(readOnly: true))
        case .replica, .busyReplica: options.journal = MemoryJournal()
        default: break
        }
        let storage = try Storage(at: scratch.database, migrations: [notes], options: options)
        try storage.addBoth()
        return storage
    }

    private func read(_ storage: Storage, by access: Access, _ body: (Database) throws -> Void) throws {
        switch access {
        case .idle, .inMemory, .readOnly, .replica: try storage.read(body)
        case .busy, .busyReplica: try storage.whileBusy { try storage.read(body) }
        case .long: try storage.readSnapshot(body)
        case .nested: try storage.read { _ in try storage.read(body) }
        case .nestedWhileBusy: try storage.whileBusy { try storage.read { _ in try storage.read(body) } }
        case .sql: break
        }
    }

    @Test("A statement that writes is refused by each way to read, and undone", arguments: Access.allCases)
    func refusal(_ access: Access) throws {
        let storage = try storage(for: access)
        let generations = try storage.generations()
        for statement in Self.statements where access != .sql || !statement.contains(";") {
            let code = code {
                if access == .sql { return try storage.reading { db in _ = try db.execute(statement, []) } }
                try read(storage, by: access) { db in try db.execute(sql: statement) }
            }
            #expect(code == "writeInRead", "\(statement)")
            #expect(try storage.texts() == ["one", "two"], "\(statement)")
        }
        #expect(try storage.generations() == generations)
        #expect(try storage.check().isSound)
        if access == .readOnly { return }
        try storage.add("three")
        #expect(try storage.texts() == ["one", "two", "three"])
    }

    @Test("The changes of a read that throws are undone, and its error is rethrown")
    func throwing() throws {
        struct Oops: Error {}
        let storage = try storage(for: .idle)
        #expect(throws: Oops.self) {
            try storage.read { (db: Database) throws in
                try db.execute(sql: "DELETE FROM note")
                throw Oops()
            }
        }
        #expect(try storage.texts() == ["one", "two"])
    }

    @Test("A read that ignores the failure of its write changes nothing", arguments: [Access.idle, .busy])
    func ignoring(_ access: Access) throws {
        let storage = try storage(for: access)
        _ = try? read(storage, by: access) { db in try? db.execute(sql: "DELETE FROM note") }
        #expect(try storage.texts() == ["one", "two"])
    }

    @Test("A read of one statement compiles no statement that writes", arguments: [false, true])
    func oneStatement(isBusy: Bool) throws {
        let storage = try storage(for: .idle)
        func read() throws {
            let count = try storage.read(statement: "SELECT count(*) FROM note") { try Int.fetchOne($0) }
            #expect(count == 2)
            for statement in ["DELETE FROM note", "PRAGMA user_version = 1", "DELETE FROM note RETURNING id"] {
                #expect(code { try storage.read(statement: statement) { try $0.execute() } } == "writeInRead")
            }
        }
        if isBusy { try storage.whileBusy(read) } else { try read() }
        #expect(try storage.texts() == ["one", "two"])
    }

    @Test("A write inside a read is refused, and the read goes on", arguments: [Access.idle, .busy, .long, .inMemory])
    func writeInside(_ access: Access) throws {
        let storage = try storage(for: access)
        try read(storage, by: access) { (db: Database) throws in
            #expect(code { try storage.add("inner") } == "writeInRead")
            #expect(code { try storage.write { try $0.execute(sql: "DELETE FROM note") } } == "writeInRead")
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM note") == 2)
        }
        #expect(try storage.texts() == ["one", "two"])
    }

    @Test(
        "A read inside a read sees the same snapshot",
        arguments: [Access.idle, .busy, .long, .nestedWhileBusy, .inMemory, .readOnly, .replica, .busyReplica])
    func readInside(_ access: Access) throws {
        let storage = try storage(for: access)
        try read(storage, by: access) { (db: Database) throws in
            let outer = try String.fetchAll(db, sql: "SELECT text FROM note ORDER BY id")
            if [.busy, .long, .nestedWhileBusy].contains(access) {
                // By another process.
                let other = try DatabaseQueue(path: scratch.database)
                try other.write { try $0.execute(sql: "DELETE FROM note") }
                try other.close()
            }
            #expect(try storage.texts() == outer)
            #expect(try storage.generation(of: "Notes") != 0)
        }
    }

    @Test("A read inside a write sees its changes and may follow by further ones")
    func readInsideWrite() throws {
        let storage = try storage(for: .idle)
        try storage.write(changing: "Notes") { (db: Database) throws in
            try db.execute(sql: "INSERT INTO note (text) VALUES ('three')")
            #expect(try storage.texts() == ["one", "two", "three"])
            try storage.add("four")
        }
        #expect(try storage.texts() == ["one", "two", "three", "four"])
    }

    @Test("Temporary tables are no part of the file, so a read may use them", arguments: [Access.idle, .busy, .long])
    func temporaryTables(_ access: Access) throws {
        let storage = try storage(for: access)
        try read(storage, by: access) { (db: Database) throws in
            try db.execute(sql: "CREATE TEMP TABLE chosen AS SELECT id FROM note WHERE text = 'two'")
            #expect(try Int.fetchAll(db, sql: "SELECT id FROM note JOIN chosen USING (id)") == [2])
            try db.execute(sql: "DROP TABLE chosen")
        }
        #expect(try storage.texts() == ["one", "two"])
    }

    @Test("A read does not write to an attached database", arguments: [Access.idle, .busy])
    func attached(_ access: Access) throws {
        let storage = try storage(for: access)
        let other = scratch.path + "/other.sqlite"
        do { try Storage(at: other, migrations: [notes]).add("kept") }
        let code = code {
            try read(storage, by: access) { (db: Database) throws in
                try db.execute(sql: "ATTACH ? AS other", arguments: [other])
                #expect(try String.fetchAll(db, sql: "SELECT text FROM other.note") == ["kept"])
                try db.execute(sql: "DELETE FROM other.note")
            }
        }
        #expect(code == "writeInRead")
        #expect(try Storage(at: other, migrations: [notes]).texts() == ["kept"])
    }

    @Test("Full-text searches are reads, also right after a write")
    func fullText() throws {
        let storage = try Storage(at: scratch.database, migrations: [library])
        for round in 0..<20 {
            try storage.write(changing: "Library") { db in
                try db.execute(sql: "INSERT OR IGNORE INTO folder VALUES (1, 'all')")
                try db.execute(sql: "INSERT INTO page (folder, text) VALUES (1, 'word\(round) word')")
            }
            #expect(try storage.pages(with: "word").count == round + 1)
            try storage.read { (db: Database) throws in
                try db.execute(sql: "CREATE VIRTUAL TABLE temp.terms USING fts5vocab (main, page_body, row)")
                #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM terms") == round + 2)
                try db.execute(sql: "DROP TABLE temp.terms")
            }
        }
    }
}

extension Storage {
    fileprivate func addBoth() throws {
        try add("one")
        try add("two")
    }

    fileprivate func generations() throws -> [String: Int64] {
        try ["Notes", "Storage"].reduce(into: [:]) { try $0[$1] = generation(of: $1) }
    }

    /// Calls `body` while another thread has the main connection.
    fileprivate func whileBusy(_ body: () throws -> Void) throws {
        let (began, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) {
            try? self.read { _ in
                began.signal()
                done.wait()
            }
        }
        began.wait()
        defer {
            done.signal()
            group.wait()
        }
        try body()
    }
}
