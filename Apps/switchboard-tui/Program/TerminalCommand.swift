public import ArgumentParser
import CSwitchboardNcurses
import Foundation
import SwitchboardContacts
import SwitchboardJSON
import SwitchboardKit
import SwitchboardProspects
public import SwitchboardTerminalInterface
import SwitchboardTerminalText

struct TerminalCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "switchboard-tui",
        abstract: "Find people, places and things in a terminal.",
        discussion: """
            A search line and five tabs: Find, Contacts, Prospects, Airports, Activity. Type to search; F1 shows all keys. \
            Colours are off if NO_COLOR is set. The first tab, the theme and the keys are set in switchboard/tui.conf in \
            $XDG_CONFIG_HOME.
            """,
        version: "switchboard-tui \(Switchboard.version)")

    @Argument(
        help: ArgumentHelp(
            "The first search text, or a link to open, such as switchboard://contact/ID.", valueName: "text"))
    var words: [String] = []

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

    @Flag(help: "Print the configuration, with all defaults, in the form of its file.")
    var printConfig = false

    @Option(
        help: ArgumentHelp(
            "Choose one object and print it: contact, airport, prospect, item or any. The picker draws on the terminal, "
                + "also if standard input and output are redirected.", valueName: "kind"))
    var pick: Picker.Kind?

    @Option(help: ArgumentHelp("The first search text.", valueName: "text"))
    var query: String?

    @Option(help: ArgumentHelp("The first tab: find, contacts, prospects, airports or activity.", valueName: "name"))
    var tab: Tab?

    @Flag(help: "Let Tab mark several rows for --pick.")
    var multi = false

    @Option(
        name: .customLong("print"),
        help: ArgumentHelp(
            "What --pick prints of each object: email, phone, iata, id or json. (default: iata for airports, else id)",
            valueName: "what"))
    var printed: Picker.Field?

    mutating func validate() throws {
        if database == "" { throw ValidationError("--database: the file name is empty") }
        if words.count == 1, words[0].wholeMatch(of: /[a-z]+:.*/) != nil, link == nil {
            throw ValidationError("cannot read “\(words[0])” as a link to an object; 'switchboard find' lists objects")
        }
        if pick != nil, link != nil { throw ValidationError("--pick chooses an object; omit the link") }
        if pick != nil, tab != nil { throw ValidationError("--pick lists one kind of object; omit --tab") }
        if query != nil, !words.isEmpty { throw ValidationError("--query and a text are the same; omit one of them") }
        if pick == nil, multi || printed != nil { throw ValidationError("--multi and --print need --pick") }
    }

    /// The link to open, if the text is one.
    var link: DeepLink? { words.count == 1 ? DeepLink(url: words[0]) : nil }

    /// The first search text.
    var firstText: String { query ?? (link == nil ? words.joined(separator: " ") : "") }
}

extension Picker.Kind: ExpressibleByArgument {}

extension Picker.Field: ExpressibleByArgument {}

extension Tab: ExpressibleByArgument {
    /// Creates the tab with a name, such as `contacts`.
    public init?(argument: String) {
        guard let tab = Tab.allCases.first(where: { "\($0)" == argument.lowercased() }) else { return nil }
        self = tab
    }

    /// The names of all tabs.
    public static var allValueStrings: [String] { allCases.map { "\($0)" } }
}

/// The entry point, which runs the interface or reports in one line why it cannot run.
enum Program {
    /// - Parameter arguments: the arguments after the program name.
    static func run(_ arguments: [String]) -> ExitStatus {
        let command: TerminalCommand
        do {
            command = try TerminalCommand.parse(arguments)
        } catch {
            if TerminalCommand.exitCode(for: error) == .success {
                Swift.print(TerminalCommand.fullMessage(for: error))
                return .done
            }
            let message = TerminalCommand.message(for: error).split(separator: "\n").first.map(String.init)
            let text = message ?? "invalid usage"
            report(.usage(text.prefix(1).lowercased() + text.dropFirst()))
            return .usage
        }
        do {
            return try run(command)
        } catch {
            let error = SwitchboardError(error)
            report(error)
            return error.status
        }
    }

    /// Reads `switchboard/tui.conf` in `$XDG_CONFIG_HOME`, by default `~/.config`.
    private static func configuration() throws -> TerminalConfiguration {
        guard let file = try? ProcessEnvironment.current.settingsFile("tui.conf"),
            FileManager.default.fileExists(atPath: file)
        else { return TerminalConfiguration() }
        guard let data = FileManager.default.contents(atPath: file) else {
            throw SwitchboardError(
                code: "inputOutput", message: "cannot read \(file); check its permissions", file: file,
                status: .inputOutput)
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw SwitchboardError(
                code: "malformedInput", message: "the file is not UTF-8; save it as UTF-8", file: file,
                status: .malformed)
        }
        return try TerminalConfiguration(parsing: text, file: file)
    }

    private static func run(_ command: TerminalCommand) throws -> ExitStatus {
        let configuration = try configuration()
        if command.printConfig {
            Swift.print(configuration.text, terminator: "")
            return .done
        }
        guard command.pick != nil || isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 else {
            throw SwitchboardError.usage(
                "switchboard-tui needs a terminal for input and output; 'switchboard' works without one")
        }
        let environment = ProcessEnvironment.current
        let settings = Settings(
            database: try command.database ?? environment.database(),
            region: try configuration.region ?? environment.region(),
            language: environment.language ?? "en")
        // Create only the default folder: a mistyped path must not create folders.
        if let database = command.database {
            let folder = URL(fileURLWithPath: database).deletingLastPathComponent().path
            guard FileManager.default.fileExists(atPath: folder) else {
                throw SwitchboardError(
                    code: "missing", message: "there is no folder \(folder); create it or correct --database",
                    file: database, status: .missing)
            }
        }
        if environment.terminal == "dumb" { throw Terminal.cannotPositionCursor("dumb") }
        let switchboard = Switchboard(settings)
        // Report database errors before drawing anything.
        _ = try switchboard.storage
        let server = try environment.server(command.remote)
        let isPlain = command.noColor || !environment.allowsColors || configuration.theme == .mono
        let terminal = try Terminal(
            wantsColors: !isPlain, configuration: configuration, term: environment.terminal,
            device: command.pick == nil ? nil : "/dev/tty")
        let picker = command.pick.map { Picker($0, takesSeveral: command.multi, field: command.printed) }
        let session = Session(
            terminal, switchboard, server, configuration: configuration, picker: picker, query: command.firstText,
            tab: command.tab)
        let exitReason = session.run(opening: command.link)
        terminal.close()
        defer { switchboard.close() }
        switch exitReason {
        case .quit: return .done
        case .cancelled: return .interrupted
        case .picked(let links):
            let field = picker?.field ?? .id
            return try print(field, of: links.compactMap { try switchboard.result(at: $0) })
        case .signal(let number):
            switchboard.close()
            terminal.terminate(bySignal: number)
            return .interrupted
        }
    }

    /// Prints a line for each object that has the field.
    private static func print(_ field: Picker.Field, of results: [SearchResult]) throws -> ExitStatus {
        var lines: [String] = []
        for result in results {
            if let text = field == .json ? try OrderedJSON.text(result) : field.text(of: result) {
                // A line break in a field would look like another result.
                lines.append(TerminalText.sanitized(text))
            } else {
                report(
                    SwitchboardError(
                        code: "notFound", message: "\(result.title) has no \(field.name)", status: .nothingFound))
            }
        }
        for line in lines { Swift.print(line) }
        return lines.isEmpty ? .nothingFound : .done
    }

    private static func report(_ error: SwitchboardError) {
        let line = "switchboard-tui: " + TerminalText.sanitized(error.description) + "\n"
        // Safe: the system reads no more than the size of the buffer.
        _ = unsafe Array(line.utf8).withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

extension TerminalConfiguration {
    /// Sets the region in the user's `tui.conf`, which is created if it is missing. Other lines stay.
    static func store(region: String) throws {
        let file = try ProcessEnvironment.current.settingsFile("tui.conf")
        let old = FileManager.default.contents(atPath: file).map { String(decoding: $0, as: UTF8.self) } ?? ""
        var lines = old.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        let name = { (line: String) in line.prefix { $0 != "=" }.trimmingCharacters(in: .whitespaces) }
        lines.removeAll { name($0) == "region" }
        lines.append("region = \(region)")
        do {
            try FileManager.default.createDirectory(
                atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(
                to: URL(fileURLWithPath: file), options: .atomic)
        } catch {
            throw SwitchboardError(
                code: "inputOutput", message: "cannot write \(file); check its permissions", file: file,
                status: .inputOutput)
        }
    }
}

/// The event loop: passes input and responses to the interface, draws its screen and executes its requests.
///
/// The loop waits only for input, signals and responses; ``RequestHandler`` runs everything slow on other threads.
final class Session {
    enum ExitReason {
        case quit
        case picked([DeepLink])
        case cancelled
        case signal(Int32)
    }

    private let terminal: Terminal
    private let handler: RequestHandler
    private let events = EventQueue()
    private var interface: Interface
    private var keys = KeyReader()
    private var exitReason: ExitReason?
    private let startedAt = ContinuousClock.now

    private let isPicking: Bool

    init(
        _ terminal: Terminal, _ switchboard: Switchboard, _ server: AirportServer?,
        configuration: TerminalConfiguration, picker: Picker? = nil, query: String = "", tab: Tab? = nil
    ) {
        self.terminal = terminal
        handler = RequestHandler(switchboard, server, events: events)
        isPicking = picker != nil
        interface = Interface(
            size: terminal.size, language: switchboard.settings.language, hasColours: terminal.hasColors,
            picker: picker, query: query, tab: tab, region: switchboard.settings.region, configuration: configuration)
    }

    /// Runs until the user quits or a signal arrives.
    ///
    /// - Parameter link: the object to show first.
    func run(opening link: DeepLink?) -> ExitReason {
        // A picker is short-lived and delivers no reminders.
        handler.start(deliveringReminders: !isPicking)
        execute(interface.start())
        if let link { execute(interface.open(link)) }
        while true {
            terminal.show(interface.screen())
            handle(.drawn)
            let readiness = terminal.wait()
            if readiness.contains(.wakeup) { readSignals() }
            for event in events.drain() { handle(event) }
            // All pending keys are handled before the next screen is drawn.
            if readiness.contains(.input) {
                while exitReason == nil, let event = keys.next() { handle(event) }
            }
            if readiness.contains(.hangup), !readiness.contains(.input) { exitReason = .signal(SIGHUP) }
            if let exitReason {
                handler.stop()
                return exitReason
            }
        }
    }

    private func handle(_ event: Event) { execute(interface.handle(event, at: startedAt.duration(to: .now))) }

    private func execute(_ requests: [Request]) {
        for request in requests {
            switch request {
            case .quit: exitReason = .quit
            case .pick(let links): exitReason = .picked(links)
            case .cancelPicking: exitReason = .cancelled
            case .suspend:
                terminal.suspend()
                resize()
            case .redraw: terminal.redraw()
            case .copy(let text): terminal.copy(text)
            case .editNote(let result, let note): edit(note, of: result)
            default: handler.execute(request)
            }
        }
    }

    /// Edits a note in the user's text editor, which takes over the terminal.
    private func edit(_ note: String, of result: SearchResult) {
        terminal.close()
        let outcome = Result {
            let text = try EditedText(note, suffix: ".txt")
            let edited = try text.edit()
            text.remove()
            return edited
        }
        terminal.reopen()
        resize()
        switch outcome {
        case .success(nil): handle(.notice("the note is unchanged"))
        case .success(let text?):
            // Editors end a file with a line break.
            let note = text.hasSuffix("\n") ? String(text.dropLast()) : text
            handle(.noteEdited(result, note))
        case .failure(let error): handle(.failed(SwitchboardError(error).description, of: nil))
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

    private func resize() { handle(.resized(terminal.size)) }
}
