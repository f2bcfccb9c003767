import GRDB
import Glibc
import SwitchboardStorage
import SwitchboardTestSupport
import Testing

/// `true` for root, whom permissions do not restrict.
private let isRoot = geteuid() == 0

/// `true` if this process may mount a file system, which containers often forbid even to root.
private let canMount: Bool = {
    guard isRoot else { return false }
    let scratch = Scratch()
    guard run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", scratch.path]) == 0 else { return false }
    return run(["umount", scratch.path]) == 0
}()

@Suite("Read-only files and full disks", .timeLimit(.minutes(1)))
struct FileSystemTests {
    let scratch = Scratch()

    /// Drops the privileges of root in a child process.
    static func becomeNobody() {
        if geteuid() == 0 {
            setgid(65534)
            setuid(65534)
        }
        precondition(geteuid() != 0)
    }

    @Test("A database in a read-only folder can be read without creating files, but not written")
    func readOnlyFolder() async throws {
        do { try Storage(at: scratch.database, migrations: [notes]).add("here") }
        chmod(scratch.database, 0o444)
        chmod(scratch.path, 0o555)
        defer { chmod(scratch.path, 0o755) }
        let before = scratch.state(of: "people.sqlite")
        await #expect(processExitsWith: .success) { [path = scratch.path as String] in
            FileSystemTests.becomeNobody()
            let storage = try Storage(at: path + "/people.sqlite", migrations: [notes])
            precondition(storage.isReadOnly)
            let texts = try storage.texts()
            precondition(texts == ["here"])
            precondition(code { try storage.add("more") } == "readOnly")
            precondition(code { try storage.setStatus(.denied, of: .contacts) } == "readOnly")
            precondition(code { try storage.optimize() } == "readOnly")
            precondition(code { try storage.restore(from: path + "/x") } == "readOnly")
            precondition(code { try storage.backup(to: path + "/backup.sqlite") } == "permissionDenied")
            precondition(code { try Storage(at: path + "/people.sqlite", migrations: [laterNotes]) } == "readOnly")
            precondition(code { try Storage(at: path + "/new.sqlite", migrations: [notes]) } == "permissionDenied")
            precondition(code { try Storage(at: path + "/a/new.sqlite", migrations: [notes]) } == "permissionDenied")
        }
        #expect(scratch.state(of: "people.sqlite") == before)
        #expect(scratch.names == ["people.sqlite"])
    }

    @Test("A file without read permission is refused")
    func unreadable() async throws {
        do { try Storage(at: scratch.database, migrations: [notes]).add("here") }
        chmod(scratch.path, 0o755)
        chmod(scratch.database, 0)
        await #expect(processExitsWith: .success) { [path = scratch.path as String] in
            FileSystemTests.becomeNobody()
            precondition(code { try Storage(at: path + "/people.sqlite", migrations: [notes]) } == "permissionDenied")
        }
        chmod(scratch.path, 0)
        await #expect(processExitsWith: .success) { [path = scratch.path as String] in
            FileSystemTests.becomeNobody()
            precondition(code { try Storage(at: path + "/people.sqlite", migrations: [notes]) } == "permissionDenied")
        }
        chmod(scratch.path, 0o755)
        #expect(scratch.names == ["people.sqlite"])
    }

    @Test("A read-only reader sees the changes of a writer")
    func readerBesideWriter() throws {
        let writer = try Storage(at: scratch.database, migrations: [notes])
        try writer.add("first")
        let reader = try Storage(at: scratch.database, migrations: [notes], options: StorageOptions(readOnly: true))
        #expect(reader.isReadOnly)
        #expect(try reader.texts() == ["first"])
        try writer.add("second")
        #expect(try reader.texts() == ["first", "second"])
        #expect(code { try reader.add("third") } == "readOnly")
    }

    @Test("A reader of a quiescent file sees later changes")
    func readerBeforeWriter() throws {
        do { try Storage(at: scratch.database, migrations: [notes]).add("first") }
        let reader = try Storage(at: scratch.database, migrations: [notes], options: StorageOptions(readOnly: true))
        #expect(try reader.texts() == ["first"])
        #expect(scratch.names == ["people.sqlite"])
        let writer = try Storage(at: scratch.database, migrations: [notes])
        try writer.add("second")
        #expect(try reader.texts() == ["first", "second"])
        writer.close()
        #expect(try reader.texts() == ["first", "second"])
        do { try Storage(at: scratch.database, migrations: [notes]).add("third") }
        #expect(try reader.texts() == ["first", "second", "third"])
    }

    @Test("A write to a full disk is rolled back and reported", .enabled(if: canMount, "mounting is not allowed here"))
    func fullDisk() throws {
        let folder = scratch.path + "/small"
        mkdir(folder, 0o700)
        #expect(run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder]) == 0)
        defer { _ = run(["umount", "-l", folder]) }
        let path = folder + "/people.sqlite"
        let big = String(repeating: "x", count: 20_000)
        do {
            let storage = try Storage(at: path, migrations: [notes])
            try storage.add("kept")
            var outcome = "no error"
            for number in 0..<200 where outcome == "no error" {
                outcome = code { try storage.add("\(number)" + big) }
            }
            #expect(outcome == "diskFull")
            #expect(try storage.texts().first == "kept")
            #expect(try storage.check().isSound)
            #expect(code { try storage.backup(to: folder + "/backup.sqlite") } == "diskFull")
            #expect(code { try storage.optimize() } == "diskFull")
        }
        let storage = try Storage(at: path, migrations: [notes])
        #expect(try storage.check().isSound)
        #expect(try storage.texts().first == "kept")
        #expect(!scratch.state(of: "small/people.sqlite").bytes.isEmpty)
    }

    @Test(
        "A full disk accepts no new database, but an existing one can be read",
        .enabled(if: canMount, "mounting is not allowed here"))
    func noRoom() throws {
        let folder = scratch.path + "/small"
        mkdir(folder, 0o700)
        #expect(run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", folder]) == 0)
        defer { _ = run(["umount", "-l", folder]) }
        scratch.write([UInt8](repeating: 1, count: 262_144), to: "small/filler")
        #expect(code { try Storage(at: folder + "/people.sqlite", migrations: [notes]) } == "diskFull")
        unlink(folder + "/filler")
        do { try Storage(at: folder + "/people.sqlite", migrations: [notes]).add("now") }
        // Connections may close on another thread, and closing the last one frees the space of the log.
        try eventually("the log is deleted") { access(folder + "/people.sqlite-wal", F_OK) != 0 }
        scratch.write([UInt8](repeating: 1, count: 262_144), to: "small/filler")
        // Reading needs the option to fall back to reading.
        #expect(code { try Storage(at: folder + "/people.sqlite", migrations: [notes]) } == "diskFull")
        let reader = try Storage(
            at: folder + "/people.sqlite", migrations: [notes], options: StorageOptions(fallsBackToReading: true))
        #expect(reader.isReadOnly)
        #expect(try reader.texts() == ["now"])
        #expect(code { try reader.add("more") } == "diskFull")
        #expect(code { try reader.optimize() } == "diskFull")
        #expect(code { try reader.restore(from: folder + "/people.sqlite") } == "diskFull")
    }

    @Test("A database that has reached its maximum size reports a full disk")
    func greatestSize() throws {
        let storage = try Storage(at: scratch.database, migrations: [notes])
        try storage.add("kept")
        _ = try storage.write { try Int.fetchOne($0, sql: "PRAGMA max_page_count = 20") }
        #expect(
            code { try storage.add(String(repeating: "x", count: 200_000)) } == "diskFull")
        #expect(try storage.texts() == ["kept"])
    }
}
