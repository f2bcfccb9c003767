import Foundation
import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardSearchEngine
import SwitchboardTestSupport
import Testing

@testable import SwitchboardSearchableIndex

@Suite("Searching items")
struct ItemSearchTests {
    private static let shows = #"""
        [{"id": "dunes", "domain": "tv-shows", "title": "Breaking Dunes", "keywords": ["drama", "desert"],
          "contentType": "public.movie", "rating": 5, "contentDescription": "A chemist walks into the wüste."},
         {"id": "harbour", "domain": "tv-shows.crime", "title": "Harbour Lights", "keywords": ["crime", "drama"],
          "alternateNames": ["Hafenlichter"], "rating": 3, "contentDescription": "Detectives at sea."},
         {"id": "baking", "domain": "tv-shows", "title": "The Great Bake", "keywords": ["baking", "contest"]},
         {"id": "notes", "domain": "notes", "title": "Shopping", "contentType": "public.plain-text",
          "textContent": "Buy flour for baking, dunes of sugar and harbour lights. \#(String(repeating: "More words follow here. ", count: 60)) The unobtainium ends it."}]
        """#

    @Test(
        "Searches find items in order",
        arguments: [
            ("breaking", ["dunes"]), ("br", ["dunes"]), ("dunes", ["dunes", "notes"]),
            ("dunes breaking", ["dunes"]),
            ("braking", ["dunes", "baking"]), ("bd", ["dunes"]), ("breakingdunes", ["dunes"]), ("hafen", ["harbour"]),
            ("drama", ["dunes", "harbour"]), ("baking", ["baking", "notes"]), ("crime drama", ["harbour"]),
            ("wueste", ["dunes"]), ("detectives", ["harbour"]), ("harbour sea", ["harbour"]),
            ("unobtainium", ["notes"]), ("unobt", ["notes"]), ("eakin", ["dunes", "baking"]), ("zzz", []),
            ("unobtanium", ["notes"]), ("unobtianium flour", ["notes"]), ("xnobtainium", []),
            ("great desert", []), ("lights harb", ["harbour", "notes"]),
        ])
    func finds(_ text: String, _ ids: [String]) throws {
        let test = try TestIndex()
        try test.put(Self.shows)
        #expect(try test.ids(text) == ids)
    }

    @Test("Titles are found by first consonants, other forms of characters and usual Latin spellings")
    func scripts() throws {
        let test = try TestIndex()
        try test.put(
            #"""
            [{"id": "kakao", "title": "카카오톡 설정"}, {"id": "basket", "title": "장바구니"}, {"id": "film", "title": "台灣電影"},
             {"id": "movie", "title": "台湾电影"}, {"id": "city", "title": "臺北市"}, {"id": "library", "title": "图书馆"},
             {"id": "suzu", "title": "みすゞの詩"}, {"id": "gita", "title": "भगवद्गीता", "keywords": ["कृष्ण"]},
             {"id": "hindi", "title": "हिंदी व्याकरण"}, {"id": "army", "title": "צה״ל"}]
            """#)
        let cases: [(String, [String])] = [
            ("ㅋㅋㅇㅌ", ["kakao"]), ("ㅋㅋㅇㅌㅅㅈ", ["kakao"]), ("ㅈㅂㄱㄴ", ["basket"]), ("카카옽", ["kakao"]), ("장바군", ["basket"]),
            ("台湾電影", ["film", "movie"]), ("臺灣", ["film", "movie"]), ("台北", ["city"]), ("圖書館", ["library"]),
            ("図書館", ["library"]),
            ("みすずの", ["suzu"]), ("krishna", ["gita"]), ("हिन्दी", ["hindi"]), ("हिन्", ["hindi"]), ("צה\"ל", ["army"]),
        ]
        for (text, ids) in cases { #expect(try Set(test.ids(text)) == Set(ids), "\(text)") }
    }

    @Test(
        "A word that is typed several times is found as often, in the title or elsewhere",
        arguments: [
            ("new york new york", ["twice", "across"]), ("york york new new", ["twice", "across"]),
            ("york york york", []), ("n n y y", ["twice", "across"]), ("yo yor", ["twice", "across"]),
            ("new new york yrok", ["twice", "across"]),
        ])
    func repeatedWords(_ text: String, _ ids: [String]) throws {
        let test = try TestIndex()
        try test.put(
            #"""
            [{"id": "once", "title": "New York"}, {"id": "twice", "title": "New York, New York"},
             {"id": "across", "title": "York", "keywords": ["new"], "contentDescription": "A new town near York."}]
            """#)
        #expect(try test.ids(text) == ids)
    }

    /// The law of findability for titles that are equal after folding.
    @Test("A title as it is displayed finds its item first", arguments: [1, 2, 3, 4] as [UInt64])
    func shownIsFound(_ seed: UInt64) throws {
        let words = [
            "C", "Go", "R", "Müller", "Muller", "Café", "Cafe", "Łódź", "Lodz", "naïve", "Naive", "高橋", "髙橋", "Ёлка",
            "Елка", "x86", "iOS", "IOS", "Straße", "Strasse", "hoạ", "hoà",
        ]
        let signs = ["", "", "", "#", "++", "*", "!", "?", " & Co", " (2)"]
        var random = SplitMix(seed: seed)
        func word() -> String {
            (words.randomElement(using: &random) ?? "") + (signs.randomElement(using: &random) ?? "")
        }
        var titles: [String] = []
        for number in 0..<150 {
            let title = number % 3 == 0 ? word() + " " + word() : word()
            // Swift takes canonically equivalent texts for equal, as the search does.
            if !titles.contains(title) { titles.append(title) }
        }
        let test = try TestIndex()
        try test.index.put(
            titles.map { title in
                var attributes = SearchableItemAttributeSet()
                attributes.title = title
                return SearchableItem(attributeSet: attributes)
            })
        for title in titles {
            #expect(try test.search().search(title).hits.first?.item.attributeSet.title == title)
        }
    }

    @Test("Titles rank first, even misspelt ones before full texts")
    func titlesFirst() throws {
        let test = try TestIndex()
        try test.put(
            #"""
            [{"id": "body", "title": "x", "textContent": "gravity gravity gravity", "rankingHint": 100},
             {"id": "description", "title": "y", "contentDescription": "gravity"},
             {"id": "keyword", "title": "z", "keywords": ["gravity"]},
             {"id": "typo", "title": "Gravety Rainbow"},
             {"id": "title", "title": "On gravity"}]
            """#)
        #expect(try test.ids("gravity") == ["title", "keyword", "description", "typo", "body"])
        #expect(try test.ids("gravety") == ["typo", "title", "keyword", "description"])
        // Gravety sounds like it.
        #expect(try test.ids("gravitt") == ["title", "keyword", "description", "typo"])
        #expect(
            try test.search().search("gravity").hits.map(\.match) == [.prefix, .exact, .prefix, .typo, .prefix])
    }

    @Test("Ranking hints order equal matches, and results are stable")
    func hints() throws {
        let test = try TestIndex()
        try test.put(
            #"""
            [{"id": "low", "title": "Tea", "rankingHint": 10}, {"id": "none", "title": "Tea"},
             {"id": "high", "title": "Tea", "rankingHint": 90}, {"id": "none2", "title": "Tea"}]
            """#)
        for _ in 0..<3 { #expect(try test.ids("tea") == ["high", "none", "none2", "low"]) }
        #expect(try test.ids("") == ["high", "none", "none2", "low"])
    }

    @Test("Chosen items rank higher, most of all for the same query")
    func engagement() throws {
        let test = try TestIndex()
        try test.put(
            #"[{"id": "1", "title": "Paris Texas"}, {"id": "2", "title": "Paris Match"}, {"id": "3", "title": "Parma Ham"}]"#
        )
        #expect(try test.ids("par") == ["1", "2", "3"])
        try test.index.engage("3", query: "par")
        #expect(try test.ids("pa") == ["3", "1", "2"])
        try test.index.engage("2", query: "paris")
        test.pass(60)
        try test.index.engage("2", query: "Páris ")
        #expect(try test.ids("paris") == ["2", "1"])
        #expect(try test.ids("par").first == "2")
        #expect(throws: SearchableIndexError.notFound(id: "9")) { try test.index.engage("9") }
        // A rebuilt index keeps the order.
        try FileManager.default.removeItem(at: test.folder.appending(path: "a.index"))
        #expect(try test.ids("pa") == ["2", "3", "1"])
        // Engagement only orders equal matches: an exact title stays first.
        try test.put(#"{"id": "4", "title": "Par"}"#)
        #expect(try test.ids("par").first == "4")
    }

    @Test("Highlights and snippets cover the match")
    func highlights() throws {
        let test = try TestIndex()
        try test.put(Self.shows)
        func hit(_ text: String) throws -> ItemHit? { try test.search().search(text).hits.first }
        #expect(try hit("dun")?.highlights == ["title": [9..<12]])
        #expect(try hit("desert")?.highlights == ["keywords.1": [0..<6]])
        #expect(try hit("wueste")?.highlights == ["contentDescription": [25..<30]])
        #expect(try hit("wueste")?.snippet?.highlights == [25..<30])
        let body = try #require(try hit("unobtainium")?.snippet)
        let marked = try #require(body.highlights.first)
        #expect(body.field == "textContent" && body.text.hasPrefix("…") && body.text.unicodeScalars.count < 400)
        #expect(String(String.UnicodeScalarView(Array(body.text.unicodeScalars)[marked])) == "unobtainium")
    }

    @Test("Titles are found by keypad, also with gaps, by initials and with a typo; other texts by their digits")
    func keypad() throws {
        let test = try TestIndex()
        try test.put(
            #"[{"id": "1", "title": "Harbour Lights"}, {"id": "2", "title": "Harbour"}, "#
                + #"{"id": "3", "title": "Straße 427", "contentDescription": "Harbour"}, {"id": "4", "title": "Время"}]"#
        )
        func hits(_ keys: String) throws -> [ItemHit] { try test.search().search(SearchInput(keys: keys)).hits }
        func ids(_ keys: String) throws -> [String] { try hits(keys).map(\.item.uniqueIdentifier) }
        #expect(try ids("4272687") == ["2", "1"])
        #expect(try ids("427268705").first == "1")
        #expect(try ids("54") == ["1"])
        #expect(try ids("45") == ["1"])
        #expect(try ids("4272697") == ["1", "2"] || ids("4272697") == ["2", "1"])
        #expect(try ids("787273") == ["3"])
        #expect(try ids("427").contains("3"))
        #expect(try ids("83736") == ["4"])
        #expect(try ids("99999999").isEmpty)
        #expect(try hits("4272687").first?.match == .exact)
        #expect(try hits("4272687").first?.highlights == ["title": [0..<7]])
        #expect(try hits("4272697").first?.match == .typo)
    }

    @Test("The snippet of a long description surrounds the match")
    func snippets() {
        let text = String(repeating: "word ", count: 100) + "needle" + String(repeating: " word", count: 100)
        let snippet = Snippet(of: text, field: "contentDescription", highlights: [500..<506])
        #expect(snippet.text.unicodeScalars.count <= Snippet.length + 2)
        let scalars = Array(snippet.text.unicodeScalars)
        #expect(snippet.highlights.map { String(String.UnicodeScalarView(scalars[$0])) } == ["needle"])
        #expect(snippet.text.hasPrefix("…word") && snippet.text.hasSuffix("word…"))
    }

    @Test("Filters by domain, type and query keep the order")
    func filters() throws {
        let test = try TestIndex()
        try test.put(Self.shows)
        var filter = ItemFilter()
        filter.domain = "tv-shows"
        #expect(try test.ids("", filter: filter) == ["dunes", "harbour", "baking"])
        filter.contentType = "public.audiovisual-content"
        #expect(try test.ids("", filter: filter) == ["dunes"])
        filter = ItemFilter()
        filter.query = try AttributeQuery("rating >= 3 && keywords == 'drama'")
        #expect(try test.ids("", limit: 1, filter: filter) == ["dunes"])
        #expect(try test.ids("", limit: 0, filter: filter) == ["dunes", "harbour"])
    }

    @Test("Items of a domain are found behind many others, misspelled ones, too")
    func domains() throws {
        let test = try TestIndex()
        let many = (0..<300).map { #"{"id": "m\#($0)", "domain": "mail", "title": "Letter \#($0)"}"# }
        let few = ["a": "Letter of Ana", "b": "Letter of Bo", "c": "Recipe"].map { id, title in
            #"{"id": "\#(id)", "domain": "notes\#(id == "a" ? ".private" : "")", "title": "\#(title)"}"#
        }
        try test.put("[" + (many + few).joined(separator: ",") + "]")
        var filter = ItemFilter()
        filter.domain = "notes"
        for limit in [0, 1, 2, 10] {
            let found = limit == 0 ? 2 : min(limit, 2)
            #expect(try Set(test.ids("letter", limit: limit, filter: filter)).isSubset(of: ["a", "b"]))
            #expect(try test.ids("letter", limit: limit, filter: filter).count == found)
            #expect(try test.ids("lettre", limit: limit, filter: filter).count == found)
        }
        filter.domain = "notes.private"
        #expect(try test.ids("letter", filter: filter) == ["a"])
        filter.domain = "note"
        #expect(try test.ids("letter", filter: filter) == [])
    }

    @Test("Items that pass a filter are found behind many others", arguments: [300, 10_100])
    func filters(others: Int) throws {
        let test = try TestIndex()
        let many = (0..<others).map {
            #"{"id": "m\#($0)", "title": "Letter \#($0)", "contentType": "public.plain-text", "rating": 1}"#
        }
        let few = #"""
            {"id": "a", "domain": "notes", "title": "Letter of Ana", "contentType": "public.jpeg", "rating": 5},
            {"id": "b", "title": "Letter of Bo", "contentTypeTree": ["public.image"], "rating": 4,
             "latitude": 52.5, "longitude": 13.4}, {"id": "c", "title": "Recipe", "contentType": "public.png", "rating": 5}
            """#
        try test.put("[" + (many + [few]).joined(separator: ",") + "]")
        func expect(_ ids: Set<String>, _ change: (inout ItemFilter) throws -> Void) throws {
            var filter = ItemFilter()
            try change(&filter)
            for limit in [0, 1, 2, 10] {
                let found = try test.ids("letter", limit: limit, filter: filter)
                #expect(Set(found).isSubset(of: ids))
                #expect(found.count == (limit == 0 ? ids.count : min(limit, ids.count)))
            }
        }
        try expect(["a", "b"]) { $0.contentType = "public.image" }
        try expect(["a", "b"]) { $0.query = try AttributeQuery("rating > 3") }
        try expect(["b"]) { $0.query = try AttributeQuery("title == '*bo'cd") }
        try expect(["b"]) { $0.circle = .init(center: ItemLocation(latitude: 52.5, longitude: 13.5), radius: 20) }
        try expect(["a"]) { ($0.contentType, $0.domain) = ("public.image", "notes") }
        try expect([]) { $0.contentType = "public.movie" }
    }

    @Test("Pages are consecutive, and huge limits do not overflow")
    func pages() throws {
        let test = try TestIndex()
        let lines = (0..<25).map { #"{"id": "\#($0)", "title": "Tea \#($0)"}"# }
        try test.put(lines.joined(separator: "\n"))
        var found: [String] = []
        for page in 0..<4 {
            found += try test.search().search("tea", limit: 8, offset: page * 8).hits.map(
                \.item.uniqueIdentifier)
        }
        #expect(found == (0..<25).map { "\($0)" })
        #expect(try test.search().count("tea") == 25)
        var filter = ItemFilter()
        filter.query = try AttributeQuery("title == '*1*'")
        #expect(try test.ids("tea", limit: .max, filter: filter).count == 12)
        #expect(try test.search().search("tea", limit: .max, offset: .max).hits.isEmpty)
        #expect(try test.search().suggestions(for: "te", limit: .max) == ["Tea"])
    }

    @Test("The asynchronous searches return the same items, and throw when their task is cancelled")
    func asynchronous() async throws {
        let test = try TestIndex()
        try test.put(#"[{"id": "a", "title": "Tea"}, {"id": "b", "title": "Coffee"}]"#)
        let search = test.search()
        #expect(try await search.search("tea").hits.map(\.item.uniqueIdentifier) == ["a"])
        #expect(try await search.suggestions(for: "cof") == ["Coffee"])
        #expect(try await test.index.search(AttributeQuery("title == 'Tea'")).map(\.uniqueIdentifier) == ["a"])
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await search.search("tea")
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("Suggestions complete the last word")
    func suggestions() throws {
        let test = try TestIndex()
        try test.put(Self.shows)
        #expect(try test.search().suggestions(for: "b") == ["Breaking", "Bake"])
        #expect(try test.search().suggestions(for: "harbour l") == ["harbour Lights"])
        #expect(try test.search().suggestions(for: "harbour lights").isEmpty)
        #expect(try test.search().suggestions(for: "d", limit: 1).count == 1)
    }

    @Test("Queries use columns and encoded attributes")
    func queries() throws {
        let test = try TestIndex()
        try test.put(Self.shows)
        func ids(_ query: String) throws -> [String] {
            try test.index.search(AttributeQuery(query)).map(\.item.uniqueIdentifier)
        }
        #expect(try ids("keywords == \"drama\"c && rating >= 4") == ["dunes"])
        #expect(try ids("domain == 'tv-shows'") == ["dunes", "baking"])
        #expect(try ids("domain == 'tv-shows*'") == ["dunes", "harbour", "baking"])
        #expect(try ids("id == 'notes'") == ["notes"])
        #expect(try ids("id == 'notes' || rating == 3") == ["harbour", "notes"])
        #expect(try ids("uniqueIdentifier == 'notes' || kMDItemStarRating == 3") == ["harbour", "notes"])
        #expect(try ids("domainIdentifier == 'tv-shows' && kMDItemTitle == 'Breaking*'") == ["dunes"])
        #expect(throws: QueryError.unknownAttribute("kMDItemFoo", column: 1)) { try ids("kMDItemFoo == 'a'") }
        #expect(try ids("contentTypeTree == 'public.text'") == ["notes"])
        #expect(try ids("textContent == '*unobtainium*'") == ["notes"])
        #expect(try ids("rating != 5") == ["harbour", "baking", "notes"])
        #expect(try ids("* == 'drama'") == ["dunes", "harbour"])
        #expect(try ids("expiresAt > $time.now(86400)").count == 4)
        let explanation = try test.index.explain("harbour", AttributeQuery("rating > 4 && keywords == 'drama'"))
        #expect(explanation.matches == false)
        #expect(explanation.parts.map(\.holds) == [false, true])
        #expect(explanation.parts[0].values == [.number(3)])
    }

    @Test("Incremental results equal those of a reopened and a rebuilt index", arguments: [1, 2] as [UInt64])
    func incremental(_ seed: UInt64) throws {
        let test = try TestIndex()
        var mergePolicy = MergePolicy()
        mergePolicy.maxPendingChanges = 4
        mergePolicy.rebuildDivisor = 1_000
        mergePolicy.minChangesBeforeRebuild = 12
        mergePolicy.blockingRebuildFactor = 2
        let words = ["Breaking", "Dunes", "Harbour", "Lights", "Tea", "Время", "Straße", "Bake"]
        var random = seed
        func pick(_ count: Int) -> Int {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((random >> 33) % UInt64(count))
        }
        func answers(_ search: ItemSearch) throws -> [String] {
            try ["br", "tea", "harbor", "strasse", "vremya", "lights tea", "body", ""].flatMap { text in
                try search.search(text, limit: pick(2) * 3).hits.map {
                    "\(text) \($0.item.uniqueIdentifier) \($0.match) \($0.highlights)"
                }
            }
        }
        let incremental = ItemSearch(index: test.index, rebuildsInBackground: false, mergePolicy: mergePolicy)
        for step in 0..<60 {
            for _ in 0...pick(3) {
                let id = "\(pick(30))"
                switch pick(5) {
                case 0: _ = try? test.index.deleteItems(withIdentifiers: [id])
                case 1: _ = try? test.index.engage(id, query: words[pick(words.count)])
                default:
                    let title = (0...pick(3)).map { _ in words[pick(words.count)] }.joined(separator: " ")
                    let body = pick(4) == 0 ? #", "textContent": "some body of tea""# : ""
                    try test.put(#"{"id": "\#(id)", "title": "\#(title)", "rankingHint": \#(pick(3))\#(body)}"#)
                }
                test.pass(3_600)
            }
            let before = random
            let found = try answers(incremental)
            random = before
            #expect(
                try answers(ItemSearch(index: test.index, rebuildsInBackground: false, mergePolicy: mergePolicy))
                    == found,
                "step \(step): reopened")
            let backup = test.folder.appending(path: "backup")
            let files = test.folder.appending(path: "a.index")
            try FileManager.default.moveItem(at: files, to: backup)
            random = before
            let rebuilt = try answers(test.search())
            try FileManager.default.removeItem(at: files)
            try FileManager.default.moveItem(at: backup, to: files)
            #expect(rebuilt == found, "step \(step): rebuilt")
        }
    }

    @Test("A corrupt index file does not change results")
    func corruption() throws {
        let test = try TestIndex()
        try test.put(Self.shows)
        let expected = try test.ids("drama")
        let file = test.folder.appending(path: "a.index/items-1.index")
        var bytes = try Data(contentsOf: file)
        for offset in stride(from: 100, to: bytes.count, by: 97) { bytes[offset] ^= 0x55 }
        try bytes.write(to: file)
        #expect(try test.ids("drama") == expected)
        try Data([1, 2, 3]).write(to: file)
        #expect(try test.ids("drama") == expected)
    }
}
