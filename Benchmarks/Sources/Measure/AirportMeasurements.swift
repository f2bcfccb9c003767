import Foundation
import SwitchboardAirports
import SwitchboardIncrementalIndex
import SwitchboardStorage
import Workload

/// Airports: queries in all three stages, and the nearest airports.
enum AirportMeasurements {
    /// The number of queries of each kind.
    static let queryCount = 500

    /// The storage for airports in the data folder.
    static func storage() throws -> Storage {
        try Storage(at: try DataFolder.path() + "/airports.sqlite", migrations: [Airports.migrations])
    }

    static func searching() throws -> Measurements {
        var measurements = Measurements()
        let path = try DataFolder.path() + "/airports.sqlite"
        for leftOver in [path, path + "-wal", path + "-shm", try DataFolder.path() + "/airports.index"] {
            try? FileManager.default.removeItem(atPath: leftOver)
        }
        let storage = try storage()
        let airports = Airports(storage: storage)
        let search = AirportSearch(airports: airports)
        measurements.facts["opening"] = try Latencies.seconds { try search.warmUp() }
        var maker = AirportQueryMaker(airports.catalogue)
        for kind in AirportQuery.Kind.allCases {
            let queries = try maker.queries(kind, queryCount)
            guard !queries.isEmpty else { continue }
            var found: Double?
            if kind.isMisspelt {
                let hits = try queries.filter { $0.isFound(in: try search.run($0).hits) }
                found = Double(hits.count) / Double(queries.count)
            }
            measurements.add(kind.rawValue, try Latencies.measured(queries) { _ = try search.run($0) }, found: found)
        }
        try nearest(airports, &measurements)
        measurements.facts["airports"] = Double(airports.catalogue.count)
        measurements.facts["resident"] = Double(MemoryUsage.now().resident)
        // The indexes of the embedded list are embedded, too.
        try airports.update(snapshot: try airports.snapshot())
        measurements.facts["index seconds"] = try Latencies.seconds {
            try AirportSearch(airports: Airports(storage: storage)).warmUp()
        }
        return measurements
    }

    private static func nearest(_ airports: Airports, _ measurements: inout Measurements) throws {
        let places = Coordinate.nearAirports(1000, of: airports.catalogue)
        for (name, order) in [
            ("nearest ten, by distance", NearestOrder.distance), ("nearest ten, by relevance", .relevance),
        ] {
            measurements.add(name, try Latencies.measured(places) { _ = try airports.nearest(to: $0, order: order) })
        }
    }
}
