// See docs/architecture.md.
import Foundation
import SwitchboardKit

exit(Program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
