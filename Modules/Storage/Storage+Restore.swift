import GRDB
import Glibc

/// What a restore has done.
public struct RestoreReport: Sendable, Equatable {
    /// Where the former file is now, if it was too damaged to be written into; nil otherwise.
    public let setAside: String?
}

extension Storage {
    /// Takes over the data of a backup, replacing all that is here.
    ///
    /// The backup is first copied, checked and brought up to date beside the database; then its pages are written
    /// into the database in one transaction. Other processes that have it open see the former data until then, and
    /// the restored data afterwards. The backup itself is only read. All generations move on.
    ///
    /// - Throws: ``StorageError/restoreRefused(source:because:)`` if the backup is no database, damaged, newer or
    ///   another
    ///   program's; ``StorageError/locked(path:)`` if another process is writing; and others. The data is then as it
    ///   was.
    public func restore(from source: String) throws(StorageError) {
        guard let path else { throw .failed(code: 0, detail: "a database in memory cannot be restored") }
        if let reason = connections.whyReadOnly { throw reason }
        let copy = try Storage.verifiedCopy(of: source, for: path, schema: schema)
        try install(copy)
    }

    /// Takes over the data of a backup at a path where the present file may be missing, or too damaged to be opened.
    ///
    /// A file that opens is treated as by ``restore(from:)``. One that is damaged or no database is set aside under a
    /// name that the report tells, and the backup takes its place. A newer or another program's database is left
    /// alone.
    ///
    /// - Throws: As ``restore(from:)`` and ``init(at:migrations:options:)``.
    public static func restore(
        at path: String, from source: String, migrations: [ModuleMigrations], options: StorageOptions = StorageOptions()
    ) throws(StorageError) -> RestoreReport {
        let path = try DatabaseFile.absolutePath(path)
        // The copy is verified before the file at `path` is created, so that a refused restore creates nothing.
        if try DatabaseFile.kind(of: path) == .nothing {
            try DatabaseFile(path: path).createOwnFolder()
        }
        let copy = try verifiedCopy(of: source, for: path, schema: Schema(modules: migrations))
        do throws(StorageError) {
            let storage = try Storage(at: path, migrations: migrations, options: options)
            if let reason = storage.connections.whyReadOnly { throw reason }
            try storage.install(copy)
            return RestoreReport(setAside: nil)
        } catch {
            switch error {
            case .damaged, .notADatabase: break
            default: throw error
            }
            guard case .file = try DatabaseFile.kind(of: path) else { throw error }
        }
        let aside = try DatabaseFile(path: path).setAside()
        try copy.move(to: path)
        return RestoreReport(setAside: aside)
    }

    // MARK: - Steps

    /// Copies the backup beside the database, makes sure that it is sound and ours, and brings it up to date.
    private static func verifiedCopy(
        of source: String, for path: String, schema: Schema
    ) throws(StorageError) -> TemporaryCopy {
        let source = try DatabaseFile.absolutePath(source)
        if try DatabaseFile.kind(of: source) == .nothing { throw .missing(path: source) }
        do {
            return try StorageError.translating(source) { try uncheckedCopy(of: source, for: path, schema: schema) }
        } catch .diskFull {
            throw .diskFull(path: path)
        } catch {
            throw .restoreRefused(source: source, because: error)
        }
    }

    private static func uncheckedCopy(of source: String, for path: String, schema: Schema) throws -> TemporaryCopy {
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
            path: isSettled ? Connections.immutableAddress(of: source) : source, configuration: configuration)
        let copy = try queue.read { db in
            guard try schema.inspect(db, path: source) != .empty else {
                throw StorageError.notADatabase(path: source, reason: "it is empty")
            }
            // SQLite would begin to take its pages over and then no longer read them here.
            guard try String.fetchOne(db, sql: "PRAGMA encoding") == "UTF-8" else {
                throw StorageError.damaged(path: source, detail: "its text is not UTF-8")
            }
            return try TemporaryCopy(of: db, besides: path)
        }
        // SQLite takes 0 for UTF-8 wherever it reads it.
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
                return .commit
            }
        }
        try copied.close()
        return copy
    }

    /// Writes the copy's pages into the database, in one transaction of SQLite's.
    private func install(_ copy: TemporaryCopy) throws(StorageError) {
        try StorageError.translating(path) {
            let present = try connections.generations()
            let copied = try copy.open()
            try connections.withoutTransaction { db in
                try copied.inDatabase { copy in
                    try Storage.moveGenerations(of: copy, beyond: present)
                    // SQLite cannot write pages of another size into a database that is in WAL mode.
                    let size = try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 4096
                    if try Int.fetchOne(copy, sql: "PRAGMA page_size") != size {
                        try copy.execute(sql: "PRAGMA page_size = \(size)")
                        try copy.execute(sql: "VACUUM")
                    }
                    try copy.backup(to: db)
                }
            }
            try copied.close()
        }
    }

    /// Moves on the generations of the restored data, so that nothing derived from the former data passes for current.
    private static func moveGenerations(of copy: Database, beyond present: [String: Int64]) throws {
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
    /// Gives the file and its log other names, and keeps the file under its own name as well until it is replaced.
    fileprivate func setAside() throws(StorageError) -> String {
        var number = 1
        while true {
            let aside = "\(path).damaged-\(number)"
            if link(path, aside) == 0 {
                // The log belongs to the former file: beside the new one, SQLite would mix the two.
                if rename(log, aside + "-wal") != 0, errno != ENOENT {
                    let code = errno
                    unlink(aside)
                    throw DatabaseFile.error(code, path: log)
                }
                unlink(path + "-shm")
                return aside
            }
            guard errno == EEXIST, number < 1000 else { throw DatabaseFile.error(errno, path: aside) }
            number += 1
        }
    }
}
