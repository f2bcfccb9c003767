import Foundation
import SwitchboardAirports
import SwitchboardContacts
import SwitchboardKeypad
import SwitchboardKit
import SwitchboardProspects
import SwitchboardSearchableIndex
import SwitchboardTestSupport
import SwitchboardTesting
import Testing

/// The law of findability: each text that the program displays of a thing, typed, finds the thing in the first row or
/// after rows that display the same text.
///
/// Dates, counts, identifiers and remarks of the program, such as "not yet", are not typed.
@Suite("What is shown is found") struct FindabilityTests {
    /// The details that describe a thing to the program rather than to a person.
    private static let untyped: Set<String> = [
        "created", "changed", "birthday", "photograph", "called", "last called", "contacted", "met", "other", "uid",
        "id", "domain", "expires", "chosen", "coordinates", "time zone", "distance", "type",
    ]

    /// A text that is displayed of a thing.
    struct Shown {
        let thing: String
        let detail: String
        let text: String
    }

    private static func thing(_ row: SearchResult) -> String { "\(row.kind.rawValue) \(row.id)" }

    /// The texts that a row displays, by detail.
    private static func texts(_ row: SearchResult) -> [(detail: String, text: String)] {
        row.details(language: "en").flatMap { detail -> [(detail: String, text: String)] in
            if untyped.contains(detail.name) || detail.tone == .faint { return [] }
            // A number and, in parentheses, its international form.
            let international = detail.text.dropFirst(detail.value.count).trimmingCharacters(in: ["(", ")", " "])
            let texts = detail.text.hasPrefix(detail.value) ? [detail.value, international] : [detail.text]
            // The names of an airport in a language.
            let names = row.kind == .airport ? texts.flatMap { $0.components(separatedBy: ", ") } : texts
            return names.filter { !$0.isEmpty }.map { (detail.name, $0) }
        }
    }

    /// Returns `true` if a row is the thing, or a city with the airport.
    private static func shows(_ row: SearchResult, _ shown: Shown) -> Bool {
        if case .airport(_, let airports) = row.object,
            airports.contains(where: { "airport \($0.code)" == shown.thing })
        {
            return true
        }
        return thing(row) == shown.thing
    }

    /// Returns the texts that do not find their things.
    private static func lost(
        _ rows: [SearchResult], as input: (Shown) -> SearchInput?, by search: (SearchInput) throws -> [SearchResult]
    ) throws -> [String] {
        var lost: [String] = []
        for row in rows {
            for (detail, text) in texts(row) {
                let shown = Shown(thing: thing(row), detail: detail, text: text)
                guard let input = input(shown) else { continue }
                let found = try search(input)
                let before = found.prefix { !shows($0, shown) }
                let others = before.filter { other in !texts(other).contains { $0.text == text } }
                if !others.isEmpty || before.count == found.count && found.count < 10 {
                    let place = before.count == found.count ? "not found" : "row \(before.count + 1)"
                    lost.append(
                        "\(detail) “\(text)” of \(row.kind.rawValue) \(row.title): \(place) after "
                            + (others.first.map { "\($0.title) (\($0.match.map { "\($0)" } ?? ""))" } ?? "nothing"))
                }
            }
        }
        return lost
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

    private static func filled() throws -> (TemporaryStore, Switchboard) {
        let store = try TemporaryStore()
        let switchboard = Switchboard(
            Settings(database: store.database, region: "GB", language: "en"),
            sharingAirportsOf: try FindTests.airports.get().1)
        let sample = folder.appending(path: "../../Apps/switchboard/Samples/contacts.vcf")
        let people = GeneratedPerson.book(seed: 45, count: 250)
        _ = try switchboard.contacts.importing([
            .bytes(Array(try Data(contentsOf: sample)), name: "sample.vcf"),
            .bytes(Array(GeneratedPerson.text(of: people, in: .vCard3).utf8), name: "people.vcf"),
        ])
        let table = try RelevanceTests.table("people.tsv")
        _ = try switchboard.prospects.add(
            table.enumerated().compactMap { number, person in
                number % 6 > 0
                    ? nil
                    : Prospect(
                        name: person["name"] ?? "", email: "p\(number)@example.net",
                        phone: person["phones"]?.split(separator: "|").first.map(String.init) ?? "",
                        organization: person["organization"] ?? "", note: "Met at booth \(number)")
            })
        try switchboard.items().put(
            RelevanceTests.table("titles.tsv").enumerated().map { number, work in
                var attributes = SearchableItemAttributeSet()
                attributes.title = work["title"]
                attributes.contentDescription = work["author"]
                attributes.keywords = number % 3 == 0 ? ["shelf \(number)", "C#"] : nil
                return SearchableItem(uniqueIdentifier: "work-\(number)", attributeSet: attributes)
            })
        return (store, switchboard)
    }

    @Test("A text of a person or item finds it, also among everything") func peopleAndItems() throws {
        let (store, switchboard) = try Self.filled()
        defer { withExtendedLifetime(store) {} }
        let contacts = try switchboard.contacts.list().map { SearchResult($0) }
        let prospects = try switchboard.prospects.list().map { SearchResult($0) }
        var items: [SearchResult] = []
        try switchboard.items().forEach { item in
            items.append(SearchResult(item))
            return true
        }
        #expect(contacts.count > 500 && prospects.count > 100 && items.count > 400)
        let typed = { (shown: Shown) in SearchInput(shown.text) }
        func keys(_ shown: Shown) -> SearchInput? {
            shown.detail.hasPrefix("phone") ? try? SearchInput(keys: shown.text) : nil
        }
        let lost: [(String, [String])] = [
            ("contacts", try Self.lost(contacts, as: typed) { try switchboard.searchContacts($0).results }),
            ("contacts by keypad", try Self.lost(contacts, as: keys) { try switchboard.searchContacts($0).results }),
            ("prospects", try Self.lost(prospects, as: typed) { try switchboard.searchProspects($0).results }),
            ("prospects by keypad", try Self.lost(prospects, as: keys) { try switchboard.searchProspects($0).results }),
            ("items", try Self.lost(items, as: typed) { try switchboard.searchItems($0).results }),
            (
                "everything",
                try Self.lost(contacts + prospects + items, as: typed) { try switchboard.search($0).results }
            ),
        ]
        for (search, lost) in lost {
            #expect(lost.isEmpty, "\(search): \(lost.count)\n\(lost.joined(separator: "\n"))")
        }
    }

    @Test("A person does not leave the first ten while the name is typed, by letters and by keys") func steadiness()
        throws
    {
        let (store, switchboard) = try Self.filled()
        defer { withExtendedLifetime(store) {} }
        var lost: [String] = []
        for contact in try switchboard.contacts.list() {
            // An input method shows a letter before its mark, and a syllable before its last consonant.
            let name = contact.displayName.decomposedStringWithCanonicalMapping.unicodeScalars
            let typed = (1...name.count).map {
                SearchInput(String(name.prefix($0)).precomposedStringWithCanonicalMapping)
            }
            let keyed = Array(digits(of: contact.displayName))
            let keys = try keyed.indices.map { try SearchInput(keys: String(keyed[...$0])) }
            for inputs in [typed, keys] {
                var last: String?
                for input in inputs {
                    let isListed = try switchboard.searchContacts(input).results.contains { $0.id == contact.id }
                    if let last, !isListed {
                        lost.append("\(contact.displayName): in ten by \(last), not by \(input.text)")
                    }
                    last = isListed ? input.text : nil
                }
            }
        }
        #expect(lost.isEmpty, "\(lost.count)\n\(lost.joined(separator: "\n"))")
    }

    @Test("A name or code of an airport finds it") func airports() throws {
        let switchboard = try FindTests.airports.get().1
        let catalogue = Catalogue()
        let rows = (0..<catalogue.count).compactMap { catalogue.airport(at: $0) }
            .map { SearchResult($0, catalogue: catalogue, language: "en") }
        let lost = try Self.lost(rows, as: { SearchInput($0.text) }) { try switchboard.searchAirports($0).results }
        #expect(lost.isEmpty, "\(lost.count)\n\(lost.joined(separator: "\n"))")
    }
}
