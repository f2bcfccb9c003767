import ArgumentParser
import SwitchboardKit

/// A command that runs, as opposed to a group of subcommands.
protocol Command: ParsableCommand {
    /// The options that every command takes.
    var global: GlobalOptions { get }

    /// Runs the command and returns the exit status.
    ///
    /// - Throws: Any error; `SwitchboardError` turns it into a message and an exit status.
    func run(_ session: Session) throws -> ExitStatus
}
