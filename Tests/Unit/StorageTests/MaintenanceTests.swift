import GRDB
import Glibc
import SwitchboardStorage
import Testing

@Suite("Check, backup, restore, stats, optimize")
struct MaintenanceTests {
    let scratch = Scratch()
    var backup: String { scratch.path + "/backup.sqlite" }

    private func filled() throws -> Storage {
        let storage = try Storage(at: scratch.database, migrations: [notes])
        try storage.write { _ in
            for number in 0..<2000 { try storage.add("note \(number)") }
        }
        return storage
    }

    // MARK: - Backup

    @Test("A backup is a single file with all data")
    func backUp() throws {
        let storage = try filled()
        var fractions: [Double] = []
        try storage.backup(to: backup) { fractions.append($0.fraction) }
        #expect(fractions.last == 1)
        #expect(scratch.names.filter { !$0.hasPrefix("people") } == ["backup.sqlite"])
        #expect(scratch.state(of: "backup.sqlite").mode == 0o600)
        let copy = try Storage(at: backup, migrations: [notes])
        #expect(try copy.texts().count == 2000)
        #expect(try copy.check().isSound)
    }

    @Test("A backup replaces an older one and works for a database in memory")
    func backUpAgain() throws {
        let storage = try Storage.inMemory(migrations: [notes])
        try storage.backup(to: backup)
        try storage.add("later")
        try storage.backup(to: backup)
        #expect(try Storage(at: backup, migrations: [notes]).texts() == ["later"])
    }

    @Test("A backup to a database in use or an invalid path is refused and leaves no file")
    func refusedBackup() throws {
        let storage = try filled()
        let other = try Storage(at: scratch.path + "/other.sqlite", migrations: [notes])
        try other.add("in use")
        symlink(scratch.database, scratch.path + "/link")
        mkdir(scratch.path + "/folder", 0o700)
        let names = scratch.names
        for name in ["people.sqlite", "link", "people.sqlite-wal", "other.sqlite", "folder"] {
            #expect(code { try storage.backup(to: scratch.path + "/" + name) } == "unsuitable", "\(name)")
        }
        #expect(code { try storage.backup(to: scratch.path + "/nowhere/b.sqlite") } == "cannotOpen")
        #expect(scratch.names == names)
        #expect(try storage.texts().count == 2000)
    }

    @Test("A cancelled backup leaves the older one unchanged")
    func endedBackup() throws {
        struct Enough: Error {}
        let storage = try filled()
        scratch.write(Array("older".utf8), to: "backup.sqlite")
        try storage.write { db in
            for number in 0..<20 {
                try db.execute(
                    sql: "INSERT INTO note (text) VALUES (?)",
                    arguments: ["\(number)" + String(repeating: "x", count: 100_000)])
            }
        }
        #expect(throws: Enough.self) { try storage.backup(to: backup) { _ in throw Enough() } }
        #expect(scratch.bytes(of: "backup.sqlite") == Array("older".utf8))
        #expect(scratch.names.filter { !$0.hasPrefix("people") } == ["backup.sqlite"])
    }

    // MARK: - Restore

    @Test("A restore replaces the data for all open connections and advances the generations")
    func restore() throws {
        let storage = try filled()
        let other = try Storage(at: scratch.database, migrations: [notes])
        try storage.backup(to: backup)
        let saved = try storage.generation(of: "Notes")
        try storage.add("after the backup")
        let before = try storage.generation(of: "Notes")
        #expect(try other.texts().count == 2001)
        let bytes = scratch.state(of: "backup.sqlite")
        try storage.restore(from: backup)
        #expect(try storage.texts().count == 2000)
        #expect(try other.texts().count == 2000)
        try other.add("after the restore")
        #expect(try storage.texts().count == 2001)
        #expect(try storage.generation(of: "Notes") > max(saved, before))
        #expect(scratch.state(of: "backup.sqlite") == bytes)
        #expect(scratch.names == ["backup.sqlite", "people.sqlite", "people.sqlite-shm", "people.sqlite-wal"])
        #expect(try storage.check().isSound)
        #expect(try storage.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal")
    }

    @Test("A restore migrates an older backup and converts its page size")
    func olderBackup() throws {
        do {
            let queue = try DatabaseQueue(path: backup)
            try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA page_size = 1024") }
        }
        do { try Storage(at: backup, migrations: [notes]).add("old") }
        let storage = try Storage(at: scratch.database, migrations: [laterNotes])
        try storage.restore(from: backup)
        #expect(try storage.read { try String.fetchOne($0, sql: "SELECT colour FROM note") } == "white")
        #expect(try Storage(at: backup, migrations: [notes]).texts() == ["old"])
    }

    @Test(
        "A restore from an invalid backup is refused and changes nothing",
        arguments: ["text", "empty", "corrupt", "newer", "foreign", "folder", "itself"])
    func refusedRestore(_ kind: String) throws {
        var source = backup
        switch kind {
        case "text": scratch.write(Array("Dear Ana".utf8), to: "backup.sqlite")
        case "empty": scratch.write([], to: "backup.sqlite")
        case "corrupt":
            do { try filled().backup(to: backup) }
            var bytes = scratch.bytes(of: "backup.sqlite")
            for index in 12_288..<20_480 { bytes[index] = 0xA5 }
            scratch.write(bytes, to: "backup.sqlite")
        case "newer": _ = try Storage(at: backup, migrations: [laterNotes])
        case "foreign":
            let queue = try DatabaseQueue(path: backup)
            try queue.write { try $0.execute(sql: "CREATE TABLE t (x)") }
        case "folder": mkdir(backup, 0o700)
        default: source = scratch.database
        }
        let storage = try Storage(at: scratch.database, migrations: [notes])
        try storage.add("kept")
        let before = try storage.texts()
        let names = scratch.names
        let error = #expect(throws: StorageError.self) { try storage.restore(from: source) }
        #expect(error?.category == .malformed)
        #expect(error?.code == "restoreRefused")
        #expect(try storage.texts() == before)
        #expect(scratch.names == names)
        #expect(code { try storage.restore(from: scratch.path + "/nowhere") } == "missing")
    }

    @Test("A restore waits for a writer no longer than the busy timeout")
    func restoreWhileLocked() throws {
        let options = StorageOptions(busyTimeout: .milliseconds(50))
        let storage = try Storage(at: scratch.database, migrations: [notes], options: options)
        try storage.add("kept")
        try storage.backup(to: backup)
        let other = try Storage(at: scratch.database, migrations: [notes])
        try other.write { (_: Database) throws in
            #expect(code { try storage.restore(from: backup) } == "locked")
        }
        #expect(try storage.texts() == ["kept"])
        #expect(!scratch.names.contains { $0.hasSuffix(".tmp") })
    }

    @Test("A restore replaces a missing or corrupt file and keeps the corrupt one under another name")
    func restoreOverCorruption() throws {
        do { try filled().backup(to: backup) }
        for name in scratch.names where name.hasPrefix("people") { unlink(scratch.path + "/" + name) }
        let first = try Storage.restore(at: scratch.database, from: backup, migrations: [notes])
        #expect(first.setAside == nil)
        #expect(try Storage(at: scratch.database, migrations: [notes]).texts().count == 2000)

        var bytes = scratch.bytes(of: "people.sqlite")
        bytes[3] = 0
        scratch.write(bytes, to: "people.sqlite")
        let second = try Storage.restore(at: scratch.database, from: backup, migrations: [notes])
        #expect(second.setAside == scratch.database + ".damaged-1")
        #expect(scratch.bytes(of: "people.sqlite.damaged-1") == bytes)
        #expect(try Storage(at: scratch.database, migrations: [notes]).texts().count == 2000)

        unlink(scratch.database)
        _ = try Storage(at: scratch.database, migrations: [laterNotes])
        let newer = scratch.state(of: "people.sqlite")
        #expect(
            code { try Storage.restore(at: scratch.database, from: backup, migrations: [notes]) } == "newerSchema")
        #expect(scratch.state(of: "people.sqlite") == newer)
    }

    @Test(
        "A backup with an unknown text encoding in its header is refused and changes nothing",
        arguments: [2, 4, 8, 255])
    func restoreOfForeignText(_ encoding: UInt8) throws {
        let storage = try filled()
        try storage.backup(to: backup)
        var bytes = scratch.bytes(of: "backup.sqlite")
        bytes[59] = encoding
        scratch.write(bytes, to: "backup.sqlite")
        #expect(code { try storage.restore(from: backup) } == "restoreRefused")
        #expect(try storage.texts().count == 2000)
    }

    @Test("A backup with text encoding 0 in its header is UTF-8")
    func restoreWithoutEncoding() throws {
        let storage = try filled()
        try storage.backup(to: backup)
        var bytes = scratch.bytes(of: "backup.sqlite")
        bytes[59] = 0
        scratch.write(bytes, to: "backup.sqlite")
        try storage.restore(from: backup)
        #expect(try storage.texts().count == 2000)
        try storage.add("more")
        #expect(try storage.check().isSound)
    }

    // MARK: - Check, stats, optimize

    @Test("A check finds corruption")
    func check() throws {
        do { _ = try filled() }
        var bytes = scratch.bytes(of: "people.sqlite")
        // A page in the middle that holds notes.
        for index in 57_344..<61_440 { bytes[index] = 0xA5 }
        scratch.write(bytes, to: "people.sqlite")
        let corrupt = try Storage(at: scratch.database, migrations: [notes])
        #expect(try !corrupt.check().isSound)
        let storage = try Storage.inMemory(migrations: [notes])
        #expect(try storage.check().isSound)
    }

    @Test("Stats count rows and pages, and optimizing returns space to the disk")
    func stats() throws {
        let storage = try filled()
        let stats = try storage.stats()
        #expect(stats.tables.first { $0.name == "note" }?.rows == 2000)
        #expect(stats.modules.map(\.name) == ["Notes", "Storage"])
        #expect(stats.pages > 10 && stats.pageSize == 4096 && stats.logBytes > 0)
        try storage.write { try $0.execute(sql: "DELETE FROM note WHERE id > 10") }
        let report = try storage.optimize()
        #expect(report.bytesAfter < report.bytesBefore / 2)
        let after = try storage.stats()
        #expect(after.freePages == 0 && after.logBytes == 0)
        #expect(after.fileBytes == after.pages * after.pageSize)
        _ = try Storage.inMemory(migrations: [notes]).optimize()
    }
}
