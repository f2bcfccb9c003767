import ArgumentParser
import SwitchboardKit

/// A command that does something, rather than only having commands below it.
protocol Command: ParsableCommand {
    /// The options that every command takes.
    var global: GlobalOptions { get }

    /// Does it.
    ///
    /// - Returns: what the program ends with.
    /// - Throws: any error; `Fault` knows what to say about it.
    func run(_ session: Session) throws -> ExitStatus
}
