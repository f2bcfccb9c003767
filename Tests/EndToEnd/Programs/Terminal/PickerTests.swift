import Foundation
import Testing

@Suite("Picker")
struct PickerProgramTests {
    private func start(_ arguments: String, in bench: Bench) throws -> TmuxTerminal {
        let terminal = try TmuxTerminal(bench)
        // Input and output are redirected; the picker draws on the terminal.
        try terminal.command(
            "true | '\(TmuxTerminal.program)' --pick \(arguments) >\(bench.path("picked")); echo end''ed $?")
        return terminal
    }

    private func output(_ bench: Bench) throws -> String {
        try String(contentsOfFile: bench.path("picked"), encoding: .utf8)
    }

    @Test(
        "The choice is printed on standard output, the picker on the terminal",
        arguments: [
            ("contact --print phone", "jogo", "+44 7700 900177", "+447700900177\n"),
            ("airport", "keflav", "KEF", "KEF\n"), ("any --print iata", "keflavik", "KEF", "KEF\n"),
        ])
    func choosing(arguments: String, query: String, shown: String, printed: String) throws {
        let bench = try Bench.withSample()
        let terminal = try start(arguments, in: bench)
        terminal.awaitText("Enter choose")
        try terminal.type(query)
        terminal.awaitText(shown)
        try terminal.press("Enter", until: "ended 0")
        #expect(try output(bench) == printed)
        #expect(try terminal.fact("alternate_on") == "0")
    }

    @Test("--query fills the search line, and JSON has the whole object")
    func json() throws {
        let bench = try Bench.withSample()
        let terminal = try start("contact --query jogo --print json", in: bench)
        terminal.awaitText("+44 7700 900177")
        try terminal.press("Enter", until: "ended 0")
        let row = try JSONObject(line: output(bench).trimmingCharacters(in: .newlines))
        #expect(try row.object("contact").string("createdAt").hasSuffix("Z"))
    }

    @Test("Esc exits with 130, no match with 1, wrong options with 64; nothing is printed")
    func failing() throws {
        let bench = try Bench.withSample()
        var terminal = try start("contact", in: bench)
        terminal.awaitText("Enter choose")
        try terminal.press("Escape", until: "ended 130")
        terminal = try start("contact --query qqqqqqqqq", in: bench)
        terminal.awaitText("No matches")
        try terminal.press("Enter", until: "ended 1")
        #expect(try output(bench).isEmpty)
        try terminal.command("clear; '\(TmuxTerminal.program)' --multi; echo end''ed $?")
        terminal.awaitText("ended 64")
    }

    @Test("Only rows with the field that is printed are offered")
    func field() throws {
        let bench = try Bench.withSample()
        for arguments in [["--phone", "+447700900198"], ["--email", "zelda@example.org"]] {
            let name = "Zelda " + (arguments[0] == "--phone" ? "Quux" : "Quuy")
            #expect(try bench.run(["contacts", "add", "--name", name] + arguments).status == 0)
        }
        let terminal = try start("contact --query zelda --print email", in: bench)
        terminal.awaitText("Zelda Quuy")
        #expect(!terminal.screen().contains("Zelda Quux"))
        try terminal.press("Enter", until: "ended 0")
        #expect(try output(bench) == "zelda@example.org\n")
    }

    @Test("--multi prints the marked rows in their order")
    func several() throws {
        let bench = try Bench.withSample()
        let terminal = try start("airport --multi --query lond", in: bench)
        terminal.awaitText("LHR")
        try terminal.press("Tab", until: "1 marked")
        try terminal.press("Down")
        try terminal.press("Tab", until: "2 marked")
        try terminal.press("Enter", until: "ended 0")
        #expect(try output(bench).split(separator: "\n").count == 2)
    }
}
