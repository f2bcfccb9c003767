import Dispatch
import GRDB
import Synchronization

/// The SQLite connections of a storage: one that writes, and readers that are opened when first needed.
///
/// A short-lived program only ever opens the first one. Reads use it while it is idle; a read that comes while it is
/// busy goes to a pool of read-only connections, so that nobody waits for a long write.
final class Connections: Sendable {
    /// The connection, nil once closed. GRDB crashes when a closed connection is used, so it is let go instead:
    /// accesses that are under way end in peace, and the last of them closes it.
    private let main: Mutex<DatabaseQueue?>
    private let fileAtRest: QuiescentFile?
    /// What writing throws; nil if it is possible.
    let whyReadOnly: StorageError?
    var isReadOnly: Bool { whyReadOnly != nil }

    /// How many accesses the main connection has running or waiting.
    private let mainLoad = Atomic<Int>(0)
    private let readers = Mutex<DatabasePool?>(nil)
    private let makeReaders: (@Sendable () throws -> DatabasePool)?
    private let queueKey: DispatchSpecificKey<ObjectIdentifier>

    /// Takes over a connection that reads and writes.
    ///
    /// - Parameter queueKey: What marks the dispatch queue that the accesses of `main` run on.
    init(
        main: DatabaseQueue, queueKey: DispatchSpecificKey<ObjectIdentifier>,
        makeReaders: (@Sendable () throws -> DatabasePool)?
    ) {
        self.main = Mutex(main)
        self.queueKey = queueKey
        self.makeReaders = makeReaders
        fileAtRest = nil
        whyReadOnly = nil
    }

    /// Takes over a connection that only reads.
    init(readOnly main: DatabaseQueue, fileAtRest: QuiescentFile?, because reason: StorageError) {
        self.main = Mutex(main)
        self.fileAtRest = fileAtRest
        queueKey = DispatchSpecificKey()
        makeReaders = nil
        whyReadOnly = reason
    }

    // MARK: - Access

    /// Whether the caller is already inside an access of the main connection.
    private var isInside: Bool { DispatchQueue.getSpecific(key: queueKey) == ObjectIdentifier(queueKey) }

    private func openMain() throws -> DatabaseQueue {
        guard let queue = main.withLock({ $0 }) else { throw StorageError.closed }
        return queue
    }

    /// - Parameter isOneStatement: that `body` executes only one statement, which sees one state by itself. Then no transaction is
    ///   begun and ended around it, which takes twice as long as a small statement does.
    func read<T>(isOneStatement: Bool = false, _ body: (Database) throws -> T) throws -> T {
        let main = try openMain()
        if isInside { return try main.unsafeReentrantRead(body) }
        let load = mainLoad.add(1, ordering: .relaxed).oldValue
        defer { mainLoad.subtract(1, ordering: .relaxed) }
        if load > 0, let readers = try sharedReaders() {
            return try readers.read(body)
        }
        if isReadOnly { return try (fileAtRest?.current() ?? main).read(body) }
        return isOneStatement ? try main.unsafeRead(body) : try Connections.readInTransaction(main, body)
    }

    /// Reads in a transaction of its own. GRDB's `read` would also set and unset `PRAGMA query_only`, and each time
    /// SQLite then compiles every kept statement anew, which costs some ten times what a small read does.
    static func readInTransaction<T>(_ main: DatabaseQueue, _ body: (Database) throws -> T) throws -> T {
        try main.unsafeRead { db in
            var result: T?
            try db.inTransaction(.deferred) {
                result = try body(db)
                return .commit
            }
            guard let result else { throw StorageError.interrupted }
            return result
        }
    }

    func write<T>(_ body: (Database) throws -> T) throws -> T {
        let main = try openMain()
        if isInside { return try nestedWrite(main, body) }
        mainLoad.add(1, ordering: .relaxed)
        defer { mainLoad.subtract(1, ordering: .relaxed) }
        return try main.write(body)
    }

    /// Accesses the main connection outside of any transaction, for statements that need it so (VACUUM, backup).
    func withoutTransaction<T>(_ body: (Database) throws -> T) throws -> T {
        let main = try openMain()
        if isInside { throw StorageError.failed(code: 0, detail: "not possible inside of another access") }
        mainLoad.add(1, ordering: .relaxed)
        defer { mainLoad.subtract(1, ordering: .relaxed) }
        return try main.writeWithoutTransaction(body)
    }

    private func nestedWrite<T>(_ main: DatabaseQueue, _ body: (Database) throws -> T) throws -> T {
        try main.unsafeReentrantWrite { db in
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
            let made = try makeReaders()
            pool = made
            return made
        }
    }

    /// Closes the file without ending the objects around it, which the end of the process does for less.
    func closeAtExit() {
        main.withLock { queue in
            guard let open = queue, (try? open.close()) != nil else { return }
            _ = Unmanaged.passRetained(open)
            queue = nil
        }
        close()
    }

    /// Ends the use of the file; further accesses throw.
    func close() {
        main.withLock { $0 = nil }
        readers.withLock { $0 = nil }
        fileAtRest?.close()
    }
}
