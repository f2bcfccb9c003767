/// The exit status of a command, following `sysexits.h`.
public enum ExitStatus: Int32, Sendable, CaseIterable {
    /// Success.
    case done = 0
    /// No match, or an unknown identifier.
    case nothingFound = 1
    /// Usage error.
    case usage = 64
    /// Malformed input.
    case malformed = 65
    /// Missing input.
    case missing = 66
    /// A service or server is unreachable.
    case unavailable = 69
    /// An internal error.
    case internalError = 70
    /// An I/O error.
    case inputOutput = 74
    /// Locked: try again.
    case tryAgain = 75
    /// Access not granted.
    case accessNotGranted = 77
    /// Interrupted by the user (128 + SIGINT, as in shells).
    case interrupted = 130
}
