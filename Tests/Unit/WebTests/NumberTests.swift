import Foundation
import Testing

@testable import SwitchboardWebMarkup

@Suite("Numbers of pages")
struct NumberTests {
    static let prices: [(String, Double?)] = [
        ("Rs. 500", 500), ("Rs.500", 500), ("Rs. 1,299.00", 1299), ("Rs.1,29,999", 129_999), ("￥１２，８００", 12_800),
        ("₹ 12,34,567.50", 1_234_567.5),
        ("Fr. 20", 20), ("Fr.20", 20), ("Fr. 1'299.50", 1299.5), ("CHF 1’299.–", 1299), ("20.- CHF", 20),
        ("SFr. 1’299", 1299),
        ("kr. 299,-", 299), ("kr.499", 499), ("Kr. 1.299,00", 1299), ("1 299,90 kr", 1299.9), ("1 299:-", 1299),
        ("S/. 30", 30), ("S/.30", 30), ("S/. 1,250.90", 1250.9), ("Bs. 10", 10), ("L. 100", 100), ("ca. 20 €", 20),
        ("approx. 20 USD", 20), ("1.299,50.", 1299.5), ("Lek 5.000,00", 5000), ("USD.45", 45), ("R$ 1.299,90", 1299.9),
        ("p.p. 45,00", 45), ("U.S.$ 45", 45), ("€ .99", 0.99), (".99", 0.99), ("$.50", 0.5), ("0.500", 0.5),
        ("€ 0,500", 0.5),
        ("€1.299,-", 1299), ("€ 1.299,—", 1299), ("€ 1.299", 1299), ("1.299 €", 1299), ("1.299", 1.299),
        ("$1,299", 1299),
        ("1,299", 1299), ("1.234.567 Ft", 1_234_567), ("1\u{202F}234,5 €", 1234.5), ("−€ 5", -5), ("-5", -5),
        ("Set - 5 €", 5),
        ("10–20 €", 10), ("KWD 12.500", 12.5), ("1.250 BHD", 1.25), ("Tk. ১,২৯৯", 1299), ("free", nil), ("", nil),
        ("Rs.", nil),
        ("999,999.99", 999_999.99), ("12 345 678", 12_345_678), ("20 30", 20),
    ]

    @Test("Prices are read after abbreviations and with any grouping", arguments: prices)
    func price(_ text: String, _ expected: Double?) {
        #expect(MarkupNumber.read(text, as: .price(currency: nil)) == expected)
    }

    @Test("The currency of an offer decides about thousandths")
    func thousandths() {
        #expect(MarkupNumber.read("price: 12.500", as: .price(currency: "KWD")) == 12.5)
        #expect(MarkupNumber.read("price: 12.500", as: .price(currency: "EUR")) == 12_500)
    }

    static let counts: [(String, Double?)] = [
        ("1.234", 1234), ("1,234", 1234), ("12.345", 12_345), ("1 234", 1234), ("1'234", 1234),
        ("1.234.567", 1_234_567),
        ("31", 31), ("31 ratings", 31), ("12.0", 12), ("4.5", nil), ("4,25", nil), ("1,29,999", 129_999),
    ]

    @Test("A count has no decimals", arguments: counts)
    func count(_ text: String, _ expected: Double?) {
        #expect(MarkupNumber.read(text, as: .count) == expected)
    }

    static let coordinates: [(String, Double?)] = [
        ("53.543", 53.543), ("53,543", 53.543), ("9,988", 9.988), ("−33,925", -33.925), ("-0.123", -0.123),
        ("151.20 ", 151.2),
        ("33.92 S", -33.92), ("18.42 W", -18.42), ("E 18.5", 18.5), ("53°33'N", 53.55), ("9°59'E", 9 + 59 / 60.0),
        ("33°55′30″S", -(33 + 55 / 60.0 + 30 / 3600.0)), ("53.543.210", nil), ("53,543,9", nil), ("north", nil),
    ]

    @Test("A coordinate has no thousands", arguments: coordinates)
    func coordinate(_ text: String, _ expected: Double?) {
        let read = MarkupNumber.read(text, as: .coordinate)
        #expect(read.map { ($0 * 1e9).rounded() } == expected.map { ($0 * 1e9).rounded() })
    }

    // MARK: - Pages of the complaints

    private static func page(_ name: String) throws -> WebPage {
        let url = try #require(Bundle.module.url(forResource: "Resources/cases/aib-\(name).html", withExtension: nil))
        return try WebPage(html: Data(contentsOf: url), url: "https://example.org/a")
    }

    @Test("The prices of a page are those that people read")
    func pricesOfPage() throws {
        let expected = [
            "500", "500", "1299", "129999", "20", "1299.5", "299", "499", "1299", "30", "10", "100", "20", "20",
            "1299.5", "5000",
            "45", "1299.9", "45", "45", "0.99", "0.99", "0.5",
        ]
        let items = try Self.page("11-prices").items.filter { $0.shown("title")?.hasPrefix("P") ?? false }
        #expect(items.map { $0.shown("price") } == expected)
        let item = try #require(try Self.page("11-price").items.first)
        #expect(item.shown("price") == "500" && item.shown("reviewCount") == "1234" && item.shown("rating") == "4.5")
    }

    @Test("The counts and coordinates of a page")
    func numbersOfPage() throws {
        let items = try Self.page("14-numbers").items
        func shown(_ attribute: String) -> [String: String?] {
            Dictionary(items.map { ($0.shown("title") ?? "", $0.shown(attribute)) }) { first, _ in first }
        }
        let counts = shown("ratingCount")
        #expect(counts["R1"] == "12345" && counts["R2"] == "1234" && counts["R3"] == "1234")
        let (latitudes, longitudes) = (shown("latitude"), shown("longitude"))
        #expect(latitudes["G3"] == "53.543" && longitudes["G3"] == "9.988")
        #expect(latitudes["G8"] == "48.858" && longitudes["G8"] == "2.294")
        #expect(latitudes["G9"] == "-33.925" && longitudes["G9"] == "18.424")
        #expect(latitudes["G1"] == "53.55" && latitudes["G5"] == "-33.92" && longitudes["G5"] == "-18.42")
        #expect(latitudes["G4"] == .some(nil) && latitudes["G6"] == .some(nil) && latitudes["G7"] == .some(nil))
    }

    @Test("Tags have prices too", arguments: [("Rs. 500", "500"), ("kr.499", "499"), ("€1.299,-", "1299")])
    func tags(_ text: String, _ expected: String) throws {
        let page = try Pages.read(Pages.body("", head: "<meta property=\"product:price:amount\" content=\"\(text)\">"))
        #expect(page.items.first?.shown("price") == expected)
    }

    // MARK: - Names and contexts

    @Test("A name may be an object")
    func author() throws {
        #expect(try Self.page("13-author").items.first?.shown("authorNames") == "Mo Berg | Di Voss")
    }

    static let names: [(String, String?)] = [
        (#""author": {"name": {"@value": "Mo Berg"}}"#, "Mo Berg"),
        (#""author": {"name": [{"name": "Mo Berg"}]}"#, "Mo Berg"),
        (#""author": {"name": {"name": {"name": "Mo Berg"}}}"#, "Mo Berg"),
        (#""author": {"name": {"givenName": "Mo", "familyName": "Berg"}}"#, "Mo Berg"),
        (##""author": {"@id": "#a", "name": {"@id": "#a"}}"##, nil),
    ]

    @Test("Names inside names are read, and circles end", arguments: names)
    func nested(_ author: String, _ expected: String?) throws {
        let json = "{\"@context\": \"https://schema.org\", \"@type\": \"Article\", \"headline\": \"H\", \(author)}"
        #expect(try Pages.read(Pages.linked(json)).items.first?.shown("authorNames") == expected)
    }

    @Test("A prefix that the page declares for schema.org is read")
    func contexts() throws {
        let titles = try Self.page("15-contexts").items.compactMap { $0.shown("title") }
        #expect(Set(titles).isSuperset(of: ["Kite day", "Pfx day", "Iri day"]))
    }

    static let declarations = [
        #"{"@context": {"so": "https://schema.org/"}, "@type": "so:Event", "so:name": "Kite day"}"#,
        #"{"@context": ["https://example.org/v", {"x": {"@id": "http://schema.org/"}}], "@type": "x:Event", "x:name": "Kite day"}"#,
        #"{"@context": {"s": "http://www.schema.org/", "label": "s:name", "kind": "@type"}, "kind": "s:Event", "label": "Kite day"}"#,
        #"{"@context": {"s": "https://schema.org/"}, "@graph": [{"@type": "s:Event", "s:name": "Kite day"}]}"#,
    ]

    @Test("Prefixes and terms of every form are read", arguments: declarations)
    func declaration(_ json: String) throws {
        let item = try #require(try Pages.read(Pages.linked(json)).items.first)
        #expect(item.kind == "Event" && item.shown("title") == "Kite day")
    }

    @Test("A prefix of another vocabulary is not read")
    func otherVocabulary() throws {
        let json =
            #"[{"@context": {"s": "http://schema.org/", "o": "http://example.org/"}, "@type": "o:Event", "o:name": "No"},"#
            + #" {"@context": "https://schema.org", "@type": "s:Event", "s:name": "No"}]"#
        #expect(try Pages.read(Pages.linked(json)).items.map { $0.shown("title") } == ["The title"])
    }

    // MARK: - Nothing to index

    @Test(
        "A page with nothing to index has no item, and says so",
        arguments: [
            "", "   \n", "<!doctype html>", "<html><head></head><body></body></html>", "<script>let a = 1</script>",
            "<title></title><body> &nbsp; </body>", "<img src=a.png>",
        ])
    func empty(_ html: String) throws {
        let page = try WebPage(html: html.utf8)
        #expect(page.items.isEmpty)
        #expect(
            page.warnings.last?.message
                == "nothing to index: the page has no title, no text and no markup; choose another page")
    }

    @Test("Bytes that are not text have no item, and say so")
    func binary() throws {
        let png: [UInt8] = [
            0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D, 0x49, 0x48, 0x44, 0x52, 0, 0, 1, 0,
        ]
        for bytes in [
            png, Array("%PDF-1.4\n<title>a</title>".utf8), (0..<2_000).map { UInt8(truncatingIfNeeded: $0 &* 37) },
        ] {
            let page = try WebPage(html: bytes)
            #expect(page.items.isEmpty)
            #expect(page.warnings.last?.message == "nothing to index: the file is not text; choose another page")
        }
        let text = "<title>Łódź</title>".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(try WebPage(html: [0xFF, 0xFE] + text).items.first?.shown("title") == "Łódź")
    }

    @Test("A page with text and no title is called by its beginning")
    func untitled() throws {
        #expect(
            try WebPage(html: "<p>Bread &amp; butter</p><p>More".utf8).items.first?.shown("title")
                == "Bread & butter More")
    }

    @Test("A page without an address has an identifier from its bytes")
    func identifier() throws {
        let html = Pages.linked(
            #"[{"@context": "https://schema.org", "@type": "Event", "name": "A"}, {"@type": "Event", "name": "B"}]"#)
        func ids(_ html: String) throws -> [String?] { try Pages.read(html, url: nil).items.map(\.id) }
        let first = try ids(html)
        #expect(first == (try ids(html)) && !first.contains(nil) && Set(first).count == first.count)
        #expect(first != (try ids(html + " ")))
        #expect(first[0]?.hasPrefix("page-") == true)
    }
}
