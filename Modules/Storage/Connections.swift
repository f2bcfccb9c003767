import Dispatch
import GRDB
import Synchronization

/// The SQLite connections of a storage: one that writes, and readers that are opened when first needed.
///
/// A short-lived program only ever opens the first one. Reads use it while it is idle; a read that comes while it is busy goes to
/// a pool of read-only connections, so that nobody waits for a long write.
final class Connections: Sendable {
    let main: DatabaseQueue
    let isReadOnly: Bool

    /// How many accesses the main connection has running or waiting.
    private let mainLoad = Atomic<Int>(0)
    private let readers = Mutex<DatabasePool?>(nil)
    private let makeReaders: (@Sendable () throws -> DatabasePool)?
    private let queueKey: DispatchSpecificKey<ObjectIdentifier>

    init(
        main: DatabaseQueue, isReadOnly: Bool, queueKey: DispatchSpecificKey<ObjectIdentifier>,
        makeReaders: (@Sendable () throws -> DatabasePool)?
    ) {
        self.main = main
        self.isReadOnly = isReadOnly
        self.queueKey = queueKey
        self.makeReaders = makeReaders
    }

    // MARK: - Access

    /// Whether the caller is already inside an access of the main connection.
    private var isInside: Bool { DispatchQueue.getSpecific(key: queueKey) == ObjectIdentifier(queueKey) }

    func read<T>(_ body: (Database) throws -> T) throws -> T {
        if isInside { return try main.unsafeReentrantRead(body) }
        let load = mainLoad.add(1, ordering: .relaxed).oldValue
        defer { mainLoad.subtract(1, ordering: .relaxed) }
        if load > 0, let readers = try sharedReaders() {
            return try readers.read(body)
        }
        return try main.read(body)
    }

    func write<T>(_ body: (Database) throws -> T) throws -> T {
        if isInside { return try nestedWrite(body) }
        mainLoad.add(1, ordering: .relaxed)
        defer { mainLoad.subtract(1, ordering: .relaxed) }
        return try main.write(body)
    }

    /// Accesses the main connection outside of any transaction, for statements that need it so (VACUUM, backup).
    func withoutTransaction<T>(_ body: (Database) throws -> T) throws -> T {
        if isInside { throw StorageError.failed(code: 0, detail: "not possible inside of another access") }
        mainLoad.add(1, ordering: .relaxed)
        defer { mainLoad.subtract(1, ordering: .relaxed) }
        return try main.writeWithoutTransaction(body)
    }

    private func nestedWrite<T>(_ body: (Database) throws -> T) throws -> T {
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

    func close() throws(StorageError) {
        try StorageError.translating(nil) {
            try readers.withLock { pool in
                try pool?.close()
                pool = nil
            }
            try main.close()
        }
    }
}
