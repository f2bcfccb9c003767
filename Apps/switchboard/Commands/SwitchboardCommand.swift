import ArgumentParser
import SwitchboardKit

/// The root of all commands.
struct SwitchboardCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "switchboard",
        abstract: "Finds the person, place or thing you mean in the fewest keystrokes.",
        discussion: """
            Data goes to standard output, everything else to standard error. Every command takes --json, and every search \
            --batch.

            Exit status: 0 done, 1 nothing found, 64 wrong usage, 65 malformed input, 66 input missing, 69 a service cannot be \
            reached, 74 input or output failed, 75 try again, 77 access not granted.
            """,
        version: "switchboard \(Switchboard.version)",
        subcommands: [
            FindCommand.self, ContactsCommand.self, ProspectsCommand.self, RemindersCommand.self, KeypadCommand.self,
            AirportsCommand.self, IndexCommand.self, ActivityCommand.self, AccessCommand.self, DatabaseCommand.self,
        ])
}
