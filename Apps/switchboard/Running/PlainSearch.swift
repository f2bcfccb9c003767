import SwitchboardKit

/// A search with only global options, such as `contacts dial 5646`, which runs without swift-argument-parser.
///
/// The parser looks up a protocol conformance for each property of a command, which takes a fifth of the time of a
/// search in a new process (docs/performance.md). The parser handles everything else, including all errors.
struct PlainSearch {
    let options: GlobalOptions
    /// Runs the search and returns the exit status.
    let run: (Session) throws -> ExitStatus

    /// Creates a plain search; nil if the arguments need the parser.
    init?(_ arguments: NormalizedArguments) {
        let words = arguments.arguments.prefix { !$0.hasPrefix("-") }
        let rest = arguments.arguments.dropFirst(words.count)
        guard !words.isEmpty, let options = GlobalOptions(plain: arguments.globals + rest) else { return nil }
        self.options = options
        let query = words.map(NormalizedArguments.asTyped).joined(separator: " ")
        switch arguments.path {
        case ["contacts", "find"], ["contacts", "dial"]:
            let isKeypad = arguments.path.last == "dial"
            run = { session in
                session.isReading = true
                return try session.searchContacts(query, isKeypad: isKeypad)
            }
        case ["airports", "search"]: run = { try $0.searchAirports(query, isKeypad: false) }
        case ["airports", "dial"]: run = { try $0.searchAirports(query, isKeypad: true) }
        default: return nil
        }
    }
}

extension GlobalOptions {
    /// Creates options from flags and from options with a separate, valid value; nil if there is anything else.
    fileprivate init?(plain arguments: [String]) {
        (database, json, limit, noColor, quiet, verbose) = (nil, false, nil, false, false, false)
        var arguments = arguments[...]
        while let argument = arguments.popFirst() {
            switch argument {
            case "--json": json = true
            case "--no-color": noColor = true
            case "--quiet", "-q": quiet = true
            case "--verbose": verbose = true
            case "--database":
                guard let file = arguments.popFirst(), !file.isEmpty else { return nil }
                database = file
            case "--limit", "-n":
                guard let number = arguments.popFirst().flatMap({ Int($0) }), number >= 0 else { return nil }
                limit = number
            default: return nil
            }
        }
    }
}
