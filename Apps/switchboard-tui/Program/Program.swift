import ArgumentParser
import SwitchboardKit
import SwitchboardTerminalText

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The command line of the terminal interface.
struct TerminalCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "switchboard-tui",
        abstract: "Find people, places and things, and work with them, in a terminal.",
        discussion: """
            One search line, five tabs: Find, Contacts, Prospects, Airports, Activity. Letters go to the search line; F1 shows every \
            key. NO_COLOR is honoured.
            """,
        version: "switchboard-tui \(Switchboard.version)")

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The database; otherwise $SWITCHBOARD_DATABASE, else switchboard/switchboard.sqlite in $XDG_DATA_HOME.",
            valueName: "file"))
    var database: String?

    @Option(
        help: ArgumentHelp(
            "The server to ask for airports that are not known here; otherwise $SWITCHBOARD_REMOTE.",
            valueName: "url"))
    var remote: String?

    @Flag(help: "No colours, as with NO_COLOR.")
    var noColor = false

    mutating func validate() throws {
        if database == "" { throw ValidationError("--database: the name of the file is empty") }
    }
}

/// WordSuffixes the interface and says in one line why it cannot.
enum Program {
    /// - Parameter arguments: those after the name of the program.
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
                    TerminalCommand.message(for: error).split(separator: "\n").first.map(String.init) ?? "wrong usage"))
            return .usage
        }
        do {
            try run(command)
            return .done
        } catch {
            let fault = Fault(error)
            report(fault)
            return fault.status
        }
    }

    private static func run(_ command: TerminalCommand) throws {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            throw Fault.usage("switchboard-tui needs a terminal for input and output; 'switchboard' works without one")
        }
        var variables: [String: String] = [:]
        for name in ProcessEnvironment.variables + ["NO_COLOR", "TERM"] {
            if let value = getenv(name) { variables[name] = String(cString: value) }
        }
        let surroundings = ProcessEnvironment(variables)
        let settings = Settings(
            database: try command.database ?? surroundings.database(), region: try surroundings.region(),
            language: surroundings.language ?? "en")
        if variables["TERM"] == "dumb" { throw Terminal.fault(.tooSimple, term: "dumb") }
        let switchboard = Switchboard(settings)
        // What is wrong with the database is said before anything is drawn.
        _ = try switchboard.storage
        let server = try server(command.remote, surroundings)
        let isPlain = command.noColor || !(variables["NO_COLOR"] ?? "").isEmpty
        let terminal = try Terminal(wantsColours: !isPlain, term: variables["TERM"] ?? "")
        let ending = Session(terminal, switchboard, server).run()
        terminal.close()
        switchboard.close()
        if case .signal(let number) = ending { terminal.die(of: number) }
    }

    private static func server(_ remote: String?, _ surroundings: ProcessEnvironment) throws(Fault) -> AirportServer? {
        guard let address = remote ?? surroundings.remote else { return nil }
        do {
            return try AirportServer(address)
        } catch {
            var fault = Fault(error)
            fault.message = "\(remote == nil ? "SWITCHBOARD_REMOTE" : "--remote"): \(fault.message)"
            throw fault
        }
    }

    private static func report(_ fault: Fault) {
        let line = "switchboard-tui: " + TerminalText.harmless(fault.description) + "\n"
        _ = Array(line.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
