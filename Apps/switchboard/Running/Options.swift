/// What the options of every command say, however they were read.
struct Options {
    /// The database; nil for that of the surroundings.
    var database: String?
    /// Whether answers are JSON.
    var json = false
    /// At most this many rows, 0 for all; nil for what the command shows by itself.
    var limit: Int?
    /// Whether output is plain also on a terminal.
    var noColor = false
    /// Whether nothing but errors goes to standard error.
    var quiet = false
    /// Whether standard error is told what is used and how long it took.
    var verbose = false
}

extension GlobalOptions {
    /// What was given.
    var options: Options {
        Options(database: database, json: json, limit: limit, noColor: noColor, quiet: quiet, verbose: verbose)
    }
}
