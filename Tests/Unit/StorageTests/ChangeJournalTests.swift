import GRDB
import SwitchboardStorage
import Testing

@Suite("The journal of changes")
struct ChangeJournalTests {
    private static let journal = ChangeJournal(module: "Notes")
    private static let migrations = [
        ModuleMigrations(
            module: "Notes",
            [
                .init("1-notes", sql: "CREATE TABLE note (id TEXT PRIMARY KEY, text TEXT NOT NULL, isHidden INTEGER)"),
                .init("2-journal", sql: journal.schema(tracking: "note", removedIf: "new.isHidden")),
            ])
    ]
    private let storage: Storage

    init() throws {
        storage = try Storage.inMemory(migrations: Self.migrations)
    }

    private func execute(_ sql: String) throws {
        try storage.write(changing: "Notes") { db in try db.execute(sql: sql) }
    }

    private var token: ChangeToken { get throws { try storage.read { db in try Self.journal.token(in: db) } } }

    private func changes(since token: ChangeToken, limit: Int = .max) throws -> ChangeJournal.Changes? {
        try storage.read { db in try Self.journal.changes(since: token, limit: limit, in: db) }
    }

    private func texts(since token: ChangeToken) throws -> [String] {
        try #require(try changes(since: token)).entries.map { ($0.isRemoved ? "-" : "+") + $0.object }
    }

    @Test("an object has one entry, for its latest change")
    func entries() throws {
        let start = try token
        try execute("INSERT INTO note VALUES ('a', 'x', 0), ('b', 'x', 0), ('c', 'x', 0)")
        try execute("UPDATE note SET text = 'y' WHERE id = 'a'")
        try execute("DELETE FROM note WHERE id = 'b'")
        #expect(try texts(since: start) == ["+c", "+a", "-b"])
        #expect(try texts(since: token) == [])
    }

    @Test("a hidden row is removed, and a shown or inserted one is there again")
    func hidden() throws {
        let start = try token
        try execute("INSERT INTO note VALUES ('a', 'x', 0), ('b', 'x', 0)")
        try execute("UPDATE note SET isHidden = 1")
        try execute("DELETE FROM note WHERE id = 'b'")
        #expect(try texts(since: start) == ["-a", "-b"])
        try execute("UPDATE note SET isHidden = 0")
        try execute("INSERT INTO note VALUES ('b', 'x', 0)")
        #expect(try texts(since: start) == ["+a", "+b"])
    }

    @Test("a limit cuts the changes, and its token continues them")
    func limit() throws {
        let start = try token
        for id in 1...5 { try execute("INSERT INTO note VALUES ('\(id)', 'x', 0)") }
        var (found, next) = ([String](), start)
        for _ in 1...3 {
            let changes = try #require(try changes(since: next, limit: 2))
            found += changes.entries.map(\.object)
            next = changes.token
            #expect(changes.isComplete == (found.count == 5))
        }
        #expect(found == ["1", "2", "3", "4", "5"])
    }

    @Test("a change that is rolled back has no entry")
    func rollback() throws {
        let start = try token
        #expect(throws: (any Error).self) {
            try storage.write(changing: "Notes") { db in
                try db.execute(sql: "INSERT INTO note VALUES ('a', 'x', 0)")
                throw CancellationError()
            }
        }
        #expect(try token == start)
    }

    @Test("removals are forgotten after ninety days, and the tokens before them are unknown")
    func forgetting() throws {
        try execute("INSERT INTO note VALUES ('a', 'x', 0), ('b', 'x', 0), ('c', 'x', 0)")
        let old = try token
        try execute("DELETE FROM note WHERE id = 'a'")
        let known = try token
        try execute("UPDATE storage_change SET changedAt = changedAt - 91 * 86400")
        try execute("DELETE FROM note WHERE id = 'b'")
        #expect(try changes(since: old) == nil)
        #expect(try texts(since: known) == ["-b"])
    }

    @Test("a restored backup begins a new epoch")
    func restore() throws {
        let scratch = Scratch()
        let storage = try Storage(at: scratch.path + "/a.sqlite", migrations: Self.migrations)
        try storage.backup(to: scratch.path + "/b.sqlite")
        let token = try storage.read { db in try Self.journal.token(in: db) }
        try storage.restore(from: scratch.path + "/b.sqlite")
        #expect(try storage.read { db in try Self.journal.changes(since: token, in: db) } == nil)
        storage.close()
        let reopened = try Storage(at: scratch.path + "/a.sqlite", migrations: Self.migrations)
        let present = try reopened.read { db in try Self.journal.token(in: db) }
        #expect(present != token)
        #expect(try reopened.read { db in try Self.journal.changes(since: present, in: db) } != nil)
    }

    @Test("the text of a token gives the token, and other texts give none")
    func text() throws {
        try execute("INSERT INTO note VALUES ('a', 'x', 0)")
        let token = try token
        #expect(ChangeToken(token.description) == token)
        for text in ["", "-", "1", "x-y", "1--1", "1-2-x", "1-2-3-4", "!-1"] { #expect(ChangeToken(text) == nil) }
    }
}
