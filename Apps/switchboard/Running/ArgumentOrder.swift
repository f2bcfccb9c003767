import ArgumentParser

/// Brings arguments into the order that the parser understands.
///
/// The parser knows an option only after the name of the command that declares it, and takes `-33.9,18.4` for options.
struct ArgumentOrder {
    /// The arguments in the parser's order.
    private(set) var arguments: [String]

    /// Moves global options that stand before the name of a command behind it, and makes coordinates plain arguments.
    ///
    /// For example, `--json contacts --limit 3 dial 5646` becomes `contacts dial --json --limit 3 5646`.
    init(_ typed: [String], root: any ParsableCommand.Type) {
        var command = root
        var path: [String] = []
        var hoisted: [String] = []
        var index = 0
        while index < typed.count {
            let argument = typed[index]
            if GlobalOptions.flags.contains(argument) {
                hoisted.append(argument)
            } else if GlobalOptions.valued.contains(argument), index + 1 < typed.count {
                hoisted += [argument, typed[index + 1]]
                index += 1
            } else if GlobalOptions.valued.contains(where: { argument.hasPrefix($0 + "=") }) {
                hoisted.append(argument)
            } else if let next = command.configuration.subcommands.first(where: { $0._commandName == argument }) {
                command = next
                path.append(argument)
            } else {
                break
            }
            index += 1
        }
        // Without a whole command there is nothing that would understand them; help and errors need none.
        let isWhole = command.configuration.subcommands.isEmpty || command.configuration.defaultSubcommand != nil
        if !isWhole { hoisted = [] }
        arguments = path + hoisted + Self.withPlainCoordinates(typed[index...])
    }

    /// Gives a coordinate of the south the minus sign of typography, which begins no option and is read as a minus.
    private static func withPlainCoordinates(_ arguments: ArraySlice<String>) -> [String] {
        var isAfterTerminator = false
        return arguments.map { argument in
            if argument == "--" { isAfterTerminator = true }
            guard !isAfterTerminator, argument.hasPrefix("-"), argument.contains(","),
                let second = argument.utf8.dropFirst().first, (0x30...0x39).contains(second) || second == 0x2E
            else { return argument }
            return "\u{2212}" + argument.dropFirst()
        }
    }

    /// What was typed for an argument that ``withPlainCoordinates(_:)`` has changed.
    static func asTyped(_ argument: String) -> String {
        guard argument.hasPrefix("\u{2212}"), argument.contains(","),
            let second = argument.unicodeScalars.dropFirst().first,
            (0x30...0x39).contains(second.value) || second == "."
        else { return argument }
        return "-" + argument.dropFirst()
    }

    /// Whether errors are wanted as JSON, for when the arguments cannot be parsed.
    static func wantsJSON(_ typed: [String]) -> Bool {
        typed.prefix { $0 != "--" }.contains("--json")
    }
}
