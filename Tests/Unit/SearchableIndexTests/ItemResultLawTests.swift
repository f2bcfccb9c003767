import Foundation
import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardTestSupport
import Testing

@testable import SwitchboardSearchableIndex

@Suite("Laws of the results of items")
struct ItemResultLawTests {
    private static let words = [
        "dune", "Dünen", "desert", "breaking", "river", "Rio", "night", "knight", "sea", "see", "c++", "don't",
    ]

    /// Random items: more than are checked in vain, many of them with the same words, full texts, and signs.
    private static func items(_ generator: inout SplitMix) -> [SearchableItem] {
        (0..<1_400).map { number in
            func text(_ count: Int) -> String {
                (0..<count).map { _ in words.randomElement(using: &generator)! }.joined(separator: " ")
            }
            var set = SearchableItemAttributeSet()
            set.title = text(Int.random(in: 1...3, using: &generator)) + (number % 9 == 0 ? " 🍔" : "")
            if number % 3 == 0 { set.contentDescription = text(5) }
            if number % 5 == 0 { set.keywords = [text(1), text(1)] }
            if number % 7 == 0 { set[.textContent] = [.text(text(6) + " oasis")] }
            set.rankingHint = Double(Int.random(in: 0...100, using: &generator))
            return SearchableItem(
                uniqueIdentifier: "item-\(number)",
                domainIdentifier: ["a", "a.b", "a.c", "d"].randomElement(using: &generator), attributeSet: set)
        }
    }

    private static let queries = [
        "d", "dune", "dünen", "breking", "sea night", "ni se", "\"sea night\"", "dune -desert", "river OR \"sea see\"",
        "c++", "🍔", "oasis", "oasis dune", "dune OR sea OR rio", "waste", "knigth OR dont",
    ]

    private static func filters() throws -> [ItemFilter] {
        var filters = [ItemFilter(), ItemFilter(), ItemFilter(), ItemFilter(), ItemFilter()]
        filters[1].domain = "a"
        filters[2].domain = "d"
        filters[3].query = try AttributeQuery("rankingHint > 60")
        filters[4].domain = "a.b"
        filters[4].query = try AttributeQuery("rankingHint < 10")
        return filters
    }

    @Test("The first results are the same for each limit", arguments: [1, 2] as [UInt64])
    func prefixes(seed: UInt64) throws {
        var generator = SplitMix(seed: seed)
        let test = try TestIndex()
        let items = Self.items(&generator)
        _ = try test.index.put(items)
        try test.index.setSynonyms([["desert", "waste"], ["night", "sea see"]])
        let search = test.search()
        _ = try search.search("d")
        // Later segments.
        _ = try test.index.put(
            items.prefix(60).map { item in
                var item = item
                item.attributeSet.title = (item.attributeSet.title ?? "") + " night"
                return item
            })
        for query in ["d", "dune", "sea night", "dune -desert"] {
            for _ in 0..<5 {
                try test.index.engage("item-\(Int.random(in: 0..<1_400, using: &generator))", query: query)
            }
        }
        for (number, filter) in try Self.filters().enumerated() {
            for query in Self.queries {
                let all = try search.search(query, limit: 0, filter: filter).hits.map(\.item.uniqueIdentifier)
                #expect(Set(all).count == all.count, "\(query), filter \(number)")
                for limit in [1, 10, 33, 150] {
                    let first = try search.search(query, limit: limit, filter: filter).hits
                    #expect(
                        first.map(\.item.uniqueIdentifier) == Array(all.prefix(limit)),
                        "\(query), filter \(number), limit \(limit)")
                }
            }
        }
    }

    /// Returns the identifiers of hits, those in full texts as a set: the weights of their words are of all texts.
    private static func outline(_ hits: [ItemHit]) -> (best: [String], texts: Set<String>) {
        let texts = hits.filter { $0.snippet?.field == "textContent" }.map(\.item.uniqueIdentifier)
        return (hits.map(\.item.uniqueIdentifier).filter { !texts.contains($0) }, Set(texts))
    }

    @Test("A filter searches as if there were no other items")
    func filtered() throws {
        var generator = SplitMix(seed: 3)
        let test = try TestIndex()
        let items = Self.items(&generator)
        _ = try test.index.put(items)
        for (number, filter) in try Self.filters().enumerated() {
            let passing = items.filter { item in
                let (domain, hint) = (item.domainIdentifier ?? "", item.attributeSet.rankingHint ?? 0)
                switch number {
                case 0: return true
                case 1: return domain.hasPrefix("a")
                case 2: return domain == "d"
                case 3: return hint > 60
                default: return domain == "a.b" && hint < 10
                }
            }
            #expect(passing.count > 10)
            let other = try TestIndex()
            _ = try other.index.put(passing)
            let (search, expected) = (test.search(), other.search())
            for query in Self.queries {
                for limit in [0, 10] {
                    let found = try Self.outline(search.search(query, limit: limit, filter: filter).hits)
                    let alone = try Self.outline(expected.search(query, limit: limit).hits)
                    #expect(found.best == alone.best, "\(query), filter \(number), limit \(limit)")
                    #expect(limit > 0 || found.texts == alone.texts, "\(query), filter \(number)")
                }
                let count = try search.facets(of: ["domain"], for: SearchInput(query), filter: filter)
                #expect(try count == expected.facets(of: ["domain"], for: SearchInput(query)), "\(query)")
            }
        }
    }
}
