import ArgumentParser
import Foundation
import SwitchboardAccounts
import SwitchboardJSON
import SwitchboardKit

struct ServerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "switchboard-server",
        abstract: "Contacts, prospects, airports and items over HTTP, with a web page.",
        version: "switchboard-server \(Switchboard.version)",
        subcommands: [
            ServeCommand.self, TokenCommand.self, PersonCommand.self, PairCommand.self, PublicCommand.self,
            BackupCommand.self, RestoreCommand.self, ClusterCommand.self,
        ],
        defaultSubcommand: ServeCommand.self)
}

extension Option {
    /// Creates an option whose value may begin with a hyphen. The value is named after the option by default.
    init<T: ExpressibleByArgument>(_ help: String, _ value: String? = nil) where Value == T? {
        self.init(parsing: .unconditional, help: ArgumentHelp(help, valueName: value))
    }
}

/// The options that all commands share.
struct DataOption: ParsableArguments {
    @Option(help: ArgumentHelp("The data folder (default: $XDG_DATA_HOME/switchboard/server).", valueName: "dir"))
    var data: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The PostgreSQL database of a cluster, as a connection string; the folder then holds copies.",
            valueName: "connection"))
    var cluster: String?
    @Option("The time to wait for a PostgreSQL server that accepts writing (default: 15).", "seconds")
    var clusterWait: Int?

    @Flag(help: "Print JSON.") var json = false

    func folder() throws -> String {
        let environment = ProcessInfo.processInfo.environment
        if let data { return data }
        if let data = environment["SWITCHBOARD_SERVER_DATA"], !data.isEmpty { return data }
        if let base = environment["XDG_DATA_HOME"], base.hasPrefix("/") { return base + "/switchboard/server" }
        if let home = environment["HOME"], !home.isEmpty { return home + "/.local/share/switchboard/server" }
        throw SwitchboardError.usage("cannot determine the data folder; set it with --data")
    }
}

/// The output of commands: data on standard output, messages on standard error.
enum Output {
    static func line(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }
    static func note(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
    static func json(_ value: some Encodable) throws { line(try OrderedJSON.text(value)) }

    /// Returns a one-line usage error, with the help command that the parser suggests in its last line.
    static func wrongUsage(_ error: any Error) -> SwitchboardError {
        let reason = ServerCommand.message(for: error).split(separator: "\n").first ?? "wrong usage"
        let help = ServerCommand.fullMessage(for: error).split(separator: "\n").last { $0.contains("--help'") }
        let command = help?.split(separator: "'").dropFirst().first ?? "switchboard-server --help"
        return .usage("\(reason); see '\(command)'")
    }

    /// Prints an error as one line or as JSON, and returns the exit status.
    static func fail(_ error: any Error, asJSON: Bool) -> ExitStatus {
        var fault = SwitchboardError(error)
        if let error = error as? AccountsError { fault.message += error.hint }
        if asJSON, let text = try? OrderedJSON.text(ErrorResponse(fault)) {
            note(text)
        } else {
            note("switchboard-server: \(fault)")
        }
        return fault.status
    }
}

extension AccountsError {
    fileprivate var hint: String {
        switch self {
        case .unknownPerson:
            "; see 'switchboard-server person list', or create the person with --create ('token create' and 'pair')"
        case .unknownToken: "; see 'switchboard-server token list'"
        case .invalidName, .nameInUse, .unknownScope, .unknownSession: ""
        }
    }
}

extension DataOption {
    /// Opens the data folder, or connects to the cluster.
    func store() throws -> DataStore {
        try DataStore(folder: try folder(), cluster: clusterConnection, wait: try Self.clusterWait(clusterWait))
    }

    static func clusterWait(_ seconds: Int?) throws -> Duration {
        guard let seconds else { return ServerOptions.defaultClusterWait }
        guard (1...600).contains(seconds) else {
            throw SwitchboardError.usage("cluster-wait: out of range; use 1 to 600")
        }
        return .seconds(seconds)
    }

    /// The connection string of the cluster; nil without one.
    var clusterConnection: String? {
        let connection = cluster ?? ProcessInfo.processInfo.environment["SWITCHBOARD_SERVER_CLUSTER"] ?? ""
        return connection.isEmpty ? nil : connection
    }

    func accounts() throws -> Accounts { try store().accounts() }
}
