import Dispatch
import GRDB
import Glibc
import SwitchboardStorage
import SwitchboardTestSupport
import Synchronization
import Testing

@Suite("Several processes and threads use one file", .timeLimit(.minutes(1)))
struct ConcurrencyTests {
    static let impatient = StorageOptions(busyTimeout: .milliseconds(100))

    // An exit test may block the thread of its caller. So the child finds the file locked and the parent holds the
    // lock: a child that waited for its parent could deadlock.

    @Test("A file with a writer is locked for other writers, but not for readers")
    func locked() async throws {
        let scratch = Scratch()
        do { try Storage(at: scratch.database, migrations: [notes]).add("before") }
        let writer = try openTransaction(scratch, "BEGIN IMMEDIATE; INSERT INTO note (text) VALUES ('theirs')")
        await #expect(processExitsWith: .success) { [database = scratch.database as String] in
            let impatient = ConcurrencyTests.impatient
            let storage = try Storage(at: database, migrations: [notes], options: impatient)
            let texts = try storage.texts()
            precondition(texts == ["before"])
            precondition(code { try storage.add("mine") } == "locked")
            precondition(code { try Storage(at: database, migrations: [laterNotes], options: impatient) } == "locked")
        }
        try writer.inDatabase { try $0.execute(sql: "COMMIT") }
        await #expect(processExitsWith: .success) { [database = scratch.database as String] in
            try Storage(at: database, migrations: [notes]).add("mine")
        }
        #expect(try Storage(at: scratch.database, migrations: [notes]).texts() == ["before", "theirs", "mine"])
    }

    @Test("A file with an exclusive lock is locked for all")
    func exclusive() async throws {
        let scratch = Scratch()
        do { try Storage(at: scratch.database, migrations: [notes]).add("before") }
        // Read only before and after: reading the file would drop this process's locks on it.
        let before = scratch.state(of: "people.sqlite")
        let hermit = try openTransaction(scratch, "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
        await #expect(processExitsWith: .success) { [database = scratch.database as String] in
            let impatient = ConcurrencyTests.impatient
            let outcome = code { try Storage(at: database, migrations: [notes], options: impatient) }
            #expect(outcome == "locked")
        }
        try hermit.inDatabase { try $0.execute(sql: "COMMIT") }
        try hermit.close()
        #expect(scratch.state(of: "people.sqlite") == before)
        #expect(try Storage(at: scratch.database, migrations: [notes]).texts() == ["before"])
    }

    @Test("A write does not wait for a long read of the same process")
    func longRead() throws {
        let scratch = Scratch()
        let storage = try Storage(at: scratch.database, migrations: [notes])
        try storage.add("before")
        let (began, written) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let counts = Mutex<[Int]>([])
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) {
            try? storage.readSnapshot { db in
                for _ in 0..<2 {
                    let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM note") ?? 0
                    counts.withLock { $0.append(count) }
                    began.signal()
                    written.wait()
                }
            }
        }
        began.wait()
        try storage.add("during")
        written.signal()
        written.signal()
        group.wait()
        // The read has one snapshot.
        #expect(counts.withLock(\.self) == [1, 1])
        #expect(try storage.texts() == ["before", "during"])
    }

    @Test("A writer waits for another one that finishes within the busy timeout")
    func busyTimeout() async throws {
        let scratch = Scratch()
        let storage = try Storage(at: scratch.database, migrations: [notes])
        let writer = try openTransaction(scratch, "BEGIN IMMEDIATE; INSERT INTO note (text) VALUES ('theirs')")
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(50)) {
            try? writer.inDatabase { try $0.execute(sql: "COMMIT") }
        }
        try storage.add("mine")
        #expect(try storage.texts() == ["theirs", "mine"])
    }

    /// Opens the database outside of a storage and starts a transaction.
    private func openTransaction(_ scratch: Scratch, _ sql: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let queue = try DatabaseQueue(path: scratch.database, configuration: configuration)
        try queue.inDatabase { try $0.execute(sql: sql) }
        return queue
    }

    @Test("A process killed during a write leaves all of it or nothing", arguments: [false, true])
    func killed(isCommitted: Bool) async throws {
        let scratch = Scratch()
        do { try Storage(at: scratch.database, migrations: [notes]).add("before") }
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [database = scratch.database as String, isCommitted = isCommitted as Bool] in
            let storage = try Storage(at: database, migrations: [notes])
            try storage.write { db in
                // Exceed SQLite's cache, so that pages reach the log before the commit.
                try db.execute(sql: "PRAGMA cache_size = 10")
                for number in 0..<5000 {
                    try db.execute(
                        sql: "INSERT INTO note (text) VALUES (?)",
                        arguments: ["\(number) " + String(repeating: "x", count: 200)])
                }
                if !isCommitted { kill(getpid(), SIGKILL) }
            }
            kill(getpid(), SIGKILL)
        }
        #expect(scratch.bytes(of: "people.sqlite-wal").count > 100_000)
        let storage = try Storage(at: scratch.database, migrations: [notes])
        #expect(try storage.texts().count == (isCommitted ? 5001 : 1))
        #expect(try storage.check().isSound)
    }

    @Test("Reads during a long write do not wait and see the state before it")
    func readDuringWrite() async throws {
        let scratch = Scratch()
        let storage = try Storage(at: scratch.database, migrations: [notes])
        try storage.add("before")
        let done = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            try? storage.write { db in
                try db.execute(sql: "INSERT INTO note (text) VALUES ('during')")
                mknod(scratch.path + "/writing", S_IFREG | 0o600, 0)
                done.wait()
            }
            mknod(scratch.path + "/written", S_IFREG | 0o600, 0)
        }
        try await eventually("the write has begun") { scratch.names.contains("writing") }
        #expect(try storage.texts() == ["before"])
        done.signal()
        try await eventually("the write has ended") { scratch.names.contains("written") }
        #expect(try storage.texts() == ["before", "during"])
    }

    @Test("Many threads read and write concurrently")
    func threads() async throws {
        let scratch = Scratch()
        let storage = try Storage(at: scratch.database, migrations: [notes])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    for round in 0..<20 {
                        try storage.add("\(number).\(round)")
                        #expect(try storage.texts().contains("\(number).\(round)"))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try storage.texts().count == 160)
    }
}
