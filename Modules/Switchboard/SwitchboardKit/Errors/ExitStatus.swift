import SwitchboardErrors

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

extension ExitStatus {
    /// The exit status for a category of errors.
    init(_ category: ErrorCategory) {
        switch category {
        case .usage: self = .usage
        case .malformed: self = .malformed
        case .notFound: self = .nothingFound
        case .missing: self = .missing
        case .unavailable: self = .unavailable
        case .io: self = .inputOutput
        case .locked: self = .tryAgain
        case .access: self = .accessNotGranted
        case .cancelled: self = .interrupted
        case .internalError: self = .internalError
        }
    }
}
