import HTTPTypes
import Synchronization

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
