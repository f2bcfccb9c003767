import Foundation
import Testing

/// The terminal sizes of the tests.
let terminalSizes = [(columns: 80, rows: 24), (columns: 120, rows: 40), (columns: 40, rows: 12)]

@Suite("Terminal interface: searching")
struct TerminalSearchTests {
    @Test("Each tab searches while typing", arguments: terminalSizes)
    func searching(columns: Int, rows: Int) throws {
        let terminal = try TmuxTerminal(Bench.withSample(), columns: columns, rows: rows)
        func expect(_ name: String) throws { try terminal.expectScreen("\(columns)x\(rows)/\(name)") }
        try terminal.start()
        try terminal.type("jogo")
        try expect("find")
        try terminal.press("C-u")
        try terminal.press("M-2", until: "contacts:")
        try terminal.type("5646")
        terminal.awaitText("5 jkl")
        try expect("keypad")
        try terminal.press("Enter", until: "+447700900177")
        try expect("contact")
        try terminal.press("Escape")
        try terminal.press("Escape")
        try terminal.press("C-u")
        try terminal.press("M-4", until: "Popular")
        try expect("airports")
        try terminal.type("frankfrut")
        terminal.awaitText("misspelled")
        try expect("typo")
        try terminal.press("M-m", until: "Map of")
        try expect("map")
        try terminal.press("Escape")
        try terminal.press("F1", until: "Keys")
        try expect("help")
        try terminal.press("C-q")
        #expect(try terminal.exitStatus() == 0)
    }

    @Test("Names in all scripts keep the columns aligned")
    func scripts() throws {
        let bench = try Bench.withSample()
        for name in ["Aa שלום", "Aa 山田太郎", "Aa E\u{301}va", "Aa 👩‍👩‍👧 👍🏽 🇩🇪", "Aa عبد الله", "Aa क्षितिज", "Aa ไทย"] {
            #expect(try bench.run("contacts", "add", "--name", name, "--phone", "+44 7700 900199").status == 0)
        }
        let terminal = try TmuxTerminal(bench)
        try terminal.start()
        try terminal.press("M-2", until: "contacts:")
        try terminal.type("aa")
        /// The terminal columns before the number in each row of these names.
        func columns() -> [Int] {
            terminal.rows.filter { $0.contains("+44 7700 900199") && $0.contains("Aa") }.map { row in
                row.prefix { $0 != "+" }.unicodeScalars.reduce(0) { $0 + Self.width(of: $1) }
            }
        }
        // A row may be on the screen before the last one is drawn.
        terminal.wait(for: "seven aligned rows") { _ in
            let columns = columns()
            return columns.count >= 7 && Set(columns).count == 1
        }
        try terminal.press("C-c")
        #expect(try terminal.exitStatus() == 0)
    }

    /// Returns the width of a scalar; correct for the names of this test.
    private static func width(of scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .format: return 0
        default: break
        }
        return (0x3000...0x9FFF).contains(scalar.value) || (0x1F300...0x1FAFF).contains(scalar.value) ? 2 : 1
    }

    @Test("Changes by other programs appear immediately")
    func changes() throws {
        let bench = try Bench.withSample()
        let terminal = try TmuxTerminal(bench)
        try terminal.start()
        try terminal.press("M-2", until: "contacts:")
        try terminal.type("zzyx")
        terminal.awaitText("No matches")
        #expect(try bench.run("contacts", "add", "--name", "Zzyxa Newcomer").status == 0)
        terminal.awaitText("Zzyxa Newcomer")
    }

    @Test("The screen adapts to the size of the terminal")
    func resizing() throws {
        let terminal = try TmuxTerminal(Bench.withSample())
        try terminal.start()
        try terminal.type("jogo")
        terminal.awaitText("+44 7700 900177")
        for (columns, rows) in [(120, 40), (40, 12), (12, 4), (80, 24), (200, 60)] {
            try terminal.run("resize-window", "-x", "\(columns)", "-y", "\(rows)")
            if columns < 20 {
                terminal.awaitText("at least")
            } else {
                terminal.wait(for: "the foot on the last row of \(rows)") { screen in
                    let lines = screen.split(separator: "\n", omittingEmptySubsequences: false)
                    return lines.count >= rows && lines[rows - 1].contains("Enter open") && screen.contains("Jogo")
                }
            }
        }
    }
}
