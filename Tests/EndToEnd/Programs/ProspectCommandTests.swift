import Foundation
import Testing

@Suite("prospects")
struct ProspectCommandTests {
    let bench: Bench

    init() throws {
        bench = try Bench()
    }

    /// Adds a prospect and returns the identifier.
    private func add(_ arguments: String...) throws -> String {
        let result = try bench.run(["prospects", "add"] + arguments + ["--json"])
        #expect(result.status == 0, "\(result.errors)")
        let answer = try result.json()
        try answer.check(["id", "prospect"])
        try answer.object("prospect").checkProspect()
        return try answer.string("id")
    }

    private func names(_ arguments: String...) throws -> [String] {
        try bench.run(["prospects", "list", "--json"] + arguments).json().listRows().titles()
    }

    @Test("add, show, edit, find, remove and restore")
    func life() throws {
        let id = try add(
            "--name", "Łukasz Nowak", "--email", "l@example.org", "--phone", "+48 22 555 01 23", "--organization",
            "Initech", "--note", "demo", "--met", "FOSDEM")
        let shown = try bench.run("prospects", "show", id, "--json").json()
        try shown.checkRow(isFound: false)
        let text = try bench.run("prospects", "show", id).output
        for part in ["Łukasz Nowak", "l@example.org", "+48 22 555 01 23", "Initech", "demo", "FOSDEM", "not yet"] {
            #expect(text.contains(part), "\(part)")
        }
        let edited = try bench.run("prospects", "edit", id, "--organization", "Globex", "--note", "", "--json").json()
        #expect(try edited.object("prospect").string("organization") == "Globex")
        #expect(try edited.object("prospect").members["note"] == nil)

        let found = try bench.run("find", "nowka", "--kind", "prospect", "--json").found()
        #expect(try found.ids() == [id])
        #expect(try found[0].string("match") == "typo")
        #expect(try bench.run("prospects", "find", "glob", "--json").found().ids() == [id])
        #expect(try bench.run("find", "--keypad", "66925", "--kind", "prospect", "--json").found().ids() == [id])

        #expect(try bench.run("prospects", "remove", id, "--json").json().members["ids"] as? [String] == [id])
        #expect(try bench.run("prospects", "show", id).status == 1)
        #expect(try bench.run("prospects", "remove", "--undo", id, "--json").json().string("id") == id)
        #expect(try names() == ["Łukasz Nowak"])
        #expect(try bench.run("prospects", "remove", "--undo", id).status == 1)
        #expect(try bench.run("prospects", "remove", "nowak").status == 0)
        #expect(try bench.run("prospects", "remove", "--undo", "lukasz nowak", "--json").json().string("id") == id)
    }

    @Test("Filters and sorts the list; contacted can be undone")
    func lists() throws {
        let ids = try ["Cy", "Ana", "Bo"].map { try add("--name", $0) }
        #expect(try names() == ["Ana", "Bo", "Cy"])
        #expect(try names("--sort", "recent") == ["Bo", "Ana", "Cy"])
        #expect(try names("--limit", "2") == ["Ana", "Bo"])
        let contacted = try bench.run("prospects", "contacted", ids[0], "--json").json()
        #expect(try contacted.object("prospect").boolean("contacted"))
        #expect(try names("--filter", "contacted") == ["Cy"])
        #expect(try names("--filter", "uncontacted") == ["Ana", "Bo"])
        #expect(try bench.run("prospects", "contacted", ids[1], "nobody").status == 1)
        #expect(try names("--filter", "contacted") == ["Cy"])
        #expect(try bench.run("prospects", "contacted", "--undo", ids[0]).status == 0)
        #expect(try names("--filter", "everyone", "--sort", "name") == ["Ana", "Bo", "Cy"])
        #expect(try bench.run("prospects", "list", "--filter", "some").status == 64)
    }

    @Test("Rejects invalid prospects and stores nothing")
    func refused() throws {
        #expect(try bench.run("prospects", "add").status == 64)
        #expect(try bench.run("prospects", "add", "--name", "Ana", "--email", "ana").status == 64)
        #expect(try bench.run("prospects", "add", "--name", "Ana", "--phone", "none").status == 64)
        #expect(try bench.run("prospects", "edit", "x").status == 64)
        #expect(try bench.run("prospects", "edit", "x", "--name", "Bo").status == 1)
        #expect(try names() == [])
    }

    @Test("Sets, draws, writes and scans the own badge")
    func badge() throws {
        #expect(try bench.run("prospects", "me").status == 1)
        let set = try bench.run("prospects", "me", "set", "--name", "王伟", "--email", "wei@example.org", "--json")
        #expect(set.status == 0, "\(set.errors)")
        #expect(try bench.run("prospects", "me", "set", "--title", "CTO").status == 0)
        let me = try bench.run("--json", "prospects", "me").json()
        try me.check(["me", "vCard"])
        #expect(try me.object("me").string("name") == "王伟")
        #expect(try me.string("vCard").contains("TITLE:CTO\r\n"))
        let drawn = try bench.run("prospects", "me")
        #expect(drawn.lines.count > 15 && drawn.lines.allSatisfy { $0.hasPrefix("████") || $0.hasPrefix("▀▀▀▀") })
        let png = bench.path("me.png")
        #expect(try bench.run("prospects", "me", "--png", png, "--svg", bench.path("me.svg")).output.isEmpty)
        #expect(try String(contentsOfFile: bench.path("me.svg"), encoding: .utf8).hasPrefix("<?xml"))

        let scanned = try bench.run("prospects", "scan", png, "--met", "Oslo", "--json").json()
        try scanned.check(["added", "merged", "results", "skipped"])
        #expect(try scanned.integer("added") == 1)
        #expect(try bench.run("prospects", "scan", png).errors == "added 0, merged 1 met before\n")
        let rows = try scanned.objects("results")
        try rows[0].checkRow(isFound: false)
        #expect(try rows.titles() == ["王伟"])
        #expect(try rows[0].object("prospect").string("note") == "CTO")
        let again = try bench.run(["prospects", "scan", "-", "--json"], streams: [0: png]).json()
        #expect(try again.integer("merged") == 1)
    }

    @Test("A file that is not a picture exits with 65, a missing one with 66")
    func badPictures() throws {
        let text = try bench.file("a.png", "no picture")
        let refused = try bench.run("prospects", "scan", text, "--json")
        #expect(refused.status == 65)
        #expect(refused.output.isEmpty)
        #expect(try JSONObject(line: refused.errors).errorCode() == "malformedInput")
        #expect(try bench.run("prospects", "scan", bench.path("none.png")).status == 66)
        #expect(try names() == [])
    }

    @Test("Exports prospects and copies them to the address book")
    func exportAndContacts() throws {
        let id = try add("--name", "Ana Li", "--email", "ana@example.org", "--met", "Oslo")
        #expect(try bench.run("prospects", "export").output.hasPrefix("BEGIN:VCARD\r\nVERSION:3.0\r\n"))
        #expect(try bench.run("prospects", "export", "--format", "csv").output.contains("Ana Li,ana@example.org"))
        #expect(try bench.run("prospects", "export", "--json").json().listRows().titles() == ["Ana Li"])
        let contact = try bench.run("prospects", "add-to-contacts", id, "--json").json().object("contact")
        try contact.checkContact()
        #expect(try contact.string("note") == "Met: Oslo")
        #expect(try bench.run("contacts", "count").output == "1\n")
    }
}
