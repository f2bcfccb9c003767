import SwitchboardIncrementalIndex
import SwitchboardTestSupport
import Testing

@testable import SwitchboardSearchableIndex

@Suite("Operators in typed text")
struct TypedQueryTests {
    private static let items = #"""
        [{"id": "pie", "title": "Apple pie", "keywords": ["dessert"]}, {"id": "tart", "title": "Apple tart"},
         {"id": "tv", "title": "Television set", "contentDescription": "A big apple on the screen"},
         {"id": "sons", "title": "Sons OR Daughters"}, {"id": "cold", "title": "-5 degrees",
          "textContent": "A cold New York winter with an apple."},
         {"id": "guide", "title": "New York guide"}, {"id": "old", "title": "York, new and old"},
         {"id": "family", "title": "Daughters of Sons"}, {"id": "tokyo", "title": "東京都庁"},
         {"id": "quoted", "title": "The \"big\" apple"}]
        """#

    @Test(
        "Phrases, words to leave out and alternatives",
        arguments: [
            ("apple -pie", ["quoted", "tart", "tv", "cold"]), ("apple -\"big apple\"", ["pie", "tart", "cold"]),
            ("-apple -york", ["sons", "family", "tokyo"]), ("pie OR tart", ["pie", "tart"]),
            ("apple pie OR tart", ["pie", "tart"]), ("\"new york\"", ["guide", "cold"]),
            ("“new york” -guide", ["cold"]), ("\"york new\"", ["old"]),
            ("\"new york\" OR tart", ["guide", "tart", "cold"]),
            ("pie OR", ["pie"]), ("aple -pie", ["quoted", "tart", "tv"]), ("\"東京\"", ["tokyo"]), ("\"京都\"", ["tokyo"]),
            ("-東京 sons", ["family", "sons"]),
            // Neither of them has an operator.
            ("new-york", ["guide", "old", "cold"]), ("York - guide", ["guide"]),
        ])
    func operators(_ text: String, _ ids: [String]) throws {
        let test = try TestIndex()
        try test.put(Self.items)
        #expect(try Set(test.ids(text)) == Set(ids))
    }

    @Test(
        "A text that contains the query as it is typed comes first",
        arguments: [
            ("-5 degrees", "cold"), ("sons OR daughters", "sons"), ("the \"big\" apple", "quoted"), ("Sons OR", "sons"),
            ("OR sons", "sons"),
        ])
    func literal(_ text: String, _ id: String) throws {
        let test = try TestIndex()
        try test.put(Self.items)
        #expect(try test.ids(text).first == id)
    }

    @Test("Operators agree with sets of the items that their parts find", arguments: [UInt64(1), 2, 3])
    func sets(_ seed: UInt64) throws {
        let words = ["amber", "birch", "cedar", "delta", "ember", "frost", "grove", "harbor"]
        var random = SplitMix(seed: seed)
        let test = try TestIndex()
        var titles: [[String]] = []
        for _ in 0..<60 {
            titles.append(
                (0..<Int.random(in: 1...4, using: &random)).map { _ in words.randomElement(using: &random) ?? "" })
        }
        let items = titles.enumerated().map { #"{"id": "\#($0)", "title": "\#($1.joined(separator: " "))"}"# }
        try test.put("[" + items.joined(separator: ",") + "]")
        func found(_ text: String) throws -> Set<Int> { try Set(test.ids(text, limit: 0).compactMap(Int.init)) }
        func expected(_ holds: ([String]) -> Bool) -> Set<Int> { Set(titles.indices.filter { holds(titles[$0]) }) }
        for one in words {
            for other in words where other != one {
                #expect(try found("\"\(one)\" -\(other)") == expected { $0.contains(one) && !$0.contains(other) })
                #expect(try found("\"\(one)\" OR \"\(other)\"") == expected { $0.contains(one) || $0.contains(other) })
                #expect(
                    try found("\"\(one) \(other)\"")
                        == expected { title in zip(title, title.dropFirst()).contains { $0 == one && $1 == other } })
            }
        }
    }

    @Test("Many alternatives are read as they are typed")
    func limits() throws {
        let test = try TestIndex()
        try test.put(Self.items)
        #expect(TypedQuery("a OR b c OR d e OR f g OR h i OR j k OR l") == nil)
        #expect(TypedQuery(String(repeating: "a OR ", count: 20_000)) == nil)
        #expect(try test.ids(String(repeating: "\"a\" ", count: 5_000)).isEmpty)
    }
}

@Suite("Synonyms")
struct SynonymTests {
    private static let items = #"""
        [{"id": "set", "title": "Television set"}, {"id": "guide", "title": "New York guide"},
         {"id": "old", "title": "York, new and old"}, {"id": "tv", "title": "TV listings"}]
        """#

    @Test("A word finds its synonyms, and a phrase of them keeps its order")
    func finds() throws {
        let test = try TestIndex()
        try test.put(Self.items)
        #expect(try test.ids("nyc").isEmpty)
        try test.index.setSynonyms([["tv", "Television", "telly"], ["NYC", "new york"]])
        #expect(try test.index.synonyms() == [["tv", "Television", "telly"], ["NYC", "new york"]])
        #expect(try Set(test.ids("telly")) == ["set", "tv"])
        #expect(try test.ids("tv").first == "tv" && test.ids("tv").contains("set"))
        #expect(try test.ids("nyc") == ["guide"])
        #expect(try test.ids("nyc guide") == ["guide"])
        #expect(try test.ids("telly -listings") == ["set"])
        #expect(try test.search("other").search("telly").hits.isEmpty)
        try test.index.setSynonyms([])
        #expect(try test.ids("telly").isEmpty && test.index.synonyms().isEmpty)
    }

    @Test(
        "Synonyms that cannot be found are refused, and nothing is changed",
        arguments: [
            [["tv"]], [["tv", "TV"]], [["tv", "!"]], [["tv", "a b c d e"]], [["tv", "a\0b"]], [[]],
        ])
    func invalid(_ groups: [[String]]) throws {
        let test = try TestIndex()
        try test.index.setSynonyms([["a", "b"]])
        #expect(throws: SearchableIndexError.self) { try test.index.setSynonyms([["c", "d"]] + groups) }
        #expect(try test.index.synonyms() == [["a", "b"]])
    }
}
