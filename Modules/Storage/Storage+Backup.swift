import GRDB

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
