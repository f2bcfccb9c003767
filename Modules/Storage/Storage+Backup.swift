import GRDB

/// How far a backup has come.
public struct BackupProgress: Sendable, Equatable {
    /// The number of pages copied.
    public let copiedPages: Int
    /// The number of pages in all.
    public let totalPages: Int

    /// The part that is done, from 0 to 1.
    public var fraction: Double { totalPages == 0 ? 1 : Double(copiedPages) / Double(totalPages) }

    init(copied: Int, of total: Int) {
        copiedPages = copied
        totalPages = total
    }
}

extension Storage {
    /// Writes a copy of the database as it is now into one file, while others read and write on.
    ///
    /// The copy is made beside `target`, synced, and then renamed, so `target` is always a whole backup or what it
    /// was. A file that is there is replaced, unless it is a database in use.
    ///
    /// - Parameters:
    ///   - target: The file to write; its folder must be there.
    ///   - progress: Called from time to time; an error that it throws ends the backup and is thrown on.
    /// - Throws: ``StorageError/unsuitable(path:reason:)`` if `target` is this database or another one in use, and
    ///   others.
    public func backup(to target: String, progress: ((BackupProgress) throws -> Void)? = nil) throws {
        let target = try DatabaseFile.absolutePath(target)
        try refuseTarget(target)
        do {
            let copy = try connections.read { db in try TemporaryCopy(of: db, besides: target, progress: progress) }
            try copy.move(to: target)
        } catch let error as DatabaseError {
            let reason = StorageError(error, path: target)
            // The target is not there before it is made: what cannot be opened is the copy that was to become it.
            guard case .missing = reason else { throw reason }
            throw StorageError.cannotOpen(path: target, reason: error.message ?? "no copy could be made")
        }
    }

    private func refuseTarget(_ target: String) throws(StorageError) {
        if let path {
            let ownNames = ["", "-wal", "-shm", "-journal"].map { path + $0 }
            if ownNames.contains(where: { target == $0 || DatabaseFile.isSame(target, $0) }) {
                throw .unsuitable(path: target, reason: "that is the database itself")
            }
        }
        switch try DatabaseFile.kind(of: target) {
        case .nothing:
            guard try DatabaseFile.kind(of: DatabaseFile(path: target).folder) == .folder else {
                throw .cannotOpen(path: target, reason: "there is no such folder")
            }
        case .folder: throw .unsuitable(path: target, reason: "that is a folder")
        case .other: throw .unsuitable(path: target, reason: "that is not a plain file")
        case .file:
            // Replacing it would leave the other database's log beside this copy, and SQLite would mix the two.
            if ["-wal", "-journal"].contains(where: { DatabaseFile.size(of: target + $0) > 0 }) {
                throw .unsuitable(path: target, reason: "that is a database in use")
            }
        }
    }
}
