import Foundation
import SwitchboardSearchableIndex
import SwitchboardStorage
import Workload

/// Items: putting them, making their index, and questions to them.
enum ItemFindings {
    /// How many questions of each kind.
    static let questions = 500

    /// What stands behind the name of a kind in the row of its whole answer.
    static let whole = ", whole answer"

    /// Makes the items and the questions about them.
    static func making(_ count: Int) throws {
        var maker = ItemQueryMaker(try Item.made(count))
        try ItemQuery.write(ItemQuery.Kind.allCases.flatMap { maker.queries($0, questions) }, to: queriesPath(count))
    }

    /// Puts the items as JSON lines into a fresh database.
    static func putting(_ count: Int) throws -> Findings {
        var findings = Findings()
        findings.facts["put seconds"] = try SyntheticItems.put(count)
        findings.facts["put peak"] = Double(Residency.now().peak)
        findings.facts["database bytes"] = Double(size(of: try SyntheticItems.path(count)))
        return findings
    }

    /// Makes the derived index, as the first search after a put does.
    static func indexing(_ count: Int) throws -> Findings {
        var findings = Findings()
        let folder = try SyntheticItems.derivedFolder(count)
        try? FileManager.default.removeItem(atPath: folder)
        findings.facts["index seconds"] = try Latencies.seconds { try SyntheticItems.search(count).warmUp() }
        findings.facts["index peak"] = Double(Residency.now().peak)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        findings.facts["index bytes"] = Double(files.map { size(of: folder + "/" + $0) }.reduce(0, +))
        return findings
    }

    /// Asks everything, the index mapped from its file, then looks at the memory. Of each kind there are two rows: what the answer says of
    /// its time, and the whole answer, with the items read and their highlights.
    static func searching(_ count: Int) throws -> Findings {
        var findings = Findings()
        let search = try SyntheticItems.search(count)
        findings.facts["opening"] = try Latencies.seconds { try search.warmUp() }
        let queries = try queries(count)
        for kind in ItemQuery.Kind.allCases {
            let asked = queries.filter { $0.kind == kind }
            let hits = try asked.filter { query in
                try search.answer(finding: query.text).hits.contains { $0.item.item.uniqueIdentifier == query.meant }
            }
            let found = kind.isCounted ? Double(hits.count) / Double(max(asked.count, 1)) : nil
            let told = try Latencies.told(by: asked) { query in
                UInt64(try search.answer(finding: query.text).searchTime / .nanoseconds(1))
            }
            findings.add(kind.rawValue, told, found: found)
            let whole = try Latencies.measured(asked) { _ = try search.answer(finding: $0.text) }
            findings.add(kind.rawValue + ItemFindings.whole, whole, found: found)
        }
        let memory = Residency.now()
        findings.facts["resident"] = Double(memory.resident)
        findings.facts["anonymous"] = Double(memory.anonymous)
        return findings
    }

    /// The questions that ``making(_:)`` made.
    static func queries(_ count: Int) throws -> [ItemQuery] { try ItemQuery.read(from: queriesPath(count)) }

    private static func queriesPath(_ count: Int) throws -> String {
        try DataFolder.path() + "/item-queries-\(count).tsv"
    }

    private static func size(of path: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    }
}
