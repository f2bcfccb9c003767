import SwitchboardSearchEngine
import SwitchboardSearchableIndex
import Workload

/// For those who want to know where the time goes when items are searched.
enum ItemProfiling {
    /// Asks the questions of one kind, or just one text, over and over for ten seconds, for a profiler to look at.
    static func ask(_ kind: ItemQuery.Kind, _ text: String?, _ count: Int) throws {
        let search = try SyntheticItems.search(count)
        try search.warmUp()
        let asked = try text.map { [$0] } ?? ItemFindings.queries(count).filter { $0.kind == kind }.map(\.text)
        try Profiling.forTenSeconds(kind.rawValue, asked) { _ = try search.answer(finding: $0) }
    }

    /// Prints the ten questions of each kind whose search takes longest, in microseconds: search, whole answer, how the first hit matches.
    static func slowest(_ count: Int) throws {
        let search = try SyntheticItems.search(count)
        try search.warmUp()
        let queries = try ItemFindings.queries(count)
        for kind in ItemQuery.Kind.allCases {
            let times = try queries.filter { $0.kind == kind }.map { query in
                let told = try Latencies.told(by: [query], rounds: 3) { query in
                    UInt64(try search.answer(finding: query.text).searchTime / .nanoseconds(1))
                }
                let whole = try Latencies.measured([query], rounds: 3) { _ = try search.answer(finding: $0.text) }
                let first = try search.answer(finding: query.text).hits.first
                return (
                    told.microseconds(1), whole.microseconds(1), query.text, first.map { $0.match.rawValue } ?? "–"
                )
            }
            for (told, whole, text, match) in times.sorted(by: { $0.0 > $1.0 }).prefix(10) {
                print(kind.rawValue, text, told.figure, whole.figure, match, separator: "\t")
            }
        }
    }

    /// Prints the questions whose item was not among the first ten: the item meant, and how the first one matches that was found instead.
    static func missed(_ count: Int) throws {
        let search = try SyntheticItems.search(count)
        for query in try ItemFindings.queries(count) where query.kind.isCounted {
            let hits = try search.answer(finding: query.text).hits
            guard !hits.contains(where: { $0.item.item.uniqueIdentifier == query.meant }) else { continue }
            let meant = try search.index.item(query.meant).item.attributeSet.title ?? ""
            let match = hits.first.map { $0.match.rawValue } ?? "–"
            print(query.kind.rawValue, query.text, meant, hits.count, match, separator: "\t")
        }
    }
}
