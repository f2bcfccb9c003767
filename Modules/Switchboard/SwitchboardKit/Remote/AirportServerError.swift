@_exported public import SwitchboardErrors
public import SwitchboardWebFetch

/// An error of a request to an airport server.
public enum AirportServerError: CodedError, Hashable {
    /// The address is invalid.
    case badAddress(String)
    /// The request failed.
    case fetching(server: String, WebFetchError)
    /// The response is invalid, and the reason.
    case malformed(server: String, reason: String)

    /// The code, the category and the message.
    public var details: ErrorDetails {
        switch self {
        case .badAddress(let text):
            .init(
                "badAddress", .usage,
                "“\(text.prefix(200))” is not the address of a server; use https://example.org")
        case .fetching(let server, let error):
            .init(error.code, error.category, "\(server): \(Self.reason(error))")
        case .malformed(let server, let reason):
            .init("malformedAnswer", .malformed, "\(server): the response is invalid (\(reason))")
        }
    }

    /// Describes an error without the address, which contains the query.
    private static func reason(_ error: WebFetchError) -> String {
        switch error {
        case .unknownHost: "unknown host"
        case .unreachable(_, let reason): "cannot connect (\(reason))"
        case .timedOut: "timed out"
        case .insecure(_, let reason): "cannot verify the server (\(reason))"
        case .tooLarge(_, let limit): "the response is larger than \(limit) bytes"
        case .headTooLarge: "the response header is too large"
        case .wrongType(_, let type): "the response is \(type.prefix(100)), not JSON"
        case .damaged(_, let reason): "the response is corrupt (\(reason))"
        case .redirectElsewhere(_, let target): "redirected to another server, \(target.prefix(200))"
        case .redirectLoop, .tooManyRedirects: "too many redirects"
        case .badAddress, .refusedScheme, .privateAddress: "redirected to an address that is not allowed"
        case .status(_, let status): "status \(status)"
        case .disallowed, .robotsUnreachable, .noMemory, .noLibrary: error.description
        }
    }

    /// `true` if retrying soon would probably fail again after a long wait.
    var isPersistent: Bool {
        switch self {
        case .fetching(_, .unknownHost), .fetching(_, .unreachable), .fetching(_, .timedOut), .fetching(_, .insecure):
            true
        default: false
        }
    }
}
