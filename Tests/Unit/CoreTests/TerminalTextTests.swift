import Testing

@testable import SwitchboardTerminalText

@Suite("Terminal text")
struct TerminalTextTests {
    @Test(
        "The width of a text is that of a terminal",
        arguments: [
            ("", 0), ("Ana", 3), ("Łukasz", 6), ("e\u{301}", 1), ("山田太郎", 8), ("김민준", 6), ("ｶﾅ", 2), ("Ａ", 2),
            ("김", 2), ("القاهرة", 7), ("مُحَمَّد", 4), ("שָׁלוֹם", 4), ("กรุงเทพ", 6), ("🇹🇷", 2), ("👩‍👩‍👧", 2), ("❤️", 2),
            ("☎", 1), ("⌚", 2), ("a\u{200B}b", 2), ("\u{AD}", 0), ("東京 (HND)", 10),
        ])
    func width(text: String, columns: Int) {
        #expect(TerminalText.width(of: text) == columns)
    }

    @Test("Control characters become visible symbols, one scalar each")
    func sanitized() {
        #expect(TerminalText.sanitized("Ana") == "Ana")
        #expect(TerminalText.sanitized("\u{1B}[31mred\u{7}") == "␛[31mred␇")
        #expect(TerminalText.sanitized("a\nb\tc\u{7F}") == "a␊b␉c␡")
        #expect(TerminalText.sanitized("\u{9B}2J") == "\u{FFFD}2J")
        #expect(TerminalText.sanitized("abc\u{202E}fdp.exe") == "abc\u{FFFD}fdp.exe")
        for value in UInt32(0)...0x2100 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let shown = TerminalText.sanitized(String(scalar)).unicodeScalars
            #expect(shown.count == 1)
            #expect(shown.first.map { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) } == true)
        }
    }

    @Test("Right-to-left scripts are detected")
    func direction() {
        #expect(TerminalText.hasRightToLeft("محمد"))
        #expect(TerminalText.hasRightToLeft("Ana שלום"))
        #expect(!TerminalText.hasRightToLeft("Ana Иван 山田"))
    }
}
