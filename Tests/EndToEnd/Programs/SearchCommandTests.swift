import Foundation
import Testing

/// The search commands on the sample address book. Other suites test the ranking.
@Suite("Search commands")
struct SearchCommandTests {
    let bench: Bench

    init() throws {
        bench = try Bench.withSample()
    }

    @Test("dial and find print rows in the documented shape")
    func contacts() throws {
        let dialled = try bench.run("contacts", "dial", "5646", "--json")
        #expect(dialled.status == 0)
        let rows = try dialled.found()
        #expect(try rows.first?.string("title") == "Jogo")
        #expect(try rows.first?.string("match") == "exact")
        #expect(rows.count <= 10)
        #expect(dialled.output.hasPrefix(#"{"query": "5646", "final": true, "elapsedMicroseconds": "#))
        for query in ["carmen", "jac", "иван", "محمد", "山", "o'neill", "example.com"] {
            let found = try bench.run("contacts", "find", query, "--json")
            #expect(found.status == 0, "\(query)")
            _ = try found.found()
        }
    }

    @Test("Joins several arguments into one query")
    func severalWords() throws {
        let one = try bench.run("contacts", "find", "carmen diaz", "--json").found().ids()
        let two = try bench.run("contacts", "find", "carmen", "diaz", "--json").found().ids()
        #expect(one == two)
        #expect(try bench.run("contacts", "dial", "6279 533", "--json").found().titles().contains("Mary Ann Lee"))
        #expect(try bench.run("contacts", "dial", "+1 (212) 555-0123", "--json").status == 0)
    }

    @Test("Accepts global options anywhere")
    func optionsAnywhere() throws {
        let expected = try bench.run("contacts", "dial", "2", "--json", "--limit", "3").found().ids()
        #expect(expected.count == 3)
        for arguments in [
            ["--json", "--limit", "3", "contacts", "dial", "2"], ["contacts", "--json", "dial", "2", "--limit=3"],
            ["--limit=3", "contacts", "dial", "--json", "2"], ["contacts", "--limit", "3", "--json", "dial", "2"],
            ["--database", bench.database, "contacts", "dial", "--limit", "3", "2", "--json"],
        ] {
            let result = try bench.run(arguments, environment: ["SWITCHBOARD_DATABASE": bench.path("else.sqlite")])
            let found = arguments.contains("--database") ? result : try bench.run(arguments)
            #expect(try found.found().ids() == expected, "\(arguments)")
        }
    }

    @Test("Limits results to ten rows, a given number, or not; rejects negative limits")
    func limits() throws {
        #expect(try bench.run("contacts", "dial", "2", "--json").found().count == 10)
        #expect(try bench.run("contacts", "dial", "2", "--json", "--limit", "0").found().count > 10)
        #expect(try bench.run("contacts", "dial", "2", "--limit", "-1").status == 64)
        #expect(try bench.run("contacts", "dial", "2", "--limit", "ten").status == 64)
    }

    @Test(
        "Accepts the largest integer as a limit",
        arguments: [
            "find an", "contacts find an", "contacts dial 2", "contacts list", "airports search fra",
            "airports dial 372", "airports nearest 50,8", "airports popular", "index search an", "index suggest an",
            "index search an --where rating>1", "index query rating>1", "activity list", "prospects find an",
        ])
    func largestLimit(_ command: String) throws {
        let arguments = command.split(separator: " ").map(String.init) + ["--limit", "\(Int.max)"]
        let result = try bench.run(arguments)
        #expect(result.status == 0 || result.status == 1, "\(result.errors.prefix(300))")
    }

    @Test("Exits with 1 without a match, with an empty JSON response or a note")
    func nothing() throws {
        let json = try bench.run("contacts", "find", "xqzw", "--json")
        #expect(json.status == 1)
        #expect(try json.found().isEmpty)
        #expect(json.errors.isEmpty)
        let text = try bench.run("contacts", "find", "xqzw")
        #expect(text.status == 1)
        #expect(text.output.isEmpty)
        #expect(text.errorLines.count == 1)
        #expect(try bench.run("contacts", "find", "xqzw", "--quiet").errors.isEmpty)
    }

    @Test(
        "Rejects letters in a keypad query",
        arguments: [["contacts", "dial"], ["airports", "dial"], ["find", "--keypad"]])
    func letters(command: [String]) throws {
        let result = try bench.run(command + ["56a6"])
        #expect(result.status == 64)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("\"a\" at position 3"))
        let json = try bench.run(command + ["56a6", "--json"])
        #expect(json.status == 64)
        #expect(json.output.isEmpty)
        #expect(try JSONObject(line: json.errors).errorCode() == "notAKey")
    }

    // MARK: - Airports

    @Test(
        "Airport searches print rows in the documented shape",
        arguments: ["fra", "frankfrut", "london", "bombay", "пекин", "東京", "nyc", "ghbdtn", "heathrow", "nazran"])
    func airports(query: String) throws {
        let result = try bench.run("airports", "search", query, "--json")
        #expect(result.status == 0 || result.status == 1)
        for row in try result.found() { #expect((1...3).contains(try row.integer("stage"))) }
    }

    @Test("Finds misspelt Frankfurt by text and keypad, in the given language")
    func frankfurt() throws {
        let rows = try bench.run("airports", "search", "frankfrut", "--json").found()
        #expect(try rows.first?.string("id") == "FRA")
        #expect(try rows.first?.integer("stage") == 2)
        #expect(try rows.first?.string("match") == "typo")
        #expect(try bench.run("airports", "dial", "37265", "--json").found().ids().contains("FRA"))
        let russian = try bench.run("airports", "search", "fra", "--json", "--language", "ru").found()
        #expect(try russian.contains { try $0.string("title").unicodeScalars.contains { $0.value > 0x400 } })
    }

    @Test("A city is a row that contains its airports")
    func city() throws {
        let rows = try bench.run("airports", "search", "london", "--json").found()
        let city = try #require(try rows.first { try $0.object("airport").boolean("isCity") })
        #expect(try city.string("id") == "LON")
        let codes = try city.objects("airports").map { try $0.string("code") }
        #expect(codes.contains("LHR") && codes.contains("LGW"))
        #expect(try bench.run("airports", "search", "london").output.contains("├ "))
    }

    @Test("Limits a search to one stage")
    func stages() throws {
        for stage in 1...3 {
            for row in try bench.run("airports", "search", "pari", "--stage", "\(stage)", "--json").found() {
                #expect(try row.integer("stage") == stage)
            }
        }
        #expect(try bench.run("airports", "search", "pari", "--stage", "4").status == 64)
    }

    // MARK: - All kinds

    @Test("find mixes all kinds and filters by kind")
    func find() throws {
        let rows = try bench.run("find", "an", "--json").found()
        #expect(rows.count == 10)
        #expect(Set(try rows.map { try $0.string("kind") }) == ["contact", "airport"])
        let people = try bench.run("find", "an", "--kind", "contact", "--json").found()
        #expect(try people.allSatisfy { try $0.string("kind") == "contact" })
        let both = try bench.run("find", "an", "--kind", "airport,contact", "--json").found()
        #expect(try both.ids() == rows.ids())
        let keys = try bench.run("find", "--keypad", "74647", "--json").found()
        #expect(try keys.titles().contains("Rio Grande"))
        #expect(try bench.run("find", "an", "--kind", "ship").status == 64)
        #expect(try bench.run("find", "an", "--kind", "item", "--json").status == 1)
        #expect(try bench.run("find").status == 64)
    }

    @Test("--explain shows why each row matches, in every search")
    func explain() throws {
        for (arguments, reason) in [
            (["contacts", "find", "jgoo"], "1 edit"), (["contacts", "dial", "5646"], "the whole text"),
            (["find", "carmen"], "in name"), (["airports", "search", "lon"], "how much it is used"),
        ] {
            let plain = try bench.run(arguments + ["--json"])
            #expect(!plain.output.contains("evidence"))
            let explained = try bench.run(arguments + ["--json", "--explain"])
            let rows = try plain.found().count
            #expect(explained.output.ranges(of: "\"evidence\": [\"").count == rows && rows > 0, "\(arguments)")
            let text = try bench.run(arguments + ["--explain"])
            #expect(text.output.contains(reason), "\(arguments): \(text.output)")
        }
        let chosen = try bench.run("contacts", "find", "ma", "--json").found().ids()[1]
        #expect(try bench.run("choices", "record", chosen, "--kind", "contact", "--query", "ma").status == 0)
        #expect(try bench.run("contacts", "find", "ma", "--explain").output.contains("chosen for such queries"))
    }
}
