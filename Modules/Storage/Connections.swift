import Dispatch
import GRDB
import GRDBSQLite
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

    init(readOnly main: DatabaseQueue, quiescentFile: QuiescentFile?, because reason: StorageError) {
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
