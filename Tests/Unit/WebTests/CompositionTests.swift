import SwitchboardWebMarkup
import Testing

@Suite("Page composition")
struct CompositionTests {
    @Test("Precedence is JSON-LD, microdata, Open Graph, Twitter card, plain HTML")
    func precedence() throws {
        let sources: [(String, String)] = [
            (
                "JSON-LD",
                "<script type=application/ld+json>{\"@type\": \"Product\", \"name\": \"JSON-LD\", \"sku\": \"1\"}</script>"
            ),
            (
                "microdata",
                "<div itemscope itemtype=https://schema.org/Product><b itemprop=name>microdata</b><i itemprop=sku>2</i><i itemprop=gtin>3</i></div>"
            ),
            ("Open Graph", "<meta property=og:title content='Open Graph'><meta property=product:brand content=Lumen>"),
            ("card", "<meta name=twitter:title content=card><meta name=twitter:player content=https://e.example/>"),
            ("HTML", "<title>HTML</title><meta name=description content=Description>"),
        ]
        for first in sources.indices {
            let html = sources[first...].reversed().map(\.1).joined()
            let items = try Pages.read(html).items
            #expect(items.count == 1)
            #expect(items.first?.shown("title") == sources[first].0)
            #expect(items.first?.shown("contentDescription") == "Description")
        }
        let all = try #require(try Pages.read(sources.map(\.1).joined()).items.first)
        #expect(all.differences(["sku": "1", "gtin": "3", "brand": "Lumen", "embedURL": "https://e.example/"]) == [])
    }

    @Test("Several events are separate items beside the page")
    func severalEvents() throws {
        let json = """
            [{"@type": "Event", "@id": "#fair", "name": "Fair", "startDate": "2026-12-01"},
             {"@type": "Event", "name": "Ball", "url": "/ball", "startDate": "2026-12-02"},
             {"@type": "Event", "name": "Walk", "startDate": "2026-12-03"}, {"@type": "Event", "startDate": "2026-12-04"}]
            """
        let page = try Pages.read(Pages.linked(json, head: "<link rel=canonical href=/events>"))
        #expect(page.canonicalURL == "https://www.example.org/events")
        #expect(page.items.map { $0.shown("title") } == ["The title", "Fair", "Ball", "Walk"])
        #expect(
            page.items.map(\.id) == [
                "https://www.example.org/events", "\(Pages.address)#fair", "https://www.example.org/ball",
                "https://www.example.org/events#event-3",
            ])
        #expect(page.items.map(\.kind) == ["WebPage", "Event", "Event", "Event"])
        #expect(page.items.last?.shown("url") == "https://www.example.org/events")
    }

    @Test("The declared main entity is the page")
    func mainEntity() throws {
        let byPage = """
            [{"@type": "WebPage", "mainEntity": {"@type": "Event", "name": "Main"}}, {"@type": "Event", "name": "Other"}]
            """
        let byThing = """
            [{"@type": "Event", "name": "Other"}, {"@type": "Event", "name": "Main", "mainEntityOfPage": true}]
            """
        let byAddress = """
            [{"@type": "Event", "name": "Other", "url": "/other"}, {"@type": "Event", "name": "Main", "url": "http://example.org/place/page/"}]
            """
        for json in [byPage, byThing, byAddress] {
            let items = try Pages.read(Pages.linked(json)).items
            #expect(items.map { $0.shown("title") } == ["Main", "Other"])
            #expect(items.first?.id == Pages.address)
        }
    }

    @Test("The organization of a site is not merged with its article")
    func companions() throws {
        let organization =
            "{\"@type\": \"Organization\", \"name\": \"Sea Society\", \"telephone\": \"+1 555 010 0000\", \"url\": \"/\"}"
        let article = "{\"@type\": \"Article\", \"headline\": \"Kelp\"}"
        let both = try Pages.read(Pages.linked("[\(organization), \(article)]")).items
        #expect(both.map(\.kind) == ["Article", "Organization"])
        #expect(both.map(\.id) == [Pages.address, "https://www.example.org/"])
        #expect(both.first?["phoneNumbers"] == nil)

        let home = try Pages.read(Pages.linked(organization), url: "https://example.org").items
        #expect(home.map(\.kind) == ["Organization"])
        #expect(home.first?.shown("phoneNumbers") == "+1 555 010 0000")

        let elsewhere = try Pages.read(Pages.linked(organization, head: "<meta property=og:type content=article>"))
            .items
        #expect(elsewhere.map(\.kind) == ["Article", "Organization"])
    }

    @Test("JSON-LD and microdata of the same thing are merged")
    func sameThing() throws {
        let micro = { (name: String) in
            "<div itemscope itemtype=https://schema.org/Event><b itemprop=name>\(name)</b><i itemprop=organizer>Club</i></div>"
        }
        let json = "[{\"@type\": \"Event\", \"name\": \"Fair\"}, {\"@type\": \"Event\", \"name\": \"Ball\"}]"
        let items = try Pages.read(Pages.linked(json, body: micro("Fair") + micro("Walk"))).items
        #expect(items.map { $0.shown("title") } == ["The title", "Fair", "Ball", "Walk"])
        #expect(items.map { $0.shown("organizerName") } == [nil, "Club", nil, "Club"])
    }

    static let foreign = [
        "<link rel=canonical href=https://bank.example/account>",
        "<meta property=og:url content=https://bank.example/account>",
    ]

    @Test("A page cannot claim the URL of another site", arguments: foreign)
    func foreignAddress(head: String) throws {
        let json =
            "[{\"@type\": \"Event\", \"name\": \"A\", \"@id\": \"https://bank.example/a\"}, {\"@type\": \"Event\", \"name\": \"B\"}]"
        let page = try Pages.read(Pages.linked(json, head: head))
        #expect(page.canonicalURL == Pages.address)
        #expect(page.items.map(\.id) == [Pages.address, "\(Pages.address)#event-1", "\(Pages.address)#event-2"])
    }

    @Test("A page without a URL uses the canonical one, or has an identifier from its bytes")
    func withoutAddress() throws {
        let canonical = try Pages.read("<link rel=canonical href=https://a.example/x#part><title>t</title>", url: nil)
        #expect(canonical.items.map(\.id) == ["https://a.example/x"])
        let none = try Pages.read(
            "<title>t</title><link rel=canonical href=/x><meta property=og:image content=/i.png>", url: nil)
        #expect(none.items.count == 1 && none.items.first?.id?.hasPrefix("page-") == true)
        #expect(none.items.first?["thumbnailURL"] == nil)
        let file = try Pages.read(
            "<title>t</title><meta property=og:image content=i.png>", url: "file:///tmp/page.html")
        #expect(file.items.map(\.id) == ["file:///tmp/page.html"])
        #expect(file.items.first?["url"] == nil && file.items.first?["thumbnailURL"] == nil && file.canonicalURL == nil)
    }

    @Test("Relative URLs are resolved against the base element")
    func base() throws {
        let html =
            "<base href=//cdn.example/assets/><meta property=og:image content=i.png><link rel=canonical href=https://example.org/c>"
        let page = try Pages.read(html)
        #expect(page.items.first?.shown("thumbnailURL") == "https://cdn.example/assets/i.png")
        #expect(page.canonicalURL == "https://example.org/c")
    }

    @Test("The number of items is limited, with a warning")
    func manyItems() throws {
        let things = (0..<3000).map { "{\"@type\": \"Event\", \"name\": \"Event \($0)\"}" }.joined(separator: ",")
        let page = try Pages.read(Pages.linked("[\(things)]"))
        #expect(page.items.count == WebPage.maximumItems)
        #expect(Set(page.items.compactMap(\.id)).count == WebPage.maximumItems)
        #expect(page.warnings.map(\.message) == ["the page has more than 500 items; the others are ignored"])
    }

    @Test("All attributes are in the table with their types")
    func table() throws {
        let kinds = Dictionary(uniqueKeysWithValues: MarkupAttribute.all.map { ($0.name, $0) })
        let pages =
            LinkedDataTests.cases.map { Pages.linked($0.json) } + TagTests.cases.map { Pages.body("", head: $0.head) }
        for item in try pages.flatMap({ try Pages.read($0).items }) {
            for (name, value) in item.attributes {
                #expect(kinds[name]?.kind == value.kind && kinds[name]?.isCustom == false, "\(name)")
            }
            for (name, value) in item.custom {
                #expect(kinds[name]?.kind == value.kind && kinds[name]?.isCustom == true, "\(name)")
            }
        }
    }
}

extension MarkupValue {
    fileprivate var kind: MarkupAttribute.Kind {
        switch self {
        case .text: .text
        case .number: .number
        case .date: .date
        case .flag: .flag
        case .texts: .texts
        }
    }
}
