import Foundation
import Testing

@Suite("Terminal interface: nothing is lost by typing, by a second editor, or in a long list")
struct TerminalSafetyTests {
    @Test("A name typed after Enter and Esc removes no one", arguments: ["key by key", "in one write"])
    func typedName(how: String) throws {
        let bench = try Bench.withSample()
        #expect(try bench.run("contacts", "add", "--name", "Dylan Quux", "--phone", "+447700900198").status == 0)
        let before = try bench.run("contacts", "count").output
        let terminal = try TmuxTerminal(bench)
        try terminal.start()
        try terminal.press("M-2", until: "contacts: 1 of 343")
        if how == "key by key" {
            try terminal.type("carmen")
            terminal.awaitText("> carmen")
            terminal.awaitNo("searching…")
            try terminal.press("Enter", until: "Esc back  type to search")
            try terminal.press("Escape")
            terminal.awaitNo("Esc back")
            try terminal.type("dylan")
            terminal.awaitText("> dylan")
            terminal.awaitText("Dylan Quux")
        } else {
            let bytes = "carmen\r\u{1B}dylan\r".utf8.map { String($0, radix: 16) }
            try terminal.runAll(["send-keys", "-H"] + bytes)
            // Esc and d are Alt-d here; the question that it may ask stays without an answer.
            terminal.awaitText("> carmen")
        }
        try terminal.press("C-q")
        #expect(try terminal.exitStatus() == 0)
        #expect(try bench.run("contacts", "count").output == before)
    }

    @Test("A removal needs its key again, or its button")
    func confirmation() throws {
        let bench = try Bench.withSample()
        let terminal = try TmuxTerminal(bench)
        try terminal.start()
        try terminal.type("jogo")
        terminal.awaitText("+44 7700 900177")
        try terminal.press("M-d", until: "Remove Jogo?")
        try terminal.type("y")
        terminal.awaitText("letters give no answer")
        try terminal.select("Remove")
        try terminal.press("Up")
        try terminal.press("Enter")
        terminal.awaitNo("Remove Jogo?")
        #expect(try bench.run("contacts", "find", "jogo").status == 0)
        try terminal.press("DC", until: "Remove Jogo?")
        try terminal.select("Remove")
        try terminal.press("Up")
        // The key that asked also confirms.
        try terminal.press("DC", until: "Jogo removed; Alt-u undoes")
        try terminal.press("M-u", until: "Jogo restored")
    }

    @Test("Alt-V and Alt-X at once export every row, and Alt-u takes back an edit of all")
    func allRows() throws {
        let bench = try Bench.withSample()
        let terminal = try TmuxTerminal(bench)
        func favourites() throws -> Int {
            try bench.run("contacts", "list", "--json").json().objects("results")
                .count { try $0.object("contact").boolean("favourite") }
        }
        try terminal.start()
        try terminal.press("M-2", until: "contacts: 1 of 342")
        try terminal.runAll(["send-keys", "M-V", "M-X"])
        terminal.awaitText("Export 342 marked contacts")
        try terminal.type("all.vcf")
        try terminal.press("Enter", until: "342 contacts written")
        let cards = try String(contentsOfFile: bench.path("all.vcf"), encoding: .utf8)
        #expect(cards.components(separatedBy: "BEGIN:VCARD").count == 343)
        terminal.awaitText("342 marked")
        let before = try favourites()
        try terminal.press("M-f", until: "is a favourite, and ")
        #expect(try favourites() == 342)
        try terminal.press("M-u", until: "is no longer a favourite")
        #expect(try favourites() == before)
        try terminal.press("End", until: "342 of 342")
        // The number of matches is known before they are loaded.
        try terminal.type("a")
        terminal.wait(for: "the number of matches") { screen in
            let heading = screen.split(separator: "\n").dropFirst(2).first ?? ""
            return heading.hasPrefix("contacts: 1 of ") && !heading.contains("+") && !heading.contains("342")
        }
    }

    @Test("A number that the command line adds while a form is open stays; a field that both changed is asked about")
    func twoEditors() throws {
        let bench = try Bench.withSample()
        #expect(
            try bench.run("contacts", "add", "--name", "Tess Case", "--nickname", "T", "--phone", "+447700900700")
                .status == 0)
        func contact() throws -> JSONObject {
            try bench.run("contacts", "show", "Tess Case", "--json").json().object("contact")
        }
        func numbers() throws -> [String] { try contact().objects("phones").map { try $0.string("number") } }
        let terminal = try TmuxTerminal(bench)
        try terminal.start()
        try terminal.press("M-2", until: "contacts:")
        try terminal.type("tess case")
        terminal.awaitText("contacts: 1 of 1")
        try terminal.press("M-e", until: "Nickname")
        #expect(try bench.run("contacts", "edit", "Tess Case", "--add-phone", "+447700900702").status == 0)
        for _ in 0..<4 { try terminal.press("Tab") }
        try terminal.type("+447700900703")
        try terminal.press("C-s", until: "Tess Case changed")
        #expect(try numbers() == ["+447700900700", "+447700900702", "+447700900703"])

        try terminal.press("M-e", until: "Nickname")
        #expect(try bench.run("contacts", "edit", "Tess Case", "--nickname", "SSS").status == 0)
        try terminal.press("Tab")
        try terminal.type("WWW")
        try terminal.press("C-s", until: "nickname: mine “TWWW”, theirs “SSS”")
        #expect(try contact().string("nickname") == "SSS")
        try terminal.answer("Keep mine", until: "Tess Case changed")
        #expect(try contact().string("nickname") == "TWWW")
    }
}
