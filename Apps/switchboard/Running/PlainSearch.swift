import SwitchboardKit

/// A search asked for plainly, read without the parser.
///
/// Half of what a cold look-up used to take was the parser's: it reflects on every property of every command on the way, and
/// whether a type has a protocol is, the first time, looked for among all that the program has. So a search of plain words and
/// whole option names is read here. Anything else (help, an abbreviation, a word that begins with a minus, a mistake) is not, and
/// the parser answers it.
struct PlainSearch {
    /// The options that every command takes.
    private(set) var options = Options()
    private var words: [String] = []
    private var isBatch = false
    private var isKeypad = false
    private let kind: Kind

    /// The searches that can be asked for so.
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

    /// Reads the arguments after the name of the program; nil if they are for the parser.
    init?(_ typed: [String]) {
        for kind in Kind.allCases {
            if let search = PlainSearch(typed, kind) {
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
                guard readGlobal(argument, &rest) || names.isEmpty && readOwn(argument) else { return nil }
            } else if let name = names.popFirst() {
                guard argument == name else { return nil }
            } else {
                words.append(argument)
            }
        }
        guard names.isEmpty else { return nil }
    }

    /// Reads an option that every command takes and that may stand anywhere; its value is taken from `rest`.
    private mutating func readGlobal(_ argument: String, _ rest: inout ArraySlice<String>) -> Bool {
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

    /// Reads a flag that stands behind the name of the command.
    private mutating func readOwn(_ argument: String) -> Bool {
        switch argument {
        case "--batch": isBatch = true
        case "--keypad" where kind == .all: isKeypad = true
        default: return false
        }
        return true
    }

    /// Does it.
    ///
    /// - Throws: as a command's `run`.
    func run(_ session: Session) throws -> ExitStatus {
        switch kind {
        case .all: try session.find(words, isBatch: isBatch, kinds: Set(ResultKind.allCases), isKeypad: isKeypad)
        case .contactText: try session.findContacts(words, isBatch: isBatch)
        case .contactDigits: try session.dialContacts(words, isBatch: isBatch)
        case .airportText: try session.searchAirports(words, isBatch: isBatch, stage: nil)
        case .airportDigits: try session.dialAirports(words, isBatch: isBatch, stage: nil)
        }
    }
}
