import SwitchboardTestSupport
import Testing

@testable import SwitchboardDAV

@Suite("Responses of WebDAV") struct MultistatusTests {
    private static let pieces: [String] = [
        "a", "<", ">", "&", "&amp;", "\"", "'", "]]>", "<!--", "\r\n", "\r", "\n", "\t", " ", "\u{0}", "\u{1}",
        "\u{1F}", "\u{7F}",
        "\u{85}", "\u{2028}", "\u{FEFF}", "\u{FFFD}", "\u{FFFE}", "\u{FFFF}", "\u{1FFFE}", "\u{10FFFF}", "\u{FB01}",
        "大", "😀",
        "e\u{301}", "%", "\u{FFBF}", "\u{FFBE}",
    ]

    /// Returns a text with what XML cannot represent replaced.
    private static func representable(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    switch scalar.value {
                    case 0x09, 0x0A, 0x0D: scalar
                    case 0..<0x20, 0xFFFE, 0xFFFF: "\u{FFFD}"
                    default: scalar
                    }
                }))
    }

    @Test("any text is read back as it was written, except for what XML cannot represent", arguments: 1...200)
    func texts(seed: UInt64) throws {
        var numbers = SplitMix(seed: seed)
        func text() -> String {
            (0..<Int.random(in: 1...12, using: &numbers)).map { _ in Self.pieces.randomElement(using: &numbers) ?? "" }
                .joined()
        }
        let (href, value, attribute, token) = (text(), text(), text(), text())
        var status = Multistatus()
        let type = DAVProperty(.card("supported"), .card("type"), attributes: [[("content-type", attribute)]])
        status.add(
            href, found: [DAVProperty(.dav("displayname"), text: value), type], missing: [DAVName("urn:x", "other")])
        status.add(href, status: 404, condition: .dav("number-of-matches-within-limits"))
        status.token = token
        let root = try DAVElement(parsing: status.bytes)
        #expect(root.children.map(\.name.name) == ["response", "response", "sync-token"])
        #expect(root.child(.dav("sync-token"))?.text == Self.representable(token))
        let first = try #require(root.child(.dav("response")))
        #expect(first.child(.dav("href"))?.text == Self.representable(href))
        let properties = try #require(first.child(.dav("propstat"))?.child(.dav("prop")))
        #expect(properties.child(.dav("displayname"))?.text == Self.representable(value))
        let read = properties.child(.card("supported"))?.child(.card("type"))?.attributes["content-type"]
        // A parser makes spaces of line breaks and tabs in attributes.
        let spaced = Self.representable(attribute).unicodeScalars.map { "\t\n".unicodeScalars.contains($0) ? " " : $0 }
        #expect(read == String(String.UnicodeScalarView(spaced)))
    }
}
