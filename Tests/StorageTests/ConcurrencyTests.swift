import Dispatch
import GRDB
import Glibc
import Storage
import Testing

@Suite("Several processes and threads on one file", .timeLimit(.minutes(1)))
struct ConcurrencyTests {
    static let impatient = StorageOptions(busyTimeout: .milliseconds(100))

    @Test("A file that another process writes to is locked for writers, and not for readers")
    func locked() async throws {
        let scratch = Scratch()
        let storage = try Storage(at: scratch.database, migrations: [notes], options: Self.impatient)
        try storage.add("before")
        async let other = #expect(processExitsWith: .success) { [path = scratch.path as String] in
            let storage = try Storage(at: path + "/people.sqlite", migrations: [notes])
            try storage.write { db in
                try db.execute(sql: "INSERT INTO note (text) VALUES ('theirs')")
                mknod(path + "/holding", S_IFREG | 0o600, 0)
                while access(path + "/done", F_OK) != 0 { usleep(1000) }
            }
        }
        try await scratch.waitFor("holding")
        #expect(code { try storage.add("mine") } == "locked")
        #expect(try storage.texts() == ["before"])
        #expect(try Storage(at: scratch.database, migrations: [notes], options: Self.impatient).texts() == ["before"])
        #expect(
            code { try Storage(at: scratch.database, migrations: [laterNotes], options: Self.impatient) } == "locked")
        mknod(scratch.path + "/done", S_IFREG | 0o600, 0)
        _ = await other
        try storage.add("mine")
        #expect(try storage.texts() == ["before", "theirs", "mine"])
    }

    @Test("A file that another process keeps to itself is locked for all")
    func exclusive() async throws {
        let scratch = Scratch()
        do { try Storage(at: scratch.database, migrations: [notes]).add("before") }
        async let other = #expect(processExitsWith: .success) { [path = scratch.path as String] in
            let queue = try DatabaseQueue(path: path + "/people.sqlite")
            try queue.inDatabase { db in
                try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
                mknod(path + "/holding", S_IFREG | 0o600, 0)
                while access(path + "/done", F_OK) != 0 { usleep(1000) }
                try db.execute(sql: "COMMIT")
            }
        }
        try await scratch.waitFor("holding")
        #expect(code { try Storage(at: scratch.database, migrations: [notes], options: Self.impatient) } == "locked")
        mknod(scratch.path + "/done", S_IFREG | 0o600, 0)
        _ = await other
        #expect(try Storage(at: scratch.database, migrations: [notes]).texts() == ["before"])
    }

    @Test("A process killed in the middle of a write leaves all of it or nothing", arguments: [false, true])
    func killed(isCommitted: Bool) async throws {
        let scratch = Scratch()
        do { try Storage(at: scratch.database, migrations: [notes]).add("before") }
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [database = scratch.database as String, isCommitted = isCommitted as Bool] in
            let storage = try Storage(at: database, migrations: [notes])
            try storage.write { db in
                // More than SQLite's cache holds, so that some of it is in the log before the end.
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

    @Test("Reads go on during a long write, and see the state before it")
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
        try await scratch.waitFor("writing")
        #expect(try storage.texts() == ["before"])
        done.signal()
        try await scratch.waitFor("written")
        #expect(try storage.texts() == ["before", "during"])
    }

    @Test("Many threads read and write at once")
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
