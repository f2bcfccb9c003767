import HTTPTypes
import Synchronization

/// How many requests each token and each address may make: a bucket for each, from which every request takes one and which fills
/// again with time ("token bucket").
///
/// This machine itself is not limited by its address.
final class RateLimiter: Sendable {
    /// How fast a bucket fills and how much it holds.
    struct Rate: Sendable {
        let perSecond: Double
        let burst: Double
    }

    private struct Bucket {
        var filling: Double
        var since: ContinuousClock.Instant
    }

    private struct Buckets {
        var byKey: [String: Bucket] = [:]
        var sweptAt = ContinuousClock.now
    }

    /// Wrong tokens from one address: one in three seconds, twenty at once.
    private static let failures = Rate(perSecond: 1.0 / 3, burst: 20)
    /// More buckets than this are looked through for full ones, which need not be kept.
    private static let mostKept = 10_000

    private let rate: Rate?
    private let buckets = Mutex(Buckets())

    /// - Parameter perSecond: how many requests a second, with ten times as many at once; 0 for any number.
    init(perSecond: Double) {
        rate = perSecond > 0 ? Rate(perSecond: perSecond, burst: perSecond * 10) : nil
    }

    /// Counts a request of a token.
    func take(of token: String) throws(Problem) { if let rate { try take("token " + token, rate) } }

    /// Counts a request of an address.
    func take(of address: ClientAddress) throws(Problem) {
        guard let rate, !address.isLocal, let name = address.name else { return }
        try take("address " + name, rate)
    }

    /// Counts a wrong token of an address.
    func takeFailure(of address: ClientAddress) throws(Problem) {
        guard !address.isLocal, let name = address.name else { return }
        try take("failures of " + name, Self.failures)
    }

    private func take(_ key: String, _ rate: Rate) throws(Problem) {
        let now = ContinuousClock.now
        let wait: Double? = buckets.withLock { buckets in
            if buckets.byKey.count > Self.mostKept, now - buckets.sweptAt > .seconds(60) {
                buckets.byKey = buckets.byKey.filter { now - $0.value.since < .seconds(60) }
                buckets.sweptAt = now
            }
            var bucket = buckets.byKey[key] ?? Bucket(filling: rate.burst, since: now)
            let seconds = (now - bucket.since) / .seconds(1)
            bucket.filling = min(rate.burst, bucket.filling + seconds * rate.perSecond)
            bucket.since = now
            defer { buckets.byKey[key] = bucket }
            guard bucket.filling >= 1 else { return (1 - bucket.filling) / rate.perSecond }
            bucket.filling -= 1
            return nil
        }
        guard let wait else { return }
        var problem = Problem(
            status: .tooManyRequests, code: "tooManyRequests", detail: "too many requests; slow down")
        problem.fields[.retryAfter] = String(max(1, Int(wait.rounded(.up))))
        throw problem
    }
}
