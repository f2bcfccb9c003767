@_exported public import SwitchboardErrors

/// An error of fetching a page.
public enum WebFetchError: CodedError, Hashable {
    /// The URL is invalid.
    case badAddress(String)
    /// The scheme is not http or https.
    case refusedScheme(String)
    /// The host name cannot be resolved.
    case unknownHost(String)
    /// The host has an address that may not be reached.
    case privateAddress(url: String, address: String)
    /// The server cannot be reached.
    case unreachable(url: String, reason: String)
    /// The TLS connection is not trusted.
    case insecure(url: String, reason: String)
    /// The timeout expired.
    case timedOut(url: String)
    /// The response is larger than allowed.
    case tooLarge(url: String, limit: Int)
    /// The response headers are larger than 64 KiB.
    case headTooLarge(url: String)
    /// The response has a type that was not accepted.
    case wrongType(url: String, contentType: String)
    /// The response is truncated or cannot be decompressed.
    case damaged(url: String, reason: String)
    /// A redirect leads to a URL that was visited before.
    case redirectLoop(url: String)
    /// There are more redirects than allowed.
    case tooManyRedirects(url: String, limit: Int)
    /// A redirect leads to another server, which the request does not allow.
    case redirectElsewhere(url: String, target: String)
    /// The robots.txt of the site disallows the URL.
    case disallowed(url: String)
    /// The robots.txt of the site cannot be fetched, so everything is disallowed.
    case robotsUnreachable(url: String, reason: String)
    /// The response has an error status.
    case status(url: String, status: Int)
    /// Memory is exhausted.
    case noMemory
    /// libcurl is not installed.
    case noLibrary

    /// The code, the category and the message.
    public var details: ErrorDetails {
        switch self {
        case .badAddress(let text):
            .init(
                "badAddress", .usage, "cannot read the URL “\(text.prefix(200))”; use https://example.org/page")
        case .refusedScheme(let url):
            .init("refusedScheme", .usage, "cannot fetch “\(url.prefix(200))”; use http or https")
        case .unknownHost(let host):
            .init(
                "unknownHost", .unavailable,
                "cannot find the host \(host); correct the URL or check the network connection")
        case .privateAddress(let url, let address):
            .init(
                "privateAddress", .access,
                "cannot fetch \(url), its host has the private address \(address); use a public host")
        case .unreachable(let url, let reason):
            .init("unreachable", .unavailable, "cannot connect to \(url) (\(reason)); try again later")
        case .insecure(let url, let reason):
            .init("insecure", .unavailable, "cannot trust \(url) (\(reason)); check the certificate of the server")
        case .timedOut(let url): .init("timedOut", .unavailable, "\(url) timed out; try again later")
        case .tooLarge(let url, let limit):
            .init("tooLarge", .malformed, "\(url) is larger than \(limit) bytes; download it with another program")
        case .headTooLarge(let url):
            .init("headTooLarge", .malformed, "\(url) sends headers larger than 64 KiB; contact the site")
        case .wrongType(let url, let contentType):
            .init("wrongType", .malformed, "\(url) has the unexpected type \(contentType); use another URL")
        case .damaged(let url, let reason):
            .init("damagedAnswer", .malformed, "the response of \(url) is corrupt (\(reason)); try again")
        case .redirectLoop(let url):
            .init("redirectLoop", .malformed, "\(url) redirects in a loop; contact the site")
        case .tooManyRedirects(let url, let limit):
            .init("tooManyRedirects", .malformed, "\(url) has more than \(limit) redirects; use the URL of the target")
        case .redirectElsewhere(let url, let target):
            .init(
                "redirectElsewhere", .malformed,
                "\(url) redirects to another server, \(target.prefix(200)); use that URL if you trust it")
        case .disallowed(let url):
            .init("disallowed", .access, "robots.txt disallows \(url); save the page with a browser instead")
        case .robotsUnreachable(let url, let reason):
            .init(
                "robotsUnreachable", .unavailable,
                "cannot read \(url) (\(reason)), which is required to fetch from the site; try again later")
        case .status(let url, let status):
            .init(
                "badStatus", [404, 410].contains(status) ? .missing : .unavailable, "\(url) returned status \(status)")
        case .noMemory:
            .init("noMemory", .locked, "out of memory for the response; free memory and try again")
        case .noLibrary: .init("noFetchLibrary", .unavailable, "libcurl is missing; install libcurl4")
        }
    }
}
