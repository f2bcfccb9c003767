import Benchmark
import SwitchboardAirports
import Workload

/// Airports: one iteration is one query of a fixed list, in all three stages.
let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, .throughput], timeUnits: .microseconds, warmupIterations: 500, maxDuration: .seconds(3),
        maxIterations: 5000)

    for kind in AirportQuery.Kind.allCases {
        Benchmark("airports, \(kind.rawValue)") { (benchmark: Benchmark, fixture: Fixture) in
            let query = fixture.queries[benchmark.currentIteration % fixture.queries.count]
            blackHole(try fixture.search.run(query))
        } setup: {
            try Fixture(kind)
        }
    }

    for order in [NearestOrder.distance, .relevance] {
        Benchmark("nearest ten airports, by \(order)") { (benchmark: Benchmark, fixture: NearbyFixture) in
            let place = fixture.places[benchmark.currentIteration % fixture.places.count]
            blackHole(try fixture.airports.nearest(to: place, order: order))
        } setup: {
            NearbyFixture()
        }
    }
}

/// A search and its queries.
struct Fixture {
    let search: AirportSearch
    let queries: [AirportQuery]

    init(_ kind: AirportQuery.Kind) throws {
        let airports = Airports(storage: nil)
        var maker = AirportQueryMaker(airports.catalogue)
        queries = try maker.queries(kind, 500)
        search = AirportSearch(airports: airports)
        try search.warmUp()
    }
}

/// The airports and coordinates near them.
struct NearbyFixture {
    let airports = Airports(storage: nil)
    let places: [Coordinate]

    init() { places = Coordinate.nearAirports(500, of: airports.catalogue) }
}
