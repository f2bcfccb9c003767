public import ArgumentParser
public import SwitchboardAirports
import SwitchboardKit
public import SwitchboardProspects
public import SwitchboardReminders
public import SwitchboardStorage

/// A command that runs, as opposed to a group of subcommands.
protocol Command: ParsableCommand {
    /// The options that every command takes.
    var global: GlobalOptions { get }

    /// Runs the command and returns the exit status.
    ///
    /// - Throws: Any error; `SwitchboardError` turns it into a message and an exit status.
    func run(_ session: Session) throws -> ExitStatus
}

/// The options that every command takes, before or after its name.
struct GlobalOptions: ParsableArguments {
    @Option(
        "The database file. (default: $SWITCHBOARD_DATABASE or $XDG_DATA_HOME/switchboard/switchboard.sqlite)", "file")
    var database: String?

    @Flag(help: "Print JSON.")
    var json = false

    @Option("The maximum number of rows; 0 means all. (default: 10 for searches, all for lists)", "n")
    var limit: Int?

    @Flag(help: "Do not use colours.")
    var noColor = false

    @Flag(help: "Print only errors on standard error.")
    var quiet = false

    @Flag(help: "Print the database, the language and timings on standard error.")
    var verbose = false

    mutating func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit \(limit) is negative; use 0 for all rows") }
        if database == "" { throw ValidationError("--database needs a file name") }
    }

    /// The flags, as typed.
    static let flags: Set<String> = ["--json", "--no-color", "--quiet", "--verbose"]
    /// The options with a value, as typed.
    static let valued: Set<String> = ["--database", "--limit"]
}

extension Option {
    /// Creates an option, by default one whose value may begin with a hyphen.
    ///
    /// - Parameters:
    ///   - help: The description.
    ///   - value: The name of the value in the help.
    init<T: ExpressibleByArgument>(
        _ help: String, _ value: String, parsing: SingleValueParsingStrategy = .unconditional
    ) where Value == T? {
        self.init(parsing: parsing, help: ArgumentHelp(help, valueName: value))
    }
}

/// The region option of the commands that read phone numbers.
struct RegionOption: ParsableArguments {
    @Option("The region of numbers without a country code, such as TR.", "code", parsing: .next)
    var region: String?
}

extension AccessSubject: ExpressibleByArgument {}
extension NearestOrder: ExpressibleByArgument {}
extension ProspectFilter: ExpressibleByArgument {}
extension ProspectOrder: ExpressibleByArgument {}
extension Reminder.State: ExpressibleByArgument {}
