public import ArgumentParser
import Foundation
public import SwitchboardAirports
public import SwitchboardContacts
import SwitchboardKit
public import SwitchboardProspects
public import SwitchboardReminders
public import SwitchboardStorage

/// The options and arguments of a command that can run, as opposed to a group of subcommands.
protocol Command: ParsableArguments {
    static var configuration: CommandConfiguration { get }

    /// `true` if the command only reads personal data. A missing database is then treated as empty, not created.
    var isReading: Bool { get }

    /// Runs the command and returns the exit status.
    ///
    /// - Throws: Any error; `SwitchboardError` turns it into a message and an exit status.
    func run(_ session: Session) throws -> ExitStatus
}

extension Command {
    var isReading: Bool { false }
}

/// A command with the options that all commands share.
struct Runnable<Options: Command>: RunnableCommand {
    static var configuration: CommandConfiguration { Options.configuration }

    @OptionGroup var options: Options
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        session.isReading = options.isReading
        return try options.run(session)
    }
}

/// A type-erased ``Runnable``.
protocol RunnableCommand: ParsableCommand {
    var global: GlobalOptions { get }
    func run(_ session: Session) throws -> ExitStatus
}

/// Returns commands in the form that the parser needs.
func commands(_ types: [any Command.Type]) -> [any ParsableCommand.Type] {
    func runnable<Options: Command>(_ command: Options.Type) -> any ParsableCommand.Type { Runnable<Options>.self }
    return types.map { runnable($0) }
}

extension CommandConfiguration {
    init(
        _ name: String, _ abstract: String, discussion: String = "", subcommands: [any ParsableCommand.Type] = [],
        defaultSubcommand: (any ParsableCommand.Type)? = nil, aliases: [String] = []
    ) {
        self.init(
            commandName: name, abstract: abstract, discussion: discussion, subcommands: subcommands,
            defaultSubcommand: defaultSubcommand, aliases: aliases)
    }
}

/// The options that all commands share, given before or after the command's name.
struct GlobalOptions: ParsableArguments {
    @Option(
        "The database file. (default: $SWITCHBOARD_DATABASE or $XDG_DATA_HOME/switchboard/switchboard.sqlite)", "file",
        completion: .file(extensions: ["sqlite"]))
    var database: String?

    @Flag(help: "Print JSON.")
    var json = false

    @Option(
        "The maximum number of rows; 0 means all. (default: 10 for searches, all for lists)", "n",
        name: [.long, .customShort("n")])
    var limit: Int?

    @Flag(help: "Do not use colours.")
    var noColor = false

    @Flag(name: [.long, .customShort("q")], help: "Print only errors on standard error.")
    var quiet = false

    @Flag(help: "Print the database, the language and timings on standard error.")
    var verbose = false

    mutating func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit \(limit) is negative; use 0 for all rows") }
        if database == "" { throw ValidationError("--database needs a file name") }
    }

    /// The flags, as typed.
    static let flags = ["--json", "--no-color", "--quiet", "-q", "--verbose"]
    /// The options with a value, as typed.
    static let valued = ["--database", "--limit", "-n"]
}

extension Option {
    /// Creates an option, by default one whose value may begin with a hyphen.
    init<T: ExpressibleByArgument>(
        _ help: String, _ value: String, name: NameSpecification = .long,
        parsing: SingleValueParsingStrategy = .unconditional, completion: CompletionKind? = nil
    ) where Value == T? {
        self.init(name: name, parsing: parsing, help: ArgumentHelp(help, valueName: value), completion: completion)
    }

    /// Creates an option that may be repeated.
    init<T: ExpressibleByArgument>(
        wrappedValue: [T], _ help: String, _ value: String, completion: CompletionKind? = nil
    ) where Value == [T] {
        let help = ArgumentHelp(help, valueName: value)
        self.init(
            wrappedValue: wrappedValue, parsing: .unconditionalSingleValue, help: help, completion: completion)
    }
}

extension Argument {
    /// Creates an argument of any number of words; the second parameter is its name in the help.
    init<T: ExpressibleByArgument>(wrappedValue: [T], _ help: String, _ value: String) where Value == [T] {
        self.init(wrappedValue: wrappedValue, help: ArgumentHelp(help, valueName: value))
    }
}

extension AccessSubject: ExpressibleByArgument {}
extension ContactSortOrder: ExpressibleByArgument {}
extension NearestOrder: ExpressibleByArgument {}
extension ProspectFilter: ExpressibleByArgument {}
extension ProspectOrder: ExpressibleByArgument {}
extension Reminder.State: ExpressibleByArgument {}

/// Checks the value of an option for a language, such as `pt-BR`.
func checkLanguage(_ language: String?) throws {
    guard let language else { return }
    let code = language.split { "-_.@".contains($0) }.first.map { String($0).lowercased() } ?? ""
    guard Locale.LanguageCode(code).isISOLanguage else {
        throw ValidationError("unknown language “\(language)”; use a tag such as en, ru or pt-BR")
    }
}

struct RegionOption: ParsableArguments {
    @Option("The region of numbers without a country code, such as TR.", "code", parsing: .next)
    var region: String?
}

/// The option of searches that shows why rows match.
struct ExplainOption: ParsableArguments {
    @Flag(help: "Show why each row matches and what decides about its place.")
    var explain = false
}
