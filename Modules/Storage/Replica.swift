import Dispatch
import GRDB
import GRDBSQLite
import Glibc
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A file that follows a journal.
///
/// The file stores its position in the journal in the transaction that brought it there. None of this is kept in
/// memory, so several storages can use one file.
///
/// Changes of other servers are applied on a separate connection. The caches of the other connections, such as the
/// caches of full-text search, notice them like the changes of another process.
final class Replica: Sendable {
    fileprivate let file: DatabaseFile
    fileprivate let schema: Schema
    fileprivate let options: StorageOptions
    private let journal: any Journal

    /// The connection for applying changes, nil until first needed. A thread that holds the lock may wait for the
    /// journal and for SQLite's write lock, but not for another access of the storage.
    private let applier = Mutex<DatabaseQueue?>(nil)

    /// The number of entries since the base, and their size in bytes, that cause a new base.
    static let maximumEntriesSinceBase: Int64 = 1_000
    static let maximumBytesSinceBase = 1 << 20

    /// The number of times that a write catches up with other servers before it begins.
    private static let maximumAttempts = 4

    init(_ file: DatabaseFile, schema: Schema, options: StorageOptions, journal: any Journal) {
        self.file = file
        self.schema = schema
        self.options = options
        self.journal = journal
    }

    private func head() throws -> JournalHead { try journal.head() }

    func close() {
        applier.withLock { $0 = nil }
    }

    // MARK: - Reading

    /// A snapshot's position relative to an end of the journal that was read before it.
    enum Progress {
        case current
        /// A write by this process has followed, unless the journal has lost entries.
        case ahead
        case behind
    }

    /// Compares the snapshot of `db` with the end of the journal.
    func progress(of db: Database, at head: JournalHead) throws -> Progress {
        let position = try JournalPosition(in: db)
        if position == head.position { return .current }
        return position.sequence > head.position?.sequence ?? 0 ? .ahead : .behind
    }

    /// Reads the latest state. `read` receives a function that it calls in the snapshot, before the body of the read.
    /// If the function returns `false`, the snapshot is not the latest state, and `read` returns nil.
    func readLatest<T>(_ read: ((Database) throws -> Bool) throws -> T?) throws -> T {
        // Retries once if another thread has written after the end of the journal was read.
        for _ in 0..<2 {
            let head = try journal.head()
            var progress = Progress.current
            let result = try read { db in
                progress = try self.progress(of: db, at: head)
                return progress == .current
            }
            if let result { return result }
            if progress == .behind { break }
        }
        try advance()
        guard let result = try read({ _ in true }) else { throw StorageError.interrupted }
        return result
    }

    /// Applies the entries that the file lacks.
    ///
    /// If they do not fit the file, the file is replaced by the journal's base and the entries since.
    fileprivate func advance() throws {
        try applier.withLock { applier in
            let queue = try applier ?? openApplier()
            applier = queue
            try queue.inDatabase { db in
                var fits = true
                try db.inTransaction(.immediate) {
                    // No local write is in progress, so a journal behind the file has lost entries.
                    let head = try journal.head()
                    let position = try JournalPosition(in: db)
                    if position == head.position { return .rollback }
                    let entries = try journal.entries(after: position.sequence)
                    guard !entries.isEmpty, let end = try apply(entries, after: position, to: db) else {
                        fits = false
                        return .rollback
                    }
                    try end.store(in: db)
                    return .commit
                }
                if fits { return }
                try fetch().install(in: db)
            }
        }
    }

    private func openApplier() throws -> DatabaseQueue {
        var configuration = Connections.configuration(options, readOnly: false, queueKey: nil)
        configuration.foreignKeysEnabled = false
        configuration.label = "Storage.replica"
        configuration.prepareDatabase { db in try Changeset.prepareToApply(db) }
        return try DatabaseQueue(path: file.path, configuration: configuration)
    }

    /// Applies entries to a database at a position. Returns the new position, or nil if they do not fit.
    private func apply(
        _ entries: some Sequence<JournalEntry>, after position: JournalPosition, to db: Database
    ) throws -> JournalPosition? {
        var position = position
        for entry in entries {
            guard entry.extends(position), case .changes(let changes) = entry.contents,
                try Changeset.apply(changes, to: db)
            else { return nil }
            position = entry.position
        }
        return position
    }

    /// Builds the file from the journal, as a temporary copy beside it.
    ///
    /// - Throws: ``StorageError/journalUnavailable(reason:)`` if the journal is incomplete.
    private func fetch() throws -> TemporaryCopy {
        let base = try journal.base()
        var entries = try journal.entries(after: base?.position.sequence ?? 0)[...]
        var start = base
        if let last = entries.lastIndex(where: { if case .image = $0.contents { true } else { false } }),
            case .image(let image) = entries[last].contents
        {
            start = JournalBase(position: entries[last].position, image: image)
            entries = entries[(last + 1)...]
        }
        guard let start else { throw StorageError.journalUnavailable(reason: "it has no image of the data") }
        let copy = try TemporaryCopy(image: start.image, beside: file.path)
        let queue = try copy.open()
        try queue.inDatabase { db in
            try Changeset.prepareToApply(db)
            try db.inTransaction {
                guard let found = try schema.inspect(db, path: file.path), !found.isReplica else {
                    throw StorageError.journalUnavailable(reason: "its image is not an ordinary database")
                }
                guard let end = try apply(entries, after: start.position, to: db) else {
                    throw StorageError.journalUnavailable(reason: "its entries do not follow from its image")
                }
                try end.makeReplica(db)
                return .commit
            }
        }
        try queue.close()
        return copy
    }

    // MARK: - Writing

    /// Writes in one transaction, which is appended to the journal before it is committed.
    ///
    /// - Throws: ``StorageError/locked(path:)`` if another server has appended an entry meanwhile.
    func write<T>(_ main: DatabaseQueue, _ body: (Database) throws -> T) throws -> T {
        for _ in 0..<Replica.maximumAttempts {
            let head = try journal.head()
            var appended: (value: T, bytes: Int)?
            var progress = Progress.current
            do {
                let value: T? = try main.write { db in
                    progress = try self.progress(of: db, at: head)
                    if progress == .behind { return nil }
                    let (value, changes) = try recordingChanges(of: db, body)
                    guard !changes.isEmpty else { return value }
                    try append(.changes(changes), after: try JournalPosition(in: db)) { try $0.store(in: db) }
                    appended = (value, changes.count)
                    return value
                }
                guard progress != .behind, let value else {
                    try advance()
                    continue
                }
                if let appended { replaceBase(main, ifDueAfter: appended.bytes, since: head) }
                return value
            } catch {
                // The entry is durable. The file lacks it, as after a crash, and will apply it.
                if let appended { return appended.value }
                // The journal may have lost entries.
                if progress == .ahead, case StorageError.locked = error { try advance() }
                throw error
            }
        }
        throw StorageError.locked(path: file.path)
    }

    /// Calls `body` and returns its changes.
    private func recordingChanges<T>(
        of db: Database, _ body: (Database) throws -> T
    ) throws -> (value: T, changes: Data) {
        let version = try db.schemaVersion()
        let recorder = try ChangesetRecorder(db, except: JournalPosition.table)
        let value = try body(db)
        // Full-text search writes its tables at a savepoint.
        try db.execute(sql: "SAVEPOINT journal; RELEASE journal")
        guard try db.schemaVersion() == version else {
            throw StorageError.failed(code: 0, detail: "a write to a replica cannot change the schema")
        }
        try db.requireSatisfiedForeignKeys()
        return (value, try recorder.changeset())
    }

    /// Appends an entry after a position, and calls `prepare` with its position before.
    private func append(
        _ contents: JournalEntry.Contents, after position: JournalPosition?,
        preparing prepare: (JournalPosition) throws -> Void
    ) throws {
        let entry = JournalEntry(extending: position, with: contents)
        try prepare(entry.position)
        guard try journal.append(entry) == .appended else { throw StorageError.locked(path: file.path) }
    }

    /// Stores a base if there are many entries since the last one. After a failure, the next write tries again.
    private func replaceBase(_ main: DatabaseQueue, ifDueAfter bytes: Int, since head: JournalHead) {
        let entries = (head.position?.sequence ?? 0) + 1 - head.baseSequence
        guard entries >= Replica.maximumEntriesSinceBase || head.bytesSinceBase + bytes >= Replica.maximumBytesSinceBase
        else { return }
        guard
            let copy = try? Connections.readInTransaction(main, { db in try TemporaryCopy(of: db, beside: file.path) }),
            let position = copy.position, let image = try? copy.image()
        else { return }
        try? journal.replaceBase(JournalBase(position: position, image: image))
    }

    // MARK: - Images

    /// Appends an ordinary database as the state after a position, or as the beginning, and makes it a replica.
    ///
    /// - Throws: ``StorageError/locked(path:)`` if another server has appended an entry meanwhile.
    private func publish(_ copy: TemporaryCopy, after position: JournalPosition?) throws {
        var queue = try copy.open()
        try queue.inDatabase { db in
            try Changeset.prepareToApply(db)
            try db.inTransaction {
                try Changeset.prepareToRecord(db)
                return .commit
            }
        }
        try queue.close()
        let image = try copy.image()
        queue = try copy.open()
        var published: JournalPosition?
        try append(.image(image), after: position) { new in
            try queue.inDatabase { db in try new.makeReplica(db) }
            published = new
        }
        try queue.close()
        if let published { try? journal.replaceBase(JournalBase(position: published, image: image)) }
    }

    /// Replaces the data with the contents of an ordinary database.
    ///
    /// - Throws: As ``publish(_:after:)``.
    func replace(with copy: TemporaryCopy) throws {
        try advance()
        let applier = try openApplier()
        try applier.inDatabase { db in
            try publish(copy, after: try JournalPosition(in: db))
            try copy.install(in: db)
        }
    }
}

extension Database {
    /// Throws if a deferred foreign key is violated, because the transaction could not be committed.
    fileprivate func requireSatisfiedForeignKeys() throws {
        var current: Int32 = 0
        var highest: Int32 = 0
        // Safe: GRDB keeps the connection open as long as `self`, and the results are written to local variables.
        let code = unsafe sqlite3_db_status(
            sqliteConnection, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0)
        guard code == SQLITE_OK, current == 0 else {
            throw StorageError.constraint(detail: "FOREIGN KEY constraint failed")
        }
    }
}

extension Connections {
    /// Opens a file that follows a journal. A missing or corrupt file is built from the journal.
    static func openReplica(_ replica: Replica) throws(StorageError) -> Connections {
        try StorageError.translating(replica.file.path) {
            if replica.options.readOnly {
                throw StorageError.unsuitable(
                    path: replica.file.path, reason: "a file that follows a journal cannot be opened read-only")
            }
            try replica.createIfMissing()
            do {
                return try open(replica)
            } catch let error {
                switch StorageError.converting(error, path: replica.file.path) as? StorageError {
                case .damaged, .notADatabase: break
                default: throw error
                }
            }
            _ = try replica.file.setAside()
            FileSystem.remove(replica.file.path)
            try replica.createIfMissing()
            return try open(replica)
        }
    }

    private static func open(_ replica: Replica) throws -> Connections {
        let (file, schema, options) = (replica.file, replica.schema, replica.options)
        let queueKey = DispatchSpecificKey<Role>()
        let main = try DatabaseQueue(
            path: file.path, configuration: configuration(options, readOnly: false, queueKey: queueKey))
        let found = try readInTransaction(main) { db in try schema.inspect(db, path: file.path) }
        guard found?.isReplica == true else {
            throw StorageError.unsuitable(path: file.path, reason: "it does not follow a journal")
        }
        try main.inDatabase { db in try useWriteAheadLog(db, isRequired: true, options: options) }
        try replica.advance()
        try replica.migrateIfNeeded(main)
        return Connections(main: main, queueKey: queueKey, replica: replica) {
            try DatabasePool(path: file.path, configuration: configuration(options, readOnly: true, queueKey: queueKey))
        }
    }
}

extension Replica {
    /// Builds the file from the journal if it is missing. An empty journal begins with an empty database.
    fileprivate func createIfMissing() throws {
        switch try DatabaseFile.kind(of: file.path) {
        case .folder: throw StorageError.notADatabase(path: file.path, reason: "it is a folder")
        case .other: throw StorageError.notADatabase(path: file.path, reason: "it is not a plain file")
        case .nothing, .file(size: 0): break
        case .file: return
        }
        if try head().position == nil {
            guard options.createsIfMissing else { throw StorageError.missing(path: file.path) }
            try file.createFolder()
            let copy = try TemporaryCopy(of: schema, beside: file.path)
            do {
                try publish(copy, after: nil)
                return try moveIfMissing(copy)
            } catch StorageError.locked {
                // Another server was first.
            }
        }
        try file.createFolder()
        try moveIfMissing(fetch())
    }

    /// Moves a copy to the path of the file, unless another process has done so.
    private func moveIfMissing(_ copy: TemporaryCopy) throws {
        guard let folder = OpenFile(file.folder, O_RDONLY | O_DIRECTORY) else {
            throw DatabaseFile.error(errno, path: file.folder)
        }
        // Without the lock, the log of a file that another process has just moved here could be removed. It is released
        // with the descriptor. A file system without locks is used without one.
        while flock(folder.descriptor, LOCK_EX) != 0, errno == EINTR {}
        switch try DatabaseFile.kind(of: file.path) {
        // An empty file was left by a program that was killed while it created an ordinary one.
        case .nothing, .file(size: 0): break
        default: return
        }
        // A log without its file belongs to a deleted one. SQLite would apply it to the new one.
        for suffix in ["-wal", "-shm", "-journal"] { FileSystem.remove(file.path + suffix) }
        try copy.move(to: file.path)
        withExtendedLifetime(folder) {}
    }

    /// Migrates the schema, as an image in the journal.
    fileprivate func migrateIfNeeded(_ main: DatabaseQueue) throws {
        while true {
            let copy = try Connections.readInTransaction(main) { db -> TemporaryCopy? in
                if schema.isCurrent(try schema.inspect(db, path: file.path)) { return nil }
                return try TemporaryCopy(of: db, beside: file.path)
            }
            guard let copy else { return }
            let migrated = try copy.open()
            try migrated.inDatabase { db in try schema.migrate(db, path: file.path) }
            try migrated.close()
            do {
                try publish(copy, after: copy.position)
            } catch StorageError.locked {
                // Another server has written or migrated.
            }
            try advance()
        }
    }
}
