import Benchmark
import Foundation
import SwitchboardSearchableIndex
import SwitchboardStorage
import Synchronization
import Workload

/// Items as a front end receives them: found, read from the database, with highlights. One iteration is one query of a
/// fixed list, or a durable put of a thousand items.
let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, .throughput], timeUnits: .microseconds, warmupIterations: 500, maxDuration: .seconds(3),
        maxIterations: 5000)

    let count = 100_000
    for kind in ItemQuery.Kind.allCases {
        Benchmark("\(count) items, \(kind.rawValue)") { (benchmark: Benchmark, fixture: Fixture) in
            let query = fixture.queries[benchmark.currentIteration % fixture.queries.count]
            blackHole(try fixture.search.search(query.text))
        } setup: {
            try Fixture(kind, count)
        }
    }
    Benchmark(
        "1000 items, put",
        configuration: .init(
            metrics: [.wallClock, .throughput], timeUnits: .milliseconds, warmupIterations: 2, maxDuration: .seconds(5),
            maxIterations: 90)
    ) { (_: Benchmark, put: PutFixture) in
        try put.next()
    } setup: {
        try PutFixture(count)
    }
}

/// A search and its queries.
struct Fixture {
    let search: ItemSearch
    let queries: [ItemQuery]

    init(_ kind: ItemQuery.Kind, _ count: Int) throws {
        var maker = ItemQueryMaker(try Item.generated(count))
        queries = maker.queries(kind, 500)
        search = try SyntheticItems.search(count)
        try search.warmUp()
    }
}

/// A database that grows by a thousand items at a time.
final class PutFixture: Sendable {
    private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    private let storage: Storage
    private let thousands: [[UInt8]]
    private let turns = Mutex(0)

    init(_ count: Int) throws {
        storage = try Storage(
            at: folder.appending(path: "items.sqlite").path(percentEncoded: false),
            migrations: [SearchableIndex.migrations])
        let lines = try Item.lines(count).split(separator: UInt8(ascii: "\n"))
        thousands = stride(from: 0, to: lines.count, by: 1000).map {
            Array(lines[$0..<min($0 + 1000, lines.count)].joined(separator: [UInt8(ascii: "\n")]))
        }
    }

    func next() throws {
        let turn = turns.withLock { turns in
            defer { turns += 1 }
            return turns
        }
        let rest = Mutex(thousands[turn % thousands.count])
        try SyntheticItems.index(in: storage).put(reading: {
            rest.withLock { rest in
                defer { rest = [] }
                return rest
            }
        })
    }

    deinit {
        storage.close()
        try? FileManager.default.removeItem(at: folder)
    }
}
