/// A search asked for plainly, read without the parser.
///
/// Half of what a cold look-up used to take was the parser's: it reflects on every property of every command on the way, and
/// whether a type has a protocol is, the first time, looked for among all that the program has. So a search of plain words and
/// whole option names is read here. Anything else (help, an abbreviation, a word that begins with a minus, a mistake) is not, and
/// the parser answers it.
struct PlainArguments {
    /// The words behind the name of the command.
    private(set) var words: [String] = []
    /// The flags that only the command has, such as `--keypad`.
    private(set) var flags: [String] = []
    private(set) var batch = BatchOptions.plain
    private(set) var global = GlobalOptions.plain

    /// The searches that can be asked for so.
    private static let searches: [(path: [String], command: any PlainSearch.Type)] = [
        (["find"], FindCommand.self), (["contacts", "find"], ContactsFind.self), (["contacts", "dial"], ContactsDial.self),
        (["airports", "search"], AirportsSearch.self), (["airports", "dial"], AirportsDial.self),
    ]

    /// The search that arguments ask for; nil if they are for the parser.
    static func search(_ typed: [String]) -> (any Command)? {
        for (path, command) in searches {
            if let plain = PlainArguments(typed, path: path, flags: command.plainFlags) { return command.init(plain) }
        }
        return nil
    }

    /// - Parameters:
    ///   - path: the name of the command, which global options may stand before.
    ///   - known: the flags that only this command has.
    private init?(_ typed: [String], path: [String], flags known: [String]) {
        var rest = typed[...]
        var names = path[...]
        while let argument = rest.popFirst() {
            if let isRead = readGlobal(argument, &rest) {
                guard isRead else { return nil }
            } else if argument.isEmpty || argument.hasPrefix("-") {
                guard names.isEmpty else { return nil }
                if argument == "--batch" {
                    batch.batch = true
                } else if known.contains(argument) {
                    flags.append(argument)
                } else {
                    return nil
                }
            } else if let name = names.first {
                guard argument == name else { return nil }
                names.removeFirst()
            } else {
                words.append(argument)
            }
        }
        guard names.isEmpty else { return nil }
    }

    /// Reads a global option with its value, which is taken from `rest`.
    ///
    /// - Returns: nil if it is another argument, false if the parser has to say something about it.
    private mutating func readGlobal(_ argument: String, _ rest: inout ArraySlice<String>) -> Bool? {
        switch argument {
        case "--json": global.json = true
        case "--no-color": global.noColor = true
        case "--quiet": global.quiet = true
        case "--verbose": global.verbose = true
        case "--limit":
            guard global.limit == nil, let limit = rest.popFirst().flatMap({ Int($0) }), limit >= 0 else { return false }
            global.limit = limit
        case "--database":
            guard global.database == nil, let file = rest.popFirst(), !file.isEmpty, !file.hasPrefix("-") else {
                return false
            }
            global.database = file
        default: return nil
        }
        return true
    }
}

/// A search that can be asked for plainly.
protocol PlainSearch: Command {
    /// The flags that only this command has and that have no value.
    static var plainFlags: [String] { get }

    /// The command as the parser makes it of the same arguments.
    init(_ plain: PlainArguments)
}

extension PlainSearch {
    static var plainFlags: [String] { [] }
}

// The parser's properties can only be read once they were set: what a plain search leaves out has to be set to what it is then.

extension GlobalOptions {
    /// As nobody has set any.
    fileprivate static var plain: GlobalOptions {
        var options = GlobalOptions()
        options.database = nil
        options.json = false
        options.limit = nil
        options.noColor = false
        options.quiet = false
        options.verbose = false
        return options
    }
}

extension BatchOptions {
    /// As nobody has set any.
    fileprivate static var plain: BatchOptions {
        var options = BatchOptions()
        options.batch = false
        return options
    }
}

extension ContactsFind: PlainSearch {
    init(_ plain: PlainArguments) {
        self.init()
        (text, batch, global) = (plain.words, plain.batch, plain.global)
    }
}

extension ContactsDial: PlainSearch {
    init(_ plain: PlainArguments) {
        self.init()
        (digits, batch, global) = (plain.words, plain.batch, plain.global)
    }
}

extension FindCommand: PlainSearch {
    static let plainFlags = ["--keypad"]

    init(_ plain: PlainArguments) {
        self.init()
        (words, batch, global) = (plain.words, plain.batch, plain.global)
        (kind, keypad, language) = ([], plain.flags.contains("--keypad"), nil)
    }
}

extension AirportsSearch: PlainSearch {
    init(_ plain: PlainArguments) {
        self.init()
        (text, batch, global) = (plain.words, plain.batch, plain.global)
        (stages, names) = (.plain, .plain)
    }
}

extension AirportsDial: PlainSearch {
    init(_ plain: PlainArguments) {
        self.init()
        (digits, batch, global) = (plain.words, plain.batch, plain.global)
        (stages, names) = (.plain, .plain)
    }
}

extension StageOptions {
    fileprivate static var plain: StageOptions {
        var options = StageOptions()
        (options.stage, options.remote) = (nil, nil)
        return options
    }
}

extension LanguageOption {
    fileprivate static var plain: LanguageOption {
        var options = LanguageOption()
        options.language = nil
        return options
    }
}
