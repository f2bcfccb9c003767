import Foundation
import SwitchboardContacts
import SwitchboardIncrementalIndex
import SwitchboardSearchEngine
import Workload

/// Contacts: import, queries to a database of them, and the same queries to an index alone.
enum ContactMeasurements {
    /// The number of queries of each kind.
    static let queryCount = 500

    /// Generates the queries, imports the contacts and builds their index.
    static func importing(_ count: Int) throws -> Measurements {
        let people = try Person.generated(count)
        var maker = ContactQueryMaker(people)
        try ContactQuery.write(
            ContactQuery.Kind.allCases.flatMap { maker.queries($0, queryCount) }, to: queriesPath(count))
        var measurements = Measurements()
        measurements.facts["import seconds"] = try SyntheticContacts.imported(count)
        measurements.facts["index seconds"] = try Latencies.seconds { try SyntheticContacts.search(count).warmUp() }
        let size = try FileManager.default.attributesOfItem(atPath: SyntheticContacts.indexPath(count))[.size] as? Int
        measurements.facts["index bytes"] = Double(size ?? 0) / Double(count)
        return measurements
    }

    /// Runs all queries on an index mapped from its file, then measures the memory.
    static func searching(_ count: Int) throws -> Measurements {
        var measurements = Measurements()
        let search = try SyntheticContacts.search(count)
        measurements.facts["opening"] = try Latencies.seconds { try search.warmUp() }
        try ask(queries(count), &measurements) { try search.run($0).hits.map(\.person.displayName) }
        let memory = MemoryUsage.now()
        measurements.facts["resident"] = Double(memory.resident)
        measurements.facts["anonymous"] = Double(memory.anonymous)
        return measurements
    }

    /// Runs the same queries on an index in memory, without a database.
    static func engine(_ count: Int) throws -> Measurements {
        var measurements = Measurements()
        let people = try Person.generated(count)
        let sources = people.map { NameIndex.Source($0) }
        var built: NameIndex?
        measurements.facts["build seconds"] = try Latencies.seconds { built = try NameIndex(sources) }
        guard let built else { return measurements }
        measurements.facts["bytes"] = Double(built.index.bytes.withUnsafeBytes(\.count)) / Double(count)
        try ask(queries(count), &measurements) { query in
            try built.search(NameIndex.request(query)).map { people[Int($0.id)].name }
        }
        return measurements
    }

    /// The queries that ``importing(_:)`` wrote.
    static func queries(_ count: Int) throws -> [ContactQuery] { try ContactQuery.read(from: queriesPath(count)) }

    private static func queriesPath(_ count: Int) throws -> String {
        try DataFolder.path() + "/queries-\(count).tsv"
    }

    private static func ask(
        _ queries: [ContactQuery], _ measurements: inout Measurements, names: (ContactQuery) throws -> [String]
    ) throws {
        for kind in ContactQuery.Kind.allCases {
            let selected = queries.filter { $0.kind == kind }
            guard !selected.isEmpty else { continue }
            var found: Double?
            if kind.isMisspelt {
                let hits = try selected.filter { try names($0).contains($0.meant) }
                found = Double(hits.count) / Double(selected.count)
            }
            measurements.add(kind.rawValue, try Latencies.measured(selected) { _ = try names($0) }, found: found)
        }
    }
}
