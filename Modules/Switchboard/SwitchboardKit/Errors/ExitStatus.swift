/// The exit status of a command, as `sysexits.h` numbers it where it has one.
public enum ExitStatus: Int32, Sendable, CaseIterable {
    /// Done.
    case done = 0
    /// Nothing matched, or nothing has that identifier.
    case nothingFound = 1
    /// Wrong usage.
    case usage = 64
    /// Malformed input.
    case malformed = 65
    /// The input is missing.
    case missing = 66
    /// A service or server cannot be reached.
    case unavailable = 69
    /// A mistake in the program.
    case internalError = 70
    /// Input or output failed.
    case inputOutput = 74
    /// Locked: try again.
    case tryAgain = 75
    /// Access not granted.
    case accessNotGranted = 77
    /// Ended by the person (128 + SIGINT, as shells have it).
    case interrupted = 130
}
