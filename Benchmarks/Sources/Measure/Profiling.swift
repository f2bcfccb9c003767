import SwitchboardAirports
import SwitchboardContacts
import SwitchboardSearchEngine
import Workload

/// For those who want to know where the time goes.
enum Profiling {
    /// Asks the questions of one kind, or just one text, over and over for ten seconds, for a profiler to look at.
    static func ask(_ kind: ContactQuery.Kind, _ text: String?, _ count: Int) throws {
        let search = try SyntheticBook.search(count)
        let asked =
            try text.map { [ContactQuery(kind: kind, text: $0, meant: "")] }
            ?? ContactFindings.queries(count).filter { $0.kind == kind }
        try forTenSeconds(kind.rawValue, asked) { _ = try search.answer($0) }
    }

    /// The same of the index alone.
    static func askEngine(_ kind: ContactQuery.Kind, _ count: Int) throws {
        let index = try NameIndex(Person.made(count).map { NameIndex.Source($0) })
        let asked = try ContactFindings.queries(count).filter { $0.kind == kind }.map(NameIndex.request)
        try forTenSeconds(kind.rawValue, asked) { _ = try index.search($0) }
    }

    /// The same of airports.
    static func askAirports(_ kind: AirportQuery.Kind) throws {
        let airports = Airports(storage: try AirportFindings.storage())
        let search = AirportSearch(airports: airports, answersKept: 0)
        try search.warmUp()
        var maker = AirportQueryMaker(airports.catalogue)
        let asked = try maker.queries(kind, AirportFindings.questions)
        try forTenSeconds(kind.rawValue, asked) { _ = try search.answer($0) }
    }

    /// Prints the misspelt questions whose airport was not among the first ten: the city meant, and the rows that stand there instead.
    static func missedAirports() throws {
        let airports = Airports(storage: try AirportFindings.storage())
        let search = AirportSearch(airports: airports, answersKept: 0)
        var maker = AirportQueryMaker(airports.catalogue)
        for kind in AirportQuery.Kind.allCases where kind.isMisspelt {
            for query in try maker.queries(kind, AirportFindings.questions) {
                let hits = try search.answer(query).hits
                guard !query.isAnswered(by: hits) else { continue }
                let rows = hits.map { "\($0.stage) \($0.match.rawValue) \($0.title)" }.joined(separator: " · ")
                print(kind.rawValue, query.text, query.city, hits.count, rows, separator: "\t")
            }
        }
    }

    /// Prints the misspelt questions whose contact was not among the first ten: who was meant, the place behind those, and how those match.
    static func missed(_ count: Int) throws {
        let people = try Person.made(count)
        let index = try NameIndex(people.map { NameIndex.Source($0) })
        for query in try ContactFindings.queries(count) where query.kind.isMisspelt {
            var request = NameIndex.request(query)
            request.limit = 1000
            let hits = try index.search(request)
            let place = hits.firstIndex { people[Int($0.id)].name == query.meant } ?? .max
            if place < 10 { continue }
            let kinds = Dictionary(grouping: hits.prefix(10)) { $0.kind }.map { "\($0.value.count) \($0.key)" }.sorted()
            let edits = hits.indices.contains(place) ? "\(hits[place].kind) \(hits[place].edits)" : "–"
            print(
                query.kind.rawValue, query.text, query.meant, place == .max ? "–" : String(place), edits,
                kinds.joined(separator: ", "), separator: "\t")
        }
    }

    /// Asks all questions over and over for ten seconds, and prints how many that were.
    static func forTenSeconds<Question>(
        _ kind: String, _ asked: [Question], _ ask: (Question) throws -> Void
    ) rethrows {
        guard !asked.isEmpty else { return }
        let start = Latencies.now()
        var rounds = 0
        while Latencies.now() - start < 10_000_000_000 {
            for question in asked { try ask(question) }
            rounds += 1
        }
        print(kind, rounds * asked.count, "questions in ten seconds")
    }

    /// Prints the five questions of each kind that take longest, in microseconds.
    static func slowest(_ count: Int) throws {
        let search = try SyntheticBook.search(count)
        try search.warmUp()
        let queries = try ContactFindings.queries(count)
        for kind in ContactQuery.Kind.allCases {
            let times = try queries.filter { $0.kind == kind }.map { query in
                (try Latencies.measured([query], rounds: 3) { _ = try search.answer($0) }.microseconds(1), query.text)
            }
            for (time, text) in times.sorted(by: { $0.0 > $1.0 }).prefix(5) {
                print(kind.rawValue, text, time.figure, separator: "\t")
            }
        }
    }
}
