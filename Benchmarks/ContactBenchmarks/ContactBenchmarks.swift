import Benchmark
import SwitchboardContacts
import Workload

/// Contacts as a front end receives them: found, read from the database, with highlights. One iteration is one query of
/// a fixed list.
let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, .throughput], timeUnits: .microseconds, warmupIterations: 500, maxDuration: .seconds(3),
        maxIterations: 5000)

    for count in [10_000, 100_000] {
        for kind in ContactQuery.Kind.allCases {
            Benchmark("\(count) contacts, \(kind.rawValue)") { (benchmark: Benchmark, fixture: Fixture) in
                let query = fixture.queries[benchmark.currentIteration % fixture.queries.count]
                blackHole(try fixture.search.run(query))
            } setup: {
                try Fixture(kind, count)
            }
        }
        Benchmark(
            "\(count) contacts, imported",
            configuration: .init(metrics: [.wallClock], timeUnits: .milliseconds, warmupIterations: 0, maxIterations: 2)
        ) { _ in
            blackHole(try SyntheticContacts.imported(count))
        } setup: {
            // The cards are generated before the clock starts.
            _ = try DataFolder.contacts(count, format: "vcard")
        }
    }
}

/// A search and its queries.
struct Fixture {
    let search: ContactSearch
    let queries: [ContactQuery]

    init(_ kind: ContactQuery.Kind, _ count: Int) throws {
        var maker = ContactQueryMaker(try Person.generated(count))
        queries = maker.queries(kind, 500)
        search = try SyntheticContacts.search(count)
        try search.warmUp()
    }
}
