public import GRDB

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
