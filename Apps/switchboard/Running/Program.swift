import ArgumentParser
import SwitchboardKit

/// WordSuffixes one command and says what went wrong.
enum Program {
    /// - Parameter typed: the arguments after the name of the program.
    static func run(_ typed: [String]) -> ExitStatus {
        let diagnostics = Diagnostics(isJSON: ArgumentOrder.wantsJSON(typed))
        do {
            if let search = PlainSearch(typed) { return try run(search.options, search.run) }
            var parsed = try SwitchboardCommand.parseAsRoot(
                ArgumentOrder(typed, root: SwitchboardCommand.self).arguments)
            guard let command = parsed as? any Command else {
                // The name of a group alone: its help.
                try parsed.run()
                return .done
            }
            return try run(command.global.options, command.run)
        } catch let fault as Fault {
            diagnostics.report(fault)
            return fault.status
        } catch {
            return end(error, diagnostics)
        }
    }

    private static func run(
        _ options: Options, _ command: (Session) throws -> ExitStatus
    ) throws -> ExitStatus {
        let session = Session(options)
        defer { session.end() }
        do {
            let status = try command(session)
            try session.output.flush()
            session.refreshPopularList()
            return status
        } catch {
            // What was printed before stays printed; a second failure to print it says nothing new.
            try? session.output.flush()
            session.progress.clear()
            throw Fault(error)
        }
    }

    /// What the parser ends with: help, the version, a completion script, or an error.
    private static func end(_ error: any Error, _ diagnostics: Diagnostics) -> ExitStatus {
        if SwitchboardCommand.exitCode(for: error) == .success {
            let output = StandardOutput()
            output.write(SwitchboardCommand.fullMessage(for: error) + "\n")
            do {
                try output.flush()
                return .done
            } catch {
                diagnostics.report(Fault(error))
                return Fault(error).status
            }
        }
        let message = SwitchboardCommand.message(for: error)
        diagnostics.report(.usage(message.split(separator: "\n").first.map(String.init) ?? "wrong usage"))
        diagnostics.hint("\(helpCommand(for: error)) shows what is understood")
        return .usage
    }

    /// The command whose help fits an error: the parser's message has it in its last line.
    private static func helpCommand(for error: any Error) -> String {
        let lines = SwitchboardCommand.fullMessage(for: error).split(separator: "\n")
        guard let line = lines.last(where: { $0.contains("--help'") }), let start = line.firstIndex(of: "'"),
            let end = line.lastIndex(of: "'"), start < end
        else { return "'switchboard --help'" }
        return String(line[start...end])
    }
}
