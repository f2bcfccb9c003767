import CSwitchboardCurl
import Foundation
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
