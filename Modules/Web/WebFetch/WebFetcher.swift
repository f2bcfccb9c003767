import CSwitchboardCurl
import Foundation
import Synchronization

/// Fetches from the web, within limits.
///
/// The addresses of a host are checked at the moment of connecting to them, so a name that changes what it stands for
/// changes nothing. A redirect from a public address to a private one is always refused. No proxy is used, no cookie
/// kept.
///
/// It may be used from several threads. It remembers each site's robots.txt as long as it lives.
public final class WebFetcher: Sendable {
    /// How much may be fetched, and for how long.
    public let limits: FetchLimits
    /// Whether machines that are not on the public Internet may be reached: those of the own network, and this one.
    public let allowsPrivateAddresses: Bool
    /// How the program calls itself: a name, and behind a slash its version.
    public let agent: String

    /// What robots.txt says, by the origin of the site.
    private let robots = Mutex<[String: RobotsTxt]>([:])

    /// What counts as public; tests take an address of this machine for one.
    private let isPublic: @Sendable (NetworkAddress) -> Bool

    /// Makes a fetcher.
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

    /// Fetches something. It waits for the answer.
    ///
    /// For example: `try fetcher.fetch(FetchRequest("https://example.org/", obeysRobots: true))`
    ///
    /// - Parameters:
    ///   - request: what to fetch, and within which bounds.
    ///   - isCancelled: asked at least ten times a second; true ends the fetching.
    /// - Returns: the answer, whatever its status.
    public func fetch(
        _ request: FetchRequest, isCancelled: @escaping () -> Bool = { false }
    ) throws(WebFetchError) -> FetchedPage {
        var journey = Journey(deadline: .now + limits.total, isCancelled: isCancelled)
        return try fetch(request, &journey)
    }

    // MARK: - Redirects

    /// What one call keeps in mind from one request to the next.
    private struct Journey {
        let deadline: ContinuousClock.Instant
        let isCancelled: () -> Bool
        /// Whether an address of the public Internet was connected to.
        var hasBeenPublic = false
    }

    private func fetch(_ request: FetchRequest, _ journey: inout Journey) throws(WebFetchError) -> FetchedPage {
        var place = try Place(request.url)
        let origin = place.origin
        var visited: Set<String> = []
        while true {
            guard visited.insert(place.text).inserted else { throw .redirectLoop(url: request.url) }
            if request.obeysRobots { try askRobots(place, &journey) }
            var headers = place.origin == origin ? request.headers : [:]
            if !request.unpacks { headers["Accept-Encoding"] = "gzip" }
            let answer = try send(
                place.text, headers, limits.bytes, request.acceptedTypes, unpacks: request.unpacks, &journey)
            guard let target = answer.redirect, (300...399).contains(answer.status) else {
                return FetchedPage(url: place.text, status: answer.status, headers: answer.headers, body: answer.body)
            }
            guard visited.count <= limits.redirects else {
                throw .tooManyRedirects(url: request.url, limit: limits.redirects)
            }
            let next = try Place(target)
            guard request.mayLeaveServer || next.isAtServer(of: place) else {
                throw .redirectElsewhere(url: request.url, target: next.text)
            }
            place = next
        }
    }

    /// One request, whose failures are told apart.
    private func send(
        _ url: String, _ headers: [String: String], _ limit: Int, _ types: Set<String>?, unpacks: Bool = true,
        _ journey: inout Journey
    ) throws(WebFetchError) -> Exchange.Answer {
        let left = ContinuousClock.now.duration(to: journey.deadline)
        guard left > .zero else { throw .timedOut(url: url) }
        if journey.isCancelled() { throw .cancelled }
        let mayBePrivate = allowsPrivateAddresses && !journey.hasBeenPublic
        let answer = Exchange.get(
            url, agent: agent, headers: headers, limit: limit, acceptedTypes: types, unpacks: unpacks,
            connecting: min(limits.connecting, left), total: left, mayConnect: { mayBePrivate || self.isPublic($0) },
            isCancelled: journey.isCancelled)
        if let address = answer.address, isPublic(address) { journey.hasBeenPublic = true }
        switch answer.outcome {
        case sb_curl_answered: return answer
        case sb_curl_bad_address: throw .badAddress(url)
        case sb_curl_unknown_host: throw .unknownHost(URL(string: url)?.host() ?? url)
        case sb_curl_refused_address:
            throw .privateAddress(url: url, address: answer.refusedAddress?.description ?? "private")
        case sb_curl_unreachable: throw .unreachable(url: url, reason: answer.reason)
        case sb_curl_insecure: throw .insecure(url: url, reason: answer.reason)
        case sb_curl_timed_out: throw .timedOut(url: url)
        case sb_curl_cancelled: throw .cancelled
        case sb_curl_too_large: throw .tooLarge(url: url, limit: limit)
        case sb_curl_stopped:
            switch answer.stop {
            case .headTooLarge: throw .headTooLarge(url: url)
            case .wrongType(let type): throw .wrongType(url: url, contentType: type)
            case .bodyTooLarge, nil: throw .tooLarge(url: url, limit: limit)
            }
        case sb_curl_no_memory: throw .noMemory
        case sb_curl_no_library: throw .noLibrary
        default: throw .damaged(url: url, reason: answer.reason)
        }
    }

    // MARK: - robots.txt

    private func askRobots(_ place: Place, _ journey: inout Journey) throws(WebFetchError) {
        let known = robots.withLock { $0[place.origin] }
        let rules: RobotsTxt
        if let known {
            rules = known
        } else {
            rules = try fetchRobots(place.origin, &journey)
            robots.withLock { $0[place.origin] = rules }
        }
        let name = agent.prefix { $0 != "/" }
        guard rules.allows(place.path, agent: String(name)) else { throw .disallowed(url: place.text) }
    }

    /// The file of a site (RFC 9309, 2.3.1): one that is not there allows everything, one that cannot be had nothing.
    private func fetchRobots(_ origin: String, _ journey: inout Journey) throws(WebFetchError) -> RobotsTxt {
        let url = "\(origin)/robots.txt"
        var place = try Place(url)
        for _ in 0...max(limits.redirects, 5) {
            let answer: Exchange.Answer
            do {
                // A little more than is read, so that one that is too long is still read to there.
                answer = try send(place.text, [:], limits.bytes, nil, &journey)
            } catch {
                switch error {
                case .tooLarge: throw .robotsUnreachable(url: url, reason: "it is too large")
                case .damaged(_, let reason), .unreachable(_, let reason):
                    throw .robotsUnreachable(url: url, reason: reason)
                default: throw error
                }
            }
            switch answer.status {
            case 200...299: return RobotsTxt(answer.body)
            case 300...399:
                guard let target = answer.redirect else { return .allowingAll }
                place = try Place(target)
            case 400...499: return .allowingAll
            default: throw .robotsUnreachable(url: url, reason: "status \(answer.status)")
            }
        }
        return .allowingAll
    }
}

/// An address of the web, taken apart as far as fetching needs it.
private struct Place {
    let text: String
    /// The scheme, host and port.
    let origin: String
    /// The path and query, as robots.txt speaks of them.
    let path: String

    /// The host, and whether it is asked at the usual port of its scheme.
    private let host: String
    private let hasUsualPort: Bool

    private static let longest = 8192

    /// Whether it is the same server as that of another address, maybe by https now.
    func isAtServer(of other: Place) -> Bool {
        origin == other.origin
            || host == other.host && hasUsualPort && other.hasUsualPort && origin.hasPrefix("https:")
    }

    init(_ text: String) throws(WebFetchError) {
        guard text.utf8.count < Self.longest, let url = URL(string: text), let scheme = url.scheme?.lowercased() else {
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
        hasUsualPort = url.port == nil || url.port == (scheme == "https" ? 443 : 80)
        origin = "\(scheme)://\(isIPv6 ? "[\(host)]" : host)\(port)".lowercased()
        path = (url.path().isEmpty ? "/" : url.path()) + query
        // Without a fragment, which servers never see.
        self.text =
            url.absoluteString.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).first.map(
                String.init) ?? text
    }
}
