import SwitchboardIncrementalIndex
import Testing

@testable import SwitchboardSearchableIndex

@Suite("Searching for signs")
struct SignTests {
    private static func index() throws -> TestIndex {
        let test = try TestIndex()
        try test.put(
            """
            {"id": "party", "title": "Party 🎉 tonight"}
            {"id": "heart", "title": "With love ❤️"}
            {"id": "plain-heart", "keywords": ["love", "❤"]}
            {"id": "thumb", "title": "Done", "contentDescription": "Well done 👍🏽 everyone"}
            {"id": "body", "title": "Menu", "textContent": "Soup, bread and 🍔 with fries\\nand 🍟"}
            {"id": "symbols", "title": "What??? *** → really"}
            {"id": "family", "title": "Trip 👨‍👩‍👧"}
            {"id": "flags", "title": "Match 🇦🇩🇪🇸"}
            {"id": "none", "title": "Nothing special", "textContent": "plain words"}
            """)
        return test
    }

    static let queries: [(String, [String])] = [
        ("🎉", ["party"]), ("🎉🎉", []), ("❤️", ["heart", "plain-heart"]), ("❤", ["heart", "plain-heart"]),
        ("👍", ["thumb"]),
        ("👍🏿", ["thumb"]), ("👍🏽", ["thumb"]), ("🍔", ["body"]), ("🍔 🍟", ["body"]), ("🍟 🍔", ["body"]), ("🎉 🍔", []),
        ("???", ["symbols"]),
        ("***", ["symbols"]), ("→", ["symbols"]), ("? *", ["symbols"]), ("????", []), ("👨‍👩‍👧", ["family"]), ("👩", []),
        ("🇦🇩", ["flags"]),
        ("🇩🇪", []), ("🚀", []), ("!!!", []), ("\u{FE0F}", []), ("🏽", []), ("\u{200D}", []), ("♥", []), (",", ["body"]),
    ]

    @Test("A query of signs finds the texts with them, and otherwise nothing", arguments: queries)
    func found(_ query: String, _ ids: [String]) throws {
        #expect(try Self.index().ids(query, limit: 0).sorted() == ids.sorted())
    }

    @Test("The empty query still lists all items")
    func empty() throws {
        let test = try Self.index()
        #expect(try test.ids("", limit: 0).count == 9)
        #expect(try test.ids("  ", limit: 0).count == 9)
    }

    @Test("Titles come before full texts; signs are highlighted, and a full text has a snippet")
    func order() throws {
        let test = try TestIndex()
        try test.put(
            """
            {"id": "body", "title": "a", "textContent": "\(String(repeating: "word ", count: 100))🍔 end"}
            {"id": "name", "title": "b", "keywords": ["🍔"]}
            {"id": "title", "title": "The 🍔️"}
            {"id": "hinted", "title": "🍔", "rankingHint": 90}
            """)
        let hits = try test.search().search("🍔").hits
        #expect(hits.map(\.item.uniqueIdentifier) == ["hinted", "title", "name", "body"])
        #expect(hits[1].highlights == ["title": [4..<6]] && hits[2].highlights == ["keywords.0": [0..<1]])
        let snippet = try #require(hits[3].snippet)
        #expect(snippet.field == "textContent" && snippet.text.contains("🍔") && snippet.highlights.count == 1)
        #expect(try test.ids("🍔", limit: 2) == ["hinted", "title"])
        #expect(try test.search().count("🍔") == 4)
        var filter = ItemFilter()
        filter.query = try AttributeQuery("rankingHint > 50")
        #expect(try test.ids("🍔", filter: filter) == ["hinted"])
    }

    @Test("Signs beside words do not change the search for the words")
    func mixed() throws {
        #expect(try Self.index().ids("party 🎉") == ["party"])
    }
}
