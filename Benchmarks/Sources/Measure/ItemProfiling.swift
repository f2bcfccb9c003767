import SwitchboardIncrementalIndex
import SwitchboardSearchEngine
import SwitchboardSearchableIndex
import Workload

/// Tools for profiling the search for items.
enum ItemProfiling {
    /// Runs the queries of one kind, or one text, for ten seconds under a profiler.
    static func ask(_ kind: ItemQuery.Kind, _ text: String?, _ count: Int) throws {
        let search = try SyntheticItems.search(count)
        try search.warmUp()
        let texts = try text.map { [$0] } ?? ItemMeasurements.queries(count).filter { $0.kind == kind }.map(\.text)
        try Profiling.forTenSeconds(kind.rawValue, texts) { _ = try search.search($0) }
    }

    /// Prints the ten slowest queries of each kind, in microseconds: search, whole answer, kind of match of the first
    /// hit.
    static func slowest(_ count: Int) throws {
        let search = try SyntheticItems.search(count)
        try search.warmUp()
        let queries = try ItemMeasurements.queries(count)
        for kind in ItemQuery.Kind.allCases {
            let times = try queries.filter { $0.kind == kind }.map { query in
                let reported = try Latencies.reported(by: [query], rounds: 3) { query in
                    UInt64(try search.search(query.text).searchTime / .nanoseconds(1))
                }
                let whole = try Latencies.measured([query], rounds: 3) { _ = try search.search($0.text) }
                let first = try search.search(query.text).hits.first
                return (
                    reported.microseconds(1), whole.microseconds(1), query.text, first.map { $0.match.rawValue } ?? "–"
                )
            }
            for (reported, whole, text, match) in times.sorted(by: { $0.0 > $1.0 }).prefix(10) {
                print(kind.rawValue, text, reported.threeDigits, whole.threeDigits, match, separator: "\t")
            }
        }
    }

    /// Prints the queries whose item was not among the first ten hits: the item meant, and the kind of match of the
    /// first hit.
    static func missed(_ count: Int) throws {
        let search = try SyntheticItems.search(count)
        for query in try ItemMeasurements.queries(count) where query.kind.isCounted {
            let hits = try search.search(query.text).hits
            guard !hits.contains(where: { $0.item.uniqueIdentifier == query.meant }) else { continue }
            let meant = try search.index.item(query.meant).item.attributeSet.title ?? ""
            let match = hits.first.map { $0.match.rawValue } ?? "–"
            print(query.kind.rawValue, query.text, meant, hits.count, match, separator: "\t")
        }
    }
}
