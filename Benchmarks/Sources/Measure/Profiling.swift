import SwitchboardAirports
import SwitchboardContacts
import SwitchboardIncrementalIndex
import SwitchboardSearchEngine
import Workload

/// Tools for profiling searches.
enum Profiling {
    /// Runs the queries of one kind, or one text, for ten seconds under a profiler.
    static func ask(_ kind: ContactQuery.Kind, _ text: String?, _ count: Int) throws {
        let search = try SyntheticContacts.search(count)
        let queries =
            try text.map { [ContactQuery(kind: kind, text: $0, meant: "")] }
            ?? ContactMeasurements.queries(count).filter { $0.kind == kind }
        try forTenSeconds(kind.rawValue, queries) { _ = try search.run($0) }
    }

    /// Runs the queries of one kind on the index alone.
    static func askEngine(_ kind: ContactQuery.Kind, _ count: Int) throws {
        let index = try NameIndex(Person.generated(count).map { NameIndex.Source($0) })
        let queries = try ContactMeasurements.queries(count).filter { $0.kind == kind }.map(NameIndex.request)
        try forTenSeconds(kind.rawValue, queries) { _ = try index.search($0) }
    }

    /// Runs the queries of one kind on airports.
    static func askAirports(_ kind: AirportQuery.Kind) throws {
        let airports = Airports(storage: try AirportMeasurements.storage())
        let search = AirportSearch(airports: airports)
        try search.warmUp()
        var maker = AirportQueryMaker(airports.catalogue)
        let queries = try maker.queries(kind, AirportMeasurements.queryCount)
        try forTenSeconds(kind.rawValue, queries) { _ = try search.run($0) }
    }

    /// Prints the misspelled queries whose airport was not among the first ten hits: the city meant, and the hits.
    static func missedAirports() throws {
        let airports = Airports(storage: try AirportMeasurements.storage())
        let search = AirportSearch(airports: airports)
        var maker = AirportQueryMaker(airports.catalogue)
        for kind in AirportQuery.Kind.allCases where kind.isMisspelt {
            for query in try maker.queries(kind, AirportMeasurements.queryCount) {
                let hits = try search.run(query).hits
                guard !query.isFound(in: hits) else { continue }
                let rows = hits.map { "\($0.stage) \($0.match.rawValue) \($0.title)" }.joined(separator: " · ")
                print(kind.rawValue, query.text, query.city, hits.count, rows, separator: "\t")
            }
        }
    }

    /// Prints the misspelled queries whose contact was not among the first ten hits: the name meant, its position, and
    /// the kinds of match of the hits.
    static func missed(_ count: Int) throws {
        let people = try Person.generated(count)
        let index = try NameIndex(people.map { NameIndex.Source($0) })
        for query in try ContactMeasurements.queries(count) where query.kind.isMisspelt {
            var request = NameIndex.request(query)
            request.limit = 1000
            let hits = try index.search(request)
            let position = hits.firstIndex { people[Int($0.id)].name == query.meant } ?? .max
            if position < 10 { continue }
            let kinds = Dictionary(grouping: hits.prefix(10)) { $0.kind }.map { "\($0.value.count) \($0.key)" }.sorted()
            let edits = hits.indices.contains(position) ? "\(hits[position].kind) \(hits[position].edits)" : "–"
            print(
                query.kind.rawValue, query.text, query.meant, position == .max ? "–" : String(position), edits,
                kinds.joined(separator: ", "), separator: "\t")
        }
    }

    /// Runs all queries repeatedly for ten seconds and prints their number.
    static func forTenSeconds<Query>(
        _ kind: String, _ queries: [Query], _ search: (Query) throws -> Void
    ) rethrows {
        guard !queries.isEmpty else { return }
        let start = Latencies.now()
        var rounds = 0
        while Latencies.now() - start < 10_000_000_000 {
            for query in queries { try search(query) }
            rounds += 1
        }
        print(kind, rounds * queries.count, "queries in ten seconds")
    }

    /// Prints the five slowest queries of each kind, in microseconds.
    static func slowest(_ count: Int) throws {
        let search = try SyntheticContacts.search(count)
        try search.warmUp()
        let queries = try ContactMeasurements.queries(count)
        for kind in ContactQuery.Kind.allCases {
            let times = try queries.filter { $0.kind == kind }.map { query in
                (try Latencies.measured([query], rounds: 3) { _ = try search.run($0) }.microseconds(1), query.text)
            }
            for (time, text) in times.sorted(by: { $0.0 > $1.0 }).prefix(5) {
                print(kind.rawValue, text, time.threeDigits, separator: "\t")
            }
        }
    }
}
