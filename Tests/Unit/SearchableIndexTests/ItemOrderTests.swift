import Foundation
import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardTestSupport
import Testing

@testable import SwitchboardSearchableIndex

@Suite("Order and counts of items")
struct ItemOrderTests {
    private static let items = #"""
        [{"id": "a", "title": "Apple émile", "rating": 4.5, "startDate": "2026-11-01T00:00:00Z", "keywords": ["x", "y"],
          "latitude": 52.5, "longitude": 13.4, "custom": {"color": "red"}},
         {"id": "b", "title": "Apple Eva", "rating": 3, "startDate": "2026-10-01T00:00:00Z", "keywords": ["x"],
          "latitude": 48.85, "longitude": 2.35, "custom": {"color": "green"}, "allDay": true},
         {"id": "c", "title": "apple 10", "rating": 5, "keywords": ["z"], "allDay": false},
         {"id": "d", "title": "Aple", "rating": 9}]
        """#

    private func test() throws -> TestIndex {
        let test = try TestIndex()
        try test.put(Self.items)
        return test
    }

    @Test(
        "Hits are sorted by attributes, those without one last",
        arguments: [
            ("-rating", ["c", "a", "b"]), ("rating", ["b", "a", "c"]), ("startDate", ["b", "a", "c"]),
            ("-startDate", ["a", "b", "c"]), ("title", ["c", "a", "b"]), ("-title", ["b", "a", "c"]),
            ("allDay,rating", ["c", "b", "a"]), ("keywords,rating", ["b", "a", "c"]), ("-keywords", ["c", "a", "b"]),
            ("color", ["b", "a", "c"]), ("kMDItemStarRating", ["b", "a", "c"]), ("distance", ["b", "a", "c"]),
        ])
    func sorted(_ order: String, _ ids: [String]) throws {
        let test = try test()
        let order = try ItemSort.parsing(order, from: ItemLocation(latitude: 48, longitude: 2))
        #expect(try test.search().search("apple", sortedBy: order).hits.map(\.item.uniqueIdentifier) == ids)
        #expect(
            try test.search().search("apple", limit: 1, offset: 1, sortedBy: order).hits.map(\.item.uniqueIdentifier)
                == [ids[1]])
        let query = try AttributeQuery("id != 'd'")
        #expect(try test.index.search(query, sortedBy: order).map(\.uniqueIdentifier) == ids)
        #expect(
            try test.index.search(query, limit: 1, offset: 1, sortedBy: order).map(\.uniqueIdentifier) == [ids[1]])
    }

    @Test(
        "Orders and counts that cannot be followed are refused", arguments: ["nix", "rating,", "-distance", "distance"])
    func invalid(_ text: String) throws {
        let test = try test()
        #expect(throws: SearchableIndexError.self) {
            _ = try test.search().search("apple", sortedBy: ItemSort.parsing(text))
        }
        #expect(throws: SearchableIndexError.self) { try test.search().facets(of: ["nix"]) }
    }

    @Test("Results are counted by value, without typos")
    func facets() throws {
        let test = try test()
        func counts(_ facets: [ItemFacet]) -> [[String]] { facets.map { $0.values.map { "\($0.value) \($0.count)" } } }
        let facets = try test.search().facets(
            of: ["keywords", "color", "startDate", "allDay"], for: SearchInput("apple"))
        #expect(
            counts(facets) == [
                ["x 2", "y 1", "z 1"], ["green 1", "red 1"], ["2026-10-01 1", "2026-11-01 1"], ["false 1", "true 1"],
            ])
        #expect(try test.search().facets(of: ["keywords"], limit: 1)[0].others == 2)
        #expect(try counts(test.search().facets(of: ["rating"])) == [["3 1", "4.5 1", "5 1", "9 1"]])
        #expect(try counts(test.index.facets(of: ["color"], matching: AttributeQuery("rating > 4"))) == [["red 1"]])
        var filter = ItemFilter()
        filter.circle = ItemFilter.Circle(center: ItemLocation(latitude: 48, longitude: 2), radius: 300)
        #expect(try counts(test.search().facets(of: ["color"], filter: filter)) == [["green 1"]])
        #expect(try test.search().search("", filter: filter).hits.map(\.item.uniqueIdentifier) == ["b"])
    }

    @Test(
        "An order and counts have all hits, those of any reading, segment and full text",
        arguments: [UInt64(1), 2, 3, 4])
    func all(_ seed: UInt64) throws {
        let test = try TestIndex()
        let search = test.search()
        var random = SplitMix(seed: seed)
        let words = ["apple", "Apples", "aple", "maple", "pear", "pie", "tart", "!?"]
        func text(_ count: Int) -> String {
            (0..<count).compactMap { _ in words.randomElement(using: &random) }.joined(separator: " ")
        }
        func item(_ id: Int) -> String {
            let rating = Int.random(in: 0...3, using: &random)
            return #"""
                {"id": "\#(id)", "title": "\#(text(2))", "contentDescription": "\#(text(1))", "duration": \#(id),
                 "domain": "\#(["a", "a.b", "c"][id % 3])"\#(rating == 0 ? "" : #", "rating": \#(rating)"#),
                 "textContent": "\#(text(3))"}
                """#
        }
        func check(_ typed: String, _ filter: ItemFilter) throws {
            var hits = try search.search(typed, limit: 0, filter: filter).hits
            let asTyped = hits.filter { !$0.match.isWeak && $0.edits == 0 }
            if !asTyped.isEmpty { hits = asTyped }
            func sorted(_ precedes: (SearchableItemAttributeSet, SearchableItemAttributeSet) -> Bool) -> [String] {
                hits.map(\.item).sorted { precedes($0.attributeSet, $1.attributeSet) }.map(\.uniqueIdentifier)
            }
            let byRating = sorted { $0.rating ?? -1 > $1.rating ?? -1 }
            let total = sorted { ($0.rating ?? 9, $1.duration ?? 0) < ($1.rating ?? 9, $0.duration ?? 0) }
            for (limit, offset) in [(0, 0), (1, 0), (7, 0), (7, 7), (3, 500), (400, 2)] {
                func ids(_ order: String) throws -> [String] {
                    try search.search(
                        typed, limit: limit, offset: offset, filter: filter, sortedBy: ItemSort.parsing(order)
                    ).hits.map(\.item.uniqueIdentifier)
                }
                func page(_ all: [String]) -> [String] {
                    Array(all.dropFirst(offset).prefix(limit == 0 ? .max : limit))
                }
                #expect(try ids("rating,-duration") == page(total), "\(typed), \(limit)")
                // Equal ones of several readings are in the order of the readings.
                if !typed.contains(" ") { #expect(try ids("-rating") == page(byRating), "\(typed), \(limit)") }
            }
            let counts = Dictionary(grouping: hits.compactMap(\.item.attributeSet.rating)) { "\(Int($0))" }
            let facets = try search.facets(of: ["rating"], for: SearchInput(typed), filter: filter)[0].values
            #expect(Dictionary(uniqueKeysWithValues: facets.map { ($0.value, $0.count) }) == counts.mapValues(\.count))
        }
        for batch in 0..<3 {
            try test.put("[" + (batch * 60..<batch * 60 + 100).map(item).joined(separator: ",") + "]")
            for typed in [
                "", "apple", "apples", "appel", "ple", "tart", "trat", "!?", "zzz", "apple OR pear", "apple -pear",
                "\"apple pie\"", "pear \"pie tart\" OR maple",
            ] {
                var filter = ItemFilter()
                try check(typed, filter)
                filter.domain = "a"
                try check(typed, filter)
                filter.query = try AttributeQuery("rating > 1")
                try check(typed, filter)
                filter.domain = nil
                try check(typed, filter)
            }
        }
    }

    @Test(
        "All matches are found, also more than are weighed", arguments: ["alng", "al ng", "al", "n", "alngx", "ng al"])
    func unlimited(_ typed: String) throws {
        let test = try TestIndex()
        try test.put("[" + (0..<2_500).map { #"{"id": "\#($0)", "title": "Al Ng"}"# }.joined(separator: ",") + "]")
        #expect(try Set(test.ids(typed, limit: 0)).count == 2_500)
        #expect(try test.search().search(typed, limit: 3, sortedBy: [.attribute("title")]).hits.count == 3)
    }

    @Test("Equal items of an order keep the order of relevance: the chosen one first, and the boosted attribute")
    func equals() throws {
        let test = try TestIndex()
        try test.put(
            #"""
            [{"id": "k", "title": "Film", "keywords": ["dunes"], "rating": 3}, {"id": "t", "title": "Dunes of sand", "rating": 3},
             {"id": "d", "title": "Dunes of gold", "rating": 3}, {"id": "h", "title": "Dunes best", "rating": 5}]
            """#)
        func ids(limit: Int = 0, _ boosts: [Attribute: Int] = [:]) throws -> [String] {
            try test.search().search("dunes", limit: limit, sortedBy: [.attribute("rating", .reverse)], boosts: boosts)
                .hits.map(\.item.uniqueIdentifier)
        }
        #expect(try ids() == ["h", "t", "d", "k"])
        #expect(try ids([.keywords: 20]) == ["h", "k", "t", "d"])
        try test.index.engage("d", query: "dunes")
        #expect(try ids() == ["h", "d", "t", "k"] && ids(limit: 2) == ["h", "d"])
    }

    @Test("An order has one hit for an item and the activities about it")
    func activities() throws {
        let test = try TestIndex()
        try test.put(
            #"[{"id": "a", "title": "Apple tree", "url": "https://x.org/a"}, {"id": "b", "title": "Apple pie"}]"#)
        var activity = UserActivity(activityType: "read")
        activity.title = "Apple tree"
        activity.webpageURL = "https://x.org/a#top"
        _ = try UserActivities(index: test.index).becomeCurrent(activity)
        let hits = try test.search().search("apple", sortedBy: [.attribute("title")]).hits
        #expect(hits.map { $0.item.attributeSet.title } == ["Apple pie", "Apple tree"])
    }

    @Test("A boosted attribute comes before the title")
    func boosts() throws {
        let test = try TestIndex()
        try test.put(
            #"""
            [{"id": "title", "title": "Dunes of sand"}, {"id": "keyword", "title": "Film", "keywords": ["dunes"]},
             {"id": "text", "title": "Book", "contentDescription": "About dunes and sand"}]
            """#)
        func ids(_ boosts: [Attribute: Int]) throws -> [String] {
            try test.search().search("dunes", boosts: boosts).hits.map(\.item.uniqueIdentifier)
        }
        #expect(try ids([:]) == ["title", "keyword", "text"])
        #expect(try ids([.keywords: 20]) == ["keyword", "title", "text"])
        #expect(try ids([.contentDescription: 20]) == ["text", "title", "keyword"])
    }

    @Test("A page begins after the last hit of the one before, also if others were added or deleted")
    func pages() throws {
        let test = try TestIndex()
        try test.put("[" + (10..<40).map { #"{"id": "\#($0)", "title": "Row \#($0)"}"# }.joined(separator: ",") + "]")
        func page(_ offset: Int, _ id: String?) throws -> [String] {
            try test.search().search("row", limit: 5, offset: offset, after: id).hits.map(\.item.uniqueIdentifier)
        }
        let all = try test.ids("row", limit: 0)
        #expect(try page(0, nil) == Array(all[..<5]) && page(5, all[4]) == Array(all[5..<10]))
        try test.index.deleteItems(withIdentifiers: [all[1], all[2]])
        #expect(try page(5, all[4]) == Array(all[5..<10]))
        try test.index.deleteItems(withIdentifiers: [all[4]])
        #expect(try page(2, all[4]) == Array(all[5..<10]))
    }

    @Test("Attributes of Apple's tutorials are found and queried, also as custom ones of the same name")
    func attributes() throws {
        let test = try TestIndex()
        try test.put(
            #"""
            [{"id": "song", "title": "Dunes", "creator": "Harbour Studio", "containerTitle": "Desert songs",
              "languages": ["en", "de"], "duration": 215, "contentCreationDate": "2026-01-02T03:04:05Z"},
             {"id": "page", "title": "Film", "custom": {"duration": 5400}}]
            """#)
        #expect(try test.ids("harbour") == ["song"] && test.ids("desert songs") == ["song"])
        #expect(try test.index.search("duration > 1000").map(\.uniqueIdentifier) == ["page"])
        #expect(try test.index.search("duration < 1000 && languages == 'de'").map(\.uniqueIdentifier) == ["song"])
        let song = try test.index.item("song").attributeSet
        #expect(song.duration == 215 && song.languages == ["en", "de"] && song.creator == "Harbour Studio")
        #expect(song.contentCreationDate == Date(timeIntervalSince1970: 1_767_323_045))
    }

    @Test("The form of a date is that of its regular expression", arguments: [UInt64(1), 2, 3, 4])
    func formOfDates(_ seed: UInt64) {
        let form =
            /[0-9]{4}-[0-9]{2}-[0-9]{2}([T ]([01][0-9]|2[0-3]):[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)?)?/
        let dates = [
            "2026-11-20", "2026-11-20T09:00", "2026-11-20 23:59:59", "2026-11-20T24:00:30.25Z",
            "2026-11-20T09:00+01:00",
            "2026-11-20T09:00:00.123456-0130", "2026-11-20T19:00+02", "٢٠٢٦-11-20",
        ]
        var random = SplitMix(seed: seed)
        for _ in 0..<2_000 {
            var text = Array(dates.randomElement(using: &random) ?? "")
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                let place = Int.random(in: 0...text.count, using: &random)
                let letter = "0129-:.TZ+ x٣".randomElement(using: &random) ?? " "
                switch Int.random(in: 0...2, using: &random) {
                case 0: text.insert(letter, at: place)
                case 1 where place < text.count: text[place] = letter
                default: text.removeSubrange(min(place, text.count)..<min(place + 1, text.count))
                }
            }
            let typed = String(text)
            #expect(TimeExpression.hasISOForm(typed) == (typed.wholeMatch(of: form) != nil), "\(typed)")
        }
    }

    @Test("A query of text knows custom attributes")
    func customAttributes() throws {
        let test = try test()
        #expect(try test.index.search("color == 'red'").map(\.uniqueIdentifier) == ["a"])
        #expect(throws: QueryError.self) { try test.index.search("colour == 'red'") }
    }

    @Test("An index of values changes no answer", arguments: [UInt64(1), 2, 3])
    func indexedValues(_ seed: UInt64) throws {
        let test = try TestIndex()
        var random = SplitMix(seed: seed)
        func item(_ id: Int) -> String {
            let rating = Bool.random(using: &random) ? #", "rating": \#(Int.random(in: 0...5, using: &random))"# : ""
            let days = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                "\"2026-0\(Int.random(in: 1...9, using: &random))-01T00:00:00Z\""
            }
            let size =
                Bool.random(using: &random) ? #", "custom": {"size": \#(Int.random(in: -3...3, using: &random))}"# : ""
            return
                #"{"id": "\#(id)", "title": "Row", "importantDates": [\#(days.joined(separator: ","))]\#(rating)\#(size)}"#
        }
        try test.put("[" + (0..<80).map(item).joined(separator: ",") + "]")
        let queries = [
            "rating >= 3", "rating == 2", "rating < 1 && size > 0", "InRange(size, -1, 1)", "!(rating > 2)",
            "rating != 2",
            "rating > 4 || size < -2", "InRange(importantDates, $time.iso(2026-03-01), $time.iso(2026-05-01))",
            "importantDates > $time.iso(2026-07-15) && rating == *",
        ]
        func answers() throws -> [[String]] { try queries.map { try test.index.search($0).map(\.uniqueIdentifier) } }
        func check() throws {
            let indexed = try answers()
            for name in try test.index.indexedAttributes() { try test.index.setIndexed(false, name) }
            #expect(try answers() == indexed)
            for name in ["rating", "size", "importantDates"] { try test.index.setIndexed(true, name) }
            #expect(try answers() == indexed)
        }
        try check()
        #expect(try test.index.indexedAttributes() == ["importantDates", "rating", "size"])
        try test.put("[" + (40..<120).map(item).joined(separator: ",") + "]")
        try test.put(#"{"id": "1", "isUpdate": true, "rating": null, "custom": {"size": 3}}"#)
        try test.index.deleteItems(withIdentifiers: ["3", "50"])
        try check()
        #expect(throws: SearchableIndexError.notIndexable("title")) { try test.index.setIndexed(true, "title") }
        #expect(throws: SearchableIndexError.notIndexable("nix")) { try test.index.setIndexed(true, "nix") }
    }
}
