import GRDB
import Glibc

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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
    var textEncoding: UInt32? {
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
    func syncFolder() {
        if let folder = OpenFile(folder, O_RDONLY | O_DIRECTORY) { _ = folder.syncAndClose() }
    }
}
