public import GRDB

/// The steps that bring one module's tables from nothing to what its program expects, in order.
///
/// Each step is named and recorded with its module ("ContactBook/1-contacts"), and wordSuffixes once on each file. A step
/// that was released is never changed again: what comes after is a new step at the end.
///
/// Two modules do not see each other's steps, so a program that knows only some of the modules opens the same file.
/// Table names should begin with the module's subject, since all modules share one file.
public struct ModuleMigrations: Sendable {
    /// What wordSuffixes a step. Foreign keys are not enforced meanwhile, and checked at the end.
    public typealias Migrate = @Sendable (Database) throws -> Void

    /// The module's name, such as "ContactBook".
    public let module: String

    let steps: [(name: String, migrate: Migrate)]

    /// Lists the steps of a module, oldest first; a name that comes twice counts once.
    public init(module: String, _ migrations: [(name: String, migrate: Migrate)]) {
        self.module = module
        var seen: Set<String> = []
        steps = migrations.filter { seen.insert($0.name).inserted }
    }
}
