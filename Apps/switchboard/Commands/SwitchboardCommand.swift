import ArgumentParser
import SwitchboardKit

/// The root command.
struct SwitchboardCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "switchboard",
        abstract: "Find contacts, airports and other things in the fewest keystrokes.",
        discussion: """
            Data goes to standard output, everything else to standard error. Every command takes --json, and every search takes \
            --batch.

            Exit status: 0 success, 1 nothing found, 64 invalid usage, 65 malformed input, 66 missing input, 69 service \
            unavailable, 70 internal error, 74 input or output error, 75 temporary failure, 77 access not granted, 130 interrupted.
            """,
        version: "switchboard \(Switchboard.version)",
        subcommands: [
            FindCommand.self, ContactsCommand.self, ProspectsCommand.self, RemindersCommand.self, KeypadCommand.self,
            AirportsCommand.self, IndexCommand.self, ActivityCommand.self, AccessCommand.self, DatabaseCommand.self,
        ])
}
