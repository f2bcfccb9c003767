public import GRDB

// MARK: - Generations

extension Storage {
    /// The generation of a module's data: it moves on with each change, in whatever process, and never comes back.
    ///
    /// Whatever is derived from the data (an index on disk) keeps the generation it was made from, and is stale once this one
    /// differs. Also after a restore, or in a copy of the file that went its own way, a generation does not stand for two different
    /// states: its lower 20 bits are random, the rest counts. 0 if the module has no data yet.
    public func generation(of module: String) throws(StorageError) -> Int64 {
        try StorageError.translating(path) {
            try connections.read { db in try Storage.generation(of: module, in: db) }
        }
    }

    /// The generation of a module as of the transaction that `db` is in: read it together with the data it stands for.
    public static func generation(of module: String, in db: Database) throws -> Int64 {
        try Int64.fetchOne(
            db, sql: "SELECT generation FROM storage_generation WHERE module = ?", arguments: [module]) ?? 0
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
