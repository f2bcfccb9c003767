import ArgumentParser
import Foundation
import SwitchboardAccounts
import SwitchboardStorage
import SwitchboardKit

/// What commands print: data on standard output, everything else on standard error.
enum Output {
    static func line(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }
    static func note(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
    static func json(_ value: some Encodable) throws { line(try OrderedJSON.text(value)) }

    /// What the parser refuses, and the command whose help tells what is understood: its own message has that in its last line.
    static func wrongUsage(_ error: any Error) -> Fault {
        let reason = ServerCommand.message(for: error).split(separator: "\n").first ?? "wrong usage"
        let help = ServerCommand.fullMessage(for: error).split(separator: "\n").last { $0.contains("--help'") }
        let command = help?.split(separator: "'").dropFirst().first ?? "switchboard-server --help"
        return .usage("\(reason); '\(command)' shows what is understood")
    }

    /// One line about what went wrong, or JSON; and what the process ends with.
    static func fail(_ error: any Error, asJSON: Bool) -> ExitStatus {
        let fault: Fault
        if let error = error as? AccountsError {
            fault = Fault(
                code: error.code, message: error.message, status: error.isNotFound ? .nothingFound : .usage)
        } else {
            fault = Fault(error)
        }
        if asJSON, let text = try? OrderedJSON.text(FaultResponse(fault)) {
            note(text)
        } else {
            note("switchboard-server: \(fault)")
        }
        return fault.status
    }
}

extension DataOption {
    /// The people of the folder.
    ///
    /// - Throws: `Fault`, `StorageError`.
    func people() throws -> Accounts {
        Accounts(storage: try Storage(at: try folder() + "/public.sqlite", migrations: Server.migrations))
    }
}
