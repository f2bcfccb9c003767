public import GRDB

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The tables that this program expects, and the migrations that create them.
///
/// Each applied migration is a row of `storage_migration`, inserted in the same transaction as its work. The header
/// field `application_id` marks Switchboard databases; `user_version` is the version of the bookkeeping tables.
struct Schema: Sendable {
    /// "SWBD", the `application_id` of Switchboard databases.
    static let applicationID: Int32 = 0x5357_4244

    /// The version of the storage's own bookkeeping tables, stored as `user_version`.
    static let formatVersion: Int32 = 1

    /// The `user_version` of a replica, which also has the table `storage_journal`. Programs without support for
    /// journals refuse it.
    static let replicaFormatVersion: Int32 = 2

    /// The module name of the storage's own migrations and generation.
    static let ownModule = "Storage"

    let modules: [ModuleMigrations]

    init(modules: [ModuleMigrations]) {
        self.modules = [Schema.own] + modules
    }

    // MARK: - Inspecting

    struct Step: Equatable {
        let module: String
        let name: String
    }

    /// The contents of a Switchboard database.
    struct Inspection {
        let applied: [Step]
        /// `true` if the file follows a journal.
        let isReplica: Bool
    }

    /// Returns the applied migrations of a file without changing it; nil if the file has no tables yet. Must be called in
    /// a transaction.
    func inspect(_ db: Database, path: String) throws -> Inspection? {
        let identifier = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        guard identifier == Schema.applicationID else {
            let isEmpty = try Int.fetchOne(db, sql: "SELECT 1 FROM sqlite_master LIMIT 1") == nil
            if identifier == 0, isEmpty { return nil }
            throw StorageError.foreignDatabase(path: path)
        }
        let version = try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        guard version <= Schema.replicaFormatVersion else {
            throw StorageError.newerSchema(path: path, module: Schema.ownModule, migration: "format \(version)")
        }
        let applied = try applied(db, path: path)
        try rejectNewer(applied, path: path)
        return Inspection(applied: applied, isReplica: version == Schema.replicaFormatVersion)
    }

    /// Returns the applied migrations, about a dozen.
    private func applied(_ db: Database, path: String) throws -> [Step] {
        do {
            var applied: [Step] = []
            let rows = try Row.fetchCursor(db, sql: "SELECT module, name FROM storage_migration")
            while let row = try rows.next() {
                try applied.append(Step(module: row.value(0), name: row.value(1)))
            }
            return applied
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            throw StorageError.damaged(path: path, detail: "its table of migrations is missing")
        }
    }

    /// Throws if a module known to this program has a migration that this program does not know.
    private func rejectNewer(_ applied: [Step], path: String) throws(StorageError) {
        let newer = applied.filter { step in
            let known = modules.filter { $0.module == step.module }
            return !known.isEmpty && !known.contains { $0.steps.contains { $0.name == step.name } }
        }
        // The last name in order, so that the message is deterministic.
        if let step = newer.max(by: { ($0.module, $0.name) < ($1.module, $1.name) }) {
            throw .newerSchema(path: path, module: step.module, migration: step.name)
        }
    }

    /// - Throws: ``StorageError/migrationFailed(path:module:migration:reason:)`` if two modules with different migrations
    ///   have one name, so that one of them would not be created.
    func requireOneOfEachName(path: String) throws(StorageError) {
        var known: [String: [String]] = [:]
        for module in modules {
            let names = module.steps.map(\.name)
            guard let other = known.updateValue(names, forKey: module.module), other != names else { continue }
            throw .migrationFailed(
                path: path, module: module.module, migration: names.first ?? "",
                reason: "two modules have this name; rename one of them")
        }
    }

    func isCurrent(_ found: Inspection?) -> Bool {
        guard let applied = found?.applied else { return false }
        return modules.allSatisfy { module in
            module.steps.allSatisfy { applied.contains(Step(module: module.module, name: $0.name)) }
        }
    }

    // MARK: - Migrating

    /// Runs and records all pending migrations in one transaction.
    ///
    /// Inspects the file again under the write lock, because another process may have migrated it first.
    func migrate(_ db: Database, path: String) throws {
        // Rebuilding a referenced table needs foreign keys off, and SQLite ignores the pragma inside a transaction.
        try db.execute(sql: "PRAGMA foreign_keys = OFF")
        defer { try? db.execute(sql: "PRAGMA foreign_keys = ON") }
        try db.inTransaction(.immediate) {
            let known = try inspect(db, path: path)
            var applied = known?.applied ?? []
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
            if known != nil { try checkForeignKeys(db, path: path) }
            return .commit
        }
    }

    private func run(_ step: ModuleMigrations.Migration, of module: String, _ db: Database, path: String) throws {
        do {
            try step.migrate(db)
            try db.execute(
                sql: """
                    INSERT INTO storage_migration (module, name, appliedAt)
                    VALUES (?, ?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
                    """, arguments: [module, step.name])
        } catch let error as DatabaseError where Schema.isEnvironmental(error) {
            throw error
        } catch let error as DatabaseError where Schema.indicatesAppliedMigration(error) {
            if let reason = try clash(of: module, error, db) {
                throw StorageError.migrationFailed(path: path, module: module, migration: step.name, reason: reason)
            }
            throw StorageError.damaged(
                path: path, detail: "its table of migrations lacks \(module)/\(step.name), whose tables exist")
        } catch {
            throw StorageError.migrationFailed(path: path, module: module, migration: step.name, reason: "\(error)")
        }
    }

    /// A full disk during a migration is reported as a full disk, not as a failed migration.
    private static func isEnvironmental(_ error: DatabaseError) -> Bool {
        switch error.resultCode {
        case .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_BUSY, .SQLITE_READONLY, .SQLITE_CORRUPT, .SQLITE_NOTADB,
            .SQLITE_CANTOPEN:
            true
        default: false
        }
    }

    /// Returns the reason why a migration failed if its table belongs to another module; nil if its record is lost.
    private func clash(of module: String, _ error: DatabaseError, _ db: Database) throws -> String? {
        // The storage's own tables come first.
        guard module != Schema.ownModule, let message = error.message else { return nil }
        // The message is "table note already exists".
        let words = message.split(separator: " ")
        if words.first == "table", words.count == 4 {
            let table = String(words[1])
            let owner = modules.first { other in
                guard other.module != module else { return false }
                return (try? Schema(modules: [other]).withNewDatabase { db in try db.tableExists(table) }) ?? false
            }
            if let owner { return "table \(table) belongs to \(owner.module); rename it" }
        }
        // A module with a generation has been migrated before.
        return try Storage.generation(of: module, in: db) == 0 ? "\(message), of another module; rename it" : nil
    }

    /// A migration that was already applied runs again only if its record is lost to corruption, or if another module
    /// has created its table.
    private static func indicatesAppliedMigration(_ error: DatabaseError) -> Bool {
        guard error.resultCode == .SQLITE_ERROR, let message = error.message else { return false }
        return message.hasSuffix("already exists") || message.hasPrefix("duplicate column name")
    }

    private func checkForeignKeys(_ db: Database, path: String) throws {
        guard let row = try Row.fetchOne(db, sql: "PRAGMA foreign_key_check") else { return }
        let table: String = try row.value(0) ?? ""
        throw StorageError.migrationFailed(
            path: path, module: Schema.ownModule, migration: "foreign keys", reason: "\(table) refers to a missing row")
    }

    // MARK: - Invalid statements

    /// Returns the error of a statement that is invalid in an intact database as well; nil if the file may be corrupt.
    ///
    /// Compiles the statement in a new database in memory.
    ///
    /// - Parameter missingModules: The modules that use the storage, but whose migrations were not given.
    func programError(_ error: DatabaseError, using missingModules: [ModuleMigrations]) -> StorageError? {
        guard error.indicatesCorruptSchema, let message = error.message, let sql = error.sql,
            rejects(sql, with: message) == true
        else { return nil }
        let missing = missingModules.first { Schema(modules: modules + [$0]).rejects(sql, with: message) == false }
        if let missing { return .missingModule(missing.module) }
        let remedy = "correct the statement, or add the migrations of its module to Storage(at:migrations:)"
        return .failed(code: error.extendedResultCode.rawValue, detail: "\(message); \(remedy)")
    }

    /// Returns `true` if a statement is invalid in a new database, with the same message; nil if none can be created.
    private func rejects(_ sql: String, with message: String) -> Bool? {
        try? withNewDatabase { db in
            // Of several statements, the first is the invalid one.
            do {
                _ = try db.allStatements(sql: sql).next()
                return false
            } catch let error as DatabaseError {
                return error.message == message
            }
        }
    }

    /// Calls `body` with a new database in memory, which also has the table of a replica.
    private func withNewDatabase<T>(_ body: (Database) throws -> T) throws -> T {
        try DatabaseQueue().inDatabase { db in
            try migrate(db, path: ":memory:")
            try JournalPosition(sequence: 0, id: UUID()).makeReplica(db)
            return try body(db)
        }
    }

    // MARK: - The storage's own tables

    private static let own = ModuleMigrations(
        module: ownModule,
        [
            .init(
                "1-storage",
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
                    """),
            .init("2-changes", sql: ChangeJournal.tables),
        ])
}

/// The named migrations of one module's tables, oldest first.
///
/// Each migration is recorded under its module ("ContactBook/1-contacts") and runs once on each file. A released
/// migration never changes; later changes of the schema are new migrations at the end.
///
/// Modules do not see each other's migrations, so a program that knows only some of the modules can open the same file.
/// All modules share one file, so the names of a module's tables should begin with its subject.
public struct ModuleMigrations: Sendable {
    /// A named step from one version of the tables to the next.
    public struct Migration: Sendable {
        let name: String
        let migrate: @Sendable (Database) throws -> Void

        /// Creates a migration that executes SQL statements.
        public init(_ name: String, sql: String) {
            self.init(name) { db in try db.execute(sql: sql) }
        }

        /// Creates a migration. Foreign keys are not enforced while it runs; they are checked at the end.
        public init(_ name: String, _ migrate: @escaping @Sendable (Database) throws -> Void) {
            self.name = name
            self.migrate = migrate
        }
    }

    /// The module's name, such as "ContactBook".
    public let module: String

    let steps: [Migration]

    /// Creates the migrations of a module, oldest first. A repeated name is ignored.
    public init(module: String, _ migrations: [Migration]) {
        self.module = module
        var seen: Set<String> = []
        steps = migrations.filter { seen.insert($0.name).inserted }
    }
}
