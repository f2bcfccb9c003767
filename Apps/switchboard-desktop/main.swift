// The search provider of the desktop. See docs/desktop.md.
import Foundation
import SwitchboardKit

exit(Program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
