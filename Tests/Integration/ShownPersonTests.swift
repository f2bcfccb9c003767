import Foundation
import SwitchboardAirports
import SwitchboardContacts
import SwitchboardKeypad
import SwitchboardKit
import SwitchboardProspects
import SwitchboardTestSupport
import SwitchboardTesting
import Testing

/// The law of findability: each text that the program displays of a thing, typed, finds the thing in the first row or
/// after rows that display the same text; an address is in the first ten rows.
///
/// Dates, counts, identifiers and remarks of the program, such as "not yet", are not typed.
@Suite("What is shown of people is found") struct ShownPersonTests {
    /// The details that describe a thing to the program rather than to a person.
    private static let untyped: Set<String> = [
        "created", "changed", "photograph", "called", "last called", "contacted", "met", "other", "uid",
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
            if detail.name == "groups" { return detail.text.components(separatedBy: ", ").map { (detail.name, $0) } }
            // A number and, in parentheses, its international form.
            let international = detail.text.dropFirst(detail.value.count).trimmingCharacters(in: ["(", ")", " "])
            let texts = detail.text.hasPrefix(detail.value) ? [detail.value, international] : [detail.text]
            return texts.filter { !$0.isEmpty }.map { (detail.name, $0) }
        }
    }

    /// Returns `true` if a row displays a text, as a whole or in a longer text, or a number with the same digits.
    private static func displays(_ row: SearchResult, _ shown: Shown) -> Bool {
        func digits(_ text: String) -> String { text.filter(\.isNumber) }
        let wanted = digits(shown.text)
        // The values of other properties are searched, too.
        let others = row.details(language: "en").filter { $0.name == "other" }.map { ($0.name, $0.text) }
        return (texts(row) + others).contains { detail, text in
            // An extension is not typed as often as its number.
            text.localizedCaseInsensitiveContains(shown.text)
                || detail == "phone" && shown.detail == "phone"
                    && (digits(text).contains(wanted) || wanted.hasPrefix(digits(text)))
        }
    }

    /// Returns the texts that do not find their things.
    private static func lost(
        _ rows: [SearchResult], by search: (SearchInput) throws -> [SearchResult]
    ) throws -> [String] {
        var lost: [String] = []
        for row in rows {
            for (detail, text) in texts(row) {
                let shown = Shown(thing: thing(row), detail: detail, text: text)
                let found = try search(SearchInput(text))
                let before = found.prefix { thing($0) != shown.thing }
                let others = before.filter { !displays($0, shown) }
                let isMissing = before.count == found.count
                // The words of an address may also be in several texts of others.
                let isLost = detail == "address" ? isMissing : !others.isEmpty
                if isLost || isMissing && found.count < 10 {
                    let place = isMissing ? "not found" : "row \(before.count + 1)"
                    lost.append(
                        "\(detail) “\(text)” of \(row.kind.rawValue) \(row.title): \(place) after "
                            + (others.first.map { "\($0.title) (\($0.match.map { "\($0)" } ?? ""))" } ?? "nothing"))
                }
            }
        }
        return lost
    }

    /// People with birthdays that are no dates.
    private static var born: String {
        ["circa 1800", "spring of 1969", "1985-03", "昭和五十年", "1969年5月"].enumerated()
            .map { "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Person \($0)\r\nBDAY;VALUE=text:\($1)\r\nEND:VCARD\r\n" }
            .joined()
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

    private static func filled() throws -> (TemporaryStore, Switchboard) {
        let store = try TemporaryStore()
        let switchboard = Switchboard(
            Settings(database: store.database, region: "GB", language: "en"),
            sharingAirportsOf: try FindTests.airports.get().1)
        let sample = folder.appending(path: "../../Apps/switchboard/Samples/contacts.vcf")
        let people = GeneratedPerson.book(seed: 45, count: 250)
        _ = try switchboard.contacts.importContacts(from: [
            .bytes(Array(try Data(contentsOf: sample)), name: "sample.vcf"),
            .bytes(Array(GeneratedPerson.text(of: people, in: .vCard3).utf8), name: "people.vcf"),
            .bytes(Array(Self.born.utf8), name: "born.vcf"),
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
        return (store, switchboard)
    }

    @Test("A text of a person finds the person") func people() throws {
        let (store, switchboard) = try Self.filled()
        defer { withExtendedLifetime(store) {} }
        let contacts = try switchboard.contacts.list().map { SearchResult($0) }
        let prospects = try switchboard.prospects.list().map { SearchResult($0) }
        #expect(contacts.count > 500 && prospects.count > 100)
        let lost: [(String, [String])] = [
            ("contacts", try Self.lost(contacts) { try switchboard.searchContacts($0).results }),
            ("prospects", try Self.lost(prospects) { try switchboard.searchProspects($0).results }),
        ]
        for (search, lost) in lost {
            #expect(lost.isEmpty, "\(search): \(lost.count)\n\(lost.joined(separator: "\n"))")
        }
    }
}
