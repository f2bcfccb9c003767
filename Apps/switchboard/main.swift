// The entry point. Commands are in `Commands`; `Running` parses the arguments and runs them.
import SwitchboardKit

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

StandardStreams.secure()
exit(Program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
