import ArgumentParser
import Foundation
import SwitchboardKit

/// The root of all commands.
struct ServerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "switchboard-server",
        abstract: "Contacts, prospects, airports and items over HTTP, with a web page.",
        version: "switchboard-server \(Switchboard.version)",
        subcommands: [ServeCommand.self, TokenCommand.self, PersonCommand.self, PairCommand.self, PublicCommand.self],
        defaultSubcommand: ServeCommand.self)
}

/// Where the server keeps everything.
struct DataOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder in which everything is kept; $XDG_DATA_HOME/switchboard/server unless given.",
            valueName: "dir"))
    var data: String?

    @Flag(help: "Answer as JSON.") var json = false

    /// The folder.
    ///
    /// - Throws: a `Fault` if nothing tells where the person's files are.
    func folder() throws -> String {
        let environment = ProcessInfo.processInfo.environment
        if let data { return data }
        if let data = environment["SWITCHBOARD_SERVER_DATA"], !data.isEmpty { return data }
        if let base = environment["XDG_DATA_HOME"], base.hasPrefix("/") { return base + "/switchboard/server" }
        if let home = environment["HOME"], !home.isEmpty { return home + "/.local/share/switchboard/server" }
        throw Fault.usage("no home folder is known to keep the data in; name a folder with --data")
    }
}
