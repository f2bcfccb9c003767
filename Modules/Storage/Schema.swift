import GRDB

/// What this program expects of the tables, and how to get there.
///
/// Applied migrations are recorded in `storage_migration`, one row each, in the same transaction as their work. The
/// header field `application_id` says that a file is ours, `user_version` in which layout these records are.
struct Schema: Sendable {
    /// "SWBD", in the header of each of our files.
    static let applicationID: Int32 = 0x5357_4244

    /// The layout of Storage's own bookkeeping: what `user_version` holds.
    static let formatVersion: Int32 = 1

    /// The name under which Storage's own migrations and generation are recorded.
    static let ownModule = "Storage"

    let modules: [ModuleMigrations]

    init(modules: [ModuleMigrations]) {
        self.modules = [Schema.own] + modules
    }

    // MARK: - Looking

    struct Step: Equatable {
        let module: String
        let name: String
    }

    enum State: Equatable {
        /// No table at all: to be filled.
        case empty
        /// One of ours, with the steps that it has seen.
        case ours(applied: [Step])
    }

    /// Finds out what a file is, without changing it. Call in a transaction, so that it is one state that is looked at.
    func inspect(_ db: Database, path: String) throws -> State {
        let identifier = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        guard identifier == Schema.applicationID else {
            let isEmpty = try Int.fetchOne(db, sql: "SELECT 1 FROM sqlite_master LIMIT 1") == nil
            if identifier == 0, isEmpty { return .empty }
            throw StorageError.foreignDatabase(path: path)
        }
        let version = try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        guard version <= Schema.formatVersion else {
            throw StorageError.newerSchema(path: path, module: Schema.ownModule, migration: "format \(version)")
        }
        let applied = try applied(db, path: path)
        try refuseNewer(applied, path: path)
        return .ours(applied: applied)
    }

    /// The steps that a file of ours has seen: some dozen, so that a list will do.
    private func applied(_ db: Database, path: String) throws -> [Step] {
        do {
            var applied: [Step] = []
            let rows = try Row.fetchCursor(db, sql: "SELECT module, name FROM storage_migration")
            while let row = try rows.next() {
                try applied.append(Step(module: row.value(0), name: row.value(1)))
            }
            return applied
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            throw StorageError.damaged(path: path, detail: "the record of its migrations is missing")
        }
    }

    /// Throws if a module that this program knows has been migrated beyond what it knows.
    private func refuseNewer(_ applied: [Step], path: String) throws(StorageError) {
        let newer = applied.filter { step in
            let known = modules.filter { $0.module == step.module }
            return !known.isEmpty && !known.contains { $0.steps.contains { $0.name == step.name } }
        }
        // The last name in order, so that the message is the same each time.
        if let step = newer.max(by: { ($0.module, $0.name) < ($1.module, $1.name) }) {
            throw .newerSchema(path: path, module: step.module, migration: step.name)
        }
    }

    /// Whether nothing is left to do for a file in this state.
    func isCurrent(_ state: State) -> Bool {
        guard case .ours(let applied) = state else { return false }
        return modules.allSatisfy { module in
            module.steps.allSatisfy { applied.contains(Step(module: module.module, name: $0.name)) }
        }
    }

    // MARK: - Migrating

    /// WordSuffixes what is due, all in one transaction, with its records.
    ///
    /// Looks again once it holds the write lock, since another process may have done the work meanwhile.
    func migrate(_ db: Database, path: String) throws {
        // Rebuilding a table that others refer to needs this off, and SQLite ignores it inside a transaction.
        try db.execute(sql: "PRAGMA foreign_keys = OFF")
        defer { try? db.execute(sql: "PRAGMA foreign_keys = ON") }
        try db.inTransaction(.immediate) {
            var applied: [Step] = []
            let state = try inspect(db, path: path)
            if case .ours(let steps) = state { applied = steps }
            let isNew = state == .empty
            for module in modules {
                var hasChanged = false
                for step in module.steps
                where !applied.contains(Step(module: module.module, name: step.name)) {
                    applied.append(Step(module: module.module, name: step.name))
                    try run(step, of: module.module, db, path: path)
                    hasChanged = true
                }
                if hasChanged { try Storage.bump(module.module, in: db) }
            }
            if !isNew { try checkForeignKeys(db, path: path) }
            return .commit
        }
    }

    private func run(
        _ step: (name: String, migrate: ModuleMigrations.Migrate), of module: String, _ db: Database, path: String
    ) throws {
        do {
            try step.migrate(db)
            try db.execute(
                sql: """
                    INSERT INTO storage_migration (module, name, appliedAt)
                    VALUES (?, ?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
                    """, arguments: [module, step.name])
        } catch let error as DatabaseError where Schema.isAboutTheWorld(error) {
            throw error
        } catch let error as DatabaseError where Schema.repeatsWhatIsThere(error) {
            throw StorageError.damaged(
                path: path, detail: "the record of its migrations lacks \(module)/\(step.name), whose tables are there")
        } catch {
            throw StorageError.migrationFailed(path: path, module: module, migration: step.name, reason: "\(error)")
        }
    }

    /// A full disk during a migration is a full disk, not a mistake in the migration.
    private static func isAboutTheWorld(_ error: DatabaseError) -> Bool {
        switch error.resultCode {
        case .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_BUSY, .SQLITE_READONLY, .SQLITE_CORRUPT, .SQLITE_NOTADB,
            .SQLITE_CANTOPEN:
            true
        default: false
        }
    }

    /// A step that was done already is only run again if damage has changed the record of it.
    private static func repeatsWhatIsThere(_ error: DatabaseError) -> Bool {
        guard error.resultCode == .SQLITE_ERROR, let message = error.message else { return false }
        return message.hasSuffix("already exists") || message.hasPrefix("duplicate column name")
    }

    private func checkForeignKeys(_ db: Database, path: String) throws {
        guard let row = try Row.fetchOne(db, sql: "PRAGMA foreign_key_check") else { return }
        let table: String = try row.value(0) ?? ""
        throw StorageError.migrationFailed(
            path: path, module: Schema.ownModule, migration: "foreign keys", reason: "\(table) refers to a missing row")
    }

    // MARK: - Storage's own tables

    private static let own = ModuleMigrations(
        module: ownModule,
        [
            (
                name: "1-storage",
                migrate: { db in
                    try db.execute(
                        sql: """
                            CREATE TABLE storage_migration (
                                module TEXT NOT NULL, name TEXT NOT NULL, appliedAt TEXT NOT NULL,
                                PRIMARY KEY (module, name)) WITHOUT ROWID;
                            CREATE TABLE storage_generation (
                                module TEXT NOT NULL PRIMARY KEY, generation INTEGER NOT NULL) WITHOUT ROWID;
                            CREATE TABLE storage_access (
                                subject TEXT NOT NULL PRIMARY KEY, status TEXT NOT NULL, changedAt TEXT NOT NULL
                                ) WITHOUT ROWID;
                            PRAGMA application_id = \(applicationID);
                            PRAGMA user_version = \(formatVersion);
                            """)
                }
            )
        ])
}
