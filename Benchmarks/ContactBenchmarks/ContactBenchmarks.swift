import Benchmark
import SwitchboardContacts
import Workload

/// Contacts as a front end gets them: found, read from the database, with highlights. One iteration is one question of a fixed list.
let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, .throughput], timeUnits: .microseconds, warmupIterations: 500, maxDuration: .seconds(3),
        maxIterations: 5000)

    for count in [10_000, 100_000] {
        for kind in ContactQuery.Kind.allCases {
            Benchmark("\(count) contacts, \(kind.rawValue)") { (benchmark: Benchmark, asked: Asked) in
                let query = asked.queries[benchmark.currentIteration % asked.queries.count]
                blackHole(try asked.search.answer(query))
            } setup: {
                try Asked(kind, count)
            }
        }
        Benchmark(
            "\(count) contacts, imported",
            configuration: .init(metrics: [.wallClock], timeUnits: .milliseconds, warmupIterations: 0, maxIterations: 2)
        ) { _ in
            blackHole(try SyntheticBook.imported(count))
        } setup: {
            // The cards are made before the clock starts.
            _ = try DataFolder.contacts(count, format: "vcard")
        }
    }
}

/// A book, and what is asked of it.
struct Asked {
    let search: ContactSearch
    let queries: [ContactQuery]

    init(_ kind: ContactQuery.Kind, _ count: Int) throws {
        var maker = ContactQueryMaker(try Person.made(count))
        queries = maker.queries(kind, 500)
        search = try SyntheticBook.search(count)
        try search.warmUp()
    }
}
