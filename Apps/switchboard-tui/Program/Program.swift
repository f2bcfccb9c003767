import ArgumentParser
import Foundation
import SwitchboardKit
import SwitchboardTerminalText

/// The command line of the terminal interface.
struct TerminalCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "switchboard-tui",
        abstract: "Find people, places and things in a terminal.",
        discussion: """
            A search line and five tabs: Find, Contacts, Prospects, Airports, Activity. Type to search; F1 shows all keys. \
            Colours are off if NO_COLOR is set.
            """,
        version: "switchboard-tui \(Switchboard.version)")

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The database. (default: $SWITCHBOARD_DATABASE, else switchboard/switchboard.sqlite in $XDG_DATA_HOME)",
            valueName: "file"))
    var database: String?

    @Option(
        help: ArgumentHelp(
            "A server whose further airports are added to the results. (default: $SWITCHBOARD_REMOTE)",
            valueName: "url"))
    var remote: String?

    @Flag(help: "Disable colours, as NO_COLOR does.")
    var noColor = false

    mutating func validate() throws {
        if database == "" { throw ValidationError("--database: the file name is empty") }
    }
}

/// Runs the interface, or reports in one line why it cannot run.
enum Program {
    /// - Parameter arguments: the arguments after the program name.
    static func run(_ arguments: [String]) -> ExitStatus {
        let command: TerminalCommand
        do {
            command = try TerminalCommand.parse(arguments)
        } catch {
            if TerminalCommand.exitCode(for: error) == .success {
                print(TerminalCommand.fullMessage(for: error))
                return .done
            }
            report(
                .usage(
                    TerminalCommand.message(for: error).split(separator: "\n").first.map(String.init) ?? "invalid usage"
                ))
            return .usage
        }
        do {
            try run(command)
            return .done
        } catch {
            let error = SwitchboardError(error)
            report(error)
            return error.status
        }
    }

    private static func run(_ command: TerminalCommand) throws {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            throw SwitchboardError.usage(
                "switchboard-tui needs a terminal for input and output; 'switchboard' works without one")
        }
        var variables: [String: String] = [:]
        for name in ProcessEnvironment.variables + ["NO_COLOR", "TERM"] {
            if let value = getenv(name) { variables[name] = String(cString: value) }
        }
        let environment = ProcessEnvironment(variables)
        let settings = Settings(
            database: try command.database ?? environment.database(), region: try environment.region(),
            language: environment.language ?? "en")
        if variables["TERM"] == "dumb" { throw Terminal.cannotPositionCursor("dumb") }
        let switchboard = Switchboard(settings)
        // Database errors are reported before anything is drawn.
        _ = try switchboard.storage
        let server = try server(command.remote, environment)
        let isPlain = command.noColor || !(variables["NO_COLOR"] ?? "").isEmpty
        let terminal = try Terminal(wantsColours: !isPlain, term: variables["TERM"] ?? "")
        let exitReason = Session(terminal, switchboard, server).run()
        terminal.close()
        switchboard.close()
        if case .signal(let number) = exitReason { terminal.terminate(bySignal: number) }
    }

    private static func server(
        _ remote: String?, _ environment: ProcessEnvironment
    ) throws(SwitchboardError) -> AirportServer? {
        guard let address = remote ?? environment.remote else { return nil }
        do {
            return try AirportServer(address)
        } catch {
            var error = SwitchboardError(error)
            error.message = "\(remote == nil ? "SWITCHBOARD_REMOTE" : "--remote"): \(error.message)"
            throw error
        }
    }

    private static func report(_ error: SwitchboardError) {
        let line = "switchboard-tui: " + TerminalText.sanitized(error.description) + "\n"
        _ = Array(line.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
