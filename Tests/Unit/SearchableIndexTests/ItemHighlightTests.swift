import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardSearchEngine
import Testing

@testable import SwitchboardSearchableIndex

@Suite("Highlights of items")
struct ItemHighlightTests {
    private static func texts(
        _ title: String, names: [String] = [], description: String = "", channel: String = ""
    ) -> ItemTexts {
        var set = SearchableItemAttributeSet()
        set.title = title
        set.keywords = names
        if !description.isEmpty { set.contentDescription = description }
        if !channel.isEmpty { set.custom["channel"] = [.text(channel)] }
        return ItemTexts(set, searchable: ["channel"])
    }

    private static let items = [
        texts(
            "Crème Brûlée", names: ["dessert", "sweet"], description: "Burnt cream, with vanilla.",
            channel: "Kitchen TV"),
        texts("Straße nach Kraków", names: ["ſtraße", "road"], description: "Von Köln, über die Straße, nach Kraków."),
        texts("Юрий Гагарин", names: ["космос", "space flight"], description: "Der erste Mensch im All: Юрий."),
        texts("北京 Beijing", names: ["首都", "capital"], description: "The capital of China, 北京市."),
        texts("김철수 Kim", names: ["서울"], description: "A common name in Seoul, 서울."),
        texts("… O’Neil-Smith ½ …", names: ["", "—"], description: "½ cup, ﬁne sugar"),
    ]

    /// The index of the items, which contains what an index of stored items does.
    private static func index() throws -> SearchIndex {
        var builder = IndexBuilder(fields: ItemField.allCases.map(\.options))
        for (number, texts) in items.enumerated() {
            builder.beginDocument(id: Int64(number), rank: UInt64(number))
            for field in ItemField.allCases {
                for value in texts.values(field, texts.folded) { builder.add(value, field: field.rawValue) }
            }
        }
        return try builder.build(generation: 0, fingerprint: 0)
    }

    @Test(
        "are the same whether a text must be folded or not",
        arguments: [
            "creme", "brulee", "brule creme", "cream van", "vanila", "sweet", "kitch", "strasse", "krak", "strase",
            "koln",
            "юрий", "yuri", "gagar", "космос", "kosmos", "space fl", "北京", "beijing", "bei", "首都", "shoudu", "김철",
            "kim",
            "cheolsu", "서울", "seoul", "neil", "oneil", "o'neil smith", "1", "fine", "sugar", "des", "capital chi",
        ])
    func agree(_ text: String) throws {
        let index = try Self.index()
        var found = 0
        for input in [SearchInput(text), try? SearchInput(keys: digits(of: text))].compactMap(\.self) {
            for request in ItemQueryPlan(input).requests(isCancelled: nil) {
                for hit in try index.search(request) {
                    let texts = Self.items[Int(hit.id)]
                    let folded = hit.matches.flatMap { match in
                        MatchLocation.locations(
                            of: match,
                            in: ItemField(rawValue: match.field).map { texts.values($0, texts.folded) } ?? [],
                            texts.folded)
                    }
                    #expect(texts.locations(of: hit) == folded, "\(text) in \(texts.entries.map(\.text))")
                    found += folded.count
                }
            }
        }
        #expect(found > 0, "“\(text)” highlights nothing")
    }
}
