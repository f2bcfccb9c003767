import Foundation
import SwitchboardTestFixtures
import Testing

@Suite("Terminal interface: keypad typing and servers")
struct TerminalEntryTests {
    @Test("A contact can be entered by keypad, and the selected word is learnt", arguments: terminalSizes)
    func keypadTyping(columns: Int, rows: Int) throws {
        let bench = try Bench.withSample()
        let terminal = try TmuxTerminal(bench, columns: columns, rows: rows)
        try terminal.start()
        try terminal.press("M-2", until: "contacts:")
        try terminal.press("M-a", until: "New contact")
        try terminal.press("F9", until: "2–9 type a word")
        try terminal.type("#843*")
        terminal.awaitText("Tie")
        try terminal.expectScreen("\(columns)x\(rows)/keypad-typing")
        try terminal.type(" #3673")
        terminal.awaitText("Tie Ford")
        for _ in 0..<3 { try terminal.press("Tab") }
        terminal.awaitText("digits stay digits")
        try terminal.type("+44 7700 900198")
        terminal.awaitText("900198")
        try terminal.press("C-s", until: "Tie Ford added")
        #expect(try bench.run("contacts", "find", "tie ford").output.contains("900198"))
        #expect(try bench.run("keypad", "words", "843", "--limit", "1").output.contains("learned"))
        // The next form keeps keypad typing on until F9.
        try terminal.press("M-a", until: "2–9 type a word")
        try terminal.press("F9", until: "keypad typing off")
        try terminal.type("843")
        terminal.awaitText("Name          843")
    }

    @Test("Server results follow the local ones, and the heading shows the outcome")
    func server() throws {
        let server = try LocalServer { request in
            if request.query["q"]?.hasSuffix("x") ?? true { return .silence }
            return (try? answer([row("KEF"), row()])) ?? .garbage
        }
        let terminal = try TmuxTerminal(
            Bench.withSample(), columns: 120, rows: 40, environment: ["SWITCHBOARD_REMOTE": server.url])
        try terminal.start()
        try terminal.press("M-4", until: "Popular")
        try terminal.type("keflavik")
        terminal.awaitText("server: 1 more")
        terminal.awaitText("KEF")
        terminal.awaitText("Farther Field")
        #expect(server.requests.allSatisfy { $0.path == "/v1/airports" })
        // The server does not answer this query; the timeout is two seconds.
        try terminal.type("x")
        terminal.wait(for: "the request") { $0.contains("searching the server…") || $0.contains("timed out") }
        terminal.awaitText("server: timed out")
        terminal.awaitText("> keflavikx")
    }

    @Test("An invalid server address is a usage error in one line")
    func badAddress() throws {
        let terminal = try TmuxTerminal(Bench.withSample(), environment: ["SWITCHBOARD_REMOTE": "ftp://x"])
        try terminal.start(showing: "SWITCHBOARD_REMOTE: ")
        #expect(try terminal.exitStatus() == 64)
    }
}
