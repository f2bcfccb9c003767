import SwitchboardKit

/// A search command that is parsed without swift-argument-parser.
///
/// The parser took half the time of a cold search: it reflects on every property of every command, and the first dynamic
/// cast to a protocol scans all conformances of the program. Plain words and complete option names are therefore parsed
/// here. Anything else (help, an abbreviation, a word that starts with a hyphen, an error) is left to the parser.
struct FastPathSearch {
    /// The global options.
    private(set) var options = Options()
    private var words: [String] = []
    private var isBatch = false
    private var isKeypad = false
    private let kind: Kind

    /// The supported commands.
    private enum Kind: CaseIterable {
        case all, contactText, contactDigits, airportText, airportDigits

        var path: [String] {
            switch self {
            case .all: ["find"]
            case .contactText: ["contacts", "find"]
            case .contactDigits: ["contacts", "dial"]
            case .airportText: ["airports", "search"]
            case .airportDigits: ["airports", "dial"]
            }
        }
    }

    /// Parses the arguments after the name of the program, or returns `nil` if the parser must handle them.
    init?(_ typed: [String]) {
        for kind in Kind.allCases {
            if let search = FastPathSearch(typed, kind) {
                self = search
                return
            }
        }
        return nil
    }

    private init?(_ typed: [String], _ kind: Kind) {
        self.kind = kind
        var rest = typed[...]
        var names = kind.path[...]
        while let argument = rest.popFirst() {
            if argument.utf8.first == UInt8(ascii: "-") || argument.isEmpty {
                guard parseGlobalOption(argument, &rest) || names.isEmpty && parseFlag(argument) else { return nil }
            } else if let name = names.popFirst() {
                guard argument == name else { return nil }
            } else {
                words.append(argument)
            }
        }
        guard names.isEmpty else { return nil }
    }

    /// Parses a global option, which may appear anywhere, and takes its value from `rest`.
    private mutating func parseGlobalOption(_ argument: String, _ rest: inout ArraySlice<String>) -> Bool {
        switch argument {
        case "--json": options.json = true
        case "--no-color": options.noColor = true
        case "--quiet": options.quiet = true
        case "--verbose": options.verbose = true
        case "--limit":
            guard options.limit == nil, let limit = rest.popFirst().flatMap({ Int($0) }), limit >= 0 else {
                return false
            }
            options.limit = limit
        case "--database":
            guard options.database == nil, let file = rest.popFirst(), let first = file.utf8.first,
                first != UInt8(ascii: "-")
            else { return false }
            options.database = file
        default: return false
        }
        return true
    }

    /// Parses a flag of the command itself.
    private mutating func parseFlag(_ argument: String) -> Bool {
        switch argument {
        case "--batch": isBatch = true
        case "--keypad" where kind == .all: isKeypad = true
        default: return false
        }
        return true
    }

    /// Runs the command and returns the exit status.
    func run(_ session: Session) throws -> ExitStatus {
        switch kind {
        case .all: try session.find(words, isBatch: isBatch, kinds: Set(ResultKind.allCases), isKeypad: isKeypad)
        case .contactText: try session.searchContacts(words, isBatch: isBatch, isKeypad: false)
        case .contactDigits: try session.searchContacts(words, isBatch: isBatch, isKeypad: true)
        case .airportText: try session.searchAirports(words, isBatch: isBatch, isKeypad: false, stage: nil)
        case .airportDigits: try session.searchAirports(words, isBatch: isBatch, isKeypad: true, stage: nil)
        }
    }
}
