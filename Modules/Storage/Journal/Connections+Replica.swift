import Dispatch
import GRDB
import Glibc

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
    func createIfMissing() throws {
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
    func migrateIfNeeded(_ main: DatabaseQueue) throws {
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
