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
            return end(error, diagnostics)
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
                throw ValidationError("there is no command “\(name)”\(path)\(suggestion(for: name, among: below))")
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
    private static func end(_ error: any Error, _ diagnostics: Diagnostics) -> ExitStatus {
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
        diagnostics.report(.usage(withoutFarSuggestion(message.prefix(1).lowercased() + message.dropFirst())))
        diagnostics.note("switchboard: run \(helpCommand(for: error)) for the options and arguments")
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

    /// Returns the help command for an error, which the parser names in the last line of its message.
    private static func helpCommand(for error: any Error) -> String {
        let lines = SwitchboardCommand.fullMessage(for: error).split(separator: "\n")
        guard let line = lines.last(where: { $0.contains("--help'") }), let start = line.firstIndex(of: "'"),
            let end = line.lastIndex(of: "'"), start < end
        else { return "'switchboard --help'" }
        return String(line[start...end])
    }
}

extension CommandConfiguration {
    /// The name and its aliases.
    var names: [String] { (commandName.map { [$0] } ?? []) + aliases }
}
