import Foundation
import SwitchboardBadges
import Testing

@Suite("Terminal interface: actions")
struct TerminalActionTests {
    /// Returns the first result of a command.
    private func result(_ bench: Bench, _ arguments: String...) throws -> [String: Any] {
        let result = try bench.run(arguments + ["--json"])
        let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
        return (object?["results"] as? [[String: Any]])?.first ?? [:]
    }

    @Test("Contacts: add, edit, favourite, call, remove, undo", arguments: terminalSizes)
    func contacts(columns: Int, rows: Int) throws {
        let bench = try Bench.withSample()
        let terminal = try TmuxTerminal(bench, columns: columns, rows: rows)
        func expect(_ name: String) throws { try terminal.expectScreen("\(columns)x\(rows)/\(name)") }
        func contact() throws -> [String: Any] {
            try result(bench, "contacts", "find", "zelda quux")["contact"] as? [String: Any] ?? [:]
        }
        try terminal.start()
        try terminal.press("M-2", until: "contacts:")
        try terminal.press("M-a", until: "New contact")
        try terminal.type("Zelda Quux")
        for _ in 0..<3 { try terminal.press("Tab") }
        try terminal.type("work:+44 7700 900198")
        terminal.awaitText("900198")
        try expect("add")
        try terminal.press("C-s", until: "Zelda Quux added")
        try terminal.type("zelda")
        // The row is shown before, too. A command about rows is refused until the results are there.
        terminal.awaitText("contacts: 1 of 2")
        // Enter opens the row; Alt with every letter is a command there.
        try terminal.press("Enter", until: "Esc back  type to search")
        try terminal.press("M-f", until: "is a favourite")
        try terminal.press("Escape", until: "★")
        #expect(try contact()["favourite"] as? Bool == true)
        try terminal.press("M-c", until: "recorded")
        #expect(try contact()["callCount"] as? Int == 1)
        try terminal.press("M-e", until: "Nickname")
        try terminal.press("Tab")
        try terminal.type("Zel")
        try terminal.press("C-s", until: "Quux changed")
        #expect(try contact()["nickname"] as? String == "Zel")
        try terminal.press("M-u", until: "reverted")
        #expect(try contact()["nickname"] as? String ?? "" == "")
        try terminal.press("M-d", until: "Remove Zelda Quux?")
        try terminal.answer("Remove", until: "removed")
        terminal.awaitNo("★")
        #expect(try contact().isEmpty)
        try terminal.press("M-u", until: "restored")
        terminal.awaitText("★")
        #expect(try contact()["callCount"] as? Int == 1)
    }

    @Test(
        "Marked contacts are edited, exported and merged; import, groups, birthdays and notes in $EDITOR",
        arguments: terminalSizes)
    func marks(columns: Int, rows: Int) throws {
        let bench = try Bench.withSample()
        let editor = try bench.script("editor", "printf 'first\\nsecond\\n' >\"$1\"")
        _ = try bench.file(
            "cards.vcf", "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Quentin Quux\r\nTEL:+447700900555\r\nEND:VCARD\r\n")
        let terminal = try TmuxTerminal(bench, columns: columns, rows: rows, environment: ["EDITOR": editor])
        func expect(_ name: String) throws { try terminal.expectScreen("\(columns)x\(rows)/\(name)") }
        func contacts() throws -> [JSONObject] { try bench.run("contacts", "list", "--json").json().objects("results") }
        func favourites() throws -> Int {
            try contacts().count { try $0.object("contact").boolean("favourite") }
        }
        try terminal.start()
        try terminal.press("M-2", until: "contacts: 1 of 342")
        let before = try favourites()
        try terminal.press("M-v", until: "1 marked")
        try terminal.press("M-v", until: "2 marked")
        try expect("marks")
        try terminal.press("M-f", until: "favourite")
        terminal.awaitNo("marked")
        #expect(try favourites() == before + 2)
        try terminal.press("M-u", until: "is no longer")
        #expect(try favourites() == before)

        try terminal.press("Home")
        try terminal.press("M-v", until: "1 marked")
        try terminal.press("M-v", until: "2 marked")
        try terminal.press("M-X", until: "Export 2 marked")
        try terminal.type("out.vcf")
        try terminal.press("Enter", until: "2 contacts written")
        let written = try String(contentsOfFile: bench.path("out.vcf"), encoding: .utf8)
        #expect(written.components(separatedBy: "BEGIN:VCARD").count == 3)
        try terminal.press("M-X", until: "Export 2 marked")
        try terminal.type("out.vcf")
        try terminal.press("Enter", until: "exists")
        try terminal.press("Escape")
        terminal.awaitNo("Export 2")
        try terminal.press("M-M", until: "Merge 2 contacts")
        try terminal.answer("Merge", until: "merged into")
        #expect(try contacts().count == 341)
        try terminal.press("M-u", until: "2 contacts restored")
        #expect(try contacts().count == 342)

        try terminal.press("M-I", until: "Import contacts")
        try terminal.type("car")
        try terminal.press("Tab", until: "cards.vcf")
        try terminal.press("Enter", until: "added 1, merged 0")
        terminal.awaitText("of 343")
        try terminal.press("M-h", until: "in ")
        // 40 columns have no room for the age.
        if columns > 40 { terminal.awaitText("turns") }
        try terminal.press("Escape")
        terminal.awaitNo("── Birthdays")
        try terminal.press("M-D", until: "── Duplicates")
        terminal.awaitText("2 contacts")
        try terminal.press("Escape")
        terminal.awaitNo("── Duplicates")
        try terminal.press("M-g", until: "All contacts")
        try expect("groups")
        try terminal.press("Down")
        try terminal.press("Enter", until: "contacts in Club")
        // The details beside the list have a line “changed”, too.
        terminal.awaitNo(" changed")
        try terminal.press("M-n", until: " changed")
        let noted = try contacts().filter { (try? $0.object("contact").string("note")) == "first\nsecond" }
        #expect(noted.count == 1)
    }

    @Test("An import without a region asks for the country of its numbers, and is repeated with it")
    func region() throws {
        let bench = try Bench()
        _ = try bench.file(
            "cards.vcf", "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Quentin Quux\r\nTEL:07700 900555\r\nEND:VCARD\r\n")
        let terminal = try TmuxTerminal(
            bench, environment: ["SWITCHBOARD_REGION": "", "XDG_CONFIG_HOME": bench.path("config")])
        try terminal.start("--tab contacts", showing: "No contacts yet")
        try terminal.press("M-I", until: "Import contacts")
        try terminal.type("cards.vcf")
        try terminal.press("Enter", until: "1 number has no country code")
        try terminal.answer("Choose their country and import again", until: "two letters")
        try terminal.type("uk")
        try terminal.press("Enter", until: "cannot read the region “uk”")
        try terminal.press("C-u")
        try terminal.type("gb")
        try terminal.press("Enter", until: "added 1, merged 0")
        let contact = try bench.run("contacts", "list", "--json").json().objects("results")[0].object("contact")
        #expect(try contact.objects("phones")[0].string("e164") == "+447700900555")
        #expect(
            try String(contentsOfFile: bench.path("config/switchboard/tui.conf"), encoding: .utf8) == "region = GB\n")
        try terminal.press("M-u", until: "import undone: 1 removed")
    }

    @Test("Prospects: scan, filter, sort, contacted, remind, reminders", arguments: terminalSizes)
    func prospects(columns: Int, rows: Int) throws {
        let bench = try Bench.withSample()
        try FileManager.default.createDirectory(atPath: bench.path("pictures"), withIntermediateDirectories: true)
        let badge = Badge(name: "Ana Prado", email: "ana@example.org", organization: "Vandelay")
        _ = try bench.file("pictures/ana.png", Data(QRCode(badge.vCard).png()))
        _ = try bench.file("pictures/anything.txt", "no picture")
        #expect(try bench.run("prospects", "add", "--name", "Zoë Ärmel", "--email", "zoe@example.org").status == 0)
        let terminal = try TmuxTerminal(bench, columns: columns, rows: rows)
        func expect(_ name: String) throws { try terminal.expectScreen("\(columns)x\(rows)/\(name)") }
        try terminal.start()
        try terminal.press("M-3", until: "Zoë")

        try terminal.press("M-s", until: "Picture")
        try terminal.type("pictures/a")
        try terminal.press("Tab", until: "anything.txt")
        try terminal.type("a.")
        try terminal.press("Tab", until: "ana.png")
        try terminal.press("Enter", until: "ana@example.org")
        try expect("scanned")
        try terminal.press("Escape")
        terminal.awaitNo("Esc back")
        terminal.awaitText("of 2")
        try expect("prospects")

        try terminal.press("M-r", until: "Allow notifications?")
        try expect("consent")
        try terminal.answer("Allow", until: "Reminder for Ana Prado: ")
        try terminal.press("M-l", until: "Reminders")
        terminal.awaitText("Contact Ana")
        try expect("reminders")
        #expect(try bench.run("reminders", "list").output.contains("Contact Ana Prado"))
        try terminal.press("Escape")
        // ESC directly followed by a letter would be Alt with that letter.
        terminal.awaitNo("── Reminders")
        try terminal.press("M-Space", until: "was contacted")
        terminal.awaitText("✓")
        #expect(try !bench.run("reminders", "list").output.contains("pending"))
        try terminal.press("M-r", until: "was contacted; Alt-Space")
        try terminal.press("M-t", until: "uncontacted")
        terminal.awaitNo("Ana Prado  ")
        try terminal.press("M-t", until: "contacted, by name")
        terminal.awaitNo("Zoë")
        try terminal.press("M-o", until: "recently met first")
        try terminal.press("M-t", until: "everyone")
        try terminal.press("M-u", until: "is uncontacted")
        #expect(try !bench.run("prospects", "list", "--filter", "uncontacted").output.contains("✓"))
        #expect(try bench.run("reminders", "list").output.contains("Contact Ana Prado"))
    }

    @Test("My badge: an empty badge opens the form, and the drawn QR code is readable")
    func badge() throws {
        for environment in [[:], ["NO_COLOR": "1"]] {
            let bench = try Bench.withSample()
            let terminal = try TmuxTerminal(bench, columns: 120, rows: 40, environment: environment)
            try terminal.start()
            try terminal.press("M-B", until: "Organisation")
            try terminal.type("Łukasz Nowak")
            try terminal.press("Tab")
            try terminal.type("lukasz@example.org")
            try terminal.press("C-s", until: "badge saved")
            try terminal.press("M-b", until: "█")
            terminal.awaitText("▀")
            let picture = DrawnCode(terminal.rows).picture(inverted: false)
            let read = try BadgeReader().read(picture)
            #expect(try read.first?.badge.get().email == "lukasz@example.org")
            // A small screen states the required size.
            try terminal.run("resize-window", "-x", "40", "-y", "12")
            terminal.awaitText("The code needs")
        }
    }

    @Test("Airports: recent ones are listed, near ones once a location is set", arguments: terminalSizes)
    func airports(columns: Int, rows: Int) throws {
        let bench = try Bench.withSample()
        let terminal = try TmuxTerminal(bench, columns: columns, rows: rows)
        func expect(_ name: String) throws { try terminal.expectScreen("\(columns)x\(rows)/\(name)") }
        try terminal.start()
        try terminal.press("M-4", until: "Popular")
        try terminal.type("keflavik")
        terminal.awaitText("KEF")
        try terminal.press("M-c", until: "chosen")
        try terminal.press("C-u", until: "Recent")
        #expect(try result(bench, "airports", "recent")["id"] as? String == "KEF")
        try terminal.press("M-p", until: "latitude,longitude")
        try terminal.type("52.5,13.4")
        try terminal.press("Enter", until: "Allow location?")
        try terminal.answer("Allow", until: "location set to")
        terminal.awaitText("Nearest")
        terminal.awaitText("BER")
        try expect("nearest")
    }

    @Test(
        "Activity: activities of other front ends can be resumed, and actions here become current there",
        arguments: terminalSizes)
    func activity(columns: Int, rows: Int) throws {
        let bench = try Bench.withSample()
        let file = try bench.file(
            "activity.json",
            #"{"activityType": "com.example.reading", "title": "Reading of rivers", "targetContentIdentifier": "switchboard://airport/GIG"}"#
        )
        #expect(try bench.run("activity", "begin", file).status == 0)
        let terminal = try TmuxTerminal(bench, columns: columns, rows: rows)
        try terminal.start()
        try terminal.press("M-5", until: "Reading of rivers")
        terminal.awaitText("●")
        try terminal.expectScreen("\(columns)x\(rows)/activity")
        try terminal.press("Enter", until: "Galeão")
        terminal.awaitText("Esc back  type to search")
        try terminal.wait(for: "the airport to be current") { _ in
            try bench.run("activity", "current", "--json").output.contains("switchboard://airport/GIG")
        }
        #expect(try bench.run("activity", "current").output.contains("Galeão"))
        // Choosing an airport makes it current, too.
        try terminal.press("M-4", until: "Popular")
        try terminal.press("M-c", until: "chosen")
        try terminal.wait(for: "the chosen airport to be current") { _ in
            try bench.run("activity", "current", "--json").output.contains("switchboard://airport/ATL")
        }
    }

    @Test("A due reminder has a line of its own, and its answer takes effect", arguments: terminalSizes)
    func dueReminder(columns: Int, rows: Int) throws {
        let bench = try Bench.withSample()
        #expect(try bench.run("access", "grant", "notifications").status == 0)
        let added = try bench.run("prospects", "add", "--name", "Ana Prado", "--email", "ana@example.org", "--json")
        let object = try JSONSerialization.jsonObject(with: Data(added.output.utf8)) as? [String: Any]
        let id = try #require(object?["id"] as? String)
        let terminal = try TmuxTerminal(bench, columns: columns, rows: rows)
        try terminal.start()
        try terminal.press("M-3", until: "Ana Prado")
        #expect(try bench.run("prospects", "remind", id, "--in", "1s").status == 0)
        terminal.awaitText("⏰ Contact Ana Prado")
        try terminal.expectScreen("\(columns)x\(rows)/due")
        try terminal.wait(for: "the delivery noted") { _ in
            try bench.run("reminders", "list").output.contains("delivered")
        }
        try terminal.press("M-!", until: "Tomorrow at nine")
        try terminal.expectScreen("\(columns)x\(rows)/answers")
        try terminal.answer("Contacted", until: "everyone")
        terminal.awaitNo("⏰")
        try terminal.wait(for: "the prospect ticked off") { _ in
            try bench.run("prospects", "list", "--filter", "contacted").output.contains("Ana Prado")
        }
    }

    @Test("An activity of this interface about a contact opens the contact again")
    func reopening() throws {
        let terminal = try TmuxTerminal(Bench.withSample())
        try terminal.start()
        try terminal.press("M-2", until: "contacts:")
        try terminal.type("jogo")
        terminal.awaitText("+44 7700 900177")
        try terminal.press("Enter", until: "Esc back  type to search")
        try terminal.press("M-5", until: "recent activity")
        terminal.awaitText("viewed")
        try terminal.press("Enter", until: "phone")
        terminal.awaitText("Esc back  type to search")
    }

    @Test("A link on the command line opens its object; a wrong one is a usage error") func link() throws {
        let bench = try Bench.withSample()
        let id = try bench.run("contacts", "find", "jogo", "--json").found()[0].string("id")
        let terminal = try TmuxTerminal(bench)
        try terminal.start("switchboard://contact/\(id)", showing: "+447700900177")
        terminal.awaitText("Esc back  type to search")
        try terminal.press("C-q", until: "ended 0")
        try terminal.start("switchboard://airport/LHR", showing: "London Heathrow")
        try terminal.press("C-q", until: "ended 0")
        try terminal.start("switchboard://find/jogo", showing: "> jogo")
        try terminal.press("C-q", until: "ended 0")
        try terminal.start("mailto:jogo", showing: "as a link to an object")
        terminal.awaitText("ended 64")
        try terminal.start("switchboard://contact/nobodyxx", showing: "nobodyxx")
    }

    @Test("The mouse selects, opens and switches tabs")
    func mouse() throws {
        let terminal = try TmuxTerminal(Bench.withSample())
        try terminal.start()
        try terminal.type("jo")
        // The rows of the first letter may still be shown.
        terminal.wait(for: "the rows of the whole text") {
            $0.contains("> jo") && $0.contains("João") && !$0.contains("searching…")
        }
        try terminal.click(row: 4, column: 6)
        try terminal.wait(for: "the second row chosen") { _ in try terminal.fact("cursor_y") == "4" }
        try terminal.click(row: 4, column: 6)
        terminal.awaitText("Esc back")
        try terminal.click(row: 1, column: 38)
        terminal.awaitText("airports: 1 of")
    }

    @Test("The palette runs the selected command", arguments: terminalSizes)
    func palette(columns: Int, rows: Int) throws {
        let terminal = try TmuxTerminal(Bench.withSample(), columns: columns, rows: rows)
        try terminal.start()
        try terminal.press("M-:", until: "Commands")
        try terminal.expectScreen("\(columns)x\(rows)/palette")
        try terminal.type("airp")
        terminal.awaitText("map of matching airports")
        try terminal.press("C-u")
        try terminal.type("quit")
        terminal.awaitText(": quit")
        terminal.awaitText("Ctrl-Q")
        try terminal.press("Enter")
        #expect(try terminal.exitStatus() == 0)
    }
}

/// A picture of a QR code drawn with half blocks.
struct DrawnCode {
    private let rows: [[Character]]

    init(_ rows: [String]) { self.rows = rows.map(Array.init) }

    func picture(inverted: Bool) -> GreyPicture {
        let scale = 6
        let width = (rows.map(\.count).max() ?? 1) * scale
        let height = rows.count * 2 * scale
        var pixels = [UInt8](repeating: 255, count: width * height)
        for y in 0..<height {
            for x in 0..<width {
                let row = rows[y / scale / 2]
                let character = x / scale < row.count ? row[x / scale] : " "
                let isUpper = y / scale % 2 == 0
                if character == "█" || character == (isUpper ? "▀" : "▄") { pixels[y * width + x] = 0 }
            }
        }
        return GreyPicture(width: width, height: height, pixels: pixels)
    }
}
