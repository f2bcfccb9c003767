import Synchronization

/// Request metrics in the Prometheus text format (version 0.0.4).
final class Metrics: Sendable {
    private struct Key: Hashable {
        let method: String
        let route: String
        let status: Int
    }

    private struct Times {
        var counts = [Int](repeating: 0, count: Metrics.bounds.count)
        var count = 0
        var sum = 0.0

        mutating func add(_ seconds: Double) {
            count += 1
            sum += seconds
            for (index, bound) in Metrics.bounds.enumerated() where seconds <= bound { counts[index] += 1 }
        }
    }

    private struct State {
        var requests: [Key: Int] = [:]
        var times: [String: Times] = [:]
    }

    /// The upper bounds of the histogram's buckets, in seconds.
    private static let bounds = [0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.05, 0.25, 1]
    /// The methods used as labels. Clients may send any word, so all others are counted together.
    private static let methods: Set<String> = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

    private let state = Mutex(State())

    func count(method: String, route: String, status: Int, time: Duration) {
        let key = Key(method: Self.methods.contains(method) ? method : "other", route: route, status: status)
        let seconds = time / .seconds(1)
        state.withLock { state in
            state.requests[key, default: 0] += 1
            state.times[route, default: Times()].add(seconds)
        }
    }

    /// - Parameters:
    ///   - gauges: The current values of additional gauges.
    ///   - counters: The current values of additional counters.
    func text(
        gauges: [(name: String, help: String, value: Double)], counters: [(name: String, help: String, value: Int)]
    ) -> String {
        let state = state.withLock { $0 }
        var text = "# HELP switchboard_requests_total Requests handled.\n# TYPE switchboard_requests_total counter\n"
        for (key, count) in state.requests.sorted(by: { ($0.key.route, $0.key.status) < ($1.key.route, $1.key.status) })
        {
            text +=
                "switchboard_requests_total{method=\"\(key.method)\",route=\"\(key.route)\",status=\"\(key.status)\"}"
            text += " \(count)\n"
        }
        text += "# HELP switchboard_request_seconds Duration of requests.\n"
        text += "# TYPE switchboard_request_seconds histogram\n"
        for (route, times) in state.times.sorted(by: { $0.key < $1.key }) {
            let label = "route=\"\(route)\""
            for (bound, count) in zip(Self.bounds, times.counts) {
                text += "switchboard_request_seconds_bucket{\(label),le=\"\(bound)\"} \(count)\n"
            }
            text += "switchboard_request_seconds_bucket{\(label),le=\"+Inf\"} \(times.count)\n"
            text += "switchboard_request_seconds_sum{\(label)} \(times.sum)\n"
            text += "switchboard_request_seconds_count{\(label)} \(times.count)\n"
        }
        for gauge in gauges {
            text += "# HELP \(gauge.name) \(gauge.help)\n# TYPE \(gauge.name) gauge\n\(gauge.name) \(gauge.value)\n"
        }
        for counter in counters {
            text += "# HELP \(counter.name) \(counter.help)\n# TYPE \(counter.name) counter\n"
            text += "\(counter.name) \(counter.value)\n"
        }
        return text
    }
}
