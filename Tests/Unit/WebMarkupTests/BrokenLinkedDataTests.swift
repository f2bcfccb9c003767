import Testing
import SwitchboardWebMarkup

@Suite("JSON-LD as pages have it")
struct BrokenLinkedDataTests {
    /// Each has a thing named Kelp.
    static let readable: [(String, String)] = [
        ("marks of CDATA", "//<![CDATA[\n{\"@type\": \"Product\", \"name\": \"Kelp\"}\n//]]>"),
        ("marks of CDATA in comments", "/*<![CDATA[*/{\"@type\": \"Product\", \"name\": \"Kelp\"}/*]]>*/"),
        ("marks of a comment", "<!--\n{\"@type\": \"Product\", \"name\": \"Kelp\"}\n-->"),
        ("a semicolon behind", "{\"@type\": \"Product\", \"name\": \"Kelp\"};"),
        ("garbage behind", "{\"@type\": \"Product\", \"name\": \"Kelp\"} }} undefined <br>"),
        ("two objects without a list", "{\"@type\": \"BreadcrumbList\"}\n{\"@type\": \"Product\", \"name\": \"Kelp\"}"),
        ("a comma too many", "[{\"@type\": \"Product\", \"name\": \"Kelp\",},]"),
        ("a line break in a string", "{\"@type\": \"Product\", \"description\": \"a\nb\", \"name\": \"Kelp\"}"),
        ("comments", "{/* what */ \"@type\": \"Product\", \"name\": \"Kelp\"}"),
        ("a wrong escape", #"{"@type": "Product", "name": "\Ke\lp"}"#),
        ("escapes", #"{"@type": "Product", "name": "\u004b\u0065lp"}"#),
        ("a full name of the type", #"{"@type": "http://schema.org/Product", "schema:name": "Kelp"}"#),
        ("values as objects", #"{"@type": "Product", "name": {"@value": "Kelp", "@language": "en"}}"#),
        ("a list as an object", #"{"@type": "Product", "name": {"@list": ["Kelp", "other"]}}"#),
        ("no type of its own list", #"[[{"@type": ["Product", 7, null], "name": ["Kelp"]}]]"#),
        ("a byte order mark", "\u{FEFF}{\"@type\": \"Product\", \"name\": \"Kelp\"}"),
        ("an unknown word", #"{"@type": "Product", "price": undefined, "name": "Kelp"}"#),
    ]

    @Test("What strict readers refuse is read", arguments: readable)
    func tolerance(_ example: (name: String, json: String)) throws {
        let page = try Pages.read(Pages.linked(example.json))
        #expect(page.items.first?.shown("title") == "Kelp", "\(example.name): \(page.warnings)")
        #expect(page.warnings == [])
    }

    /// The line of the fault, counted on the page: the script begins on the third one.
    static let faulty: [(String, Int, String)] = [
        ("", 3, "the script is empty"),
        ("var x = 1;", 3, "expected { or ["),
        ("{\"a\": }", 3, "expected a value before }"),
        ("{\n\"a\": 1,\n\"b\" 2}", 5, "expected : behind “b”"),
        ("{\n\"a\": \"open", 4, "a string has no end"),
        ("{\n\"a\": 1\n\"b\": 2}", 5, "expected , or a closing bracket"),
        ("{\"a\": [1, 2", 3, "the text ends inside brackets"),
        ("{\"a\":", 3, "the text ends inside a value"),
        ("{\"a\": abc}", 3, "expected a value"),
        ("{a: 1}", 3, "expected a name in quotes or }"),
        ("{\"a\": [1}]", 3, "expected , or a closing bracket"),
        (String(repeating: "[", count: 100_000), 3, "more than 64 levels of brackets"),
        (String(repeating: "{\"a\":", count: 100_000), 3, "more than 64 levels of brackets"),
    ]

    @Test("A script that is no JSON is named with its line, and the rest of the page is read", arguments: faulty)
    func faults(_ example: (json: String, line: Int, reason: String)) throws {
        let good = "<script type='application/ld+json'>{\"@type\": \"Product\", \"name\": \"Kelp\"}</script>"
        let page = try Pages.read(Pages.linked(example.json, body: good))
        #expect(page.items.first?.shown("title") == "Kelp")
        #expect(page.warnings.map(\.line) == [example.line])
        #expect(page.warnings.first?.message == "JSON-LD is passed over: \(example.reason)")
    }

    @Test("Things that name each other in a circle are read once")
    func circles() throws {
        let json = """
            [{"@type": "Product", "@id": "#a", "name": "Kelp", "isRelatedTo": {"@id": "#a"}, "brand": {"@id": "#b"}},
             {"@type": "Brand", "@id": "#b", "name": {"@id": "#b"}, "isRelatedTo": {"@id": "#a"}, "subjectOf": {"@id": "#b"}}]
            """
        #expect(try Pages.read(Pages.linked(json)).items.first?.shown("title") == "Kelp")
    }

    @Test("Values of another type than they should have are passed over")
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
