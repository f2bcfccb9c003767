import Foundation
import SwitchboardContacts
import SwitchboardKeypad
import SwitchboardKit
import SwitchboardSearchableIndex
import SwitchboardTesting
import Testing

/// The relevance of searches, by the judgements beside this file; see docs/matching.md and `Scripts/bench relevance`.
@Suite("Relevance of searches") struct RelevanceTests {
    /// The mean reciprocal rank of the expected rows, and their shares in the first one, three and five rows.
    struct Figures {
        var mean: Double
        var inFirst: Double
        var inThree: Double
        var inFive: Double
    }

    /// The minimum figures of each class: the last measurement less one query. Raise them after an improvement.
    static let floors: [String: Figures] = [
        "people: exact name": Figures(mean: 0.97, inFirst: 0.97, inThree: 0.97, inFive: 0.97),
        "people: beginning of the full name": Figures(mean: 0.96, inFirst: 0.96, inThree: 0.96, inFive: 0.96),
        "people: family name": Figures(mean: 0.97, inFirst: 0.97, inThree: 0.97, inFive: 0.97),
        "people: family name beside similar ones": Figures(mean: 0.96, inFirst: 0.96, inThree: 0.96, inFive: 0.96),
        "people: words in another order": Figures(mean: 0.96, inFirst: 0.96, inThree: 0.96, inFive: 0.96),
        "people: one typing error": Figures(mean: 0.97, inFirst: 0.97, inThree: 0.97, inFive: 0.97),
        "people: first letters, one typing error": Figures(mean: 0.96, inFirst: 0.96, inThree: 0.96, inFive: 0.96),
        "people: name by keypad": Figures(mean: 0.96, inFirst: 0.96, inThree: 0.96, inFive: 0.96),
        "people: name by keypad, one wrong digit": Figures(mean: 0.88, inFirst: 0.82, inThree: 0.96, inFive: 0.96),
        "people: part of a phone number": Figures(mean: 0.82, inFirst: 0.79, inThree: 0.86, inFive: 0.86),
        "people: sound-alike spelling": Figures(mean: 0.96, inFirst: 0.96, inThree: 0.96, inFive: 0.96),
        "items: first words": Figures(mean: 0.97, inFirst: 0.97, inThree: 0.97, inFive: 0.97),
        "items: words from the middle": Figures(mean: 0.96, inFirst: 0.96, inThree: 0.96, inFive: 0.96),
        "items: word beside similar ones": Figures(mean: 0.96, inFirst: 0.96, inThree: 0.96, inFive: 0.96),
        "items: misspelt word": Figures(mean: 0.88, inFirst: 0.88, inThree: 0.88, inFive: 0.88),
        "items: one typing error": Figures(mean: 0.97, inFirst: 0.97, inThree: 0.97, inFive: 0.97),
        "items: joined or split words": Figures(mean: 0.95, inFirst: 0.95, inThree: 0.95, inFive: 0.95),
        "airports: exact name": Figures(mean: 0.96, inFirst: 0.96, inThree: 0.96, inFive: 0.96),
        "airports: first letters of a large city": Figures(mean: 0.96, inFirst: 0.96, inThree: 0.96, inFive: 0.96),
        "airports: first letters, one typing error": Figures(mean: 0.94, inFirst: 0.92, inThree: 0.96, inFive: 0.96),
        "airports: misspelt city": Figures(mean: 0.96, inFirst: 0.96, inThree: 0.96, inFive: 0.96),
        "airports: name in another language": Figures(mean: 0.93, inFirst: 0.93, inThree: 0.93, inFive: 0.93),
        "airports: code": Figures(mean: 0.96, inFirst: 0.96, inThree: 0.96, inFive: 0.96),
        "across kinds: a person": Figures(mean: 0.95, inFirst: 0.93, inThree: 0.96, inFive: 0.96),
        "across kinds: an item": Figures(mean: 0.96, inFirst: 0.96, inThree: 0.96, inFive: 0.96),
        "across kinds: an airport": Figures(mean: 0.96, inFirst: 0.96, inThree: 0.96, inFive: 0.96),
    ]

    /// A query with the rank of the expected row among the first ten, if it is there.
    struct Outcome {
        var query: String
        var expected: String
        var rank: Int?
        var first: String
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Relevance")

    /// Returns the rows of a table as dictionaries by column.
    static func table(_ name: String) throws -> [[String: String]] {
        let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        let lines = text.split(separator: "\n").map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
        let columns = try #require(lines.first)
        return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(columns, $0)) }
    }

    private static func card(_ person: [String: String]) -> String {
        func value(_ column: String) -> String {
            (person[column] ?? "").replacingOccurrences(of: "\\", with: "\\\\")
                .replacingOccurrences(of: ",", with: "\\,").replacingOccurrences(of: ";", with: "\\;")
        }
        var lines = ["BEGIN:VCARD", "VERSION:3.0", "FN:" + value("name"), "N:\(value("family"));\(value("given"));;;"]
        if !value("nickname").isEmpty { lines.append("NICKNAME:" + value("nickname")) }
        if !value("organization").isEmpty { lines.append("ORG:" + value("organization")) }
        lines += value("phones").split(separator: "|").map { "TEL:\($0)" }
        return (lines + ["END:VCARD", ""]).joined(separator: "\r\n")
    }

    private static func filled() throws -> (TemporaryStore, Switchboard) {
        let store = try TemporaryStore()
        let switchboard = Switchboard(
            Settings(database: store.database, region: "GB", language: "en"),
            sharingAirportsOf: try FindTests.airports.get().1)
        let people = try table("people.tsv")
        let cards = people.map(card).joined()
        let report = try switchboard.contacts.importContacts(from: [.bytes(Array(cards.utf8), name: "people.vcf")])
        #expect(report.added == people.count)
        try switchboard.items().put(
            table("titles.tsv").enumerated().map { number, work in
                var attributes = SearchableItemAttributeSet()
                attributes.title = work["title"]
                attributes.contentDescription = work["author"]
                return SearchableItem(uniqueIdentifier: "work-\(number)", attributeSet: attributes)
            })
        return (store, switchboard)
    }

    /// Returns the outcomes of the queries of the half to report, by class.
    private static func outcomes(_ switchboard: Switchboard) throws -> [String: [Outcome]] {
        var outcomes: [String: [Outcome]] = [:]
        for row in try table("queries.tsv") where row["half"] == "report" {
            let query = row["query"] ?? ""
            let expected = row["expected"] ?? ""
            let input = try SearchInput(query, keypad: row["input"] == "keys")
            let results =
                switch row["kind"] {
                case "contact": try switchboard.searchContacts(input).results
                case "item": try switchboard.searchItems(input).results
                case "airport": try switchboard.searchAirports(input).results
                default: try switchboard.search(input).results
                }
            let place = results.firstIndex { $0.id == expected || $0.title == expected }
            outcomes[row["class"] ?? "", default: []].append(
                Outcome(
                    query: query, expected: expected, rank: place.map { $0 + 1 },
                    first: results.first?.title ?? "nothing"))
        }
        return outcomes
    }

    private static func figures(_ outcomes: [Outcome]) -> Figures {
        func share(_ most: Int) -> Double {
            Double(outcomes.count(where: { ($0.rank ?? .max) <= most })) / Double(outcomes.count)
        }
        let sum = outcomes.reduce(0) { $0 + ($1.rank.map { 1 / Double($0) } ?? 0) }
        return Figures(mean: sum / Double(outcomes.count), inFirst: share(1), inThree: share(3), inFive: share(5))
    }

    @Test("No class of queries is found worse than before") func classes() throws {
        let (store, switchboard) = try Self.filled()
        defer { withExtendedLifetime(store) {} }
        let outcomes = try Self.outcomes(switchboard)
        #expect(Set(outcomes.keys) == Set(Self.floors.keys))
        for (name, floor) in Self.floors.sorted(by: { $0.key < $1.key }) {
            let measured = Self.figures(outcomes[name] ?? [])
            let fell = (outcomes[name] ?? []).filter { $0.rank != 1 }.map { outcome in
                let rank = outcome.rank.map { "rank \($0)" } ?? "not in ten"
                return "\(outcome.query): \(outcome.expected) is \(rank), after \(outcome.first)"
            }
            let isKept =
                measured.mean >= floor.mean && measured.inFirst >= floor.inFirst
                && measured.inThree >= floor.inThree && measured.inFive >= floor.inFive
            #expect(isKept, "\(name): \(measured) is less than \(floor)\n\(fell.joined(separator: "\n"))")
        }
    }
}
