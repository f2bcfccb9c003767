import SwitchboardAirports
import Foundation
import SwitchboardStorage
import Workload

/// Airports: questions in all three stages, and the nearest ones.
enum AirportFindings {
    /// How many questions of each kind.
    static let questions = 500

    /// A storage for airports in the folder of the data.
    static func storage() throws -> Storage {
        try Storage(at: try DataFolder.path() + "/airports.sqlite", migrations: [Airports.migrations])
    }

    static func searching() throws -> Findings {
        var findings = Findings()
        let path = try DataFolder.path() + "/airports.sqlite"
        for leftOver in [path, path + "-wal", path + "-shm", try DataFolder.path() + "/airports.index"] {
            try? FileManager.default.removeItem(atPath: leftOver)
        }
        let storage = try storage()
        findings.facts["index seconds"] = try Latencies.seconds {
            try AirportSearch(airports: Airports(storage: storage)).warmUp()
        }
        let airports = Airports(storage: storage)
        let search = AirportSearch(airports: airports, answersKept: 0)
        findings.facts["opening"] = try Latencies.seconds { try search.warmUp() }
        var maker = AirportQueryMaker(airports.catalogue)
        for kind in AirportQuery.Kind.allCases {
            let asked = try maker.queries(kind, questions)
            guard !asked.isEmpty else { continue }
            var found: Double?
            if kind.isMisspelt {
                let hits = try asked.filter { $0.isAnswered(by: try search.answer($0).hits) }
                found = Double(hits.count) / Double(asked.count)
            }
            findings.add(kind.rawValue, try Latencies.measured(asked) { _ = try search.answer($0) }, found: found)
        }
        let remembering = AirportSearch(airports: airports)
        let again = try maker.queries(.prefix, questions)
        for question in again { _ = try remembering.answer(question) }
        findings.add("prefix, asked again", try Latencies.measured(again) { _ = try remembering.answer($0) })
        try nearest(airports, &findings)
        findings.facts["airports"] = Double(airports.catalogue.count)
        findings.facts["resident"] = Double(Residency.now().resident)
        return findings
    }

    private static func nearest(_ airports: Airports, _ findings: inout Findings) throws {
        let places = Coordinate.nearAirports(1000, of: airports.catalogue)
        for (name, order) in [
            ("nearest ten, by distance", NearestOrder.distance), ("nearest ten, by relevance", .relevance),
        ] {
            findings.add(name, try Latencies.measured(places) { _ = try airports.nearest(to: $0, order: order) })
        }
    }
}
