import Foundation
import SwitchboardSearchChoices
import SwitchboardStorage
import Synchronization
import Testing

/// A clock that a test sets.
private final class TestClock: Sendable {
    private let time = Mutex(Date(timeIntervalSince1970: 1_800_000_000))

    var now: Date { time.withLock { $0 } }

    func advance(days: Double) { time.withLock { $0 += days * 86_400 } }
}

@Suite("Choices of searches") struct SearchChoicesTests {
    private let clock = TestClock()
    private let choices: SearchChoices

    init() throws {
        choices = SearchChoices(
            storage: try Storage.inMemory(migrations: [SearchChoices.migrations]), clock: { [clock] in clock.now })
    }

    private func first(_ query: String, kind: String = "contact") throws -> [String] {
        try choices.preferences(for: query, kind: kind).map(\.id)
    }

    @Test("One choice is enough, for the query, its beginnings and its continuations") func oneChoice() throws {
        #expect(try first("jo").isEmpty)
        try choices.record("jogo", kind: "contact", query: "jo")
        #expect(try first("jo") == ["jogo"])
        #expect(try first("j") == ["jogo"])
        #expect(try first("jog") == ["jogo"])
        #expect(try first("k").isEmpty)
        #expect(try first("ajo").isEmpty)
        #expect(try first("jo", kind: "airport").isEmpty)
    }

    @Test("The query itself counts more than its beginnings and continuations") func thisQuery() throws {
        for _ in 0..<3 { try choices.record("anna", kind: "contact", query: "anna") }
        try choices.record("andrew", kind: "contact", query: "an")
        #expect(try first("an") == ["andrew", "anna"])
        #expect(try first("a") == ["anna", "andrew"])
        let preferences = try choices.preferences(for: "an", kind: "contact")
        #expect(preferences.map(\.isForThisQuery) == [true, false])
        #expect(preferences.map(\.weight) == [4, 3])
    }

    @Test("A choice halves in thirty days and is deleted after 180") func decay() throws {
        for _ in 0..<2 { try choices.record("old", kind: "contact", query: "o") }
        clock.advance(days: 90)
        try choices.record("new", kind: "contact", query: "o")
        #expect(try first("o") == ["new", "old"])
        #expect(try choices.preferences(for: "o", kind: "contact").map(\.weight) == [4, 1])
        clock.advance(days: 91)
        try choices.record("other", kind: "contact", query: "x")
        #expect(try choices.list().map(\.id) == ["other", "new"])
    }

    @Test("A clock that goes back does not increase a weight") func clockBack() throws {
        try choices.record("a", kind: "contact", query: "q")
        clock.advance(days: -400)
        #expect(try choices.preferences(for: "q", kind: "contact").map(\.weight) == [4])
    }

    @Test("While learning is off, choices are neither recorded nor used") func off() throws {
        try choices.record("a", kind: "contact", query: "q")
        try choices.setOn(false)
        #expect(try choices.isOn() == false)
        #expect(try first("q").isEmpty)
        try choices.record("b", kind: "contact", query: "q")
        try choices.setOn(true)
        #expect(try first("q") == ["a"])
    }

    @Test("Choices of one object or all are forgotten") func forget() throws {
        try choices.record("a", kind: "contact", query: "q")
        try choices.record("a", kind: "contact", query: "r")
        try choices.record("b", kind: "airport", query: "q")
        #expect(try choices.forget("a") == 2)
        #expect(try choices.forget("a") == 0)
        #expect(try choices.list().map(\.id) == ["b"])
        try choices.forgetAll()
        #expect(try choices.list().isEmpty)
    }

    @Test("Empty and very long queries are not learnt", arguments: ["", String(repeating: "a", count: 129)])
    func unlearnt(query: String) throws {
        try choices.record("a", kind: "contact", query: query)
        #expect(try choices.list().isEmpty)
        #expect(try first(query).isEmpty)
    }

    @Test("Any text is a query", arguments: ["'; DROP TABLE search_choice", "%", "_", "\u{10FFFF}", "a\0b", "🎷"])
    func anyText(query: String) throws {
        try choices.record("a", kind: "contact", query: query)
        try choices.record("b", kind: "contact", query: "other")
        #expect(try first(query) == ["a"])
    }

    @Test("At most the given number of objects, the best first") func limit() throws {
        for number in 0..<20 {
            for _ in 0...number { try choices.record("\(number)", kind: "contact", query: "q") }
        }
        #expect(try choices.preferences(for: "q", kind: "contact", limit: 3).map(\.id) == ["19", "18", "17"])
        #expect(try choices.preferences(for: "q", kind: "contact").count == 8)
    }
}
