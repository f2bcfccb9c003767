import ArgumentParser
import Foundation
import SwitchboardKit

/// The root command.
struct ServerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "switchboard-server",
        abstract: "Contacts, prospects, airports and items over HTTP, with a web page.",
        version: "switchboard-server \(Switchboard.version)",
        subcommands: [ServeCommand.self, TokenCommand.self, PersonCommand.self, PairCommand.self, PublicCommand.self],
        defaultSubcommand: ServeCommand.self)
}

/// The options that all commands share.
struct DataOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The data folder (default: $XDG_DATA_HOME/switchboard/server).",
            valueName: "dir"))
    var data: String?

    @Flag(help: "Print JSON.") var json = false

    /// Returns the data folder.
    ///
    /// - Throws: `SwitchboardError` if neither an option nor the environment names one.
    func folder() throws -> String {
        let environment = ProcessInfo.processInfo.environment
        if let data { return data }
        if let data = environment["SWITCHBOARD_SERVER_DATA"], !data.isEmpty { return data }
        if let base = environment["XDG_DATA_HOME"], base.hasPrefix("/") { return base + "/switchboard/server" }
        if let home = environment["HOME"], !home.isEmpty { return home + "/.local/share/switchboard/server" }
        throw SwitchboardError.usage("cannot determine the data folder; set it with --data")
    }
}
