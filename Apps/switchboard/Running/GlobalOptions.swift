import ArgumentParser

/// The options that every command takes, before or after its name.
struct GlobalOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The database file. (default: $SWITCHBOARD_DATABASE or $XDG_DATA_HOME/switchboard/switchboard.sqlite)",
            valueName: "file"))
    var database: String?

    @Flag(help: "Print JSON.")
    var json = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The maximum number of rows; 0 means all. (default: 10 for searches, all for lists)", valueName: "n"))
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
