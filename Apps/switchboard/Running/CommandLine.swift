import ArgumentParser
import SwitchboardAlgorithms
import SwitchboardKit

/// Parses the arguments, runs one command and reports errors.
enum Program {
    /// Runs the command named by the arguments and returns its exit status.
    static func run(_ typed: [String]) -> ExitStatus {
        let diagnostics = Diagnostics(isJSON: NormalizedArguments.wantsJSON(typed))
        do {
            let arguments = NormalizedArguments(typed)
            if let search = PlainSearch(arguments) {
                return try run(search.options, group: arguments.path.first, search.run)
            }
            try checkCommand(arguments)
            var parsed = try arguments.parse()
            guard let command = parsed as? any RunnableCommand else {
                // A group without a subcommand prints its help.
                try parsed.run()
                return .done
            }
            return try run(command.global, group: arguments.path.first, command.run)
        } catch let error as SwitchboardError {
            diagnostics.report(error)
            return error.status
        } catch {
            return end(error, diagnostics, NormalizedArguments(typed))
        }
    }

    /// Throws an error if the command does not exist. For `help nothing`, the parser would print the overview.
    private static func checkCommand(_ arguments: NormalizedArguments) throws {
        var command = arguments.command
        guard !command.configuration.subcommands.isEmpty, command.configuration.defaultSubcommand == nil else { return }
        var names = arguments.arguments.prefix { !$0.hasPrefix("-") }
        if names.first == "help" { names.removeFirst() } else { names = names.prefix(1) }
        for name in names {
            let below = command.configuration.subcommands
            guard let next = below.first(where: { $0.configuration.names.contains(name) }) else {
                let path = arguments.path.map { " in " + $0 }.joined()
                let group = arguments.path.isEmpty ? suggestedGroup(of: name) : nil
                throw ValidationError(
                    "there is no command “\(name)”\(path)" + (group ?? suggestion(for: name, among: below)))
            }
            command = next
        }
    }

    /// Returns a suggestion of the command with the most similar name, or an empty text if no name is similar.
    private static func suggestion(for name: String, among commands: [any ParsableCommand.Type]) -> String {
        let names = commands.flatMap { $0.configuration.names }
        let near = names.map { ($0, EditDistance.between(name.unicodeScalars, Array($0.unicodeScalars))) }.min {
            $0.1 < $1.1
        }
        guard let near, near.1 <= max(1, name.count / 3) else { return "" }
        return "; did you mean “\(near.0)”?"
    }

    /// Returns a suggestion for a command that only a group has, such as `import`; `nil` if there is none.
    private static func suggestedGroup(of name: String) -> String? {
        if name == "undo" {
            return "; use --undo of the command that changed something, such as 'contacts remove --undo NAME'"
        }
        let groups = SwitchboardCommand.configuration.subcommands
        let group = groups.first { $0.configuration.subcommands.contains { $0.configuration.names.contains(name) } }
        return group?.configuration.commandName.map { "; did you mean “\($0) \(name)”?" }
    }

    /// Returns a suggestion of the option of a command with the most similar name, or an empty text.
    private static func suggestedOption(for message: String, of command: any ParsableCommand.Type) -> String {
        guard let match = message.wholeMatch(of: /unknown option '(--[^'=]+)[^']*'/) else { return "" }
        let typed = String(match.1)
        let names = Set(SwitchboardCommand.helpMessage(for: command).matches(of: /--[a-z][a-z-]+/).map { String($0.0) })
        let near = names.sorted().map { ($0, EditDistance.between(typed.unicodeScalars, Array($0.unicodeScalars))) }
            .min { $0.1 < $1.1 }
        guard let near, near.1 <= max(1, (typed.count - 2) / 3) else { return "" }
        return "; did you mean '\(near.0)'?"
    }

    private static func run(
        _ options: GlobalOptions, group: String?, _ command: (Session) throws -> ExitStatus
    ) throws -> ExitStatus {
        let session = Session(options)
        defer { session.end() }
        do {
            let status = try command(session)
            try session.output.flush()
            session.refreshPopularList()
            return status
        } catch {
            // Keep partial output. If this flush fails, too, the first error is reported.
            try? session.output.flush()
            session.progress.clear()
            throw SwitchboardError(error).withHint(group: group)
        }
    }

    /// Prints the help, version or completion script that the parser returns as an error, or reports a usage error.
    private static func end(
        _ error: any Error, _ diagnostics: Diagnostics, _ arguments: NormalizedArguments
    ) -> ExitStatus {
        if SwitchboardCommand.exitCode(for: error) == .success {
            let output = StandardOutput()
            output.write(SwitchboardCommand.fullMessage(for: error) + "\n")
            do {
                try output.flush()
                return .done
            } catch {
                diagnostics.report(SwitchboardError(error))
                return SwitchboardError(error).status
            }
        }
        let message = inOneLine(SwitchboardCommand.message(for: error))
        let text = withoutFarSuggestion(message.prefix(1).lowercased() + message.dropFirst())
        diagnostics.report(.usage(text + suggestedOption(for: text, of: arguments.command)))
        let own = (["switchboard"] + arguments.path + ["--help"]).joined(separator: " ")
        let help = arguments.command.configuration.subcommands.isEmpty ? helpCommand(for: error) ?? own : own
        diagnostics.note("switchboard: run '\(help)' for the options and arguments")
        return .usage
    }

    /// Returns the first line of a message with the values listed in it or in the next lines: "…; use name or given".
    private static func inOneLine(_ message: String) -> String {
        let lines = message.split(separator: "\n")
        guard let first = lines.first else { return "invalid usage" }
        if let match = first.firstMatch(of: /(.*)\. Please provide one of ('.*')\./) {
            return match.1 + "; use " + match.2.replacing("'", with: "")
        }
        let values = lines.dropFirst().compactMap { line -> Substring? in
            let line = line.drop(while: \.isWhitespace)
            return line.hasPrefix("- ") ? line.dropFirst(2) : nil
        }
        guard let end = first.firstRange(of: ". Please provide one of the following:"), let last = values.last else {
            return String(first)
        }
        let others = values.dropLast().joined(separator: ", ")
        return first[..<end.lowerBound] + "; use " + (others.isEmpty ? "" : others + " or ") + last
    }

    /// Removes the parser's suggestion of an option that starts with another letter, such as `--json` for `--sort`.
    private static func withoutFarSuggestion(_ message: String) -> String {
        guard let match = message.firstMatch(of: /(unknown option '-*(.).*)\. Did you mean '-*(.).*'\?/),
            match.2 != match.3
        else { return message }
        return String(match.1)
    }

    /// Returns the help command for an error, which the parser names in the last line of its message; `nil` without one.
    private static func helpCommand(for error: any Error) -> String? {
        let lines = SwitchboardCommand.fullMessage(for: error).split(separator: "\n")
        guard let line = lines.last(where: { $0.contains("--help'") }), let start = line.firstIndex(of: "'"),
            let end = line.lastIndex(of: "'"), start < end
        else { return nil }
        return String(line[start...end].dropFirst().dropLast())
    }
}

extension CommandConfiguration {
    /// The name and its aliases.
    var names: [String] { (commandName.map { [$0] } ?? []) + aliases }
}

/// A search with only global options, such as `contacts dial 5646`, which runs without swift-argument-parser.
///
/// The parser looks up a protocol conformance for each property of a command, which takes a fifth of the time of a
/// search in a new process (docs/performance.md). The parser handles everything else, including all errors.
private struct PlainSearch {
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

/// Command-line arguments in an order that swift-argument-parser accepts.
///
/// The parser recognizes an option only after the name of the command that declares it, and reads `-33.9,18.4` as
/// options.
struct NormalizedArguments {
    /// The names of the command and its groups, such as `["contacts", "dial"]`.
    private(set) var path: [String] = []
    let globals: [String]
    /// The arguments after the path and the global options.
    let arguments: [String]
    /// The command or group at the end of the path.
    let command: any ParsableCommand.Type

    /// Moves global options behind the name of the command and escapes coordinates that begin with a minus sign.
    ///
    /// For example, `--json contacts --limit 3 dial 5646` becomes `contacts dial --json --limit 3 5646`.
    init(_ typed: [String]) {
        let typed = typed == ["-V"] ? ["--version"] : typed
        var command: any ParsableCommand.Type = SwitchboardCommand.self
        var globals: [String] = []
        var index = 0
        while index < typed.count {
            let argument = typed[index]
            if GlobalOptions.flags.contains(argument) {
                globals.append(argument)
            } else if GlobalOptions.valued.contains(argument), index + 1 < typed.count {
                globals += [argument, typed[index + 1]]
                index += 1
            } else if GlobalOptions.valued.contains(where: { argument.hasPrefix($0 + "=") }) {
                globals.append(argument)
            } else if let next = command.configuration.subcommands.first(where: {
                $0.configuration.commandName == argument || $0.configuration.aliases.contains(argument)
            }) {
                command = next
                path.append(next.configuration.commandName ?? argument)
            } else {
                break
            }
            index += 1
        }
        self.command = command
        self.globals = globals
        arguments = Self.escapingCoordinates(typed[index...])
    }

    /// Parses the command.
    ///
    /// Parsing only the named command saves time. If that fails, the whole tree is parsed, because help and errors
    /// contain the full command.
    func parse() throws -> any ParsableCommand {
        // Only a leaf command declares the global options. Help and errors do not need them.
        let isLeaf = command.configuration.subcommands.isEmpty
        let rest = (isLeaf || command.configuration.defaultSubcommand != nil ? globals : []) + arguments
        if isLeaf, let parsed = try? command.parseAsRoot(rest),
            parsed is any RunnableCommand
        {
            return parsed
        }
        return try SwitchboardCommand.parseAsRoot(path + rest)
    }

    /// Replaces the hyphen of a southern latitude with U+2212 (minus sign), which does not start an option.
    private static func escapingCoordinates(_ arguments: ArraySlice<String>) -> [String] {
        var isAfterTerminator = false
        return arguments.map { argument in
            if argument == "--" { isAfterTerminator = true }
            return !isAfterTerminator && isCoordinate(argument, after: "-")
                ? "\u{2212}" + argument.dropFirst() : argument
        }
    }

    /// Returns the original spelling of an argument, with the hyphen of a southern latitude.
    static func asTyped(_ argument: String) -> String {
        isCoordinate(argument, after: "\u{2212}") ? "-" + argument.dropFirst() : argument
    }

    private static func isCoordinate(_ argument: String, after sign: Unicode.Scalar) -> Bool {
        let scalars = argument.unicodeScalars
        guard scalars.first == sign, argument.contains(","), let second = scalars.dropFirst().first else {
            return false
        }
        return second == "." || ("0"..."9").contains(second)
    }

    /// Returns `true` if `--json` is given, for errors that occur before the arguments are parsed.
    static func wantsJSON(_ typed: [String]) -> Bool {
        typed.prefix { $0 != "--" }.contains("--json")
    }
}
