import SwitchboardTestSupport
import Testing

@testable import SwitchboardAirports

@Suite("Tables read in place")
struct TextTableTests {
    @Test("cells are found by record and column; missing ones are empty")
    func cells() {
        let table = TextTable(copying: Array("a\tb\tc\n1\t\t3\n\nx\ny\tz".utf8))
        #expect(table.header == ["a", "b", "c"])
        #expect(table.count == 3)
        #expect(table.cell(0, 0).string == "1")
        #expect(table.cell(0, 1).isEmpty)
        #expect(table.cell(0, 2).string == "3")
        #expect(table.cell(1, 0).string == "x")
        #expect(table.cell(1, 1).isEmpty)
        #expect(table.cell(2, 1).string == "z")
        for (record, column) in [(-1, 0), (3, 0), (0, -1), (0, 3), (Int.max, Int.max), (Int.min, 5)] {
            let cell = table.cell(record, column)
            #expect(column == -1 ? cell.string == "1" : cell.isEmpty)
        }
    }

    @Test("text without records is empty", arguments: ["", "\n", "header", "header\n", "\n\n\n"])
    func empty(text: String) {
        let table = TextTable(copying: Array(text.utf8))
        #expect(table.count == 0)
        #expect(table.cell(0, 0).isEmpty)
    }

    @Test("invalid UTF-8 becomes replacement characters")
    func invalidUTF8() {
        let table = TextTable(copying: Array("h\n".utf8) + [0xC3, 0x28, 0x09, 0xFF])
        #expect(table.cell(0, 0).string == "\u{FFFD}(")
        #expect(table.cell(0, 1).string == "\u{FFFD}")
    }

    @Test(
        "decimals are parsed like Swift's",
        arguments: [
            "0", "1", "-1", "51.4706", "-0.461941", "-73.77893", "0.000001", "179.9999999", "-.5", "5.",
            "123456789012345", "1234567890123456789", "0.1234567890123456789",
        ])
    func decimals(text: String) {
        let cell = TextTable(copying: Array("h\n\(text)".utf8)).cell(0, 0)
        #expect(cell.decimal == (Double(text) ?? Double(text + "0")))
    }

    @Test(
        "anything but a plain decimal is nil",
        arguments: ["", "-", ".", "1e3", "nan", "inf", "0x10", "1.2.3", "1,5", " 1"])
    func notDecimals(text: String) {
        #expect(TextTable(copying: Array("h\n\(text)\tx".utf8)).cell(0, 0).decimal == nil)
    }

    @Test("random decimals are rounded correctly")
    func randomDecimals() {
        var random = SplitMix(seed: 7)
        for _ in 0..<20_000 {
            let digits = Int.random(in: 0...9, using: &random)
            let value = Int.random(in: -18_000_000_000...18_000_000_000, using: &random)
            var text = String(abs(value))
            text = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
            let point = text.index(text.endIndex, offsetBy: -digits)
            text = (value < 0 ? "-" : "") + text[..<point] + "." + text[point...]
            #expect(TextTable(copying: Array("h\n\(text)".utf8)).cell(0, 0).decimal == Double(text + "0"))
        }
    }
}
