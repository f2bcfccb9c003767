import SwitchboardAirports
import SwitchboardContacts
import SwitchboardKeypad
import SwitchboardSearchChoices
import SwitchboardSearchableIndex
import SwitchboardTesting
import Testing

@testable import SwitchboardKit

/// An object chosen for a query comes first the next time.
@Suite("Learning from choices") struct ChoiceTests {
    private let store: TemporaryStore
    private let switchboard: Switchboard

    init() throws { (store, switchboard) = try FindTests.filled() }

    private func titles(_ input: SearchInput, limit: Int = 10) throws -> [String] {
        try switchboard.search(input, limit: limit).results.map(\.title)
    }

    private func choose(_ title: String, for input: SearchInput) throws {
        let rows = try switchboard.search(input, limit: 0).results
        try switchboard.recordChoice(of: try #require(rows.first { $0.title == title }), for: input)
    }

    @Test("A choice shows at once, in the search of its kind and in the one across kinds") func atOnce() throws {
        #expect(try titles("smith").first == "Ann Smith")
        try choose("Al Smithe", for: "smith")
        #expect(try titles("smith").prefix(2) == ["Al Smithe", "Ann Smith"])
        #expect(try switchboard.searchContacts("smith").results.first?.title == "Al Smithe")
        #expect(try titles("smi").first == "Al Smithe")
        #expect(try titles("ann").first != "Al Smithe")
    }

    @Test("An airport, an item and a keypad query learn as well") func kinds() throws {
        let second = try switchboard.searchAirports("santi").results[1]
        #expect(!second.isWeak)
        try switchboard.recordChoice(of: second, for: "santi")
        #expect(try switchboard.searchAirports("santi").results.first?.id == second.id)
        #expect(try switchboard.searchAirports("sant").results.first?.id == second.id)
        #expect(try titles("santi").first == second.title)

        try choose("Recipes of the summer", for: "jam")
        #expect(try titles("jam").first == "Recipes of the summer")

        let keys = try SearchInput(keys: "526")
        let before = try switchboard.searchContacts(keys, limit: 0).results.map(\.title)
        let last = try #require(before.last)
        #expect(before.count > 1)
        try choose(last, for: keys)
        #expect(try switchboard.searchContacts(keys).results.first?.title == last)
    }

    @Test("A chosen airport comes first in the row of its city") func airportOfACity() throws {
        func airports() throws -> [String] {
            guard case .airport(_, let airports)? = try switchboard.searchAirports("lon").results.first?.object else {
                return []
            }
            return airports.map(\.code)
        }
        let before = try airports()
        try switchboard.recordChoice(of: DeepLink(kind: .airport, id: "LGW"), for: "lon")
        #expect(before.first == "LHR")
        #expect(try airports() == ["LGW"] + before.filter { $0 != "LGW" })
        try switchboard.recordChoice(of: DeepLink(kind: .airport, id: "LHR"), for: "lon")
        try switchboard.recordChoice(of: DeepLink(kind: .airport, id: "LHR"), for: "lon")
        #expect(try airports() == before)
        #expect(try switchboard.searchAirports("lon").results.map(\.id).count { $0 == "LON" } == 1)
    }

    @Test("A chosen row that is not among the first is found") func behindTheLimit() throws {
        let all = try switchboard.searchContacts("a", limit: 0).results
        let last = try #require(all.last { !$0.isWeak })
        #expect(all.count > 2)
        try switchboard.recordChoice(of: last, for: "a")
        #expect(try switchboard.searchContacts("a", limit: 1).results.map(\.id) == [last.id])
        #expect(Set(try switchboard.searchContacts("a", limit: 0).results.map(\.id)) == Set(all.map(\.id)))
    }

    @Test("A weak row comes first only for the query that it was chosen for") func weakRows() throws {
        let rows = try switchboard.searchContacts("smiht").results
        #expect(rows.allSatisfy { $0.isWeak })
        try choose("Al Smithe", for: "smiht")
        #expect(try switchboard.searchContacts("smiht").results.first?.title == "Al Smithe")
        #expect(try switchboard.searchContacts("smi").results.first?.title == "Al Smithe")
        try switchboard.choices.forgetAll()
        try choose("Anna Lindqvist", for: "ann")
        #expect(try titles("ann smith").first == "Ann Smith")
    }

    @Test("What was removed disturbs nothing") func removed() throws {
        try choose("Al Smithe", for: "smith")
        let id = try switchboard.contactIdentifier("Al Smithe")
        try switchboard.contacts.remove([id])
        #expect(try titles("smith").first == "Ann Smith")
        #expect(try switchboard.chosen().map(\.title) == [""])
    }

    @Test("Opening a result records it") func opening() throws {
        let response = try switchboard.search("smith")
        _ = try switchboard.open(2, of: response)
        let row = try #require(try switchboard.chosen().first)
        #expect((row.query, row.kind, row.count) == ("smith", response.results[1].kind.rawValue, 1))
        #expect(try titles("smith").first == response.results[1].title)
    }

    @Test("Stages and filters keep their rows") func stages() throws {
        let second = try switchboard.searchAirports("tokyo").results[1]
        let first = try switchboard.searchAirports("tokyo", stage: 1).results.map(\.id)
        try switchboard.recordChoice(of: second, for: "tokyo")
        #expect(try switchboard.searchAirports("tokyo", stage: 1).results.map(\.id) == first)
    }

    /// The keystrokes of a person who types until the wanted row is among the first three.
    private func keystrokes(for person: String) throws -> Int {
        let letters = Array(person.lowercased())
        for count in 1...letters.count {
            let input = SearchInput(String(letters[..<count]))
            let rows = try switchboard.searchContacts(input, limit: 3).results
            if let row = rows.first(where: { $0.title == person }) {
                try switchboard.recordChoice(of: row, for: input)
                return count
            }
        }
        return letters.count
    }

    @Test("A person needs fewer keystrokes after a hundred choices") func simulatedPerson() throws {
        let names = ["Anna", "Andrea", "Anton", "Antonia", "Annika", "Angela", "Anja", "André", "Antje", "Anke"]
        for name in names {
            for family in ["Schmidt", "Schneider", "Schulz", "Schröder", "Schwarz", "Scholz"] {
                var change = ContactChange()
                change.name = "\(name) \(family)"
                _ = try switchboard.addContact(change)
            }
        }
        // The person calls a few people most of the time, as everyone does: the n-th 1/n as often.
        let friends = ["Antje Scholz", "Anna Schwarz", "André Schulz", "Anke Schröder", "Annika Schneider"]
        let calls = [0, 1, 0, 2, 0, 1, 3, 0, 1, 4, 0, 2, 1, 0, 0, 1, 2, 0, 3, 0].map { friends[$0] }
        let before = try calls.reduce(0) { total, name in
            let count = try keystrokes(for: name)
            try switchboard.choices.forgetAll()
            return total + count
        }
        for _ in 0..<5 { for name in calls { _ = try keystrokes(for: name) } }
        let after = try calls.reduce(0) { try $0 + keystrokes(for: $1) }
        #expect(after * 2 < before, "\(before) keystrokes before, \(after) after, for \(calls.count) calls")
    }
}
