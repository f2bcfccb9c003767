import ArgumentParser

/// The options that every command takes, before or after its name.
struct GlobalOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The database; otherwise $SWITCHBOARD_DATABASE, else switchboard/switchboard.sqlite in $XDG_DATA_HOME.",
            valueName: "file"))
    var database: String?

    @Flag(help: "Answer in JSON.")
    var json = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("At most this many rows; 0 is all. Searches show 10, lists all.", valueName: "n"))
    var limit: Int?

    @Flag(help: "No colours, also on a terminal.")
    var noColor = false

    @Flag(help: "Nothing on standard error but errors.")
    var quiet = false

    @Flag(help: "Say on standard error what is used and how long it took.")
    var verbose = false

    mutating func validate() throws {
        if let limit, limit < 0 { throw ValidationError("limit \(limit) is below zero; 0 means all") }
        if database == "" { throw ValidationError("--database: the name of the file is empty") }
    }

    /// The flags among them, as typed.
    static let flags: Set<String> = ["--json", "--no-color", "--quiet", "--verbose"]
    /// Those that take a value, as typed.
    static let valued: Set<String> = ["--database", "--limit"]
}
