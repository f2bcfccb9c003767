import ArgumentParser
import Foundation
import SwitchboardKit

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
    // Help and the version are the parser's own to print; what it refuses is one line, as everything else.
    if code == .success || error is CleanExit { ServerCommand.exit(withError: error) }
    let refusal = code == .validationFailure ? Output.wrongUsage(error) : error
    exit(Output.fail(refusal, asJSON: arguments.contains("--json")).rawValue)
}
