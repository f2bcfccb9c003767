import ArgumentParser

/// Command-line arguments in an order that swift-argument-parser accepts.
///
/// The parser recognises an option only after the name of the command that declares it, and reads `-33.9,18.4` as
/// options.
struct NormalizedArguments {
    /// The names of the command and its groups, such as `["contacts", "dial"]`.
    private(set) var path: [String] = []
    /// The other arguments in the parser's order.
    private let rest: [String]
    /// The named command.
    private let command: any ParsableCommand.Type

    /// Moves global options behind the name of the command and escapes coordinates that begin with a minus sign.
    ///
    /// For example, `--json contacts --limit 3 dial 5646` becomes `contacts dial --json --limit 3 5646`.
    init(_ typed: [String]) {
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
                $0.configuration.commandName == argument
            }) {
                command = next
                path.append(argument)
            } else {
                break
            }
            index += 1
        }
        self.command = command
        // Only a leaf command declares the global options. Help and errors do not need them.
        let isRunnable = command.configuration.subcommands.isEmpty || command.configuration.defaultSubcommand != nil
        rest = (isRunnable ? globals : []) + Self.escapingCoordinates(typed[index...])
    }

    /// Parses the command.
    ///
    /// Parsing only the named command saves time. The whole tree is parsed if that fails, because help and errors name
    /// the whole command.
    func parse() throws -> any ParsableCommand {
        if command.configuration.subcommands.isEmpty, let parsed = try? command.parseAsRoot(rest), parsed is any Command
        {
            return parsed
        }
        return try SwitchboardCommand.parseAsRoot(path + rest)
    }

    /// Replaces the hyphen of a southern latitude by U+2212 (minus sign), which does not start an option.
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

    /// Returns whether `--json` is given, for errors that occur before the arguments are parsed.
    static func wantsJSON(_ typed: [String]) -> Bool {
        typed.prefix { $0 != "--" }.contains("--json")
    }
}
