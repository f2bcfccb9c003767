import GRDB
import Glibc

/// A copy of a database in the making, beside the place where it will go; removed again unless it is put there.
final class TemporaryCopy {
    let path: String
    private var isThere = true

    /// Copies the state that `source` sees now, in steps, so that progress can be shown and the copying ended.
    ///
    /// - Parameters:
    ///   - target: The place that the copy is for; the copy begins its life in the same folder.
    ///   - progress: Called after each step; an error that it throws ends the copying.
    init(of source: Database, besides target: String, progress: ((BackupProgress) throws -> Void)? = nil) throws {
        let file = DatabaseFile(path: target)
        let suffix = String(UInt32.random(in: .min ... .max), radix: 36)
        path = "\(file.folder == "/" ? "" : file.folder)/.\(file.name).\(suffix).tmp"
        guard mknod(path, S_IFREG | 0o600, 0) == 0 else { throw DatabaseFile.error(errno, path: path) }
        do {
            let copy = try open()
            try copy.inDatabase { db in
                try source.backup(to: db, pagesPerStep: 256) { step in
                    try progress?(BackupProgress(copied: step.completedPageCount, of: step.totalPageCount))
                }
                // One file that needs nothing beside it, wherever it is carried.
                try db.execute(sql: "PRAGMA journal_mode = DELETE")
            }
            try copy.close()
        } catch {
            remove()
            throw error
        }
    }

    deinit { remove() }

    /// What the header says of the encoding of texts: 1 is UTF-8, which 0 is taken for. Nil if it cannot be read.
    ///
    /// SQLite looks at two of the bits, and takes none of them for UTF-8 in a file that it opens, but not in one that changes under
    /// it. Not to be called while the copy is open, since that would give up its locks (``DatabaseFile``).
    var textEncoding: UInt32? {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var field: UInt32 = 0
        guard pread(descriptor, &field, 4, 56) == 4 else { return nil }
        return UInt32(bigEndian: field)
    }

    /// Opens the copy. A crash only costs the copy, so no write waits for the disk; ``sync()`` does that once.
    func open() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "Storage.copy"
        configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA synchronous = OFF") }
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Puts the copy in its place, replacing what is there, in one step that also survives a power cut.
    func move(to target: String) throws(StorageError) {
        try sync()
        guard rename(path, target) == 0 else { throw DatabaseFile.error(errno, path: target) }
        isThere = false
        DatabaseFile(path: target).syncFolder()
    }

    private func sync() throws(StorageError) {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw DatabaseFile.error(errno, path: path) }
        defer { Glibc.close(descriptor) }
        guard fsync(descriptor) == 0 else { throw DatabaseFile.error(errno, path: path) }
    }

    private func remove() {
        guard isThere else { return }
        for suffix in ["", "-journal", "-wal", "-shm"] { unlink(path + suffix) }
        isThere = false
    }
}

extension DatabaseFile {
    /// Makes a rename in the folder survive a power cut. Where a file system cannot do it, there is nothing else to do.
    func syncFolder() {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
