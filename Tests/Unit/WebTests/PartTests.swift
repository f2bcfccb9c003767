import Foundation
import Testing

@testable import SwitchboardWebMarkup

@Suite("URLs, dates, numbers and texts")
struct PartTests {
    static let addresses: [(String, String?)] = [
        ("/a", "https://www.example.org/a"), ("a", "https://www.example.org/b/a"),
        ("../a", "https://www.example.org/a"),
        ("../../../a", "https://www.example.org/a"), ("./a/./b/..", "https://www.example.org/b/a/"),
        ("?q=1", "https://www.example.org/b/c?q=1"),
        ("#f", "https://www.example.org/b/c?d=e#f"), ("", nil), ("  \n ", nil),
        ("//cdn.example", "https://cdn.example/"),
        ("HTTP://EXAMPLE.org:80/%7Ea", "http://example.org/%7Ea"), ("https://e.org:443", "https://e.org/"),
        ("https://e.org:8443/x", "https://e.org:8443/x"), ("https://user:pw@e.org/", "https://e.org/"),
        ("https://е.рф/путь", "https://е.рф/%D0%BF%D1%83%D1%82%D1%8C"),
        ("a b\tc\n", "https://www.example.org/b/a%20bc"),
        ("\\a\\b", "https://www.example.org/a/b"), ("https:\\\\e.org\\x", "https://e.org/x"),
        ("/q?a={term}&b", "https://www.example.org/q?a={term}&b"),
        ("javascript:alert(1)", nil), ("data:text/html,x", nil), ("mailto:a@b.c", nil), ("http:", nil),
        ("http:///x", nil),
        ("http://a b/", nil), ("http://a<b/", nil), ("1http://x", "https://www.example.org/b/1http://x"),
        (String(repeating: "a", count: 9000), nil), ("http://[::1]/x", "http://[::1]/x"),
    ]

    @Test("URLs are resolved as in browsers", arguments: addresses)
    func address(_ example: (text: String, expected: String?)) throws {
        let base = try #require(PageURL("https://www.example.org/b/c?d=e"))
        #expect(PageURL(example.text)?.resolved(against: base).webText == example.expected)
    }

    static let sites: [(String, String, Bool)] = [
        ("https://example.org/a", "http://www.example.org/b", true),
        ("https://m.example.org/", "https://example.org/", true),
        ("https://example.org/", "https://example.com/", false),
        ("https://notexample.org/", "https://example.org/", false),
    ]

    @Test("Subdomains and www are the same site", arguments: sites)
    func site(_ example: (one: String, other: String, isSame: Bool)) {
        #expect(PageURL(example.one)?.isOnSameSite(as: PageURL(example.other)) == example.isSame)
    }

    static let dates: [(String, String?, Bool)] = [
        ("2026-11-20", "2026-11-19T21:00:00Z", true), ("2026-11", "2026-10-31T21:00:00Z", true),
        ("2026", "2025-12-31T21:00:00Z", true),
        ("20261120", "2026-11-19T21:00:00Z", true), ("2026-11-20T09:00", "2026-11-20T06:00:00Z", false),
        ("2026-11-20T09:00:00Z", "2026-11-20T09:00:00Z", false),
        ("2026-11-20T09:00:00.250z", "2026-11-20T09:00:00Z", false),
        ("2026-11-20T09:00:00+01:30", "2026-11-20T07:30:00Z", false),
        ("2026-11-20T09:00-0500", "2026-11-20T14:00:00Z", false),
        ("2026-11-20T09+02", "2026-11-20T07:00:00Z", false), ("2026-11-20 09:00:00", "2026-11-20T06:00:00Z", false),
        ("20261120T090000Z", "2026-11-20T09:00:00Z", false), (" 2026-11-20 ", "2026-11-19T21:00:00Z", true),
        ("2026-11-20T24:00Z", "2026-11-21T00:00:00Z", false), ("2024-02-29", "2024-02-28T21:00:00Z", true),
        ("1969-12-31T23:59:59Z", "1969-12-31T23:59:59Z", false), ("2026-02-29", nil, false), ("2026-13-01", nil, false),
        ("2026-11-20T25:00Z", nil, false), ("2026-11-20T09:00:00Zjunk", nil, false), ("20 November 2026", nil, false),
        ("", nil, false),
        ("2026-1-2", nil, false), ("99999", nil, false), ("2026-11-20T", nil, false),
        ("2026-11-20T09:00+99:00", nil, false),
    ]

    @Test("ISO 8601 dates are parsed, by default in the given time zone", arguments: dates)
    func date(_ example: (text: String, expected: String?, isDay: Bool)) throws {
        let zone = try #require(TimeZone(identifier: "Europe/Istanbul"))
        let read = MarkupDate(example.text, zone: zone)
        #expect(read?.date.formatted(.iso8601) == example.expected)
        if let read { #expect(read.isDay == example.isDay) }
    }

    static let durations: [(String, Double?)] = [
        ("PT1H30M", 5400), ("PT90S", 90), ("P1DT2H", 93_600), ("P2W", 1_209_600), ("pt1.5h", 5400), ("PT0,5M", 30),
        ("185", 185),
        ("P1Y", 31_536_000), ("P", nil), ("PT", nil), ("PT5", nil), ("P5H", nil), ("-5", nil), ("soon", nil),
        ("nan", nil), ("PT1H junk", nil),
    ]

    @Test("Durations are parsed into seconds", arguments: durations)
    func duration(_ example: (text: String, expected: Double?)) {
        #expect(MarkupDuration.seconds(example.text) == example.expected)
    }

    static let numbers: [(String, Double?)] = [
        ("1234.5", 1234.5), ("1,234.50", 1234.5), ("1.234,50", 1234.5), ("4,5", 4.5), ("1,204", 1204), ("1.299", 1.299),
        ("1.234.567", 1_234_567),
        ("€ 12", 12), ("12 €", 12), ("12 kcal, 3 g", 12), ("-3.5", -3.5), ("1 234 567", 1_234_567),
        ("1'000.50", 1000.5), ("free", nil), ("", nil),
        ("5.", 5), ("$1,000", 1000), ("9,99", 9.99),
    ]

    @Test("Numbers are parsed with separators, currencies and units", arguments: numbers)
    func number(_ example: (text: String, expected: Double?)) {
        #expect(MarkupNumber.read(example.text) == example.expected)
    }

    static let texts: [(String, String?)] = [
        ("  a \n\t b  ", "a b"), ("a\u{A0}b", "a b"), ("a\u{0}\u{7}b", "ab"), ("", nil), (" \u{2003} ", nil),
        ("👩‍👩‍👧 x", "👩‍👩‍👧 x"),
        ("abcdefghijkl", "abcdefghij…"), ("abc def ghi jkl", "abc def gh…"), ("abcdefghij", "abcdefghij"),
    ]

    @Test("Text becomes one line of limited length", arguments: texts)
    func line(_ example: (text: String, expected: String?)) {
        #expect(MarkupText.line(example.text, limit: 10) == example.expected)
    }

    static let tagged: [(String, String)] = [
        ("a<br/>b", "a b"), ("a<b>b</b>c", "abc"), ("1 < 2 > 0", "1 < 2 > 0"), ("a<!-- c -->b", "a b"),
        ("a <unclosed", "a <unclosed"),
        ("<p class=\"x\">a</p><p>b", " a  b"), ("<3", "<3"), ("<", "<"), ("</", "</"),
    ]

    @Test("Tags are removed, and other angle brackets kept", arguments: tagged)
    func tags(_ example: (text: String, expected: String)) {
        #expect(MarkupText.withoutTags(example.text) == example.expected)
    }

    @Test("Many incomplete tags and entities take linear time")
    func manyBeginnings() {
        for piece in ["<a", "&", "&#", "<!--", "&amp", "<"] {
            let text = String(repeating: piece, count: 300_000)
            #expect(MarkupText.withoutTags(text).isEmpty == false)
            #expect(MarkupText.decodingEntities(in: text).isEmpty == false)
        }
    }

    static let entities: [(String, String)] = [
        ("&amp;lt;", "&lt;"), ("&#65;&#x42;&#X43;", "ABC"), ("&apos;&quot;", "'\""), ("&hellip;", "…"),
        ("&#0;&#xD800;&#x110000;", "\u{0}&#xD800;&#x110000;"),
        ("&#-5;", "&#-5;"), ("&;&", "&;&"), ("AT&T; x", "AT&T; x"), ("&#99999999999;", "&#99999999999;"),
    ]

    @Test("Entities are decoded once, and unknown ones kept", arguments: entities)
    func entity(_ example: (text: String, expected: String)) {
        #expect(MarkupText.decodingEntities(in: example.text) == example.expected)
    }
}
