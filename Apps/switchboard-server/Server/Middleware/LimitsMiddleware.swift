import HTTPTypes
import Hummingbird
import Synchronization

/// Limits the size of a request's address and header fields, and checks its host.
struct LimitsMiddleware: ServerMiddleware {
    private static let maximumAddressLength = 8 << 10
    private static let maximumHeaderSize = 16 << 10

    let hosts: AllowedHosts

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        if request.head.path?.utf8.count ?? 0 > Self.maximumAddressLength {
            throw Problem(
                status: .uriTooLong, code: "addressTooLong",
                detail: "the address is longer than \(Self.maximumAddressLength) bytes", fields: [.connection: "close"])
        }
        let size = request.headers.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 4 }
        if size > Self.maximumHeaderSize {
            throw Problem(
                status: .requestHeaderFieldsTooLarge, code: "headersTooLarge",
                detail: "the header fields are larger than \(Self.maximumHeaderSize) bytes",
                fields: [.connection: "close"])
        }
        // The parser keeps one Host field as the authority; another one may have misled a proxy (RFC 9112, section
        // 3.2).
        guard request.headers[.host] == nil else { throw Problem.badRequest("the request has two Host fields") }
        guard request.head.path?.hasPrefix("/") ?? false || request.method == .options else {
            throw Problem.badRequest("the target is not a path; use one such as /v1/contacts")
        }
        // Probes know the IP address of the server, not its name.
        if Route.probes.contains(request.uri.path) { return try await next(request, context) }
        guard hosts.allows(request.head.authority) else {
            throw Problem(
                status: .misdirectedRequest, code: "wrongHost",
                detail: "unknown host; the operator can add it to the server's public hosts")
        }
        return try await next(request, context)
    }
}

extension HTTPField.Name {
    fileprivate static let host = Self("Host")!
}

/// The host names that this server responds to.
///
/// Checking the host of each request defends against DNS rebinding, where an attacker's page points its own host name
/// at this machine.
final class AllowedHosts: Sendable {
    private struct Names {
        var local: Set<String> = []
        /// Names without a port match any port, because a proxy may be in front of the server.
        var known: Set<String> = []
    }

    private let names = Mutex(Names())

    /// - Parameter publicHosts: Names besides the loopback names, with or without a port.
    init(publicHosts: [String]) {
        setPublicHosts(publicHosts)
    }

    /// Replaces the names besides the loopback names.
    func setPublicHosts(_ hosts: [String]) {
        names.withLock { $0.known = Set(hosts.map { $0.lowercased() }) }
    }

    /// Allows the loopback names with the port that the server listens on.
    func allowLocalHosts(port: Int) {
        let local = ["127.0.0.1", "localhost", "[::1]"]
        names.withLock {
            $0.local.formUnion(local.map { "\($0):\(port)" })
            if port == 80 || port == 443 { $0.local.formUnion(local) }
        }
    }

    /// Returns whether requests for a host (`name:port`) are allowed.
    func allows(_ host: String?) -> Bool {
        guard let host = host?.lowercased() else { return false }
        return names.withLock {
            $0.local.contains(host) || $0.known.contains(host) || $0.known.contains(Self.bare(host))
        }
    }

    /// Returns a host without its port.
    private static func bare(_ host: String) -> String {
        guard let colon = host.lastIndex(of: ":"), host[host.index(after: colon)...].allSatisfy(\.isNumber),
            !host.hasPrefix("[") || host[..<colon].hasSuffix("]")
        else { return host }
        return String(host[..<colon])
    }
}

/// A token-bucket rate limiter with a bucket for each access token and each client address.
///
/// Addresses of this machine are not limited.
final class RateLimiter: Sendable {
    /// The refill rate and capacity of a bucket.
    struct Rate: Sendable {
        let perSecond: Double
        let burst: Double
    }

    private struct Bucket {
        var level: Double
        var updatedAt: ContinuousClock.Instant
    }

    private struct Buckets {
        var byKey: [String: Bucket] = [:]
        var sweptAt = ContinuousClock.now
    }

    /// The rate of invalid tokens from one address.
    private static let failures = Rate(perSecond: 1.0 / 3, burst: 20)
    /// The number of buckets above which buckets unused for a minute are dropped.
    private static let maximumCount = 10_000

    private let rate: Mutex<Rate?>
    private let buckets = Mutex(Buckets())

    /// - Parameter perSecond: The requests per second, with bursts of up to ten times that number; 0 for no limit.
    init(perSecond: Double) {
        rate = Mutex(Self.rate(perSecond: perSecond))
    }

    func setRate(perSecond: Double) { rate.withLock { $0 = Self.rate(perSecond: perSecond) } }

    private static func rate(perSecond: Double) -> Rate? {
        perSecond > 0 ? Rate(perSecond: perSecond, burst: perSecond * 10) : nil
    }

    /// Counts a request of a token.
    func take(of token: String) throws(Problem) {
        if let rate = rate.withLock({ $0 }) { try take("token " + token, rate) }
    }

    /// Counts a request from an address.
    func take(of address: ClientAddress) throws(Problem) {
        guard let rate = rate.withLock({ $0 }), !address.isLocal, let name = address.name else { return }
        try take("address " + name, rate)
    }

    /// Counts an invalid token from an address.
    func takeFailure(of address: ClientAddress) throws(Problem) {
        guard !address.isLocal, let name = address.name else { return }
        try take("failures of " + name, Self.failures)
    }

    private func take(_ key: String, _ rate: Rate) throws(Problem) {
        let now = ContinuousClock.now
        let wait: Double? = buckets.withLock { buckets in
            if buckets.byKey.count > Self.maximumCount, now - buckets.sweptAt > .seconds(60) {
                buckets.byKey = buckets.byKey.filter { now - $0.value.updatedAt < .seconds(60) }
                buckets.sweptAt = now
            }
            var bucket = buckets.byKey[key] ?? Bucket(level: rate.burst, updatedAt: now)
            let seconds = (now - bucket.updatedAt) / .seconds(1)
            bucket.level = min(rate.burst, bucket.level + seconds * rate.perSecond)
            bucket.updatedAt = now
            defer { buckets.byKey[key] = bucket }
            guard bucket.level >= 1 else { return (1 - bucket.level) / rate.perSecond }
            bucket.level -= 1
            return nil
        }
        guard let wait else { return }
        throw Problem(
            status: .tooManyRequests, code: "tooManyRequests", detail: "too many requests; wait before trying again",
            fields: [.retryAfter: String(max(1, Int(wait.rounded(.up))))])
    }
}
