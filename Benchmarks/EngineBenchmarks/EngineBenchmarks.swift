import Benchmark
import SwitchboardSearchEngine
import Workload

/// The index alone: one iteration is one query of a fixed list, so percentiles are over different queries.
let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, .throughput], timeUnits: .microseconds, warmupIterations: 500, maxDuration: .seconds(3),
        maxIterations: 5000)

    for count in [10_000, 100_000] {
        for kind in ContactQuery.Kind.allCases {
            Benchmark("\(count) names, \(kind.rawValue)") { (benchmark: Benchmark, fixture: Fixture) in
                let request = fixture.requests[benchmark.currentIteration % fixture.requests.count]
                blackHole(try fixture.index.search(request))
            } setup: {
                try Fixture(kind, count)
            }
        }
        Benchmark(
            "\(count) names, built",
            configuration: .init(metrics: [.wallClock], timeUnits: .milliseconds, warmupIterations: 1, maxIterations: 5)
        ) { (_: Benchmark, sources: [NameIndex.Source]) in
            blackHole(try NameIndex(sources))
        } setup: {
            try Person.generated(count).map { NameIndex.Source($0) }
        }
    }
}

/// An index and its requests.
struct Fixture {
    let index: NameIndex
    let requests: [SearchRequest]

    init(_ kind: ContactQuery.Kind, _ count: Int) throws {
        let people = try Person.generated(count)
        var maker = ContactQueryMaker(people)
        index = try NameIndex(people.map { NameIndex.Source($0) })
        requests = maker.queries(kind, 500).map { NameIndex.request($0) }
    }
}
