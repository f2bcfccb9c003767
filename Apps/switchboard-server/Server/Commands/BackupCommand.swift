import ArgumentParser
import SwitchboardKit

struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copy all data, as of one moment, to a new folder.",
        discussion: "The server may be running. 'restore --dry-run' shows that the copy can be restored.")

    @Argument(help: "The folder to write, which must not exist yet.") var folder: String
    @OptionGroup var data: DataOption

    func run() throws {
        let people = try ServerBackup(folder: folder).write(try data.singleStore())
        if data.json {
            try Output.json(["people": people])
        } else {
            Output.note("copied the data of \(people) \(people == 1 ? "person" : "people") to \(folder)")
        }
    }
}

struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Replace all data with a backup. The server must be stopped.",
        discussion: "The former data is kept in the folder 'replaced-N' of the data folder.")

    @Argument(help: "The folder that 'backup' has written.") var folder: String
    @Flag(help: "Restore into a temporary folder only, and change nothing.") var dryRun = false
    @OptionGroup var data: DataOption

    func run() throws {
        let people = try ServerBackup(folder: folder).restore(to: try data.singleStore(), isTrial: dryRun)
        if data.json { return try Output.json(["people": people]) }
        let verb = dryRun ? "could restore" : "restored"
        Output.note("\(verb) the data of \(people) \(people == 1 ? "person" : "people") from \(folder)")
    }
}

extension DataOption {
    /// The data folder of a single server.
    ///
    /// - Throws: `SwitchboardError` for a cluster, whose data is in PostgreSQL.
    fileprivate func singleStore() throws -> DataStore {
        guard clusterConnection == nil else {
            throw SwitchboardError.usage(
                "the data of a cluster is in PostgreSQL; use its own backups, or 'switchboard-server cluster export'")
        }
        return try store()
    }
}
