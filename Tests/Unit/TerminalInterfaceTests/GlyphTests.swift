import Testing

@testable import SwitchboardTerminalInterface

@Suite("Glyphs")
struct GlyphTests {
    static let widths: [(text: String, width: Int)] = [
        ("Jogo", 4), ("日本", 4), ("김민준", 6), ("e\u{301}", 1), ("Юрий", 4), ("שלום", 4), ("👩‍👩‍👧", 2), ("👍🏽", 2),
        ("🇩🇪", 2), ("", 0), ("a\u{0}b", 3), ("\u{1B}[31m", 5), ("\u{202E}x", 2), ("\u{301}", 1), ("ｶﾞ", 2), ("क्षि", 3),
    ]

    @Test("Each character has its terminal width", arguments: widths)
    func width(text: String, width: Int) {
        let glyphs = Glyph.glyphs(of: text, style: .plain)
        #expect(Glyph.width(of: glyphs) == width)
        #expect(glyphs.allSatisfy { $0.width == 1 || $0.width == 2 })
    }

    @Test("Control characters are removed")
    func harmless() {
        let text = Glyph.glyphs(of: "\u{1B}]0;title\u{7}\n\u{9B}31m", style: .plain).map(\.text).joined()
        #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) })
    }

    @Test("A right-to-left text ends with a left-to-right mark")
    func rightToLeft() {
        #expect(Glyph.glyphs(of: "שלום", style: .plain).last?.text == "ם\u{200E}")
        #expect(Glyph.glyphs(of: "Jogo", style: .plain).last?.text == "o")
    }

    @Test("Match ranges count scalars and highlight whole characters")
    func matches() {
        let glyphs = Glyph.glyphs(of: "E\u{301}va Diaz", style: .plain, matches: [0..<3, 5..<7])
        #expect(glyphs.filter { $0.style.tone == .match }.map(\.text) == ["E\u{301}", "v", "D", "i"])
    }

    @Test("Long text is truncated with an ellipsis, never within a wide character")
    func cut() {
        func cut(_ text: String, _ width: Int) -> String {
            Glyph.cut(Glyph.glyphs(of: text, style: .plain), to: width).map(\.text).joined()
        }
        #expect(cut("Jogo", 4) == "Jogo")
        #expect(cut("Jogo", 3) == "Jo…")
        #expect(cut("日本語", 4) == "日…")
        #expect(cut("日本語", 0) == "")
    }

    @Test("Lines wrap at spaces")
    func wrapping() {
        let lines = Glyph.wrapped(Glyph.glyphs(of: "one two three", style: .plain), width: 8)
        #expect(lines.map { $0.map(\.text).joined() } == ["one two", "three"])
        #expect(Glyph.wrapped(Glyph.glyphs(of: "日本語日本語", style: .plain), width: 5).map(\.count) == [2, 2, 2])
    }
}
