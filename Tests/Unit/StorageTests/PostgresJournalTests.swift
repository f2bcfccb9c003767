import Foundation
import GRDB
import Glibc
import SwitchboardStorage
import SwitchboardTestFixtures
import SwitchboardTestSupport
import Synchronization
import Testing

@testable import SwitchboardCluster

/// A value that several tasks change.
final class Shared<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    init(_ value: Value) { mutex = Mutex(value) }

    var value: Value { mutex.withLock { $0 } }

    func change(_ body: (inout Value) -> Void) { mutex.withLock { body(&$0) } }
}

/// Runs a function that blocks on a thread of its own.
func blocking<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: Result { try body() }) }.start()
    }
}

@Suite(
    "Journals in PostgreSQL", .enabled(if: LocalPostgres.programs != nil, Comment(rawValue: LocalPostgres.missing)),
    .serialized)
struct PostgresJournalTests {
    /// One server for all tests, which use journals of different names. Some crash it.
    static let shared = Result { try LocalPostgres() }

    let postgres: LocalPostgres
    let pool: PostgresPool
    let journal: PostgresJournal
    let name = UUID().uuidString

    init() throws {
        postgres = try Self.shared.get()
        pool = postgres.pool()
        try ClusterSchema.migrate(pool)
        journal = PostgresJournal(name, in: pool)
    }

    private func entry(after last: JournalEntry?, _ text: String) -> JournalEntry {
        JournalEntry(extending: last?.position, with: .changes(Data(text.utf8)))
    }

    @discardableResult
    private func append(_ text: String, after last: JournalEntry?) throws -> JournalEntry {
        let entry = entry(after: last, text)
        #expect(try journal.append(entry) == .appended)
        return entry
    }

    /// Waits until a query returns a value.
    func wait(for query: String) async throws -> String {
        var value: String?
        try await eventually("a value of \(query)") {
            value = try postgres.sql(query)
            return value != nil
        }
        return try #require(value)
    }

    /// The connection that waits for something, such as a lock or a standby.
    func waitingConnection(for event: String) async throws -> String {
        try await wait(for: "SELECT pid::text FROM pg_stat_activity WHERE wait_event_type || wait_event = '\(event)'")
    }

    /// Names the standby whose confirmation commits wait for; none if empty.
    func setStandby(_ name: String) throws {
        try postgres.sql("ALTER SYSTEM SET synchronous_standby_names = '\(name)'")
        try postgres.sql("SELECT pg_reload_conf()::text")
    }

    /// Makes commits wait for a standby that does not exist.
    func waitForMissingStandby() async throws {
        try setStandby("missing")
        _ = try await wait(
            for: "SELECT setting FROM pg_settings WHERE name = 'synchronous_standby_names' AND setting = 'missing'")
    }

    // MARK: - Entries

    @Test("An empty journal has no head, no entries and no base")
    func empty() throws {
        #expect(try journal.head() == JournalHead(position: nil, baseSequence: 0, bytesSinceBase: 0))
        #expect(try journal.entries(after: 0).isEmpty)
        #expect(try journal.base() == nil)
    }

    @Test("Entries come back as they were appended")
    func entries() throws {
        let contents: [JournalEntry.Contents] = [
            .image(Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })), .changes(Data()),
            .changes(Data([0, 1, 0, 255])),
        ]
        var entries: [JournalEntry] = []
        for contents in contents {
            entries.append(JournalEntry(extending: entries.last?.position, with: contents))
            #expect(try journal.append(entries[entries.count - 1]) == .appended)
        }
        #expect(try journal.entries(after: 0) == entries)
        #expect(try journal.entries(after: 2) == [entries[2]])
        #expect(
            try journal.head() == JournalHead(position: entries[2].position, baseSequence: 0, bytesSinceBase: 100_004))
    }

    @Test("An entry that does not extend the newest one is a conflict, also with the right number")
    func conflicts() throws {
        let first = try append("first", after: nil)
        #expect(try journal.append(entry(after: nil, "another first")) == .conflict)
        let second = try append("second", after: first)
        #expect(try journal.append(entry(after: first, "another second")) == .conflict)
        let unknown = JournalPosition(sequence: 2, id: UUID())
        #expect(try journal.append(JournalEntry(extending: unknown, with: .changes(Data()))) == .conflict)
        #expect(try journal.entries(after: 0) == [first, second])
    }

    @Test("An entry that is appended again is found")
    func appendingAgain() throws {
        let first = try append("first", after: nil)
        #expect(try journal.append(first) == .appended)
        try append("second", after: first)
        #expect(try journal.append(first) == .appended)
        #expect(try journal.entries(after: 0).count == 2)
    }

    @Test("Of many appends at the same time, one extends each entry")
    func concurrentAppends() async throws {
        let won = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask { [journal] in
                    var count = 0
                    for _ in 0..<25 {
                        let entry = JournalEntry(extending: try journal.head().position, with: .changes(Data()))
                        if try journal.append(entry) == .appended { count += 1 }
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        let entries = try journal.entries(after: 0)
        #expect(entries.count == won && won >= 25)
        for (former, entry) in zip([nil] + entries.map(\.position), entries) { #expect(entry.extends(former)) }
    }

    @Test("A request that is sent to several servers changes a journal once")
    func repeatedRequests() throws {
        let requests = PostgresRequests(pool)
        func request(_ content: String = "content") -> RepeatableRequest {
            RepeatableRequest(key: "key of \(name)", content: content)
        }
        func append(_ entry: JournalEntry, for request: RepeatableRequest) throws -> JournalAppendResult {
            try RepeatableRequest.$current.withValue(request) { try journal.append(entry) }
        }
        let first = request()
        let image = JournalEntry(extending: nil, with: .image(Data("image".utf8)))
        #expect(try append(image, for: first) == .appended)
        #expect(try !first.isStored && requests.state(of: first) == .new)
        let change = entry(after: image, "change")
        #expect(try append(entry(after: nil, "conflict"), for: first) == .conflict)
        #expect(try !first.isStored && requests.state(of: first) == .new)
        #expect(try append(change, for: first) == .appended)
        #expect(first.isStored)
        // An append with an unknown outcome is repeated, and a request may make several changes.
        #expect(try append(change, for: first) == .appended)
        let another = entry(after: change, "another change")
        #expect(try append(another, for: first) == .appended)

        #expect(throws: StorageError.self) { try append(entry(after: another, "again"), for: request()) }
        #expect(try journal.entries(after: 0) == [image, change, another])
        #expect(try requests.state(of: request()) == .handled(nil))
        #expect(try requests.state(of: request("other")) == .otherContent)
        let response = PostgresRequests.Response(status: 201, fields: "Location: /1\nETag: \"1\"", body: Data([0, 1]))
        try requests.store(response, of: first)
        #expect(try requests.state(of: request()) == .handled(response))

        try requests.removeOld()
        #expect(try requests.state(of: request()) == .handled(response))
        try postgres.sql("UPDATE switchboard.request_key SET stored_at = now() - interval '2 days' RETURNING key")
        try requests.removeOld()
        #expect(try requests.state(of: request()) == .new)
    }

    // MARK: - Bases

    @Test("A base keeps the entries since the base before it")
    func bases() throws {
        var last: JournalEntry?
        var entries: [JournalEntry] = []
        for number in 1...6 {
            last = try append("entry \(number)", after: last)
            entries += [last].compactMap(\.self)
        }
        func base(_ number: Int) -> JournalBase {
            JournalBase(position: entries[number - 1].position, image: Data("image \(number)".utf8))
        }
        try journal.replaceBase(base(2))
        #expect(try journal.base() == base(2))
        #expect(try journal.entries(after: 0).count == 6)
        #expect(try journal.head().baseSequence == 2)
        #expect(try journal.head().bytesSinceBase == 4 * 7)
        try journal.replaceBase(base(4))
        #expect(try journal.entries(after: 0) == Array(entries[2...]))
        // An older base, and one of another history.
        try journal.replaceBase(base(3))
        let foreign = JournalPosition(sequence: 6, id: UUID())
        try journal.replaceBase(JournalBase(position: foreign, image: Data()))
        #expect(try journal.base() == base(4))
    }

    // MARK: - Faults

    @Test("A server that cannot be reached is reported")
    func unreachable() {
        let journal = PostgresJournal("any", in: PostgresPool("host=/nowhere", timeout: .zero))
        #expect {
            try journal.head()
        } throws: {
            if case .journalUnavailable? = $0 as? StorageError { true } else { false }
        }
    }

    @Test("A lost connection is replaced")
    func lostConnection() throws {
        let first = try append("first", after: nil)
        #expect(pool.idleCount > 0)
        try postgres.sql(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND state = 'idle'"
        )
        #expect(try journal.head().position == first.position)
    }

    @Test("An append whose connection is lost while it waits is repeated, and succeeds once")
    func lostDuringAppend() async throws {
        let first = try append("first", after: nil)
        let second = entry(after: first, "second")
        let (isLocked, unlock) = (AsyncStream<Void>.makeStream(), DispatchSemaphore(value: 0))
        async let holder: Void = blocking { [pool, name] in
            try pool.run { connection throws(PostgresFailure) in
                try connection.execute(script: "BEGIN")
                _ = try connection.execute(
                    "SELECT name FROM switchboard.journal WHERE name = $1 FOR UPDATE", [.text(name)])
                isLocked.continuation.finish()
                unlock.wait()
                try connection.execute(script: "COMMIT")
            }
        }
        for await _ in isLocked.stream {}
        async let result = blocking { [journal] in try journal.append(second) }
        let waiting = try await waitingConnection(for: "Locktransactionid")
        try postgres.sql("SELECT pg_terminate_backend(\(waiting))::text")
        unlock.signal()
        try await holder
        #expect(try await result == .appended)
        #expect(try journal.entries(after: 0) == [first, second])
    }

    @Test("A commit that was cancelled while it waits for a standby is not acknowledged before the standby has it")
    func cancelledCommit() async throws {
        let first = try append("first", after: nil)
        let second = entry(after: first, "second")
        try await waitForMissingStandby()
        let isDone = Shared(false)
        try await withThrowingTaskGroup(of: JournalAppendResult.self) { group in
            defer { try? setStandby("") }
            group.addTask { [journal] in
                let result = try await blocking { try journal.append(second) }
                isDone.change { $0 = true }
                return result
            }
            for _ in 0..<2 {
                let waiting = try await waitingConnection(for: "IPCSyncRep")
                try postgres.sql("SELECT pg_cancel_backend(\(waiting))::text")
                // The warning makes another attempt, which waits again.
                _ = try await wait(
                    for: """
                        SELECT 'yes' FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND pid <> \(waiting) LIMIT 1
                        """)
                #expect(!isDone.value)
            }
            try setStandby("")
            for try await result in group { #expect(result == .appended) }
        }
        #expect(try journal.entries(after: 0) == [first, second])
    }

    @Test("A crash of the server loses no acknowledged append and repeats none")
    func crash() async throws {
        let acknowledged = Shared<[JournalEntry]>([])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask { [journal] in
                    try await blocking {
                        while acknowledged.value.count < 300 {
                            let entry = JournalEntry(extending: try journal.head().position, with: .changes(Data()))
                            if try journal.append(entry) == .appended { acknowledged.change { $0.append(entry) } }
                        }
                    }
                }
            }
            for count in [50, 120] {
                try await eventually("\(count) appends", timeout: .seconds(120)) { acknowledged.value.count >= count }
                try postgres.crash()
                try postgres.start()
            }
            try await group.waitForAll()
        }
        let entries = try journal.entries(after: 0)
        #expect(Set(entries) == Set(acknowledged.value))
        #expect(entries.map(\.position.sequence) == Array(1...Int64(entries.count)))
    }

    // MARK: - Tables

    @Test("Several servers may create the tables at the same time")
    func concurrentMigration() async throws {
        try postgres.sql("DROP SCHEMA switchboard CASCADE")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask { [postgres] in
                    try await blocking { try ClusterSchema.migrate(postgres.pool()) }
                }
            }
            try await group.waitForAll()
        }
        let applied = try postgres.sql("SELECT string_agg(name, ' ' ORDER BY name) FROM switchboard.migration")
        #expect(applied == "1-journals 2-databases 3-requests")
        try append("first", after: nil)
    }

    @Test("The tables of a newer version are refused and stay unchanged")
    func newerTables() throws {
        try postgres.sql("INSERT INTO switchboard.migration (name) VALUES ('999-later')")
        defer { _ = try? postgres.sql("DELETE FROM switchboard.migration WHERE name = '999-later'") }
        #expect {
            try ClusterSchema.migrate(pool)
        } throws: {
            guard case .journalUnavailable(let reason)? = $0 as? StorageError else { return false }
            return reason.contains("999-later")
        }
    }

    // MARK: - Storages

    private static let migrations: [ModuleMigrations.Migration] = [
        .init("1-notes", sql: "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE)"),
        .init("2-colours", sql: "ALTER TABLE note ADD COLUMN colour TEXT NOT NULL DEFAULT 'white'"),
    ]

    /// Opens the replicas of servers, whose folder is deleted by the caller.
    private func servers(_ names: [String], in folder: String, version: Int = 1) throws -> [Storage] {
        let notes = ModuleMigrations(module: "Notes", Array(Self.migrations.prefix(version)))
        return try names.map { server in
            var options = StorageOptions()
            options.journal = PostgresJournal(name, in: postgres.pool())
            return try Storage(at: "\(folder)/\(server)/people.sqlite", migrations: [notes], options: options)
        }
    }

    private var newFolder: String { NSTemporaryDirectory() + "cluster-storages-" + UUID().uuidString }

    @Test("Two servers share a database, and a third is built from it")
    func storages() throws {
        let folder = newFolder
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let servers = try servers(["a", "b"], in: folder)
        for number in 0..<20 { try servers[number % 2].add("note \(number)") }
        #expect(try servers[0].texts().count == 20)
        #expect(try servers[1].texts() == servers[0].texts())
        #expect(try self.servers(["c"], in: folder)[0].texts() == servers[0].texts())
        #expect(try journal.head().position?.sequence == 21)
    }

    /// Adds notes until the storage refuses the database as newer, or until `count` are added. Returns what was
    /// acknowledged.
    private static func write(_ writer: String, to storage: Storage, count: Int) throws -> [String] {
        var acknowledged: [String] = []
        while acknowledged.count < count {
            let text = "\(writer)-\(acknowledged.count)"
            do {
                try storage.add(text)
                acknowledged.append(text)
            } catch StorageError.locked {
                continue
            } catch StorageError.newerSchema {
                break
            }
        }
        return acknowledged
    }

    @Test("Servers that are upgraded one after the other, while both write, lose no acknowledged change")
    func rollingUpgrade() async throws {
        let folder = newFolder
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let old = try servers(["a", "b"], in: folder)
        // Server b is upgraded while a writes.
        async let beforeUpgrade = blocking { try Self.write("a", to: old[0], count: .max) }
        var acknowledged = try Self.write("b", to: old[1], count: 50)
        old[1].close()
        let upgraded = try servers(["b"], in: folder, version: 2)[0]
        acknowledged += try Self.write("new b", to: upgraded, count: 50)
        acknowledged += try await beforeUpgrade
        #expect {
            try old[0].texts()
        } throws: {
            guard case .newerSchema(_, "Notes", "2-colours")? = $0 as? StorageError else { return false }
            return true
        }

        // Then a is upgraded.
        old[0].close()
        let last = try servers(["a"], in: folder, version: 2)[0]
        acknowledged += try Self.write("new a", to: last, count: 50)
        let texts = try last.texts()
        #expect(texts.count == acknowledged.count && Set(texts) == Set(acknowledged))
        #expect(try upgraded.texts() == texts)
        #expect(
            try last.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM note WHERE colour = 'white'") }
                == texts.count)
    }

    @Test("A crash of PostgreSQL loses no acknowledged change of two servers and repeats none")
    func crashBelowStorages() async throws {
        let folder = newFolder
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let servers = try servers(["a", "b"], in: folder)
        let acknowledged = Shared<[String]>([])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                let storage = servers[writer % 2]
                group.addTask {
                    try await blocking {
                        for number in 0..<60 {
                            let text = "\(writer)-\(number)"
                            while true {
                                do {
                                    try storage.add(text)
                                    break
                                } catch StorageError.locked {}
                            }
                            acknowledged.change { $0.append(text) }
                        }
                    }
                }
            }
            for count in [40, 120] {
                try await eventually("\(count) changes", timeout: .seconds(120)) { acknowledged.value.count >= count }
                try postgres.crash()
                try postgres.start()
            }
            try await group.waitForAll()
        }
        let texts = try servers[0].texts()
        #expect(texts.count == 240 && Set(texts) == Set(acknowledged.value))
        #expect(try servers[1].texts() == texts)
        #expect(try self.servers(["c"], in: folder)[0].texts() == texts)
    }
}
