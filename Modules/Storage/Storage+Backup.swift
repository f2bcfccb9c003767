import GRDB
import Glibc

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The progress of a backup.
public struct BackupProgress: Sendable, Equatable {
    /// The number of pages copied.
    public let copiedPages: Int
    /// The total number of pages.
    public let totalPages: Int

    /// The completed fraction, from 0 to 1.
    public var fraction: Double { totalPages == 0 ? 1 : Double(copiedPages) / Double(totalPages) }
}

extension Storage {
    /// Writes a copy of the current state of the database to a file, while other processes read and write.
    ///
    /// The copy is written to a temporary file beside `target`, synced and renamed, so `target` is always complete or
    /// unchanged. An existing file is replaced, unless it is a database in use.
    ///
    /// - Parameters:
    ///   - target: The file to write. Its folder must exist.
    ///   - progress: A function called repeatedly during the copy. An error that it throws stops the backup and is
    ///     rethrown.
    /// - Throws: ``StorageError/unsuitable(path:reason:)`` if `target` is this database or another one in use; other
    ///   ``StorageError``s.
    public func backup(to target: String, progress: ((BackupProgress) throws -> Void)? = nil) throws {
        let target = try DatabaseFile.absolutePath(target)
        try validateTarget(target)
        do {
            let copy = try connections.read { db in try TemporaryCopy(of: db, beside: target, progress: progress) }
            try copy.move(to: target)
        } catch let error as DatabaseError {
            let reason = StorageError(error, path: target)
            // `target` need not exist, so the missing file is the temporary copy.
            guard case .missing = reason else { throw reason }
            throw StorageError.cannotOpen(path: target, reason: error.message ?? "the copy could not be created")
        }
    }

    private func validateTarget(_ target: String) throws(StorageError) {
        if let path {
            let ownNames = ["", "-wal", "-shm", "-journal"].map { path + $0 }
            if ownNames.contains(where: { target == $0 || DatabaseFile.isSame(target, $0) }) {
                throw .unsuitable(path: target, reason: "it is the database itself")
            }
        }
        switch try DatabaseFile.kind(of: target) {
        case .nothing:
            guard try DatabaseFile.kind(of: DatabaseFile(path: target).folder) == .folder else {
                throw .cannotOpen(path: target, reason: "there is no such folder")
            }
        case .folder: throw .unsuitable(path: target, reason: "it is a folder")
        case .other: throw .unsuitable(path: target, reason: "it is not a plain file")
        case .file:
            // Replacing it would leave the other database's log beside this copy, and SQLite would apply it.
            if ["-wal", "-journal"].contains(where: { DatabaseFile.size(of: target + $0) > 0 }) {
                throw .unsuitable(path: target, reason: "it is a database in use")
            }
        }
    }
}

/// The result of a restore.
public struct RestoreReport: Sendable, Equatable {
    /// The new path of the former file if it was too corrupt to be written, else nil.
    public let setAside: String?
    /// The path of a copy of the former data, `NAME.replaced-1`; nil if there was none or the file was set aside.
    public let copy: String?
}

extension Storage {
    /// Replaces all data with the contents of a backup.
    ///
    /// The backup is copied beside the database, checked and migrated. Its pages are then written into the database in
    /// one transaction: other processes see either the former data or the restored data. The backup itself is only
    /// read. All generations advance, and the journals of changes begin a new epoch.
    ///
    /// - Throws: ``StorageError/restoreRefused(source:because:)`` if the backup is not a database, is corrupt, is
    ///   newer, or belongs to another program; ``StorageError/locked(path:)`` if another process is writing; other
    ///   ``StorageError``s. The data is then unchanged.
    public func restore(from source: String) throws(StorageError) {
        guard let path else { throw .failed(code: 0, detail: "a database in memory cannot be restored") }
        if let reason = connections.readOnlyError { throw reason }
        let copy = try Storage.verifiedCopy(of: source, for: path, schema: schema)
        try install(copy)
    }

    /// Restores a backup to a path where the present file may be missing, or too corrupt to be opened.
    ///
    /// A file that opens is backed up (see ``RestoreReport/copy``), then its data is replaced as by ``restore(from:)``.
    /// A corrupt file, or one that is not a database, is renamed (see ``RestoreReport/setAside``) and replaced by the
    /// backup. A newer database, or another program's, is left unchanged.
    ///
    /// - Throws: The errors of ``restore(from:)`` and ``init(at:migrations:options:)``.
    public static func restore(
        at path: String, from source: String, migrations: [ModuleMigrations], options: StorageOptions = StorageOptions()
    ) throws(StorageError) -> RestoreReport {
        let path = try DatabaseFile.absolutePath(path)
        // The copy is verified before a file is created at `path`, so that a refused restore leaves no file.
        let isNew = try DatabaseFile.kind(of: path) == .nothing
        if isNew { try DatabaseFile(path: path).createFolder() }
        let copy = try verifiedCopy(of: source, for: path, schema: Schema(modules: migrations))
        do throws(StorageError) {
            let storage = try Storage(at: path, migrations: migrations, options: options)
            if let reason = storage.connections.readOnlyError { throw reason }
            let former = isNew ? nil : try storage.copyBeside()
            try storage.install(copy)
            return RestoreReport(setAside: nil, copy: former)
        } catch {
            switch error {
            case .damaged, .notADatabase: break
            default: throw error
            }
            guard case .file = try DatabaseFile.kind(of: path) else { throw error }
        }
        let aside = try DatabaseFile(path: path).setAside()
        try copy.move(to: path)
        return RestoreReport(setAside: aside, copy: nil)
    }

    // MARK: - Steps

    /// Backs up the data to the first free name beside the file, and returns its path.
    private func copyBeside() throws(StorageError) -> String {
        var number = 1
        while try DatabaseFile.kind(of: "\(path ?? "").replaced-\(number)") != .nothing { number += 1 }
        let copy = "\(path ?? "").replaced-\(number)"
        do {
            try backup(to: copy)
            return copy
        } catch {
            throw error as? StorageError ?? .failed(code: 0, detail: "\(error)")
        }
    }

    /// Copies the backup beside the database, verifies that it is an intact Switchboard database, and migrates it.
    private static func verifiedCopy(
        of source: String, for path: String, schema: Schema
    ) throws(StorageError) -> TemporaryCopy {
        let source = try DatabaseFile.absolutePath(source)
        if try DatabaseFile.kind(of: source) == .nothing { throw .missing(path: source) }
        do {
            return try StorageError.translating(source) { try makeVerifiedCopy(of: source, for: path, schema: schema) }
        } catch .diskFull {
            throw .diskFull(path: path)
        } catch {
            throw .restoreRefused(source: source, because: error)
        }
    }

    private static func makeVerifiedCopy(of source: String, for path: String, schema: Schema) throws -> TemporaryCopy {
        switch try DatabaseFile.kind(of: source) {
        case .file(size: 0): throw StorageError.notADatabase(path: source, reason: "it is empty")
        case .folder: throw StorageError.notADatabase(path: source, reason: "it is a folder")
        case .other: throw StorageError.notADatabase(path: source, reason: "it is not a plain file")
        case .nothing, .file: break
        }
        if DatabaseFile.isSame(source, path) {
            throw StorageError.unsuitable(path: source, reason: "it is the database itself")
        }
        let file = DatabaseFile(path: source)
        let isSettled = !file.hasLog && DatabaseFile.size(of: source + "-journal") == 0
        var configuration = Configuration()
        configuration.readonly = true
        configuration.label = "Storage.source"
        configuration.busyMode = .timeout(5)
        let queue = try DatabaseQueue(
            path: isSettled ? Connections.immutableURI(of: source) : source, configuration: configuration)
        let copy = try queue.read { db in
            guard try schema.inspect(db, path: source) != nil else {
                throw StorageError.notADatabase(path: source, reason: "it is empty")
            }
            // SQLite's backup API would copy its pages and then fail to read them here.
            guard try String.fetchOne(db, sql: "PRAGMA encoding") == "UTF-8" else {
                throw StorageError.damaged(path: source, detail: "its text is not UTF-8")
            }
            return try TemporaryCopy(of: db, beside: path)
        }
        // SQLite reads 0 as UTF-8.
        guard let encoding = copy.textEncoding, encoding <= 1 else {
            throw StorageError.damaged(path: source, detail: "its text is not UTF-8")
        }
        let copied = try copy.open()
        try copied.inDatabase { db in
            let report = try IntegrityReport(checking: db)
            if let problem = report.problems.first { throw StorageError.damaged(path: source, detail: problem) }
            try schema.migrate(db, path: source)
            try db.inTransaction(.immediate) {
                for module in try Storage.generations(in: db).keys { try Storage.bump(module, in: db) }
                try ChangeJournal.beginEpoch(in: db)
                return .commit
            }
        }
        try copied.close()
        return copy
    }

    /// Writes the pages of the copy into the database in one transaction.
    private func install(_ copy: TemporaryCopy) throws(StorageError) {
        try StorageError.translating(path) {
            let present = try connections.generations()
            let size = try connections.read { db in try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 4096 }
            let copied = try copy.open()
            try copied.inDatabase { copy in
                try Storage.advanceGenerations(of: copy, beyond: present)
                // SQLite cannot change the page size of a database in WAL mode.
                if try Int.fetchOne(copy, sql: "PRAGMA page_size") != size {
                    try copy.execute(sql: "PRAGMA page_size = \(size)")
                    try copy.execute(sql: "VACUUM")
                }
            }
            try copied.close()
            if let replica = connections.replica { return try replica.replace(with: copy) }
            try connections.withoutTransaction { db in try copy.install(in: db) }
        }
    }

    /// Advances the generations of the restored data, so that no file derived from the former data appears current.
    private static func advanceGenerations(of copy: Database, beyond present: [String: Int64]) throws {
        try copy.inTransaction(.immediate) {
            for (module, generation) in present {
                try copy.execute(
                    sql: """
                        INSERT INTO storage_generation (module, generation) VALUES (?, ?)
                        ON CONFLICT (module) DO UPDATE SET generation = max(generation, excluded.generation)
                        """, arguments: [module, generation])
                try bump(module, in: copy)
            }
            return .commit
        }
    }
}

extension DatabaseFile {
    /// Renames the file and its log. The file also keeps its own name until it is replaced.
    func setAside() throws(StorageError) -> String {
        var number = 1
        while true {
            let aside = "\(path).damaged-\(number)"
            // Safe: as in `FileSystem`.
            if unsafe link(path, aside) == 0 {
                // The log belongs to the former file. SQLite would apply it to the new one.
                if !FileSystem.rename(log, to: aside + "-wal"), errno != ENOENT {
                    let code = errno
                    FileSystem.remove(aside)
                    throw DatabaseFile.error(code, path: log)
                }
                FileSystem.remove(path + "-shm")
                return aside
            }
            guard errno == EEXIST, number < 1000 else { throw DatabaseFile.error(errno, path: aside) }
            number += 1
        }
    }
}

/// A temporary copy of a database, in the folder of its final path. Deleted unless it is moved there.
final class TemporaryCopy {
    let path: String
    private var isTemporary = true
    /// The position in the journal of the replica that was copied, else nil.
    private(set) var position: JournalPosition?

    /// Creates an empty file beside the final path of the copy.
    private init(beside target: String) throws(StorageError) {
        let file = DatabaseFile(path: target)
        let suffix = String(UInt32.random(in: .min ... .max), radix: 36)
        path = "\(file.folder == "/" ? "" : file.folder)/.\(file.name).\(suffix).tmp"
        guard FileSystem.createFile(path) else { throw DatabaseFile.error(errno, path: path) }
    }

    /// Creates a new database.
    convenience init(of schema: Schema, beside target: String) throws {
        try self.init(beside: target)
        let new = try open()
        try new.inDatabase { db in try schema.migrate(db, path: target) }
        try new.close()
    }

    /// Writes the bytes of a database.
    convenience init(image: Data, beside target: String) throws {
        try self.init(beside: target)
        guard let file = OpenFile(path, O_WRONLY), file.write(image.bytes) else {
            throw DatabaseFile.error(errno, path: path)
        }
    }

    /// Copies the current state of `source` in steps, which allows progress reports and cancellation. The copy of a
    /// replica is an ordinary database.
    ///
    /// - Parameters:
    ///   - target: The final path of the copy.
    ///   - progress: A function called after each step. An error that it throws stops the copy.
    convenience init(
        of source: Database, beside target: String, progress: ((BackupProgress) throws -> Void)? = nil
    ) throws {
        try self.init(beside: target)
        let copy = try open()
        try copy.inDatabase { db in
            try source.backup(to: db, pagesPerStep: 256) { step in
                try progress?(BackupProgress(copiedPages: step.completedPageCount, totalPages: step.totalPageCount))
            }
            // A single file without a log is portable.
            try db.execute(sql: "PRAGMA journal_mode = DELETE")
            position = try JournalPosition.removeReplica(db)
        }
        try copy.close()
    }

    deinit { remove() }

    /// The text encoding in the header: 1 is UTF-8, and SQLite treats 0 as UTF-8. Nil if it cannot be read.
    ///
    /// SQLite checks only two bits of it, and only when it opens a file, not when the file changes under an open
    /// connection. Must not be used while the copy is open, because closing the descriptor would drop the locks
    /// (``DatabaseFile``).
    fileprivate var textEncoding: UInt32? {
        guard let file = OpenFile(path, O_RDONLY) else { return nil }
        var field: UInt32 = 0
        // Safe: the field has four bytes.
        guard unsafe pread(file.descriptor, &field, 4, 56) == 4 else { return nil }
        return UInt32(bigEndian: field)
    }

    /// Opens the copy. A crash only loses the copy, so writes are not synced; ``sync()`` does that once.
    func open() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "Storage.copy"
        configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA synchronous = OFF") }
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Writes the pages of the copy into a database in one transaction.
    func install(in db: Database) throws {
        let copy = try open()
        try copy.inDatabase { try $0.backup(to: db) }
        try copy.close()
    }

    /// Reads the bytes of the copy. Must not be used while the copy is open, see ``textEncoding``.
    func image() throws(StorageError) -> Data {
        do {
            return try Data(contentsOf: URL(filePath: path))
        } catch {
            throw .inputOutput(path: path, reason: "\(error)")
        }
    }

    /// Moves the copy to its final path atomically and durably, replacing an existing file.
    func move(to target: String) throws(StorageError) {
        try sync()
        guard FileSystem.rename(path, to: target) else { throw DatabaseFile.error(errno, path: target) }
        isTemporary = false
        DatabaseFile(path: target).syncFolder()
    }

    private func sync() throws(StorageError) {
        guard let file = OpenFile(path, O_RDONLY), file.syncAndClose() else {
            throw DatabaseFile.error(errno, path: path)
        }
    }

    private func remove() {
        guard isTemporary else { return }
        for suffix in ["", "-journal", "-wal", "-shm"] { FileSystem.remove(path + suffix) }
        isTemporary = false
    }
}

extension DatabaseFile {
    /// Makes a rename in the folder durable. Errors are ignored: some file systems do not support it.
    fileprivate func syncFolder() {
        if let folder = OpenFile(folder, O_RDONLY | O_DIRECTORY) { _ = folder.syncAndClose() }
    }
}
