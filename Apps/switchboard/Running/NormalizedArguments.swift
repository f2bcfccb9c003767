import ArgumentParser

/// Command-line arguments in an order that swift-argument-parser accepts.
///
/// The parser recognises an option only after the name of the command that declares it, and reads `-33.9,18.4` as
/// options.
struct NormalizedArguments {
    /// The arguments in the parser's order.
    private(set) var arguments: [String]
    /// The name of the top-level command, such as "contacts".
    let group: String?

    /// Moves global options behind the name of the command and escapes coordinates that begin with a minus sign.
    ///
    /// For example, `--json contacts --limit 3 dial 5646` becomes `contacts dial --json --limit 3 5646`.
    init(_ typed: [String], root: any ParsableCommand.Type) {
        var command = root
        var path: [String] = []
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
            } else if let next = command.configuration.subcommands.first(where: { $0._commandName == argument }) {
                command = next
                path.append(argument)
            } else {
                break
            }
            index += 1
        }
        // Only a leaf command declares the global options. Help and errors do not need them.
        let isRunnable = command.configuration.subcommands.isEmpty || command.configuration.defaultSubcommand != nil
        if !isRunnable { globals = [] }
        group = path.first
        arguments = path + globals + Self.escapingCoordinates(typed[index...])
    }

    /// Replaces the hyphen of a southern latitude by U+2212 (minus sign), which does not start an option.
    private static func escapingCoordinates(_ arguments: ArraySlice<String>) -> [String] {
        var isAfterTerminator = false
        return arguments.map { argument in
            if argument == "--" { isAfterTerminator = true }
            guard !isAfterTerminator, argument.hasPrefix("-"), argument.contains(","),
                let second = argument.utf8.dropFirst().first, (0x30...0x39).contains(second) || second == 0x2E
            else { return argument }
            return "\u{2212}" + argument.dropFirst()
        }
    }

    /// Returns the original spelling of an argument, with the hyphen of a southern latitude.
    static func asTyped(_ argument: String) -> String {
        guard argument.hasPrefix("\u{2212}"), argument.contains(","),
            let second = argument.unicodeScalars.dropFirst().first,
            (0x30...0x39).contains(second.value) || second == "."
        else { return argument }
        return "-" + argument.dropFirst()
    }

    /// Returns whether `--json` is given, for errors that occur before the arguments are parsed.
    static func wantsJSON(_ typed: [String]) -> Bool {
        typed.prefix { $0 != "--" }.contains("--json")
    }
}
