import ArgumentParser
import CSwitchboardNcurses
import Foundation
import SwitchboardKit
import SwitchboardTerminalInterface
import SwitchboardTerminalText

/// The event loop: passes input and responses to the interface, draws its screen and executes its requests.
///
/// The loop waits only for input, signals and responses; ``RequestHandler`` runs everything slow on other threads.
final class Session {
    enum ExitReason {
        case quit
        case signal(Int32)
    }

    private let terminal: Terminal
    private let handler: RequestHandler
    private let events = EventQueue()
    private var interface: Interface
    private var keys = KeyReader()
    private var exitReason: ExitReason?

    init(_ terminal: Terminal, _ switchboard: Switchboard, _ server: AirportServer?) {
        self.terminal = terminal
        handler = RequestHandler(switchboard, server, events: events)
        interface = Interface(
            size: terminal.size, language: switchboard.settings.language, hasColours: terminal.hasColours)
    }

    /// Runs until the user quits or a signal arrives.
    func run() -> ExitReason {
        handler.start()
        execute(interface.start())
        while true {
            terminal.show(interface.screen())
            let readiness = terminal.wait()
            if readiness.contains(.wakeup) { readSignals() }
            for event in events.drain() { execute(interface.handle(event)) }
            // All pending keys are handled before the next screen is drawn.
            if readiness.contains(.input) {
                while exitReason == nil, let event = keys.next() { execute(interface.handle(event)) }
            }
            if readiness.contains(.hangup), !readiness.contains(.input) { exitReason = .signal(SIGHUP) }
            if let exitReason {
                handler.stop()
                return exitReason
            }
        }
    }

    private func execute(_ requests: [Request]) {
        for request in requests {
            switch request {
            case .quit: exitReason = .quit
            case .suspend:
                terminal.suspend()
                resize()
            case .redraw: terminal.redraw()
            default: handler.execute(request)
            }
        }
    }

    /// Handles pending signals; a zero byte only wakes the loop.
    private func readSignals() {
        var bytes = [UInt8](repeating: 0, count: 256)
        // Safe: the system writes no more than the size of the buffer.
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(sb_terminal_signals(), $0.baseAddress, $0.count) }
        guard count > 0 else { return }
        for number in Set(bytes[..<count]).map(Int32.init) {
            switch number {
            case SIGTERM, SIGHUP, SIGINT, SIGQUIT: exitReason = .signal(number)
            case SIGWINCH: resize()
            case SIGTSTP: execute([.suspend])
            case SIGCONT:
                terminal.reopen()
                resize()
            default: break
            }
        }
    }

    private func resize() { execute(interface.handle(.resized(terminal.size))) }
}

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
            // Safe: a value ends with NUL, and nothing changes the environment.
            if let value = unsafe getenv(name) { variables[name] = unsafe String(cString: value) }
        }
        let environment = ProcessEnvironment(variables)
        let settings = Settings(
            database: try command.database ?? environment.database(), region: try environment.region(),
            language: environment.language ?? "en")
        if variables["TERM"] == "dumb" { throw Terminal.cannotPositionCursor("dumb") }
        let switchboard = Switchboard(settings)
        // Database errors are reported before anything is drawn.
        _ = try switchboard.storage
        let server = try environment.server(command.remote)
        let isPlain = command.noColor || !(variables["NO_COLOR"] ?? "").isEmpty
        let terminal = try Terminal(wantsColours: !isPlain, term: variables["TERM"] ?? "")
        let exitReason = Session(terminal, switchboard, server).run()
        terminal.close()
        switchboard.close()
        if case .signal(let number) = exitReason { terminal.terminate(bySignal: number) }
    }

    private static func report(_ error: SwitchboardError) {
        let line = "switchboard-tui: " + TerminalText.sanitized(error.description) + "\n"
        // Safe: the system reads no more than the size of the buffer.
        _ = unsafe Array(line.utf8).withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
