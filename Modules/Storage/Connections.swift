import Dispatch
import Foundation
import GRDB
import GRDBSQLite
import Glibc
import Synchronization

/// The SQLite connections of a storage: one writer, and readers that are opened when first needed.
///
/// A short-lived program only opens the first one. Reads use it while it is idle. A read that arrives while it is busy
/// uses a pool of read-only connections, so reads never wait for a long write.
final class Connections: Sendable {
    /// The main connection, nil once closed. GRDB traps when a closed connection is used, so closing only drops this
    /// reference: in-flight accesses finish, and the last of them closes the connection.
    private let main: Mutex<DatabaseQueue?>
    private let quiescentFile: QuiescentFile?
    /// The error that writing throws, or nil if writing is possible.
    let readOnlyError: StorageError?
    var isReadOnly: Bool { readOnlyError != nil }

    /// The number of accesses of the main connection that are running or waiting.
    private let mainLoad = Atomic<Int>(0)
    private let readers = Mutex<DatabasePool?>(nil)
    private let makeReaders: (@Sendable () throws -> DatabasePool)?
    private let queueKey: DispatchSpecificKey<Role>
    /// The journal that the file follows, if any.
    let replica: Replica?

    /// The role of a connection; its dispatch queue is marked with it.
    enum Role { case main, reader }

    /// Takes over a connection that reads and writes.
    ///
    /// - Parameter queueKey: The key that marks the dispatch queues of `main` and of the readers.
    init(
        main: DatabaseQueue, queueKey: DispatchSpecificKey<Role>, replica: Replica?,
        makeReaders: (@Sendable () throws -> DatabasePool)?
    ) {
        self.main = Mutex(main)
        self.queueKey = queueKey
        self.replica = replica
        self.makeReaders = makeReaders
        quiescentFile = nil
        readOnlyError = nil
    }

    private init(readOnly main: DatabaseQueue, quiescentFile: QuiescentFile?, because reason: StorageError) {
        self.main = Mutex(main)
        self.quiescentFile = quiescentFile
        queueKey = DispatchSpecificKey()
        replica = nil
        makeReaders = nil
        readOnlyError = reason
    }

    // MARK: - Access

    /// The role of the connection that the caller is already accessing, if any.
    private var outerAccess: Role? { DispatchQueue.getSpecific(key: queueKey) }

    /// `true` inside an access of the caller, of which a further one is a part.
    var isInAccess: Bool { outerAccess != nil }

    private func openMain() throws -> DatabaseQueue {
        guard let queue = main.withLock({ $0 }) else { throw StorageError.closed }
        return queue
    }

    /// Reads from one snapshot of the database.
    ///
    /// - Parameter isOneStatement: Indicates that `body` executes a single statement that cannot write. It is a snapshot
    ///   by itself. No transaction is then opened around it, which takes twice as long as a small statement.
    /// - Throws: ``StorageError/writeInRead`` if `body` writes. Its changes are rolled back.
    func read<T>(isOneStatement: Bool = false, _ body: (Database) throws -> T) throws -> T {
        let main = try openMain()
        switch outerAccess {
        case .main: return try main.unsafeReentrantRead { db in try Connections.readInTransaction(db, body) }
        case .reader: return try readInPool(sharedReaders(), body)
        case nil: break
        }
        guard let replica else { return try read(main, isOneStatement: isOneStatement, body) }
        return try replica.readLatest { isLatest in
            try read(main, isOneStatement: isOneStatement) { db in try isLatest(db) ? body(db) : nil }
        }
    }

    private func read<T>(
        _ main: DatabaseQueue, isOneStatement: Bool, _ body: (Database) throws -> T
    ) throws -> T {
        let load = mainLoad.add(1, ordering: .relaxed).oldValue
        defer { mainLoad.subtract(1, ordering: .relaxed) }
        if load > 0, let readers = try sharedReaders() { return try readInPool(readers, body) }
        if isReadOnly {
            return try (quiescentFile?.current() ?? main).unsafeReentrantRead { db in
                try Connections.readInTransaction(db, body)
            }
        }
        return isOneStatement ? try main.unsafeRead(body) : try Connections.readInTransaction(main, body)
    }

    /// Reads from one snapshot for a long time, without the main connection, which writes need.
    func longRead<T>(_ body: (Database) throws -> T) throws -> T {
        guard outerAccess == nil, !isReadOnly, let readers = try sharedReaders() else { return try read(body) }
        return try readInPool(readers, body)
    }

    private func readInPool<T>(_ readers: DatabasePool?, _ body: (Database) throws -> T) throws -> T {
        guard let readers else { throw StorageError.closed }
        return try readers.unsafeReentrantRead { db in try Connections.readInTransaction(db, body) }
    }

    /// Reads in a transaction. GRDB's `read` would also toggle `PRAGMA query_only`. SQLite then recompiles every cached
    /// statement, which takes about ten times as long as a small read.
    static func readInTransaction<T>(_ main: DatabaseQueue, _ body: (Database) throws -> T) throws -> T {
        try main.unsafeRead { db in try readInTransaction(db, body) }
    }

    /// Reads in a new transaction, or in the transaction of the outer access.
    private static func readInTransaction<T>(_ db: Database, _ body: (Database) throws -> T) throws -> T {
        do {
            if db.isInsideTransaction { return try body(db) }
            var result: T?
            try db.inTransaction(.deferred) {
                result = try body(db)
                if try db.isWriting { throw StorageError.writeInRead }
                return .commit
            }
            guard let result else { throw StorageError.interrupted }
            return result
        } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_READONLY {
            // A read-only connection refused a statement. A file that cannot be read has an extended code.
            throw StorageError.writeInRead
        }
    }

    func write<T>(_ body: (Database) throws -> T) throws -> T {
        let main = try openMain()
        switch outerAccess {
        case .main: return try nestedWrite(main, body)
        case .reader: throw StorageError.writeInRead
        case nil: break
        }
        mainLoad.add(1, ordering: .relaxed)
        defer { mainLoad.subtract(1, ordering: .relaxed) }
        if let replica { return try replica.write(main, body) }
        return try main.write(body)
    }

    /// Accesses the main connection outside of a transaction, as VACUUM and the backup API require.
    func withoutTransaction<T>(_ body: (Database) throws -> T) throws -> T {
        let main = try openMain()
        if outerAccess != nil {
            throw StorageError.failed(code: 0, detail: "cannot nest inside another database access")
        }
        mainLoad.add(1, ordering: .relaxed)
        defer { mainLoad.subtract(1, ordering: .relaxed) }
        return try main.writeWithoutTransaction(body)
    }

    private func nestedWrite<T>(_ main: DatabaseQueue, _ body: (Database) throws -> T) throws -> T {
        try main.unsafeReentrantWrite { db in
            // A write begins its transaction by writing, a read does not.
            guard db.isWriting(to: "main") else { throw StorageError.writeInRead }
            var result: Result<T, any Error>?
            try db.inSavepoint {
                let value = try body(db)
                result = .success(value)
                return .commit
            }
            guard let result else { throw StorageError.interrupted }
            return try result.get()
        }
    }

    private func sharedReaders() throws -> DatabasePool? {
        guard let makeReaders else { return nil }
        return try readers.withLock { pool in
            if let pool { return pool }
            let new = try makeReaders()
            pool = new
            return new
        }
    }

    /// Closes the file. Later accesses throw ``StorageError/closed``.
    func close() {
        main.withLock { $0 = nil }
        readers.withLock { $0 = nil }
        quiescentFile?.close()
        replica?.close()
    }
}

extension Database {
    /// `true` if the current transaction writes to the file or to an attached one. Temporary tables do not count: they
    /// belong to the connection.
    fileprivate var isWriting: Bool {
        get throws {
            guard isWriting(to: nil) else { return false }
            return try String.fetchAll(self, sql: "SELECT name FROM pragma_database_list WHERE name <> 'temp'")
                .contains { isWriting(to: $0) }
        }
    }

    /// Returns `true` if the current transaction writes to a database of the connection, or to any of them for nil.
    fileprivate func isWriting(to name: String?) -> Bool {
        // Safe: GRDB keeps the connection open as long as `self`, and the name lives until the call returns.
        unsafe sqlite3_txn_state(sqliteConnection, name) == SQLITE_TXN_WRITE
    }
}

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

/// A database file that is read without locks while no process writes to it.
///
/// A read-only connection to a WAL database either creates files beside it or fails because it cannot. Without a log
/// there is no writer, and SQLite can read the file as immutable. A writer creates a log before it changes anything;
/// from then on, reads use an ordinary connection, which shares the writer's files.
private final class QuiescentFile: Sendable {
    private let reopen: @Sendable () throws -> DatabaseQueue
    private let file: DatabaseFile
    private let state: Mutex<State>

    private struct State {
        let fingerprint: [Int]
        var ordinary: DatabaseQueue?
    }

    /// The attributes of the file, at least one of which changes when the file is written.
    private static func fingerprint(of file: DatabaseFile) -> [Int] {
        let info = FileSystem.attributes(of: file.path) ?? stat()
        return [
            Int(bitPattern: info.st_dev), Int(bitPattern: info.st_ino), info.st_size, info.st_mtim.tv_sec,
            info.st_mtim.tv_nsec, file.hasLog ? 1 : 0,
        ]
    }

    init(_ file: DatabaseFile, reopen: @escaping @Sendable () throws -> DatabaseQueue) {
        self.file = file
        self.reopen = reopen
        state = Mutex(State(fingerprint: QuiescentFile.fingerprint(of: file), ordinary: nil))
    }

    /// Returns nil while the file is unchanged, and an ordinary connection once it has been written.
    func current() throws -> DatabaseQueue? {
        try state.withLock { state in
            if let ordinary = state.ordinary { return ordinary }
            if QuiescentFile.fingerprint(of: file) == state.fingerprint { return nil }
            let new = try reopen()
            state.ordinary = new
            return new
        }
    }

    func close() {
        state.withLock { $0.ordinary = nil }
    }
}
