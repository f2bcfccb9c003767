import Foundation
import SwitchboardWebMarkup
import Testing

@Suite("Random pages")
struct MarkupFuzzTests {
    private static let pieces: [String] = [
        "<", ">", "</", "/>", "<!--", "-->", "<![CDATA[", "]]>", "&", "&#", "&amp;", ";", "\"", "'", "=", "{", "}", "[",
        "]", ",", ":", "\\", "\\u",
        "\\ud83d", "<script type=\"application/ld+json\">", "</script>", "<template>", "</template>", "<svg>",
        "<div itemscope itemref=\"a b\" id=a>",
        "<p itemprop=\"name location\" itemscope id=b>", "</div>", "<meta charset=utf-16>", "<meta charset=gb18030>",
        "<base href=\"//x\">",
        "itemtype=\"https://schema.org/Event\"", "\"@type\"", "\"@id\"", "\"@graph\"", "\"@value\"", "\"@context\"",
        "\"name\"", "\"offers\"",
        "\"location\"", "\"startDate\"", "\"2026-02-30T99:99\"", "\"P9999999Y\"", "1e999", "-0", "null", "http://",
        "javascript:", "http://[", "%",
        "\u{0}", "\u{301}", "\u{FEFF}", "😀", "\u{202E}", " ", "\n",
    ]

    /// `Scripts/fuzz markup` runs more rounds.
    @Test("Mutated pages are read without a trap, and give only web URLs")
    func mutations() throws {
        let rounds = ProcessInfo.processInfo.environment["FUZZ_ROUNDS"].flatMap { Int($0) } ?? 500
        let corpus =
            LinkedDataTests.cases.map { Pages.linked($0.json) } + TagTests.cases.map { Pages.body("", head: $0.head) }
            + MicrodataTests.values.map { Pages.body("<div itemscope itemtype=https://schema.org/Event>\($0.0)</div>") }
            + BrokenLinkedDataTests.readable.map { Pages.linked($0.1) }
        let bytes = corpus.map { Array($0.utf8) }
        let types = [
            nil, "text/html", "text/html; charset=utf-8", "text/html; charset=shift_jis", "text/html; charset=utf-16le",
            "text/html; charset=iso-2022-jp",
        ]
        let pieces = Self.pieces.map { Array($0.utf8) }
        var items = 0
        for _ in 0..<rounds {
            var page = bytes.randomElement() ?? []
            if Int.random(in: 0..<4) == 0 {
                // Insert a part of another page.
                let other = bytes.randomElement() ?? []
                let start = Int.random(in: 0...other.count)
                page.insert(
                    contentsOf: other[start..<Int.random(in: start...other.count)], at: Int.random(in: 0...page.count))
            }
            for _ in 0..<Int.random(in: 1...12) {
                let position = Int.random(in: 0...page.count)
                let removed = position..<min(page.count, position + Int.random(in: 0...4))
                let piece = Int.random(in: 0..<3) == 0 ? [UInt8.random(in: 0...255)] : pieces.randomElement() ?? []
                let count = Int.random(in: 0..<200) == 0 ? 3000 : 1
                page.replaceSubrange(removed, with: repeatElement(piece, count: count).joined())
            }
            let result = try WebPage(
                html: page, contentType: types.randomElement() ?? nil, url: Pages.address,
                robotsTags: [String(decoding: page.prefix(60), as: UTF8.self)])
            for item in result.items {
                for name in ["url", "thumbnailURL", "contentURL", "audioURL", "videoURL", "searchAction"] {
                    if let address = item.shown(name) {
                        #expect(address.hasPrefix("http://") || address.hasPrefix("https://"))
                    }
                }
                if case .number(let latitude)? = item["latitude"] { #expect(abs(latitude) <= 90) }
            }
            items += result.items.count
        }
        // Some pages have nothing to index.
        #expect(items > rounds / 2)
        print("Pages read: \(rounds), items: \(items)")
    }
}
