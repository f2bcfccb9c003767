import ArgumentParser
import Foundation
import SwitchboardDBus
import SwitchboardKit

struct DesktopCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "switchboard-desktop",
        abstract: "Find people, places and things in the desktop's own search.",
        discussion: """
            The desktop starts this program when someone searches, and it ends when it is no longer used. With \
            --reminders it delivers reminders as long as the session lasts. \
            'switchboard desktop' chooses what the search shows.
            """,
        version: "switchboard-desktop \(Switchboard.version)")

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The database. (default: $SWITCHBOARD_DATABASE, else switchboard/switchboard.sqlite in $XDG_DATA_HOME)",
            valueName: "file"))
    var database: String?

    @Option(help: ArgumentHelp("End after so many seconds without a call.", valueName: "seconds"))
    var idle = 60

    @Flag(help: "Deliver reminders as notifications until the session ends, instead of searching.")
    var reminders = false

    mutating func validate() throws {
        if database == "" { throw ValidationError("--database: the file name is empty") }
        guard (1...86_400).contains(idle) else {
            throw ValidationError("--idle \(idle) is out of range; use 1 to 86400 seconds")
        }
    }
}

/// The entry point, which runs the service or reports in one line why it cannot run.
enum Program {
    static func run(_ arguments: [String]) -> ExitStatus {
        let command: DesktopCommand
        do {
            command = try DesktopCommand.parse(arguments)
        } catch {
            if DesktopCommand.exitCode(for: error) == .success {
                print(DesktopCommand.fullMessage(for: error))
                return .done
            }
            let lines = DesktopCommand.message(for: error).split(separator: "\n")
            report(.usage(lines.first.map(String.init) ?? "invalid usage"))
            return .usage
        }
        do {
            try run(command)
            return .done
        } catch let error as DBusError {
            report(
                SwitchboardError(
                    code: "unavailable", message: "cannot use the session bus: \(error.text)", status: .unavailable))
            return .unavailable
        } catch {
            let error = SwitchboardError(error)
            report(error)
            return error.status
        }
    }

    private static func run(_ command: DesktopCommand) throws {
        let environment = ProcessEnvironment.current
        let settings = Settings(
            database: try command.database ?? environment.database(), region: try environment.region(),
            language: environment.language ?? "en")
        if command.reminders {
            let switchboard = Switchboard(settings)
            defer { switchboard.close() }
            return try ReminderService(switchboard: switchboard).run()
        }
        let backend = Backend(
            switchboard: Switchboard(settings), settingsFile: try environment.settingsFile("desktop.conf"))
        defer { backend.switchboard.close() }
        let pictures = PictureFiles(sessionFolder: ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"])
        try DesktopService(backend, pictures, idle: .seconds(command.idle)).run()
    }

    private static func report(_ error: SwitchboardError) {
        FileHandle.standardError.write(Data("switchboard-desktop: \(error.description)\n".utf8))
    }
}

/// The switchboard and the settings of the desktop's search, which are read on each use to apply changes at once.
struct Backend: Sendable {
    let switchboard: Switchboard
    let settingsFile: String

    func settings() throws -> DesktopSettings { try DesktopSettings(file: settingsFile) }

    /// Returns the results of a search, ranked as on the command line.
    func search(_ text: String, isCancelled: @escaping Switchboard.CancellationCheck) throws -> [SearchResult] {
        try switchboard.searchForDesktop(text, settings: settings(), isCancelled: isCancelled)
    }

    /// Opens the result with an identifier.
    ///
    /// - Throws: ``SwitchboardError`` if it does not exist or cannot be opened.
    func open(_ id: String, for text: String, _ action: DesktopAction? = nil, activationToken: String? = nil) throws {
        guard let result = try switchboard.desktopResult(id, settings: settings()) else {
            throw SwitchboardError(
                code: "notFound", message: "“\(id)” is not a result of a search", status: .nothingFound)
        }
        let opening = try switchboard.openingChosen(result, for: text)
        guard let action else {
            return try check(Desktop.open(opening, activationToken: activationToken), of: opening.address)
        }
        guard let address = DesktopRow(result).actions[action] else {
            throw SwitchboardError.usage("\(result.title) has no address for “\(action.label)”")
        }
        try open(address: address, activationToken)
    }

    /// Opens an address in the user's default program for it.
    func open(address: String, _ activationToken: String? = nil) throws {
        try check(Desktop.open(address, activationToken: activationToken), of: address)
    }

    private func check(_ outcome: Desktop.Outcome, of address: String) throws {
        switch outcome {
        case .opened: return
        case .noDesktop:
            throw SwitchboardError(
                code: "noDesktop", message: "cannot open \(address) without a graphical desktop", status: .unavailable)
        case .failed:
            throw SwitchboardError(
                code: "notOpened", message: "no program opens \(address); install one, such as switchboard-tui",
                status: .unavailable)
        }
    }
}
