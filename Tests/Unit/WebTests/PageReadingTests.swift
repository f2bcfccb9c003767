import Foundation
import SwitchboardWebMarkup
import Testing

@Suite("Reading pages")
struct PageReadingTests {
    struct Encoded: CustomTestStringConvertible, Sendable {
        let name: String
        var header: String?
        var meta = ""
        let title: String
        let bytes: [UInt8]
        var testDescription: String { name }
    }

    static let encodings: [Encoded] = [
        Encoded(name: "undeclared UTF-8", title: "Käse", bytes: Array("Käse".utf8)),
        Encoded(
            name: "undeclared Windows-1252", title: "Käse “x” €",
            bytes: [0x4B, 0xE4, 0x73, 0x65, 0x20, 0x93, 0x78, 0x94, 0x20, 0x80]),
        Encoded(name: "ISO-8859-1 is Windows-1252", meta: "iso-8859-1", title: "œ", bytes: [0x9C]),
        Encoded(name: "ISO-8859-9, Turkish", meta: "iso-8859-9", title: "İşığ", bytes: [0xDD, 0xFE, 0xFD, 0xF0]),
        Encoded(name: "ISO-8859-2", meta: "ISO-8859-2", title: "Łódź", bytes: [0xA3, 0xF3, 0x64, 0xBC]),
        Encoded(
            name: "Windows-1251 in the header", header: "text/html; charset=windows-1251", title: "Борщ",
            bytes: [0xC1, 0xEE, 0xF0, 0xF9]),
        Encoded(name: "KOI8-R", meta: "koi8-r", title: "Борщ", bytes: [0xE2, 0xCF, 0xD2, 0xDD]),
        Encoded(name: "Shift_JIS", meta: "Shift_JIS", title: "日本①", bytes: [0x93, 0xFA, 0x96, 0x7B, 0x87, 0x40]),
        Encoded(name: "EUC-JP", meta: "euc-jp", title: "日本", bytes: [0xC6, 0xFC, 0xCB, 0xDC]),
        Encoded(
            name: "GB2312 is GB18030", meta: "gb2312", title: "中文㐀",
            bytes: [0xD6, 0xD0, 0xCE, 0xC4, 0x81, 0x39, 0xEE, 0x39]),
        Encoded(name: "Big5", meta: "big5", title: "中文", bytes: [0xA4, 0xA4, 0xA4, 0xE5]),
        Encoded(name: "EUC-KR", meta: "euc-kr", title: "한국", bytes: [0xC7, 0xD1, 0xB1, 0xB9]),
        Encoded(
            name: "the header precedes meta", header: "text/html; charset=\"utf-8\"", meta: "koi8-r", title: "Борщ",
            bytes: Array("Борщ".utf8)),
        Encoded(name: "UTF-16 in meta is ignored", meta: "utf-16", title: "Käse", bytes: Array("Käse".utf8)),
        Encoded(
            name: "an unknown encoding is ignored", header: "text/html; charset=klingon", title: "Käse",
            bytes: Array("Käse".utf8)),
        Encoded(name: "invalid UTF-8", meta: "utf-8", title: "a\u{FFFD}b", bytes: [0x61, 0xFF, 0x62]),
        Encoded(
            name: "invalid Shift_JIS", meta: "shift_jis", title: "a\u{FFFD}b",
            bytes: [0x61, 0xFF, 0x62]),
    ]

    @Test("The encoding is detected, and invalid bytes are replaced", arguments: encodings)
    func encoding(_ example: Encoded) throws {
        let meta =
            example.meta.isEmpty
            ? ""
            : "<!-- <meta charset=x> --><meta http-equiv='Content-Type' content='text/html; charset=\(example.meta)'>"
        let html = Array("<html><head>\(meta)<title>".utf8) + example.bytes + Array("</title><p>".utf8)
        #expect(try WebPage(html: html, contentType: example.header).title == example.title)
    }

    @Test("A byte order mark takes precedence", arguments: [true, false])
    func byteOrderMark(isBigEndian: Bool) throws {
        let text = "<title>Käse 😀</title><meta charset=koi8-r>"
        let units = text.utf16.flatMap {
            isBigEndian ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)]
        }
        let mark: [UInt8] = isBigEndian ? [0xFE, 0xFF] : [0xFF, 0xFE]
        #expect(try WebPage(html: mark + units, contentType: "text/html; charset=koi8-r").title == "Käse 😀")
        #expect(
            try WebPage(html: units, contentType: "text/html; charset=utf-16\(isBigEndian ? "be" : "le")").title
                == "Käse 😀")
        #expect(try WebPage(html: units).title == "Käse 😀")
        #expect(try WebPage(html: [0xEF, 0xBB, 0xBF] + Array(text.utf8)).title == "Käse 😀")
        // Truncated within a character.
        #expect(try WebPage(html: (mark + units).dropLast()).title == "Käse 😀")
    }

    @Test("A page above the size limit is rejected")
    func tooLarge() {
        let page = [UInt8](repeating: 0x20, count: 50 << 20)
        #expect(throws: WebMarkupError.tooLarge(bytes: 50 << 20, limit: 16 << 20)) { try WebPage(html: page) }
    }

    @Test(
        "Other content types are rejected", arguments: ["image/png", "application/pdf; x=y", "application/json"])
    func notHTML(type: String) {
        #expect(throws: WebMarkupError.self) { try WebPage(html: [], contentType: type) }
    }

    @Test("An empty page has no item, and a warning")
    func empty() throws {
        let page = try Pages.read("")
        #expect(page.items.isEmpty && page.title == nil && page.warnings.count == 1)
    }

    static let linked =
        "<script type='application/ld+json; charset=utf-8'>{\"@type\": \"Product\", \"name\": \"Kelp\"}</script>"

    static let hostile: [(String, String)] = [
        ("unclosed blocks", String(repeating: "<div>", count: 100_000) + linked),
        (
            "nested things",
            String(repeating: "<div itemscope itemprop=about>", count: 100_000) + linked
        ),
        ("misnested forms and tables", String(repeating: "<b><table><tr><td><form>", count: 20_000) + linked),
        (
            "unmatched end tags",
            String(repeating: "<b>", count: 300) + String(repeating: "</i>", count: 100_000) + linked
        ),
        ("many attributes", String(repeating: "<p a b=1 id=c>", count: 333_333) + linked),
        ("NUL bytes", "\0<\0p>\0" + linked + "\0"),
        ("a comment in a script", "<script><!-- </script>" + linked),
        ("angle brackets", linked + String(repeating: "<", count: 100_000)),
        ("an unclosed tag", linked + "<a href='" + String(repeating: "x", count: 1_000_000)),
        ("an unclosed comment", linked + "<!--" + String(repeating: "-", count: 1_000_000)),
        ("an unclosed script", linked + "<script type=application/ld+json>{"),
        ("unterminated entities", linked + String(repeating: "&am", count: 100_000)),
        ("an external entity", "<!DOCTYPE html [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><p>&x;" + linked),
        ("processing instructions", "<?xml version='1.0'?><?php echo 1 ?>" + linked),
    ]

    @Test("Hostile pages are read to the end", arguments: hostile)
    func hostilePages(_ example: (name: String, html: String)) throws {
        #expect(try Pages.read(example.html).items.first?.shown("title") == "Kelp", "\(example.name)")
    }

    @Test("An element with too many attributes ends the page with a warning")
    func manyAttributes() throws {
        let html = Self.linked + "<p " + (0..<1_000_000).map { "a\($0)" }.joined(separator: " ") + "><title>x</title>"
        let page = try Pages.read(html)
        #expect(page.items.first?.shown("title") == "Kelp")
        #expect(page.warnings.map(\.message) == ["an element has too many attributes; the rest of the page is ignored"])
    }

    @Test("The number of values is limited, with a warning")
    func multipliedReferences() throws {
        let values = String(repeating: "<i itemprop=name>x</i>", count: 2000)
        let things = String(repeating: "<p itemscope itemref=all>", count: 2000)
        let page = try Pages.read("<div id=all>\(values)</div>\(things)")
        #expect(page.warnings.map(\.message) == ["the page has more than 200000 values; the others are ignored"])
        let ids = String(repeating: "<i id=y></i>", count: 5000)
        #expect(try Pages.read("<title>t</title><div id=all>\(ids)</div>\(things)").warnings == [])
    }

    @Test("Truncated pages are read as far as possible")
    func truncated() throws {
        let html = Array(Pages.linked(LinkedDataTests.cases[1].json, body: "<p itemscope><b itemprop=name>x</b>").utf8)
        for length in stride(from: 0, through: html.count, by: 7) {
            _ = try WebPage(html: html.prefix(length), url: Pages.address)
        }
    }

    @Test("Titles in drawings and templates are ignored")
    func foreignTitles() throws {
        let html =
            "<svg><title>Icon</title></svg><template><title>T</title><p itemscope></template><title>Page</title><title>Second</title>"
        #expect(try Pages.read(html).title == "Page")
    }

    @Test("Long texts are truncated")
    func longTexts() throws {
        let long = String(repeating: "word ", count: 100_000)
        let page = try Pages.read(
            Pages.linked(
                "{\"@type\": \"Article\", \"headline\": \"\(long)\", \"description\": \"\(long)\", \"articleBody\": \"\(long)\"}"
            ))
        let item = try #require(page.items.first)
        #expect(item.shown("title")?.unicodeScalars.count == 1000)
        #expect(item.shown("contentDescription")?.unicodeScalars.count == 5000)
        #expect(item.shown("textContent")?.unicodeScalars.count == 200_000)
    }
}
