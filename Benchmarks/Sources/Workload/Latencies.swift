#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The latencies of queries: the shortest of several rounds for each query, as percentiles over the queries.
///
/// The shortest round is the cost of the query itself; the rest is noise of the machine. Percentiles over different
/// queries show the cost of hard queries, which a loop over one query cannot.
public struct Latencies: Sendable {
    /// The shortest time of each query in nanoseconds, ascending.
    public let nanoseconds: [Double]

    /// Runs every query once per round, in a different order each time.
    public static func measured<Query>(
        _ queries: [Query], rounds: Int = 5, seed: UInt64 = 7, ask: (Query) throws -> Void
    ) rethrows -> Latencies {
        try reported(by: queries, rounds: rounds, seed: seed) { query in
            let start = Latencies.now()
            try ask(query)
            return Latencies.now() - start
        }
    }

    /// Runs every query once per round. The closure returns the latency in nanoseconds.
    public static func reported<Query>(
        by queries: [Query], rounds: Int = 5, seed: UInt64 = 7, ask: (Query) throws -> UInt64
    ) rethrows -> Latencies {
        var best = [UInt64](repeating: .max, count: queries.count)
        var random = SplitMix(seed: seed)
        var order = Array(queries.indices)
        for _ in 0..<rounds {
            order.shuffle(using: &random)
            for query in order { best[query] = min(best[query], try ask(queries[query])) }
        }
        return Latencies(nanoseconds: best.map { Double($0) }.sorted())
    }

    /// The latency at a quantile, in microseconds: 0.5 is the median.
    public func microseconds(_ quantile: Double) -> Double {
        guard !nanoseconds.isEmpty else { return 0 }
        let index = Int((Double(nanoseconds.count) * quantile).rounded(.up)) - 1
        return nanoseconds[min(max(index, 0), nanoseconds.count - 1)] / 1000
    }

    /// The nanoseconds of a monotonic clock.
    public static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// The seconds that a closure takes.
    public static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let start = now()
        try body()
        return Double(now() - start) / 1e9
    }
}
