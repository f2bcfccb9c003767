import SwitchboardContacts
import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardSearchEngine
import SwitchboardSearchableIndex
import SwitchboardTesting
import Testing

@testable import SwitchboardKit

/// The first rows of searches across people, items and airports.
@Suite("Finding across kinds") struct FindTests {
    static let people = [
        "Acme Rockets", "Ann Smith", "Al Smithe", "Anna Lindqvist", "José Ferreira", "Jamie Oliver", "Katherine Mills",
        "Paris Hernandez", "Victoria Bauer", "London Breed", "Marta Simões", "Oslo Fjeld GmbH", "Dr. Rosa Lux",
        "Carmen Luz Diaz", "Łukasz Żyła", "Андрей Соколов",
    ]
    static let notes = ["José Ferreira": "met at the fair and at lunch", "Katherine Mills": "likes apricot jam"]
    /// Identifier, title, description.
    static let items = [
        ("harbour", "Harbour Lights", "A ferry timetable"), ("simpsons", "Simpsons", "Season four"),
        ("jam", "Recipes of the summer", "Apricot jam in six jars"), ("marmelade", "Marmelade recipes", "Oranges"),
        ("tests", "Test plan", "What to test before the release"), ("metropolis", "Metropolis", "Fritz Lang, 1927"),
        ("casablanca", "Casablanca", "Michael Curtiz, 1942"), ("mockingbird", "To Kill a Mockingbird", "Harper Lee"),
        ("middlemarch", "Middlemarch", "George Eliot"), ("emma", "Emma", "Jane Austen"),
        ("ulysses", "Ulysses", "James Joyce"), ("dracula", "Dracula", "Bram Stoker"),
        ("chicago", "Chicago", "A musical by Kander and Ebb"), ("budget", "Budget 2027", "Draft for the board"),
        ("winter", "The Winter's Tale", "William Shakespeare"), ("godot", "Waiting for Godot", "Samuel Beckett"),
    ]

    /// Airports that suites share, since their index takes seconds to build.
    static let airports = Result {
        let store = try TemporaryStore()
        return (store, Switchboard(Settings(database: store.database, language: "en")))
    }

    static func filled() throws -> (TemporaryStore, Switchboard) {
        let store = try TemporaryStore()
        let switchboard = Switchboard(
            Settings(database: store.database, region: "GB", language: "en"),
            sharingAirportsOf: try airports.get().1)
        for name in people {
            var change = ContactChange()
            change.name = name
            change[.note] = notes[name]
            _ = try switchboard.addContact(change)
        }
        try switchboard.items().put(
            items.map { id, title, description in
                var attributes = SearchableItemAttributeSet()
                attributes.title = title
                attributes.contentDescription = description
                return SearchableItem(uniqueIdentifier: id, attributeSet: attributes)
            })
        return (store, switchboard)
    }

    @Test("A distance from a place without an airport names the place")
    func distance() throws {
        let rows = try Self.airports.get().1.searchAirports(SearchInput("reading"), limit: 5).results
        let heathrow = try #require(rows.first { $0.id == "LHR" })
        #expect(heathrow.distance.hasSuffix(" km from Reading"))
        #expect(rows.first { $0.id == "RDG" }?.distance == "")
    }

    /// The query, and the row that ought to be first.
    static let first = [
        ("acme", "Acme Rockets"), ("harbour", "Harbour Lights"), ("simp", "Simpsons"),
        ("simps", "Simpsons"), ("anna", "Anna Lindqvist"), ("smith", "Ann Smith"), ("test", "Test plan"),
        ("lindq", "Anna Lindqvist"), ("jamie", "Jamie Oliver"), ("kath", "Katherine Mills"), ("emma", "Emma"),
        ("metropolis", "Metropolis"), ("casabl", "Casablanca"), ("mocking", "To Kill a Mockingbird"),
        ("middle", "Middlemarch"), ("ulys", "Ulysses"), ("drac", "Dracula"), ("budget", "Budget 2027"),
        ("winters tale", "The Winter's Tale"), ("godot", "Waiting for Godot"), ("waiting for", "Waiting for Godot"),
        ("lukasz", "Łukasz Żyła"), ("zyla", "Łukasz Żyła"), ("соколов", "Андрей Соколов"),
        ("sokolov", "Андрей Соколов"),
        ("rosa", "Dr. Rosa Lux"), ("breed", "London Breed"), ("simoes", "Marta Simões"),
        ("carmen diaz", "Carmen Luz Diaz"), ("diaz carmen", "Carmen Luz Diaz"), ("heathrow", "London Heathrow"),
        ("tokyo", "Tokyo"), ("narita", "Tokyo Narita"), ("vienna", "Vienna"), ("istanbul", "Istanbul"),
        ("singapore", "Singapore"), ("lhr", "London Heathrow"), ("jfk", "New York John F. Kennedy"),
        ("frankfrut", "Frankfurt"), ("copenhagn", "Copenhagen"), ("harbor lights", "Harbour Lights"),
        ("middlemrach", "Middlemarch"), ("lindkvist", "Anna Lindqvist"),
        ("marmelade", "Marmelade recipes"), ("marmalade", "Marmelade recipes"), ("katherin", "Katherine Mills"),
        ("fritz lang", "Metropolis"), ("austen", "Emma"), ("george eliot", "Middlemarch"),
        ("oslo fj", "Oslo Fjeld GmbH"),
        ("oranges", "Marmelade recipes"), ("beckett", "Waiting for Godot"), ("ferry timetable", "Harbour Lights"),
        ("johannesburg", "Johannesburg"), ("reykjavik", "Reykjav"), ("bombay", "Mumbai"),
        ("saigon", "Ho Chi Minh City"),
    ]

    @Test("The first rows are the same for each limit with room for all kinds") func prefixes() throws {
        let (store, switchboard) = try Self.filled()
        defer { withExtendedLifetime(store) {} }
        for query in Self.first.map(\.0) + ["a", "m", "thé", "an", "lo", "sim", "jam", "the"] {
            let all = try switchboard.search(SearchInput(query), limit: 90).results.map { "\($0.kind) \($0.id)" }
            for limit in [10, 11, 20, 40] {
                let first = try switchboard.search(SearchInput(query), limit: limit).results
                // Weak rows that are left out leave fewer.
                #expect(
                    first.map { "\($0.kind) \($0.id)" } == Array(all.prefix(first.count)), "\(query), \(limit)")
                #expect(first.count > 5 || first.count == all.count, "\(query), \(limit)")
            }
        }
    }

    @Test("The row that ought to be first is first") func firstRows() throws {
        let (store, switchboard) = try Self.filled()
        defer { withExtendedLifetime(store) {} }
        for (query, title) in Self.first {
            let rows = try switchboard.search(SearchInput(query)).results
            let found = rows.first?.title ?? "nothing"
            #expect(found.hasPrefix(title), "\(query) finds \(rows.map(\.title))")
        }
    }

    /// A query, and the only kinds whose rows it shows.
    static let kinds: [(String, Set<ResultKind>)] = [
        ("acme", [.contact]), ("harbour", [.item]), ("simp", [.item]), ("anna", [.contact, .airport]),
        ("smith", [.contact, .airport]), ("godot", [.item]), ("dracula", [.item]), ("lukasz", [.contact]),
        ("sokolov", [.contact]), ("middlemarch", [.item]),
    ]

    @Test("A kind without a good match adds nothing to another's", arguments: kinds)
    func onlyKinds(query: String, kinds: Set<ResultKind>) throws {
        let (store, switchboard) = try Self.filled()
        defer { withExtendedLifetime(store) {} }
        let rows = try switchboard.search(SearchInput(query)).results
        #expect(Set(rows.map(\.kind)).isSubset(of: kinds), "\(rows.map(\.title))")
    }

    @Test("A word of a note or description is not crowded out by prefixes of another kind") func wordsInTexts() throws {
        let (store, switchboard) = try Self.filled()
        defer { withExtendedLifetime(store) {} }
        let rows = try switchboard.search(SearchInput("jam")).results.prefix(4)
        #expect(rows.contains { $0.title == "Recipes of the summer" } && rows.contains { $0.title == "Jamie Oliver" })
    }

    @Test("A typo does not cross words of a note") func typosInNotes() throws {
        let (store, switchboard) = try Self.filled()
        defer { withExtendedLifetime(store) {} }
        let rows = try switchboard.search(SearchInput("anda")).results
        #expect(!rows.contains { $0.title == "José Ferreira" && $0.match == .typo })
    }
}
