import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardSearchEngine
import SwitchboardStorage
import Testing

@testable import SwitchboardContacts

/// Names that are spelled in another way than they are stored.
@Suite("Sound-alikes") struct SoundAlikeTests {
    /// Pairs of a typed and a stored name.
    static let pairs = [
        ("meyer", "Maier"), ("maier", "Meyer"), ("mayer", "Meier"), ("schmidt", "Schmitt"), ("schmied", "Schmidt"),
        ("katherine", "Catherine"), ("katharina", "Catarina"), ("mohamed", "Muhammad"), ("mohammad", "Muhamed"),
        ("stephan", "Steven"), ("filip", "Philipp"), ("nikolas", "Nicholas"), ("iwanow", "Ivanov"),
        ("tchaikovsky", "Tschaikowsky"), ("youssouf", "Yusuf"), ("jeffrey", "Geoffrey"), ("schroeder", "Shroder"),
        ("gonzales", "Gonzalez"), ("neal", "Neil"), ("thompson", "Tomson"), ("edinborough", "Edinburgh"),
        ("aleksander", "Alexander"), ("schwarz", "Schwartz"), ("ahmad", "Ahmed"), ("kristian", "Christian"),
        ("pietersen", "Peterson"), ("clarke", "Clark"), ("mcdonald", "MacDonald"), ("hussein", "Husain"),
    ]

    @Test("A name is found by another spelling of its sound", arguments: pairs) func pair(typed: String, stored: String)
        throws
    {
        let search = try ContactSearchTests.search([stored, "Bob Underhill"])
        let hits = try search.search(SearchInput(typed)).hits
        #expect(hits.map(\.person.displayName) == [stored])
        #expect(hits.first?.match == .typo)
        #expect(hits.first?.highlights["name"]?.isEmpty == false)
    }

    @Test("A full name is found by the sounds of its words, in any order") func fullNames() throws {
        let search = try ContactSearchTests.search(["Katherine Maier", "Muhammad Khaled Hassan", "Ann Other"])
        for (typed, name) in [
            ("catherine meyer", "Katherine Maier"), ("meyer catherine", "Katherine Maier"),
            ("meyer kath", "Katherine Maier"), ("mohamed chalid", "Muhammad Khaled Hassan"),
        ] {
            let hits = try search.search(SearchInput(typed)).hits
            #expect(hits.map(\.person.displayName) == [name], "\(typed)")
            #expect(hits[0].match == .typo)
            #expect(hits[0].highlights["name"]?.isEmpty == false)
        }
    }

    @Test("A sound-alike comes after a prefix and after one slip") func order() throws {
        let search = try ContactSearchTests.search(["Maier", "Meyers", "Meier", "Beyer"])
        let names = try search.search("meyer").hits.map(\.person.displayName)
        #expect(names == ["Meyers", "Meier", "Beyer", "Maier"])
    }

    @Test(
        "Different names stay different",
        arguments: [
            ("anna", "Bruno"), ("peter", "Martin"), ("smith", "Jones"), ("lee", "Loh"), ("king", "Wang"),
            ("hartmann", "Baumann"), ("rossi", "Rizzo Bianchi"), ("garcia", "Herrera"),
        ]) func different(typed: String, stored: String) throws
    {
        #expect(try ContactSearchTests.search([stored]).search(SearchInput(typed)).hits.isEmpty)
    }

    @Test("The highlight covers the letters that were meant") func highlights() throws {
        let search = try ContactSearchTests.search(["Hans Maierhofer"])
        #expect(try search.search("meyerh").hits.first?.highlights["name"] == [5..<11])
    }

    @Test("A query of alternating sounds ends soon") func manySpellings() throws {
        let search = try ContactSearchTests.search((0..<200).map { "Aeiouaeiou\($0) Kchkcckch" })
        _ = try search.search(SearchInput(String(repeating: "kacheiou", count: 8))).hits
        _ = try search.search(SearchInput(String(repeating: "eiaieyay", count: 6))).hits
    }
}
