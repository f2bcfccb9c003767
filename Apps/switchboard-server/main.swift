import ArgumentParser
import Foundation
import Switchboard

// Reads the command line; everything else is in the commands. An ending of a server does not begin with a write to a closed pipe.
signal(SIGPIPE, SIG_IGN)
let arguments = Array(CommandLine.arguments.dropFirst())
do {
    var command = try ServerCommand.parseAsRoot(arguments)
    if let serve = command as? ServeCommand {
        try await serve.run()
    } else {
        try command.run()
    }
} catch {
    let code = ServerCommand.exitCode(for: error)
    // What the parser says (usage, help, the version) is its own to print.
    if code == .success || code == .validationFailure || error is CleanExit { ServerCommand.exit(withError: error) }
    exit(Output.fail(error, asJSON: arguments.contains("--json")).rawValue)
}
