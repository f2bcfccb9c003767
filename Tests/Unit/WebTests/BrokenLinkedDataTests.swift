import SwitchboardWebMarkup
import Testing

@Suite("Invalid JSON-LD")
struct BrokenLinkedDataTests {
    /// Each describes a product named Kelp.
    static let readable: [(String, String)] = [
        ("CDATA markers", "//<![CDATA[\n{\"@type\": \"Product\", \"name\": \"Kelp\"}\n//]]>"),
        ("CDATA markers in comments", "/*<![CDATA[*/{\"@type\": \"Product\", \"name\": \"Kelp\"}/*]]>*/"),
        ("comment markers", "<!--\n{\"@type\": \"Product\", \"name\": \"Kelp\"}\n-->"),
        ("a trailing semicolon", "{\"@type\": \"Product\", \"name\": \"Kelp\"};"),
        ("trailing garbage", "{\"@type\": \"Product\", \"name\": \"Kelp\"} }} undefined <br>"),
        ("two objects without a list", "{\"@type\": \"BreadcrumbList\"}\n{\"@type\": \"Product\", \"name\": \"Kelp\"}"),
        ("a trailing comma", "[{\"@type\": \"Product\", \"name\": \"Kelp\",},]"),
        ("a line break in a string", "{\"@type\": \"Product\", \"description\": \"a\nb\", \"name\": \"Kelp\"}"),
        ("comments", "{/* what */ \"@type\": \"Product\", \"name\": \"Kelp\"}"),
        ("an unknown escape", #"{"@type": "Product", "name": "\Ke\lp"}"#),
        ("escapes", #"{"@type": "Product", "name": "\u004b\u0065lp"}"#),
        ("a type with its prefix", #"{"@type": "http://schema.org/Product", "schema:name": "Kelp"}"#),
        ("values as objects", #"{"@type": "Product", "name": {"@value": "Kelp", "@language": "en"}}"#),
        ("a list as an object", #"{"@type": "Product", "name": {"@list": ["Kelp", "other"]}}"#),
        ("nested lists", #"[[{"@type": ["Product", 7, null], "name": ["Kelp"]}]]"#),
        ("a byte order mark", "\u{FEFF}{\"@type\": \"Product\", \"name\": \"Kelp\"}"),
        ("an unknown word", #"{"@type": "Product", "price": undefined, "name": "Kelp"}"#),
    ]

    @Test("Common errors are tolerated", arguments: readable)
    func tolerance(_ example: (name: String, json: String)) throws {
        let page = try Pages.read(Pages.linked(example.json))
        #expect(page.items.first?.shown("title") == "Kelp", "\(example.name): \(page.warnings)")
        #expect(page.warnings == [])
    }

    private static let tooDeep = "lists and objects are nested more than 64 levels deep; use fewer levels"

    /// The line of the error on the page, where the script begins on line 3.
    static let faulty: [(String, Int, String)] = [
        ("", 3, "the script is empty"),
        ("var x = 1;", 3, "expected { or ["),
        ("{\"a\": }", 3, "expected a value, found “}”"),
        ("{\n\"a\": 1,\n\"b\" 2}", 5, "expected “:”, found “2”"),
        ("{\n\"a\": \"open", 4, "the string is not closed; add a quote"),
        ("{\n\"a\": 1\n\"b\": 2}", 5, "expected “,” or “}”, found “\"”"),
        ("{\"a\": [1, 2", 3, "expected “,” or “]”, found the end"),
        ("{\"a\":", 3, "expected a value, found the end"),
        ("{\"a\": abc}", 3, "expected a value, found “a”"),
        ("{a: 1}", 3, "expected a member name in quotes, found “a”"),
        ("{\"a\": [1}]", 3, "expected “,” or “]”, found “}”"),
        (String(repeating: "[", count: 100_000), 3, tooDeep),
        (String(repeating: "{\"a\":", count: 100_000), 3, tooDeep),
    ]

    @Test("An invalid script causes a warning with its line, and the rest of the page is read", arguments: faulty)
    func faults(_ example: (json: String, line: Int, reason: String)) throws {
        let good = "<script type='application/ld+json'>{\"@type\": \"Product\", \"name\": \"Kelp\"}</script>"
        let page = try Pages.read(Pages.linked(example.json, body: good))
        #expect(page.items.first?.shown("title") == "Kelp")
        #expect(page.warnings.map(\.line) == [example.line])
        #expect(page.warnings.first?.message == "JSON-LD ignored: \(example.reason)")
    }

    @Test("Cyclic references terminate")
    func cycles() throws {
        let json = """
            [{"@type": "Product", "@id": "#a", "name": "Kelp", "isRelatedTo": {"@id": "#a"}, "brand": {"@id": "#b"}},
             {"@type": "Brand", "@id": "#b", "name": {"@id": "#b"}, "isRelatedTo": {"@id": "#a"}, "subjectOf": {"@id": "#b"}}]
            """
        #expect(try Pages.read(Pages.linked(json)).items.first?.shown("title") == "Kelp")
    }

    @Test("Values of unexpected types are ignored")
    func wrongTypes() throws {
        let json = """
            {"@type": "Event", "name": 7, "startDate": {"@type": "Date"}, "endDate": [], "description": false, "image": 5, "url": {},
             "location": 3, "offers": "free", "aggregateRating": [[{"ratingValue": "many"}]], "geo": null, "telephone": true}
            """
        let item = try #require(try Pages.read(Pages.linked(json)).items.first)
        #expect(item.differences(["title": "7", "namedLocation": "3"]) == [])
        #expect(item["startDate"] == nil && item["rating"] == nil && item["phoneNumbers"] == nil)
    }
}
