import Foundation
import SwitchboardIncrementalIndex
import SwitchboardSearchableIndex
import SwitchboardStorage
import Workload

/// Items: putting them, building their index, and queries.
enum ItemMeasurements {
    /// The number of queries of each kind.
    static let queryCount = 500

    /// The suffix of a kind's name in the row of its whole answer.
    static let whole = ", whole answer"

    /// Generates the items and the queries.
    static func making(_ count: Int) throws {
        var maker = ItemQueryMaker(try Item.generated(count))
        try ItemQuery.write(ItemQuery.Kind.allCases.flatMap { maker.queries($0, queryCount) }, to: queriesPath(count))
    }

    /// Puts the items as JSON lines into a new database.
    static func putting(_ count: Int) throws -> Measurements {
        var measurements = Measurements()
        measurements.facts["put seconds"] = try SyntheticItems.put(count)
        measurements.facts["put peak"] = Double(MemoryUsage.now().peak)
        measurements.facts["database bytes"] = Double(size(of: try SyntheticItems.path(count)))
        return measurements
    }

    /// Builds the derived index, as the first search after a put does.
    static func indexing(_ count: Int) throws -> Measurements {
        var measurements = Measurements()
        let folder = try SyntheticItems.derivedFolder(count)
        try? FileManager.default.removeItem(atPath: folder)
        measurements.facts["index seconds"] = try Latencies.seconds { try SyntheticItems.search(count).warmUp() }
        measurements.facts["index peak"] = Double(MemoryUsage.now().peak)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        measurements.facts["index bytes"] = Double(files.map { size(of: folder + "/" + $0) }.reduce(0, +))
        return measurements
    }

    /// Runs all queries on an index mapped from its file, then measures the memory. Each kind has two rows: the time
    /// that the answer reports, and the time of the whole answer, with the items read and their highlights.
    static func searching(_ count: Int) throws -> Measurements {
        var measurements = Measurements()
        let search = try SyntheticItems.search(count)
        measurements.facts["opening"] = try Latencies.seconds { try search.warmUp() }
        let queries = try queries(count)
        for kind in ItemQuery.Kind.allCases {
            let selected = queries.filter { $0.kind == kind }
            let hits = try selected.filter { query in
                try search.search(query.text).hits.contains { $0.item.uniqueIdentifier == query.meant }
            }
            let found = kind.isCounted ? Double(hits.count) / Double(max(selected.count, 1)) : nil
            let reported = try Latencies.reported(by: selected) { query in
                UInt64(try search.search(query.text).searchTime / .nanoseconds(1))
            }
            measurements.add(kind.rawValue, reported, found: found)
            let whole = try Latencies.measured(selected) { _ = try search.search($0.text) }
            measurements.add(kind.rawValue + ItemMeasurements.whole, whole, found: found)
        }
        let memory = MemoryUsage.now()
        measurements.facts["resident"] = Double(memory.resident)
        measurements.facts["anonymous"] = Double(memory.anonymous)
        return measurements
    }

    /// The queries that ``making(_:)`` wrote.
    static func queries(_ count: Int) throws -> [ItemQuery] { try ItemQuery.read(from: queriesPath(count)) }

    private static func queriesPath(_ count: Int) throws -> String {
        try DataFolder.path() + "/item-queries-\(count).tsv"
    }

    private static func size(of path: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    }
}
