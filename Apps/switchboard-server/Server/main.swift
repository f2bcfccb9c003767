import ArgumentParser
import Foundation
import SwitchboardKit

// A write to a closed pipe must not end the process.
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
    // The parser prints help and the version; a usage error is one line, like every other error.
    if code == .success || error is CleanExit { ServerCommand.exit(withError: error) }
    let refusal = code == .validationFailure ? Output.wrongUsage(error) : error
    exit(Output.fail(refusal, asJSON: arguments.contains("--json")).rawValue)
}
