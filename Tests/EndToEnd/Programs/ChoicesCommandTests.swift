import Foundation
import Testing

/// The commands about what was chosen for which query.
@Suite("Choices commands") struct ChoicesCommandTests {
    private let bench: Bench

    init() throws { bench = try Bench.withSample() }

    private func first(_ query: String) throws -> String {
        try #require(try bench.run("contacts", "find", query, "--json").found().ids().first)
    }

    /// The first airport of the first city.
    private func firstAirport(_ query: String) throws -> String {
        let row = try #require(try bench.run("airports", "search", query, "--json").found().first)
        return try #require(try row.objects("airports").first).string("code")
    }

    @Test("find --open records the choice, choices list shows it, and forget deletes it") func open() throws {
        let rows = try bench.run("find", "--kind", "contact", "ma", "--json").found()
        let second = try rows[1].string("id")
        #expect(try first("ma") != second)
        #expect(try bench.run("find", "--kind", "contact", "ma", "--open", "2").status == 0)
        #expect(try first("ma") == second)
        let listed = try bench.run("choices", "list", "--json").json().objects("results")
        #expect(try listed.map { try $0.string("id") } == [second])
        #expect(try listed.map { try $0.string("query") } == ["ma"])
        #expect(try bench.run("choices", "forget", second).status == 0)
        #expect(try bench.run("choices", "list", "--json").json().objects("results").isEmpty)
        let again = try bench.run("choices", "forget", second)
        #expect(again.status == 1)
        #expect(again.errors.contains("was not chosen"))
    }

    @Test("A choice is recorded by identifier or name, unless learning is off") func record() throws {
        #expect(try bench.run("choices", "record", "LGW", "--kind", "airport", "--query", "lon").status == 0)
        #expect(try firstAirport("lon") == "LGW")
        #expect(try bench.run("choices", "learning", "off").output == "off\n")
        #expect(try firstAirport("lon") == "LHR")
        let ignored = try bench.run("choices", "record", "Jogo", "--kind", "contact", "--query", "jo")
        #expect(ignored.status == 0 && ignored.errors.contains("nothing was recorded"))
        #expect(try bench.run("choices", "learning", "on").output == "on\n")
        #expect(
            try bench.run("choices", "record", "Jogo", "--kind", "contact", "--keypad", "--query", "56").status == 0)
        #expect(try bench.run("contacts", "dial", "5", "--json").found().titles().first == "Jogo")
        #expect(try bench.run("choices", "forget", "--all").status == 0)
        #expect(try bench.run("choices", "list", "--json").json().objects("results").isEmpty)
    }

    @Test("Wrong arguments get one line and a status") func wrong() throws {
        let cases: [([String], Int32)] = [
            (["record", "LGW", "--kind", "planet", "--query", "lon"], 64),
            (["record", "XXXX", "--kind", "airport", "--query", "lon"], 1), (["forget"], 64),
            (["forget", "x", "--all"], 64), (["record", "LGW", "--kind", "airport"], 64),
            (["record", "LGW", "--kind", "airport", "--keypad", "--query", "lon"], 64),
        ]
        for (arguments, status) in cases {
            let result = try bench.run(["choices"] + arguments)
            #expect(result.status == status, "\(arguments): \(result.errors)")
        }
    }
}
