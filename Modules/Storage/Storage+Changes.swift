public import GRDB

// MARK: - Generations

extension Storage {
    /// The generation of a module's data: it moves on with each change, in whatever process, and never comes back.
    ///
    /// Whatever is derived from the data (an index on disk) keeps the generation it was made from, and is stale once
    /// this one differs. Also after a restore, or in a copy of the file that went its own way, a generation does not
    /// stand for two different states: its lower 20 bits are random, the rest counts. 0 if the module has no data
    /// yet.
    public func generation(of module: String) throws(StorageError) -> Int64 {
        try StorageError.translating(path) {
            try connections.read(isOneStatement: true) { db in try Storage.generation(of: module, in: db) }
        }
    }

    /// The generation of a module as of the transaction that `db` is in: read it together with the data it stands for.
    public static func generation(of module: String, in db: Database) throws -> Int64 {
        try Int64.fetchOne(
            try db.cachedStatement(sql: "SELECT generation FROM storage_generation WHERE module = ?"),
            arguments: [module]) ?? 0
    }

    /// The generation of each module, as of the transaction that `db` is in.
    static func generations(in db: Database) throws -> [String: Int64] {
        var generations: [String: Int64] = [:]
        let rows = try Row.fetchCursor(db, sql: "SELECT module, generation FROM storage_generation")
        while let row = try rows.next() {
            try generations[row.value(0)] = row.value(1)
        }
        return generations
    }

    /// Moves the generation of a module on, as a part of the transaction that `db` is in.
    ///
    /// ``write(changing:_:)`` does it by itself.
    public static func bump(_ module: String, in db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO storage_generation (module, generation) VALUES (?, (1 << 20) | (random() & 1048575))
                ON CONFLICT (module) DO UPDATE SET generation = (((generation >> 20) + 1) << 20) | (random() & 1048575)
                """, arguments: [module])
    }
}

// MARK: - Notices

/// That a module's data has changed, in this process or in another one.
public struct Change: Sendable, Hashable {
    /// The module whose data it is; "Storage" for the access grants.
    public let module: String

    /// The generation after the change.
    public let generation: Int64

    /// Says that a module's data has reached a generation.
    public init(module: String, generation: Int64) {
        self.module = module
        self.generation = generation
    }
}

extension Storage {
    /// The changes from now on, whichever process makes them.
    ///
    /// Several changes of a module within one interval are one notice. The stream ends with the storage.
    ///
    /// - Parameter interval: How long a change may take to be noticed; looking costs some 30 microseconds.
    public func changes(pollingEvery interval: Duration = .milliseconds(250)) -> AsyncStream<Change> {
        // Read now, not when the task gets to run: what is written right after this call is a change.
        let start = try? connections.generations()
        return AsyncStream(bufferingPolicy: .bufferingNewest(1024)) { continuation in
            let task = Task { [weak connections] in
                var known = start ?? [:]
                while !Task.isCancelled {
                    guard let current = connections?.generationsIfOpen() else { break }
                    if let current = current.generations {
                        for (module, generation) in current.sorted(by: { $0.key < $1.key })
                        where known[module] != generation {
                            continuation.yield(Change(module: module, generation: generation))
                        }
                        known = current
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
    /// The generation of each module.
    func generations() throws -> [String: Int64] { try read { db in try Storage.generations(in: db) } }

    /// The generations, none if they cannot be read just now; nil once the connection is closed.
    func generationsIfOpen() -> (generations: [String: Int64]?, Void)? {
        do {
            return (try generations(), ())
        } catch StorageError.closed {
            return nil
        } catch {
            return (nil, ())
        }
    }
}
