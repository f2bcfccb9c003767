#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// How long questions take: of each question the shortest of several rounds, then the percentiles over the questions.
///
/// The shortest of the rounds is what the question itself costs; the rest is what the machine did meanwhile. Percentiles over
/// different questions tell how much dearer the hard ones are, which a loop over one question cannot.
public struct Latencies: Sendable {
    /// The shortest time of each question, in nanoseconds, ascending.
    public let nanoseconds: [Double]

    /// Asks every question once a round, in another order each time.
    public static func measured<Question>(
        _ questions: [Question], rounds: Int = 5, seed: UInt64 = 7, ask: (Question) throws -> Void
    ) rethrows -> Latencies {
        try told(by: questions, rounds: rounds, seed: seed) { question in
            let start = Latencies.now()
            try ask(question)
            return Latencies.now() - start
        }
    }

    /// The same, where the answer tells how long it took, in nanoseconds.
    public static func told<Question>(
        by questions: [Question], rounds: Int = 5, seed: UInt64 = 7, ask: (Question) throws -> UInt64
    ) rethrows -> Latencies {
        var best = [UInt64](repeating: .max, count: questions.count)
        var random = SplitMix(seed: seed)
        var order = Array(questions.indices)
        for _ in 0..<rounds {
            order.shuffle(using: &random)
            for question in order { best[question] = min(best[question], try ask(questions[question])) }
        }
        return Latencies(nanoseconds: best.map { Double($0) }.sorted())
    }

    /// The time below which this part of the questions lies, in microseconds: 0.5 is the median.
    public func microseconds(_ part: Double) -> Double {
        guard !nanoseconds.isEmpty else { return 0 }
        let place = Int((Double(nanoseconds.count) * part).rounded(.up)) - 1
        return nanoseconds[min(max(place, 0), nanoseconds.count - 1)] / 1000
    }

    /// Nanoseconds of a clock that only goes forward.
    public static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Seconds that something takes.
    public static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let start = now()
        try body()
        return Double(now() - start) / 1e9
    }
}
