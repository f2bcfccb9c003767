import SwitchboardAirports
import Benchmark
import Workload

/// Airports: one iteration is one question of a fixed list, in all three stages.
let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, .throughput], timeUnits: .microseconds, warmupIterations: 500, maxDuration: .seconds(3),
        maxIterations: 5000)

    for kind in AirportQuery.Kind.allCases {
        Benchmark("airports, \(kind.rawValue)") { (benchmark: Benchmark, asked: Asked) in
            let query = asked.queries[benchmark.currentIteration % asked.queries.count]
            blackHole(try asked.search.answer(query))
        } setup: {
            try Asked(kind)
        }
    }

    for order in [NearestOrder.distance, .relevance] {
        Benchmark("nearest ten airports, by \(order)") { (benchmark: Benchmark, asked: Nearby) in
            let place = asked.places[benchmark.currentIteration % asked.places.count]
            blackHole(try asked.airports.nearest(to: place, order: order))
        } setup: {
            Nearby()
        }
    }
}

/// The search, and what is asked of it.
struct Asked {
    let search: AirportSearch
    let queries: [AirportQuery]

    init(_ kind: AirportQuery.Kind) throws {
        let airports = Airports(storage: nil)
        var maker = AirportQueryMaker(airports.catalogue)
        queries = try maker.queries(kind, 500)
        search = AirportSearch(airports: airports, answersKept: 0)
        try search.warmUp()
    }
}

/// The airports, and places near them.
struct Nearby {
    let airports = Airports(storage: nil)
    let places: [Coordinate]

    init() { places = Coordinate.nearAirports(500, of: airports.catalogue) }
}
