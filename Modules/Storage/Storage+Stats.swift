import GRDB

/// The size and contents of a database.
public struct StorageStats: Sendable, Equatable, Encodable {
    /// The number of rows of a table.
    public struct Table: Sendable, Equatable, Encodable {
        /// The table's name.
        public let name: String
        /// The number of its rows.
        public let rows: Int
    }

    /// The schema and generation of a module.
    public struct Module: Sendable, Equatable, Encodable {
        /// The module's name.
        public let name: String
        /// The names of the applied migrations.
        public let migrations: [String]
        /// The generation of its data, see ``Storage/generation(of:)``.
        public let generation: Int64
    }

    /// The size of the file in bytes; 0 in memory.
    public let fileBytes: Int
    /// The size of the write-ahead log in bytes.
    public let logBytes: Int
    /// The size of a page in bytes.
    public let pageSize: Int
    /// The number of pages, free ones included.
    public let pages: Int
    /// The number of unused pages; ``Storage/optimize()`` returns them to the disk.
    public let freePages: Int
    /// The version of SQLite in use, such as "3.40.1".
    public let sqliteVersion: String
    /// The tables, sorted by name.
    public let tables: [Table]
    /// The modules that have migrations in the file, including those unknown to this program, sorted by name.
    public let modules: [Module]
}

extension Storage {
    /// Returns the size and contents of the database.
    ///
    /// - Complexity: Counts the rows of each table, so proportional to the size of their smallest indexes.
    public func stats() throws(StorageError) -> StorageStats {
        try StorageError.translating(path) {
            try connections.read { db in
                StorageStats(
                    fileBytes: path.map { DatabaseFile.size(of: $0) } ?? 0,
                    logBytes: path.map { DatabaseFile.size(of: DatabaseFile(path: $0).log) } ?? 0,
                    pageSize: try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0,
                    pages: try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0,
                    freePages: try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0,
                    sqliteVersion: try String.fetchOne(db, sql: "SELECT sqlite_version()") ?? "",
                    tables: try StorageStats.tables(db),
                    modules: try StorageStats.modules(db))
            }
        }
    }
}

extension StorageStats {
    fileprivate static func tables(_ db: Database) throws -> [Table] {
        let names = try String.fetchAll(
            db,
            sql: """
                SELECT name FROM pragma_table_list
                WHERE schema = 'main' AND type IN ('table', 'virtual') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
                ORDER BY name
                """)
        return try names.map { name in
            let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(name.quotedDatabaseIdentifier)")
            return Table(name: name, rows: count ?? 0)
        }
    }

    fileprivate static func modules(_ db: Database) throws -> [Module] {
        var migrations: [String: [String]] = [:]
        for row in try Row.fetchAll(db, sql: "SELECT module, name FROM storage_migration ORDER BY module, name") {
            try migrations[row.value(0), default: []].append(row.value(1))
        }
        return try migrations.sorted { $0.key < $1.key }.map { module, names in
            Module(name: module, migrations: names, generation: try Storage.generation(of: module, in: db))
        }
    }
}
