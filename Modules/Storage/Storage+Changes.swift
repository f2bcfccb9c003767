public import GRDB
import GRDBSQLite

// MARK: - Generations

extension Storage {
    /// Returns the generation of a module's data, a number that changes with each change by any process and is never
    /// reused.
    ///
    /// A derived file (an index on disk) stores the generation it was built from and is stale when the current one
    /// differs. The lower 20 bits are random and the rest is a counter, so two different states have different
    /// generations even after a restore or in diverging copies of the file. 0 if the module has no data yet.
    public func generation(of module: String) throws(StorageError) -> Int64 {
        try StorageError.translating(path) {
            try connections.read(isOneStatement: true) { db in try Storage.generation(of: module, in: db) }
        }
    }

    /// Returns the generation of a module in the transaction of `db`. Read it in the same transaction as the data.
    public static func generation(of module: String, in db: Database) throws -> Int64 {
        let statement = try db.cachedStatement(sql: "SELECT generation FROM storage_generation WHERE module = ?")
        let handle = unsafe statement.sqliteStatement
        var module = module
        // Every search reads generations. A cursor with arguments would take three times as long.
        // Safe: only the queue of the connection calls this, and the text outlives its use by the statement.
        return try module.withUTF8 { text in
            defer {
                unsafe sqlite3_reset(handle)
                unsafe sqlite3_clear_bindings(handle)
            }
            try unsafe text.withMemoryRebound(to: CChar.self) { text in
                try unsafe check(sqlite3_bind_text(handle, 1, text.baseAddress, Int32(text.count), nil), SQLITE_OK, db)
            }
            let code = unsafe sqlite3_step(handle)
            if code == SQLITE_DONE { return 0 }
            try check(code, SQLITE_ROW, db)
            return unsafe sqlite3_column_int64(handle, 0)
        }
    }

    /// Throws the error of the last call of SQLite unless it returned the expected code.
    private static func check(_ code: CInt, _ expected: CInt, _ db: Database) throws {
        guard code != expected else { return }
        // Safe: SQLite keeps the message until the next call with this connection.
        throw DatabaseError(
            resultCode: ResultCode(rawValue: code),
            message: unsafe sqlite3_errmsg(db.sqliteConnection).map { unsafe String(cString: $0) })
    }

    static func generations(in db: Database) throws -> [String: Int64] {
        var generations: [String: Int64] = [:]
        let rows = try Row.fetchCursor(db, sql: "SELECT module, generation FROM storage_generation")
        while let row = try rows.next() {
            try generations[row.value(0)] = row.value(1)
        }
        return generations
    }

    /// Advances the generation of a module in the transaction of `db`.
    ///
    /// ``write(changing:_:)`` does this automatically.
    public static func bump(_ module: String, in db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO storage_generation (module, generation) VALUES (?, (1 << 20) | (random() & 1048575))
                ON CONFLICT (module) DO UPDATE SET generation = (((generation >> 20) + 1) << 20) | (random() & 1048575)
                """, arguments: [module])
    }
}

// MARK: - Observing changes

/// A change of a module's data by this process or another one.
public struct Change: Sendable, Hashable {
    /// The module whose data changed; "Storage" for the access grants.
    public let module: String

    /// The generation after the change.
    public let generation: Int64

    /// Creates a change.
    public init(module: String, generation: Int64) {
        self.module = module
        self.generation = generation
    }
}

extension Storage {
    /// Returns a stream of later changes by any process.
    ///
    /// Several changes of a module within one interval are reported once. The stream ends when the storage is closed.
    ///
    /// - Parameter interval: The polling interval; a poll takes about 30 microseconds.
    public func changes(pollingEvery interval: Duration = .milliseconds(250)) -> AsyncStream<Change> {
        // Read now, not when the task starts: a write right after this call is a change.
        let start = try? connections.generations()
        return AsyncStream(bufferingPolicy: .bufferingNewest(1024)) { continuation in
            let task = Task { [weak connections] in
                var known = start ?? [:]
                while !Task.isCancelled {
                    do {
                        guard let current = try connections?.generations() else { break }
                        for (module, generation) in current.sorted(by: { $0.key < $1.key })
                        where known[module] != generation {
                            continuation.yield(Change(module: module, generation: generation))
                        }
                        known = current
                    } catch StorageError.closed {
                        break
                    } catch {
                        // The generations cannot be read at the moment.
                    }
                    try? await Task.sleep(for: interval)
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

extension Connections {
    func generations() throws -> [String: Int64] { try read { db in try Storage.generations(in: db) } }
}
