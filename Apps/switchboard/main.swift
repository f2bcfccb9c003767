// The entry point. Commands are in `Commands`; `Running` parses the arguments and runs them.
import Foundation
import SwitchboardKit

StandardStreams.secure()
exit(Program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
