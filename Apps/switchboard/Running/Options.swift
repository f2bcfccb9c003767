/// The values of the global options, independent of the way the arguments were parsed.
struct Options {
    /// The database file, or `nil` for the default.
    var database: String?
    /// Prints JSON if `true`.
    var json = false
    /// The maximum number of rows, 0 for all, or `nil` for the default of the command.
    var limit: Int?
    /// Disables colours.
    var noColor = false
    /// Suppresses everything but errors on standard error.
    var quiet = false
    /// Prints details and timings on standard error.
    var verbose = false
}

extension GlobalOptions {
    /// The parsed values.
    var options: Options {
        Options(database: database, json: json, limit: limit, noColor: noColor, quiet: quiet, verbose: verbose)
    }
}
