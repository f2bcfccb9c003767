// The entry point; see docs/architecture.md. What a command does is in Commands, how it is run in Running.
import SwitchboardKit

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

StandardStreams.secure()
exit(Program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
