import Foundation
import Testing

@Suite("contacts")
struct ContactCommandTests {
    let bench: Bench

    init() throws {
        bench = try Bench()
    }

    /// Adds a contact and returns its identifier.
    private func add(_ name: String, _ phone: String = "+1 212 555 0123") throws -> String {
        let result = try bench.run("contacts", "add", "--name", name, "--phone", phone, "--json")
        #expect(result.status == 0, "\(result.errors)")
        let answer = try result.json()
        try answer.check(["id", "contact"])
        try answer.object("contact").checkContact()
        return try answer.string("id")
    }

    @Test("edit changes further fields, and single numbers and addresses")
    func fields() throws {
        let id = try add("Ana Prado", "mobile:+351 912 345 678")
        func edit(_ arguments: String...) throws -> JSONObject {
            let result = try bench.run(["contacts", "edit", id, "--json"] + arguments)
            #expect(result.status == 0, "\(result.errors)")
            return try result.json().object("contact")
        }
        let edited = try edit(
            "--title", "Engineer", "--department", "Ferries", "--birthday", "14.03.1975", "--address",
            "home:Rua Nova 3;Porto;;4000-002;Portugal", "--url", "https://example.org/ana", "--url",
            "blog:https://ana.example", "--add-phone", "work:+351 222 333 444", "--add-email", "ana@example.org")
        #expect(try edited.string("title") == "Engineer" && edited.string("birthday") == "1975-03-14")
        #expect(try edited.objects("phones").map { try $0.string("label") } == ["mobile", "work"])
        let address = try #require(try edited.objects("addresses").first)
        #expect(try address.string("locality") == "Porto" && address.string("postalCode") == "4000-002")
        #expect(
            try edited.objects("urls").map { try $0.string("url") } == [
                "https://example.org/ana", "https://ana.example",
            ])
        let fewer = try edit("--remove-phone", "+351912345678", "--birthday", "--03-14", "--url", "")
        #expect(try fewer.objects("phones").map { try $0.string("label") } == ["work"])
        #expect(try fewer.string("birthday") == "--03-14" && fewer.members["urls"] == nil)
        for wrong in [
            ["--remove-phone", "+1 212 555 0123"], ["--remove-email", "b@example.org"], ["--birthday", "soon"],
        ] {
            #expect(try bench.run(["contacts", "edit", id] + wrong).status == 64)
        }
    }

    @Test("add, show, edit, favourite, call, remove")
    func life() throws {
        let id = try bench.run(
            "contacts", "add", "--name", "Carmen Luz Diaz", "--nickname", "Luz", "--organization", "Initech", "--phone",
            "work:+1 305 555 0167", "--phone", "mobile:(305) 555-0168", "--email", "home:luz@example.org", "--note",
            "met in Bergen", "--favourite", "--region", "US", "--json"
        ).json().string("id")

        let shown = try bench.run("contacts", "show", id, "--json").json()
        try shown.checkRow(isFound: false)
        let contact = try shown.object("contact")
        #expect(try contact.string("name") == "Carmen Luz Diaz")
        #expect(try contact.string("familyName") == "Diaz")
        #expect(try contact.objects("phones").map { try $0.string("label") } == ["work", "mobile"])
        #expect(try contact.objects("phones").map { try $0.string("e164") } == ["+13055550167", "+13055550168"])
        #expect(try contact.boolean("favourite"))

        let text = try bench.run("contacts", "show", id)
        for part in ["Carmen Luz Diaz", "Initech", "+1 305 555 0167", "luz@example.org", "met in Bergen", "★"] {
            #expect(text.output.contains(part), "\(part)")
        }

        let edited = try bench.run(
            "contacts", "edit", id, "--family", "Ortiz", "--note", "", "--no-favourite", "--json"
        ).json().object("contact")
        #expect(try edited.string("name") == "Carmen Luz Ortiz")
        #expect(edited.members["note"] == nil)
        #expect(try edited.objects("phones").count == 2)
        #expect(try !edited.boolean("favourite"))

        #expect(try bench.run("contacts", "favourite", id, "--json").json().object("contact").boolean("favourite"))
        #expect(
            try !bench.run("contacts", "favourite", id, "--undo", "--json").json().object("contact").boolean(
                "favourite"))
        let called = try bench.run("contacts", "call", id, "--json").json().object("contact")
        #expect(try called.integer("callCount") == 1)
        #expect(try called.string("lastCalledAt").hasSuffix("Z"))

        let removed = try bench.run("contacts", "remove", id, "--json").json()
        try removed.check(["ids"])
        #expect(try bench.run("contacts", "count").output == "0\n")
        let gone = try bench.run("contacts", "show", id)
        #expect(gone.status == 1)
        #expect(gone.output.isEmpty)
        #expect(gone.errorLines.count == 1)
    }

    @Test("A name or the beginning of an identifier stands for it; an ambiguous one lists the candidates")
    func names() throws {
        let lucia = try add("Lucía García", "+1 212 555 0101")
        _ = try add("Ana Smith", "+1 212 555 0102")
        let other = try add("Ana Smythe", "+1 212 555 0103")
        for text in ["lucia", "garcia lucia", String(lucia.prefix(6)), lucia.uppercased()] {
            #expect(try bench.run("contacts", "show", text, "--json").json().string("id") == lucia, "\(text)")
        }
        let ambiguous = try bench.run("contacts", "remove", "ana")
        #expect(ambiguous.status == 64)
        #expect(ambiguous.errors.contains("Ana Smith") && ambiguous.errors.contains(other))
        #expect(try bench.run("contacts", "count").output == "3\n")
        #expect(try bench.run("contacts", "edit", "smythe", "--note", "met").status == 0)
        #expect(try bench.run("contacts", "show", "nobody").status == 1)
    }

    @Test("open prints the address of an object where there is no desktop")
    func opening() throws {
        let bench = try Bench()
        let environment = ["DISPLAY": "", "WAYLAND_DISPLAY": ""]
        _ = try bench.run("contacts", "add", "--name", "Lucía García")
        let item = #"{"id": "show-1", "title": "Breaking Dunes", "url": "https://example.org/dunes"}"#
        #expect(try bench.run("index", "put", "-", input: item).status == 0)
        for (text, address) in [
            ("show-1", "https://example.org/dunes"), ("lhr", "switchboard://airport/LHR"),
            ("mailto:ana@example.org", "mailto:ana@example.org"),
        ] {
            let opened = try bench.run("open", text, environment: environment)
            #expect(opened.output == address + "\n", "\(opened.errors)")
        }
        let contact = try bench.run("open", "lucia", environment: environment)
        #expect(contact.output.hasPrefix("switchboard://contact/"))
        #expect(try bench.run("open", "nothing-like-it").status == 1)
    }

    @Test("remove --undo restores contacts, and remove names it")
    func undoingRemoval() throws {
        let id = try add("Ana Smith", "+1 212 555 0101")
        let removed = try bench.run("contacts", "remove", id)
        #expect(removed.errors == "removed Ana Smith (\(id)); 'switchboard contacts remove --undo \(id)' restores it\n")
        let restored = try bench.run("contacts", "remove", "--undo", id, "--json").json()
        #expect(try restored.object("contact").string("name") == "Ana Smith")
        #expect(try bench.run("contacts", "find", "ana", "--json").json().objects("results").count == 1)
        #expect(try bench.run("contacts", "remove", "--undo", "nobody").status == 1)
    }

    @Test("Removed contacts are listed, and restored by name; a recorded call can be taken back")
    func removedByName() throws {
        let ids = try ["Ana Smith", "Bo Li"].map { try add($0, "+1 212 555 0101") }
        #expect(try bench.run("contacts", "list", "--removed").errors.contains("no contact was removed"))
        #expect(try bench.run("contacts", "remove", "smith", "bo li").errors.hasPrefix("removed Ana Smith, Bo Li; "))
        let removed = try bench.run("contacts", "list", "--removed", "--json").json().objects("results")
        #expect(try Set(removed.map { try $0.string("id") }) == Set(ids))
        #expect(try removed.allSatisfy { try $0.string("removedAt").hasSuffix("Z") })
        #expect(try bench.run("contacts", "list", "--removed").output.contains("Ana Smith  "))
        #expect(try bench.run("contacts", "remove", "--undo", "ana smith").status == 0)
        #expect(try bench.run("contacts", "list", "--removed").lines.count == 1)
        func calls() throws -> Int {
            try bench.run("contacts", "show", "ana smith", "--json").json().object("contact").integer("callCount")
        }
        #expect(try bench.run("contacts", "call", "ana smith").status == 0)
        #expect(try calls() == 1)
        #expect(try bench.run("contacts", "call", "--undo", "ana smith").status == 0)
        #expect(try calls() == 0)
        let none = try bench.run("contacts", "call", "--undo", "ana smith")
        #expect(none.status == 1 && none.errors.contains("no call of contact"))
    }

    @Test("Birthdays are read in words; those to come and two numbers in one are refused")
    func typedFields() throws {
        let id = try add("Ana Smith", "+1 212 555 0101")
        #expect(try bench.run("contacts", "edit", id, "--birthday", "15 April 1980").status == 0)
        let contact = try bench.run("contacts", "show", id, "--json").json().object("contact")
        #expect(try contact.string("birthday") == "1980-04-15")
        let future = try bench.run("contacts", "edit", id, "--birthday", "2280-03-04")
        #expect(future.status == 64 && future.errors.contains("the birthday 4 March 2280 is in the future"))
        let two = try bench.run("contacts", "edit", id, "--add-phone", "+44 7700 900177+44 7700 900999")
        #expect(two.status == 64 && two.errors.contains("contains two numbers"))
    }

    @Test("An editor that fails without a change leaves no text behind")
    func unchangedText() throws {
        let id = try add("Ana Smith", "+1 212 555 0101")
        let before = try bench.otherFiles()
        let result = try bench.run(
            ["contacts", "edit", id, "--editor"], environment: ["EDITOR": "false", "TMPDIR": bench.folder])
        #expect(result.status != 0 && !result.errors.contains("the text is kept"))
        #expect(try bench.otherFiles() == before)
    }

    @Test("A name that nearly matches is suggested", arguments: ["oli", "olvier", "oliver w"])
    func suggestion(text: String) throws {
        let id = try add("Oliver Whitfield", "+1 212 555 0101")
        let result = try bench.run("contacts", "show", text)
        #expect(result.status == 1)
        #expect(
            result.errors
                == "switchboard: no contact is called “\(text)”; did you mean Oliver Whitfield (\(id))?\n")
        #expect(
            try bench.run("contacts", "show", "zzzz").errors
                == "switchboard: no contact has the name or identifier “zzzz”; 'switchboard contacts list' lists all contacts\n"
        )
    }

    @Test("A missing database is empty for commands that read, and they do not create it")
    func missingDatabase() throws {
        for command in [["contacts", "list"], ["contacts", "count"], ["prospects", "list"], ["contacts", "export"]] {
            let result = try bench.run(command)
            #expect(result.status == 0, "\(command): \(result.errors)")
        }
        #expect(try bench.run("contacts", "find", "ana").status == 1)
        #expect(try bench.run("contacts", "list").errors.contains("does not exist yet"))
        #expect(!FileManager.default.fileExists(atPath: bench.database))
        let id = try add("Ana Smith", "+1 212 555 0101")
        #expect(try bench.run("contacts", "remove", id).status == 0)
        let empty = try bench.run("contacts", "list")
        #expect(empty.errors.contains("the address book is empty") && empty.errors.contains("import"))
    }

    @Test("contacts find knows cities, titles and groups, which do not crowd find")
    func secondaryFields() throws {
        let id = try add("Ana Smith", "+1 212 555 0101")
        let change = ["--title", "Gardener", "--group", "Choir", "--address", "home:Fő utca 1;Budapest;;;Hungary"]
        #expect(try bench.run(["contacts", "edit", id] + change).status == 0)
        for (query, text) in [("budapest", "Budapest"), ("gardener", "Gardener"), ("choir", "Choir")] {
            let found = try bench.run("contacts", "find", query)
            #expect(found.output.contains("Ana Smith") && found.output.contains(text), "\(found.output)")
            let kinds = try bench.run("find", query, "--json").json().objects("results").map { try $0.string("kind") }
            #expect(kinds.contains("contact") == (query != "budapest"), "\(query): \(kinds)")
        }
        #expect(try bench.run("find", "ana budapest").output.contains("Ana Smith"))
    }

    @Test("edit --editor stores the edited card, and keeps a text with a mistake")
    func editor() throws {
        let id = try add("Ana Smith")
        func edit(_ editor: String, _ arguments: String...) throws -> RunResult {
            try bench.run(
                ["contacts", "edit", "ana", "--editor"] + arguments,
                environment: ["VISUAL": "", "EDITOR": editor, "TMPDIR": bench.folder])
        }
        func drafts() throws -> [String] { try bench.otherFiles().filter { $0.hasSuffix(".vcf") } }
        let edited = try edit("sed -i 's/^FN:.*/FN:Ana Hart/; /^TEL/a NOTE:met in Bergen'", "--json").json()
        #expect(try edited.object("contact").string("familyName") == "Hart")
        #expect(try edited.object("contact").string("note") == "met in Bergen")
        #expect(try edited.string("id") == id)
        let same = try edit("true")
        #expect(same.status == 0 && same.output.contains("Ana Hart"))
        #expect(try drafts().isEmpty)
        let wrong = try edit("sed -i 's/^TEL.*/TEL without colon/'")
        let draft = try #require(try drafts().first)
        #expect(wrong.status == 65)
        #expect(wrong.errors.contains("\(draft):5:") && wrong.errors.contains("the text is kept in"), "\(wrong.errors)")
        #expect(try String(contentsOfFile: bench.path(draft), encoding: .utf8).contains("TEL without colon"))
        #expect(try edit("false").errors.contains("“false” ended with status 1"))
        #expect(try edit("false").status == 74)
        #expect(try edit("true", "--nickname", "A").status == 64)
        #expect(
            try bench.run("contacts", "show", id, "--json").json().object("contact").string("note") == "met in Bergen")
        // Lines of the help below the card are ignored, and say how to write a field.
        #expect(try edit("cat").output.contains("#   TEL;TYPE=CELL:"))
        let more = try edit("sed -i 's/^# .*/# changed/; /^TEL/a TITLE:Engineer'", "--json").json()
        #expect(try more.object("contact").string("title") == "Engineer")
    }

    @Test("After a mistake, edit --editor offers to edit again in a terminal")
    func editingAgain() throws {
        _ = try add("Ana Smith")
        let terminal = try TmuxTerminal(bench)
        let script = try bench.file(
            "editor", "test -e tried && sed -i s/BAD/NOTE:/ $1 || sed -i s/^TEL.*/BAD/ $1; touch tried")
        try terminal.command("EDITOR='sh \(script)' '\(Bench.program)' contacts edit ana --editor; echo en''ded $?")
        terminal.awaitText("Edit again? [y/n]")
        try terminal.command("y")
        terminal.awaitText("ended 0")
        #expect(try bench.run("contacts", "find", "ana", "--json").json().objects("results").count == 1)
    }

    @Test("A query of symbols finds names with them, not everybody")
    func symbols() throws {
        _ = try add("Ana Smith", "+1 212 555 0101")
        _ = try add("Emoji 🎷 Saxon", "+1 212 555 0102")
        let found = try bench.run("contacts", "find", "🎷", "--json").json()
        let rows = try found.objects("results")
        #expect(try rows.map { try $0.string("title") } == ["Emoji 🎷 Saxon"])
        for name in ["Mom ❤️", "Dad ❤", "👍🏿 Okan", "Flug ✈"] { _ = try add(name) }
        func titles(_ signs: String) throws -> [String] {
            try bench.run("contacts", "find", signs, "--json").json().objects("results").map { try $0.string("title") }
        }
        // The very signs come first.
        #expect(try titles("❤") == ["Dad ❤", "Mom ❤️"])
        #expect(try titles("❤️") == ["Mom ❤️", "Dad ❤"])
        #expect(try titles("👍🏻") == ["👍🏿 Okan"])
        #expect(try titles("✈️") == ["Flug ✈"])
        // A nickname, too, and items beside people.
        let card = "BEGIN:VCARD\nVERSION:3.0\nFN:Anna Bee\nNICKNAME:🐝\nNOTE:Likes 🎷.\nEND:VCARD\n"
        #expect(try bench.run("contacts", "import", bench.file("bee.vcf", card)).status == 0)
        _ = try add("Mom 🐝")
        #expect(try titles("🐝") == ["Anna Bee", "Mom 🐝"])
        #expect(try titles("🎷") == ["Emoji 🎷 Saxon", "Anna Bee"])
        let first = try bench.run("contacts", "find", "🎷", "--limit", "1", "--json").json().objects("results")
        #expect(try first.map { try $0.string("title") } == ["Emoji 🎷 Saxon"])
        // Punctuation is searched in names only, and also in what is displayed as one.
        let cards = "FN:Keys #️⃣\nEMAIL:k@a.example;FN:Al Vo.\nNOTE:A - B;FN:\nEMAIL:x-y@b.example;FN:Zoe\nNOTE:My #️⃣"
            .split(separator: ";").map { "BEGIN:VCARD\nVERSION:3.0\n\($0)\nEND:VCARD\n" }.joined()
        #expect(try bench.run("contacts", "import", bench.file("signs.vcf", cards)).status == 0)
        #expect(try Set(titles(".")) == ["Al Vo.", "x-y@b.example"])
        #expect(try titles("-") == ["x-y@b.example"])
        #expect(try titles("#️⃣") == ["Keys #️⃣", "Zoe"])
        let item = try bench.file("jazz.json", #"{"id": "jazz", "title": "Night of 🎷"}"#)
        #expect(try bench.run("index", "put", item).status == 0)
        let kinds = try bench.run("find", "🎷", "--json").json().objects("results").map { try $0.string("kind") }
        #expect(Set(kinds) == ["contact", "item"])
        #expect(try bench.run("contacts", "find", "!!!").status == 1)
        #expect(try bench.run("find", "!!!").status == 1)
    }

    @Test("import reads an export in JSON, and importing it again changes nothing", arguments: ["json", "jsonl"])
    func importJSON(format: String) throws {
        #expect(try bench.run("contacts", "import", Bench.sample).status == 0)
        let exported = try bench.run("contacts", "export", "--format", format)
        let file = try bench.file("copy." + format, exported.output)
        let other = bench.path("other.sqlite")
        let report = try bench.run("contacts", "import", file, "--database", other, "--json").json()
        let count = try bench.run("contacts", "count", "--json").json().integer("count")
        #expect(try report.integer("added") == count)
        let names = try bench.run("contacts", "list", "--json", "--database", other).json().objects("results")
        #expect(
            try names.map { try $0.string("title") }
                == bench.run("contacts", "list", "--json").json().objects("results").map { try $0.string("title") })
        let again = try bench.run("contacts", "import", file, "--database", other, "--json").json()
        #expect(try again.integer("unchanged") == count)
        let bad = try bench.file("bad.json", "{\"results\": [{\"contact\": {\"name\": 3}}]}")
        #expect(try bench.run("contacts", "import", bad).status == 65)
        let cut = try bench.run("contacts", "import", try bench.file("cut.json", "{\"results\": [\n{"))
        #expect(cut.status == 65 && cut.errors.contains("cut.json:2"))
    }

    @Test("Removes several contacts or none")
    func removingSeveral() throws {
        let first = try add("Ana Smith", "+1 212 555 0101")
        let second = try add("Bo Lee", "+1 212 555 0102")
        let refused = try bench.run("contacts", "remove", first, "nobody", second)
        #expect(refused.status == 1)
        #expect(try bench.run("contacts", "count", "--json").json().integer("count") == 2)
        #expect(try bench.run("contacts", "remove", first, second).status == 0)
        #expect(try bench.run("contacts", "count", "--json").json().integer("count") == 0)
    }

    @Test("Rejects invalid contacts and stores nothing")
    func badContacts() throws {
        for arguments in [
            [], ["--phone", "none"], ["--name", "Ana", "--phone", "work:"], ["--name", "Ana", "--email", "ana"],
            ["--name", "Ana", "--region", "Turkey"],
        ] {
            let result = try bench.run(["contacts", "add"] + arguments)
            #expect(result.status == 64, "\(arguments): \(result.errors)")
            #expect(result.output.isEmpty)
        }
        #expect(try bench.run("contacts", "edit", "nobody", "--name", "Ana").status == 1)
        #expect(try bench.run("contacts", "edit", "nobody").status == 64)
        #expect(try bench.run("contacts", "count").output == "0\n")
    }

    @Test("list prints contacts by name, up to the limit")
    func list() throws {
        for (number, name) in ["Zoe Adams", "Ana Smith", "Émile Zola"].enumerated() {
            _ = try add(name, "+1 212 555 010\(number)")
        }
        let rows = try bench.run("contacts", "list", "--json").json().listRows()
        #expect(try rows.titles() == ["Ana Smith", "Émile Zola", "Zoe Adams"])
        #expect(try bench.run("contacts", "list", "--json", "--limit", "2").json().listRows().count == 2)
        #expect(try bench.run("contacts", "list", "--json", "--limit", "0").json().listRows().count == 3)
        #expect(try bench.run("contacts", "list").lines.count == 3)
    }

    @Test("Listing an empty address book succeeds")
    func empty() throws {
        let result = try bench.run("contacts", "list", "--json")
        #expect(result.status == 0)
        #expect(try result.json().listRows().isEmpty)
    }

    @Test("Exports JSON and JSON lines, and applies the limit to all formats")
    func exportJSON() throws {
        _ = try add("Ana Smith", "+1 212 555 0101")
        _ = try add("Bo Lee", "+1 212 555 0102")
        #expect(try bench.run("contacts", "export", "--format", "json").json().listRows().count == 2)
        #expect(try bench.run("contacts", "export", "--json").json().listRows().count == 2)
        let lines = try bench.run("contacts", "export", "--format", "jsonl").lines
        #expect(lines.count == 2)
        for line in lines { try JSONObject(line: line).checkRow(isFound: false) }
        let cards = try bench.run("contacts", "export", "--limit", "1").output
        #expect(cards.components(separatedBy: "BEGIN:VCARD").count == 2)
        #expect(try bench.run("contacts", "export", "--format", "csv", "--limit", "1").lines.count == 2)
        #expect(try bench.run("contacts", "export", "--format", "xml").status == 64)
    }
}
