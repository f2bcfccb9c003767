// The entry point; see docs/architecture.md. What is shown is in State, the terminal in Terminal, what is done in Work.
import SwitchboardKit

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

exit(Program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
