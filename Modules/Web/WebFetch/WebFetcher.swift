import CSwitchboardCurl
import Foundation
@_exported public import SwitchboardErrors
import Synchronization

/// A client that fetches web pages within limits.
///
/// Addresses are checked at the time of connection, which prevents DNS rebinding. A redirect from a public to a private
/// address is always refused. Proxies and cookies are not used.
///
/// A fetcher can be used from several threads. It caches the robots.txt of each site for its lifetime.
public final class WebFetcher: Sendable {
    /// The limits on size and time.
    public let limits: FetchLimits
    /// Indicates that private addresses may be reached, including this machine.
    public let allowsPrivateAddresses: Bool
    /// The user agent: a name, a slash and a version.
    public let agent: String

    private let robots = Mutex<[String: RobotsTxt]>([:])

    /// The check for public addresses; tests treat an address of this machine as public.
    private let isPublic: @Sendable (NetworkAddress) -> Bool

    /// Creates a fetcher.
    public convenience init(
        limits: FetchLimits = FetchLimits(), allowsPrivateAddresses: Bool, agent: String = "Switchboard/1.0"
    ) {
        self.init(limits: limits, allowsPrivateAddresses: allowsPrivateAddresses, agent: agent) { $0.isPublic }
    }

    init(
        limits: FetchLimits, allowsPrivateAddresses: Bool, agent: String,
        isPublic: @escaping @Sendable (NetworkAddress) -> Bool
    ) {
        self.limits = limits
        self.allowsPrivateAddresses = allowsPrivateAddresses
        self.agent = agent
        self.isPublic = isPublic
    }

    /// Sends a request and waits for the response.
    ///
    /// For example: `try fetcher.fetch(FetchRequest("https://example.org/", obeysRobots: true))`
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - isCancelled: Polled at least ten times a second; when it returns `true` the request is cancelled.
    /// - Returns: The response with any status.
    /// - Throws: ``WebFetchError``, `CancellationError`.
    public func fetch(_ request: FetchRequest, isCancelled: @escaping () -> Bool = { false }) throws -> FetchedPage {
        var state = FetchState(deadline: .now + limits.totalTimeout, isCancelled: isCancelled)
        return try fetch(request, redirects: limits.redirects, &state)
    }

    // MARK: - Redirects

    /// The state of a call across its requests.
    private struct FetchState {
        let deadline: ContinuousClock.Instant
        let isCancelled: () -> Bool
        /// Indicates that a public address was connected to.
        var hasReachedPublicHost = false
    }

    private func fetch(_ request: FetchRequest, redirects: Int, _ state: inout FetchState) throws -> FetchedPage {
        var location = try RequestURL(request.url)
        let origin = location.origin
        var visited: Set<String> = []
        while true {
            guard visited.insert(location.text).inserted else { throw WebFetchError.redirectLoop(url: request.url) }
            if request.obeysRobots { try checkRobots(location, &state) }
            var headers = location.origin == origin ? request.headers : [:]
            if !request.decompresses { headers["Accept-Encoding"] = "gzip" }
            let response = try send(request, to: location.text, headers, &state)
            guard let target = response.redirect, (300...399).contains(response.status) else {
                return FetchedPage(
                    url: location.text, status: response.status, headers: response.headers, body: response.body)
            }
            guard visited.count <= redirects else {
                throw WebFetchError.tooManyRedirects(url: request.url, limit: redirects)
            }
            let next = try RequestURL(target)
            guard request.allowsOtherServers || next.isSameServer(as: location) else {
                throw WebFetchError.redirectElsewhere(url: request.url, target: next.text)
            }
            location = next
        }
    }

    private func send(
        _ request: FetchRequest, to url: String, _ headers: [String: String], _ state: inout FetchState
    ) throws -> Exchange {
        let left = ContinuousClock.now.duration(to: state.deadline)
        guard left > .zero else { throw WebFetchError.timedOut(url: url) }
        if state.isCancelled() { throw CancellationError() }
        let mayBePrivate = allowsPrivateAddresses && !state.hasReachedPublicHost
        let response = Exchange(
            url, sending: request.body, agent: agent, headers: headers, limit: limits.bytes,
            acceptedTypes: request.acceptedTypes,
            decompresses: request.decompresses, connectTimeout: min(limits.connectTimeout, left), totalTimeout: left,
            mayConnect: { mayBePrivate || self.isPublic($0) }, isCancelled: state.isCancelled)
        if let address = response.address, isPublic(address) { state.hasReachedPublicHost = true }
        if response.outcome == sb_curl_answered { return response }
        if response.outcome == sb_curl_cancelled { throw CancellationError() }
        throw error(of: response, url)
    }

    private func error(of response: Exchange, _ url: String) -> WebFetchError {
        switch response.outcome {
        case sb_curl_bad_address: .badAddress(url)
        case sb_curl_unknown_host: .unknownHost(URL(string: url)?.host() ?? url)
        case sb_curl_refused_address:
            .privateAddress(url: url, address: response.refusedAddress?.description ?? "private")
        case sb_curl_unreachable: .unreachable(url: url, reason: response.reason)
        case sb_curl_insecure: .insecure(url: url, reason: response.reason)
        case sb_curl_timed_out: .timedOut(url: url)
        case sb_curl_too_large: .tooLarge(url: url, limit: limits.bytes)
        case sb_curl_stopped:
            switch response.abortReason {
            case .headTooLarge: .headTooLarge(url: url)
            case .wrongType(let type): .wrongType(url: url, contentType: type)
            case .bodyTooLarge, nil: .tooLarge(url: url, limit: limits.bytes)
            }
        case sb_curl_no_memory: .noMemory
        case sb_curl_no_library: .noLibrary
        default: .damaged(url: url, reason: response.reason)
        }
    }

    // MARK: - robots.txt

    private func checkRobots(_ location: RequestURL, _ state: inout FetchState) throws {
        let known = robots.withLock { $0[location.origin] }
        let rules = try known ?? fetchRobots(location.origin, &state)
        if known == nil { robots.withLock { $0[location.origin] = rules } }
        let name = agent.prefix { $0 != "/" }
        guard rules.allows(location.path, agent: String(name)) else {
            throw WebFetchError.disallowed(url: location.text)
        }
    }

    /// Fetches the robots.txt of a site (RFC 9309, 2.3.1): a missing file allows everything, an unreachable one
    /// nothing.
    private func fetchRobots(_ origin: String, _ state: inout FetchState) throws -> RobotsTxt {
        let url = "\(origin)/robots.txt"
        let page: FetchedPage
        do {
            page = try fetch(FetchRequest(url), redirects: max(limits.redirects, 5), &state)
        } catch let error as WebFetchError {
            switch error {
            case .redirectLoop, .tooManyRedirects: return .allowingAll
            case .tooLarge: throw WebFetchError.robotsUnreachable(url: url, reason: "it is too large")
            case .damaged(_, let reason), .unreachable(_, let reason):
                throw WebFetchError.robotsUnreachable(url: url, reason: reason)
            default: throw error
            }
        }
        switch page.status {
        case 200...299: return RobotsTxt(page.body)
        case 300...499: return .allowingAll
        default: throw WebFetchError.robotsUnreachable(url: url, reason: "status \(page.status)")
        }
    }
}

private struct RequestURL {
    let text: String
    /// The scheme, host and port.
    let origin: String
    /// The path and query, for robots.txt.
    let path: String

    private let host: String
    private let hasDefaultPort: Bool

    private static let maximumLength = 8192

    /// Returns whether a URL is on the same server, possibly upgraded to https.
    func isSameServer(as other: RequestURL) -> Bool {
        origin == other.origin
            || host == other.host && hasDefaultPort && other.hasDefaultPort && origin.hasPrefix("https:")
    }

    init(_ text: String) throws(WebFetchError) {
        guard text.utf8.count < Self.maximumLength, let url = URL(string: text), let scheme = url.scheme?.lowercased()
        else {
            throw .badAddress(text)
        }
        guard scheme == "http" || scheme == "https" else { throw .refusedScheme(text) }
        guard let host = url.host(), !host.isEmpty, url.user() == nil, url.password() == nil else {
            throw .badAddress(text)
        }
        let isIPv6 = host.contains(":") && !host.hasPrefix("[")
        let port = url.port.map { ":\($0)" } ?? ""
        let query = url.query().map { "?\($0)" } ?? ""
        self.host = host.lowercased()
        hasDefaultPort = url.port == nil || url.port == (scheme == "https" ? 443 : 80)
        origin = "\(scheme)://\(isIPv6 ? "[\(host)]" : host)\(port)".lowercased()
        path = (url.path().isEmpty ? "/" : url.path()) + query
        // Without the fragment, which is not sent to servers.
        self.text =
            url.absoluteString.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).first.map(
                String.init) ?? text
    }
}

/// A request: GET, or POST if it has a body.
public struct FetchRequest: Hashable, Sendable {
    /// The URL, with http or https.
    public var url: String
    /// Additional headers, such as `If-None-Match`. They are not sent to another origin after a redirect.
    public var headers: [String: String]
    /// The accepted media types; the body of other types is not fetched. `nil` accepts any.
    public var acceptedTypes: Set<String>?
    /// Indicates that robots.txt of each site is checked first.
    public var obeysRobots: Bool
    /// Indicates that a compressed body is decompressed.
    ///
    /// Otherwise gzip is requested and returned as received, for callers that detect truncation themselves.
    public var decompresses: Bool
    /// Indicates that redirects may lead to another server. An upgrade from http to https on default ports is the same
    /// server.
    public var allowsOtherServers: Bool
    /// The body of a POST request; `nil` for a GET request. Each redirect sends it again.
    public var body: [UInt8]?

    /// The media types of pages with markup.
    public static let pageTypes: Set<String> = [
        "text/html", "application/xhtml+xml", "application/xml", "text/xml", "text/plain",
    ]

    /// Creates a request.
    public init(
        _ url: String, headers: [String: String] = [:], acceptedTypes: Set<String>? = nil, obeysRobots: Bool = false,
        decompresses: Bool = true, allowsOtherServers: Bool = true, body: [UInt8]? = nil
    ) {
        self.url = url
        self.headers = headers
        self.acceptedTypes = acceptedTypes
        self.obeysRobots = obeysRobots
        self.decompresses = decompresses
        self.allowsOtherServers = allowsOtherServers
        self.body = body
    }
}

/// Limits on size and time.
public struct FetchLimits: Hashable, Sendable {
    /// The maximum size of the body in bytes, after decompression.
    public var bytes: Int
    /// The timeout for connecting to a host.
    public var connectTimeout: Duration
    /// The timeout for everything: robots.txt, redirects and the response.
    public var totalTimeout: Duration
    /// The maximum number of redirects.
    public var redirects: Int

    /// Creates limits.
    public init(
        bytes: Int = 16 << 20, connectTimeout: Duration = .seconds(10), totalTimeout: Duration = .seconds(30),
        redirects: Int = 5
    ) {
        self.bytes = max(bytes, 1)
        self.connectTimeout = connectTimeout
        self.totalTimeout = totalTimeout
        self.redirects = redirects
    }
}

/// A response.
public struct FetchedPage: Hashable, Sendable {
    /// The URL after all redirects.
    public let url: String
    /// The HTTP status, such as 200, 304 or 404.
    public let status: Int
    /// The headers in the order received.
    public let headers: [Header]
    /// The body, decompressed unless the request says otherwise.
    public let body: [UInt8]

    /// A header.
    public struct Header: Hashable, Sendable {
        /// The name in lower case.
        public let name: String
        /// The value.
        public let value: String
    }

    /// Returns the values of a header by its name in lower case.
    public func values(of name: String) -> [String] {
        headers.filter { $0.name == name }.map(\.value)
    }

    /// The content type of the body.
    public var contentType: String? { values(of: "content-type").last }
    /// The values of `X-Robots-Tag`, with directives for search engines.
    public var robotsTags: [String] { values(of: "x-robots-tag") }
    /// The entity tag of this version, for `If-None-Match`.
    public var entityTag: String? { values(of: "etag").last }

    /// Throws ``WebFetchError/status(url:status:)`` unless the status is 200–299 or 304.
    public func requireSuccess() throws(WebFetchError) {
        guard (200...299).contains(status) || status == 304 else { throw .status(url: url, status: status) }
    }
}

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
