public import SwitchboardWebFetch

/// Why a server has no airports for us, and what to do next.
public enum AirportServerError: Error, Hashable, Sendable {
    /// This is no address of a server.
    case badAddress(String)
    /// The server could not be asked, or gave no answer that is one.
    case fetching(server: String, WebFetchError)
    /// The answer is not one of airports, and why.
    case malformed(server: String, reason: String)
    /// The caller did not want it any more.
    case cancelled
}

extension AirportServerError: CustomStringConvertible {
    /// A stable name of the error for programs and JSON.
    public var code: String {
        switch self {
        case .badAddress: "badAddress"
        case .fetching(_, let error): error.code
        case .malformed: "malformedAnswer"
        case .cancelled: "cancelled"
        }
    }

    /// What a command ends with that can do nothing without the server.
    public var status: ExitStatus {
        switch self {
        case .badAddress: .usage
        case .fetching(_, let error): Fault(fetching: error).status
        case .malformed: .malformed
        case .cancelled: .interrupted
        }
    }

    /// One line: what happened.
    public var description: String {
        switch self {
        case .badAddress(let text):
            "“\(text.prefix(200))” is no address of a server; write it as https://example.org"
        case .fetching(let server, let error): "\(server): \(Self.reason(error))"
        case .malformed(let server, let reason): "\(server): the answer is not one of airports (\(reason))"
        case .cancelled: "cancelled"
        }
    }

    /// Without the address that was asked, which has in it what was typed.
    private static func reason(_ error: WebFetchError) -> String {
        switch error {
        case .unknownHost: "no host is called so"
        case .unreachable(_, let reason): "nobody answers (\(reason))"
        case .timedOut: "no answer in time"
        case .insecure(_, let reason): "it cannot be trusted (\(reason))"
        case .tooLarge(_, let limit): "the answer has more than \(limit) bytes"
        case .headTooLarge: "the head of the answer is too long"
        case .wrongType(_, let type): "the answer is \(type.prefix(100)), not JSON"
        case .damaged(_, let reason): "the answer is damaged (\(reason))"
        case .redirectElsewhere(_, let target): "it leads to another server, \(target.prefix(200))"
        case .redirectLoop, .tooManyRedirects: "it leads from one address to the next"
        case .badAddress, .refusedScheme, .privateAddress: "it leads to an address that is not asked"
        case .status(_, let status): "it answers with status \(status)"
        case .disallowed, .robotsUnreachable, .cancelled, .noMemory, .noLibrary: error.description
        }
    }

    /// Whether it will most likely be the same a moment later, and waiting for it takes long.
    var isLasting: Bool {
        switch self {
        case .fetching(_, .unknownHost), .fetching(_, .unreachable), .fetching(_, .timedOut), .fetching(_, .insecure):
            true
        default: false
        }
    }
}
