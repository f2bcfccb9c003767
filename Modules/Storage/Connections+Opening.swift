import Dispatch
import Foundation
import GRDB
import GRDBSQLite
import Glibc

extension Connections {
    // MARK: - A file

    /// Opens a file. Changes it only if it is new, or if it is a Switchboard database that needs a migration.
    static func open(
        _ file: DatabaseFile, schema: Schema, options: StorageOptions
    ) throws(StorageError) -> Connections {
        if let journal = options.journal {
            return try openReplica(Replica(file, schema: schema, options: options, journal: journal))
        }
        switch try DatabaseFile.kind(of: file.path) {
        case .folder: throw .notADatabase(path: file.path, reason: "it is a folder")
        case .other: throw .notADatabase(path: file.path, reason: "it is not a plain file")
        case .nothing:
            guard options.createsIfMissing, !options.readOnly else { throw .missing(path: file.path) }
            try file.create()
        // SQLite treats a file of one byte as empty.
        case .file(size: 1): throw .notADatabase(path: file.path, reason: "it has no SQLite header")
        case .file: break
        }
        return try StorageError.translating(file.path) {
            if options.readOnly || !file.isWritable {
                return try openReadOnly(file, schema: schema, options: options, because: .readOnly(path: file.path))
            }
            do {
                return try openWritable(file, schema: schema, options: options)
            } catch let error as DatabaseError {
                // Writing creates files beside the database, and the disk may lack room for them. Reading still works.
                let reason = StorageError(error, path: file.path)
                guard options.fallsBackToReading, reason.isDiskError, !file.hasLog,
                    let connections = try? openReadOnly(file, schema: schema, options: options, because: reason)
                else { throw reason }
                return connections
            }
        }
    }

    private static func openWritable(
        _ file: DatabaseFile, schema: Schema, options: StorageOptions
    ) throws -> Connections {
        if file.hasLog {
            // A writable connection checkpoints the log when it closes. A read-only connection inspects the file first,
            // so that a rejected file stays unchanged.
            let guardian = try DatabaseQueue(
                path: file.path, configuration: configuration(options, readOnly: true, queueKey: nil))
            let found = try guardian.read { db in try schema.inspect(db, path: file.path) }
            if found?.isReplica == true { return try openReplicaReadOnly(file, schema: schema, options: options) }
        }
        let queueKey = DispatchSpecificKey<Role>()
        let main = try DatabaseQueue(
            path: file.path, configuration: configuration(options, readOnly: false, queueKey: queueKey))
        let found = try readInTransaction(main) { db in try schema.inspect(db, path: file.path) }
        if found?.isReplica == true {
            try main.close()
            return try openReplicaReadOnly(file, schema: schema, options: options)
        }
        // SQLite may have opened the file read-only although it is writable.
        if let reason = main.inDatabase({ db in readOnlyReason(db, file) }) {
            try main.close()
            return try openReadOnly(file, schema: schema, options: options, because: reason)
        }
        try main.inDatabase { db in
            try useWriteAheadLog(db, isRequired: found == nil, options: options)
            if !schema.isCurrent(found) { try schema.migrate(db, path: file.path) }
        }
        return Connections(main: main, queueKey: queueKey, replica: nil) {
            try DatabasePool(path: file.path, configuration: configuration(options, readOnly: true, queueKey: queueKey))
        }
    }

    /// Returns the reason why SQLite opened a file read-only although writing was requested, or nil if it did not.
    ///
    /// SQLite does so if the header has a newer write version, or if the system allowed opening the file only for
    /// reading.
    private static func readOnlyReason(_ db: Database, _ file: DatabaseFile) -> StorageError? {
        // Safe: GRDB keeps the connection open as long as `db`.
        guard unsafe sqlite3_db_readonly(db.sqliteConnection, "main") == 1 else { return nil }
        if let version = writeVersion(db), version > 2 {
            return .damaged(
                path: file.path, detail: "its header has a write version that this version of SQLite does not support")
        }
        return .inputOutput(path: file.path, reason: "it cannot be opened for writing")
    }

    /// Returns the header's write version: 1 for a rollback journal, 2 for WAL. Reads through SQLite's own descriptor,
    /// see ``DatabaseFile``.
    private static func writeVersion(_ db: Database) -> UInt8? {
        var pointer: UnsafeMutablePointer<sqlite3_file>?
        // Safe: GRDB keeps the connection open as long as `db`, and the connection its file. One byte is read into one.
        let code = unsafe sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, &pointer)
        var byte: UInt8 = 0
        guard code == SQLITE_OK, let file = unsafe pointer, let read = unsafe file.pointee.pMethods?.pointee.xRead,
            unsafe read(file, &byte, 1, 18) == SQLITE_OK
        else { return nil }
        return byte
    }

    /// Opens a replica without its journal. Writing would make it differ from the journal.
    private static func openReplicaReadOnly(
        _ file: DatabaseFile, schema: Schema, options: StorageOptions
    ) throws -> Connections {
        try openReadOnly(file, schema: schema, options: options, because: .replica(path: file.path))
    }

    private static func openReadOnly(
        _ file: DatabaseFile, schema: Schema, options: StorageOptions, because reason: StorageError
    ) throws -> Connections {
        guard FileSystem.permits(R_OK, to: file.path) else { throw StorageError.permissionDenied(path: file.path) }
        // A read-only connection to a WAL database would create -wal and -shm files, or fail if it may not. Without a
        // log there is no writer, and the file alone is complete.
        let settings = configuration(options, readOnly: true, queueKey: nil)
        let quiescentFile =
            file.hasLog ? nil : QuiescentFile(file) { try DatabaseQueue(path: file.path, configuration: settings) }
        let path = quiescentFile == nil ? file.path : immutableURI(of: file.path)
        let main = try DatabaseQueue(path: path, configuration: settings)
        let found = try main.read { db in try schema.inspect(db, path: file.path) }
        guard schema.isCurrent(found) else { throw reason }
        return Connections(readOnly: main, quiescentFile: quiescentFile, because: reason)
    }

    /// Switches a file to WAL mode permanently. Retries if another process does the same at this moment.
    static func useWriteAheadLog(_ db: Database, isRequired: Bool, options: StorageOptions) throws {
        if try String.fetchOne(db, sql: "PRAGMA journal_mode") == "wal" { return }
        let clock = ContinuousClock()
        let deadline = clock.now.advanced(by: options.busyTimeout)
        while true {
            do {
                try db.execute(sql: "PRAGMA journal_mode = WAL")
                return
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                // The file also works without WAL, only with less concurrency.
                if !isRequired { return }
                if clock.now >= deadline { throw error }
                usleep(5_000)
            }
        }
    }

    /// Returns a URI with which SQLite reads a file without locks and without any files beside it.
    static func immutableURI(of path: String) -> String {
        let plain = CharacterSet(charactersIn: "!"..."~").subtracting(CharacterSet(charactersIn: "%?#"))
        return "file:" + (path.addingPercentEncoding(withAllowedCharacters: plain) ?? path) + "?immutable=1"
    }

    // MARK: - In memory

    static func inMemory(schema: Schema) throws(StorageError) -> Connections {
        try StorageError.translating(nil) {
            let queueKey = DispatchSpecificKey<Role>()
            let main = try DatabaseQueue(
                configuration: configuration(StorageOptions(), readOnly: false, queueKey: queueKey))
            try main.inDatabase { db in try schema.migrate(db, path: ":memory:") }
            return Connections(main: main, queueKey: queueKey, replica: nil, makeReaders: nil)
        }
    }

    // MARK: - Settings

    /// Returns the settings of a connection. The queue key marks its dispatch queue with its role.
    static func configuration(
        _ options: StorageOptions, readOnly: Bool, queueKey: DispatchSpecificKey<Role>?
    ) -> Configuration {
        var configuration = Configuration()
        configuration.readonly = readOnly
        let (seconds, attoseconds) = options.busyTimeout.components
        configuration.busyMode = .timeout(max(0, Double(seconds) + Double(attoseconds) * 1e-18))
        configuration.foreignKeysEnabled = true
        configuration.maximumReaderCount = max(1, options.maximumReaders)
        configuration.label = "Storage"
        if let queueKey {
            // The target queue of all readers of a pool, each of which has its own queue.
            let queue = DispatchQueue(
                label: "Storage", qos: .userInitiated, attributes: readOnly ? .concurrent : [])
            queue.setSpecific(key: queueKey, value: readOnly ? .reader : .main)
            configuration.targetQueue = queue
        }
        if !readOnly {
            configuration.prepareDatabase { db in
                // The changes of a replica are durable in its journal.
                try db.execute(sql: "PRAGMA synchronous = \(options.journal == nil ? "FULL" : "NORMAL")")
                // A statement that fires a trigger keeps a statement journal. On disk that costs two system calls per
                // page, twelve per stored contact.
                try db.execute(sql: "PRAGMA temp_store = MEMORY")
            }
        }
        return configuration
    }
}
