import SwitchboardContacts
import Foundation
import SwitchboardSearchEngine
import Workload

/// Contacts: importing them, questions to a book of them, and the same questions to an index alone.
enum ContactFindings {
    /// How many questions of each kind.
    static let questions = 500

    /// Makes the questions, imports the contacts and builds their index.
    static func importing(_ count: Int) throws -> Findings {
        let people = try Person.made(count)
        var maker = ContactQueryMaker(people)
        try ContactQuery.write(
            ContactQuery.Kind.allCases.flatMap { maker.queries($0, questions) }, to: queriesPath(count))
        var findings = Findings()
        findings.facts["import seconds"] = try SyntheticBook.imported(count)
        findings.facts["index seconds"] = try Latencies.seconds { try SyntheticBook.search(count).warmUp() }
        let size = try FileManager.default.attributesOfItem(atPath: SyntheticBook.indexPath(count))[.size] as? Int
        findings.facts["index bytes"] = Double(size ?? 0) / Double(count)
        return findings
    }

    /// Asks a book everything, the index mapped from its file, then looks at the memory.
    static func searching(_ count: Int) throws -> Findings {
        var findings = Findings()
        let search = try SyntheticBook.search(count)
        findings.facts["opening"] = try Latencies.seconds { try search.warmUp() }
        try ask(queries(count), &findings) { try search.answer($0).map(\.contact.displayName) }
        let memory = Residency.now()
        findings.facts["resident"] = Double(memory.resident)
        findings.facts["proportional"] = Double(memory.proportional)
        findings.facts["anonymous"] = Double(memory.anonymous)
        return findings
    }

    /// Asks an index in memory the same, without a database.
    static func engine(_ count: Int) throws -> Findings {
        var findings = Findings()
        let people = try Person.made(count)
        let sources = people.map { NameIndex.Source($0) }
        var built: NameIndex?
        findings.facts["build seconds"] = try Latencies.seconds { built = try NameIndex(sources) }
        guard let built else { return findings }
        findings.facts["bytes"] = Double(built.index.bytes.withUnsafeBytes(\.count)) / Double(count)
        try ask(queries(count), &findings) { query in
            try built.search(NameIndex.request(query)).map { people[Int($0.id)].name }
        }
        return findings
    }

    /// The questions that ``importing(_:)`` made.
    static func queries(_ count: Int) throws -> [ContactQuery] { try ContactQuery.read(from: queriesPath(count)) }

    private static func queriesPath(_ count: Int) throws -> String {
        try DataFolder.path() + "/queries-\(count).tsv"
    }

    private static func ask(
        _ queries: [ContactQuery], _ findings: inout Findings, names: (ContactQuery) throws -> [String]
    ) throws {
        for kind in ContactQuery.Kind.allCases {
            let asked = queries.filter { $0.kind == kind }
            guard !asked.isEmpty else { continue }
            var found: Double?
            if kind.isMisspelt {
                let hits = try asked.filter { try names($0).contains($0.meant) }
                found = Double(hits.count) / Double(asked.count)
            }
            findings.add(kind.rawValue, try Latencies.measured(asked) { _ = try names($0) }, found: found)
        }
    }
}
