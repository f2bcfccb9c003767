import ContactBook
import Foundation
import LookupEngine
import Workload

/// Questions about contacts: the whole answer, and the index alone.
enum Contacts {
    /// How many questions of each kind.
    static let questions = 500

    /// Imports, writes the questions and builds the index, in a process of its own so that memory is that of searching alone.
    static func prepare(_ count: Int) throws -> [String] {
        let people = try Person.made(count)
        var maker = ContactQueryMaker(people)
        try ContactQuery.write(
            ContactQuery.Kind.allCases.flatMap { maker.queries($0, questions) }, to: queriesPath(count))
        let importing = try MadeUpBook.imported(count)
        let index = try Latencies.seconds { try MadeUpBook.search(count).prepare() }
        let bytes = try FileManager.default.attributesOfItem(atPath: MadeUpBook.indexPath(count))[.size] as? Int ?? 0
        return [
            count.formatted, importing.figure, (Double(count) / importing).figure, index.figure,
            (Double(bytes) / Double(count)).figure,
        ]
    }

    static func queriesPath(_ count: Int) throws -> String { try DataFolder.path() + "/queries-\(count).tsv" }

    static func queries(_ count: Int) throws -> [ContactQuery] { try ContactQuery.read(from: queriesPath(count)) }

    /// Asks everything of a book, then looks at the memory.
    static func search(_ count: Int) throws -> Report {
        let search = try MadeUpBook.search(count)
        let opening = try Latencies.seconds { try search.prepare() }
        let queries = try queries(count)
        var report = Report()
        for kind in ContactQuery.Kind.allCases {
            let asked = queries.filter { $0.kind == kind }
            var found = 0
            for query in asked where try search.answer(query).contains(where: { $0.contact.displayName == query.meant }) {
                found += 1
            }
            report.rows.append(
                Report.Row(
                    kind: kind, latencies: try Latencies.measured(asked) { _ = try search.answer($0) },
                    found: Double(found) / Double(max(asked.count, 1))))
        }
        report.memory = Residency.now()
        report.opening = opening
        return report
    }

    /// Asks an index in memory the same, without a database.
    static func engine(_ count: Int) throws -> Report {
        let people = try Person.made(count)
        let sources = people.map { NameIndex.Source($0) }
        var built: NameIndex?
        var report = Report()
        report.opening = try Latencies.seconds { built = try NameIndex(sources) }
        guard let built else { return report }
        report.bytes = built.index.bytes.withUnsafeBytes(\.count)
        let queries = try queries(count)
        for kind in ContactQuery.Kind.allCases {
            let asked = queries.filter { $0.kind == kind }
            var found = 0
            for query in asked {
                let hits = try built.search(NameIndex.request(query))
                if hits.contains(where: { people[Int($0.id)].name == query.meant }) { found += 1 }
            }
            let requests = asked.map { NameIndex.request($0) }
            report.rows.append(
                Report.Row(
                    kind: kind, latencies: try Latencies.measured(requests) { _ = try built.search($0) },
                    found: Double(found) / Double(max(asked.count, 1))))
        }
        return report
    }

    /// Asks the questions of one kind over and over for ten seconds, for a profiler to look at.
    static func ask(_ kind: ContactQuery.Kind, _ count: Int) throws {
        let search = try MadeUpBook.search(count)
        let asked = try queries(count).filter { $0.kind == kind }
        let start = Latencies.now()
        var rounds = 0
        while Latencies.now() - start < 10_000_000_000 {
            for query in asked { _ = try search.answer(query) }
            rounds += 1
        }
        print(kind.rawValue, rounds * asked.count, "questions in ten seconds")
    }

    /// The three questions of each kind that took longest, in microseconds, the shortest of three rounds.
    static func slow(_ count: Int) throws {
        let search = try MadeUpBook.search(count)
        try search.prepare()
        let queries = try queries(count)
        for kind in ContactQuery.Kind.allCases {
            var times: [(Double, String)] = []
            for query in queries where query.kind == kind {
                let latencies = try Latencies.measured([query], rounds: 3) { _ = try search.answer($0) }
                times.append((latencies.microseconds(1), query.text))
            }
            for (time, text) in times.sorted(by: { $0.0 > $1.0 }).prefix(5) {
                print(kind.rawValue, text, time.figure, separator: "\t")
            }
        }
    }
}
