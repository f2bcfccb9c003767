import Foundation
import Testing

@Suite("contacts groups, birthdays and photo")
struct GroupCommandTests {
    let bench: Bench

    /// A picture of one pixel.
    private static let png = """
        iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==
        """

    init() throws {
        bench = try Bench()
        let cards = """
            BEGIN:VCARD\r
            VERSION:3.0\r
            FN:Ana Lima\r
            BDAY:1980-12-24\r
            CATEGORIES:Família,Work\r
            PHOTO;ENCODING=b;TYPE=PNG:\(Self.png)\r
            UID:a-1\r
            END:VCARD\r
            BEGIN:VCARD\r
            VERSION:4.0\r
            FN:Bob Birch\r
            BDAY:--0229\r
            PHOTO:data:image/svg+xml;base64,PHN2Zy8+\r
            UID:b-1\r
            END:VCARD\r
            BEGIN:VCARD\r
            VERSION:4.0\r
            KIND:group\r
            FN:familia\r
            MEMBER:urn:uuid:b-1\r
            END:VCARD\r

            """
        let result = try bench.run(["contacts", "import", "-", "--json"], input: cards)
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test("Lists groups and their members, ignoring case; a group card adds members")
    func groups() throws {
        let groups = try bench.run("contacts", "groups", "--json").json().objects("results")
        #expect(try groups.map { try $0.string("name") }.sorted() == ["Família", "Work"])
        let family = try bench.run("contacts", "list", "--group", "FAMILIA", "--json").json().objects("results")
        #expect(try family.map { try $0.string("title") } == ["Ana Lima", "Bob Birch"])
        #expect(try bench.run("contacts", "list", "--group", "Work").lines.count == 1)
        for format in ["vcard4", "csv", "json", "jsonl"] {
            let every = try bench.run("contacts", "export", "--format", format)
            let some = try bench.run("contacts", "export", "--format", format, "--group", "work")
            #expect(some.status == 0 && !some.output.isEmpty && some.output.utf8.count < every.output.utf8.count)
        }
        #expect(try bench.run("contacts", "export", "--group", "nobody").status == 1)
        let nobody = try bench.run("contacts", "list", "--group", "nobody", "--json")
        #expect(nobody.status == 1 && nobody.output.isEmpty)
        let id = try #require(try family.ids().last)
        let changed = try bench.run("contacts", "edit", id, "--group", "Choir", "--group", "Work", "--json")
        #expect(changed.status == 0)
        #expect(try bench.run("contacts", "list", "--group", "work").lines.count == 2)
        #expect(try bench.run("contacts", "edit", id, "--group", "").status == 0)
        #expect(try bench.run("contacts", "list", "--group", "choir").status == 1)
    }

    @Test("find and dial search in one group")
    func searchingGroups() throws {
        #expect(try bench.run("contacts", "find", "--group", "work", "an").lines.count == 1)
        #expect(try bench.run("contacts", "find", "--group", "work", "bob").status == 1)
        #expect(try bench.run("contacts", "dial", "--group", "familia", "262").output.contains("Bob Birch"))
        let unknown = try bench.run("contacts", "find", "--group", "nobody", "an")
        #expect(unknown.status == 1 && unknown.errors.contains("no contact is in a group “nobody”"))
    }

    @Test("Lists upcoming birthdays, including those without a year and on 29 February")
    func birthdays() throws {
        let list = try bench.run("contacts", "birthdays", "--from", "2026-12-01", "--days", "90", "--json").json()
        let rows = try list.objects("results")
        #expect(try rows.map { try $0.string("title") } == ["Ana Lima", "Bob Birch"])
        let days = try rows.map { try $0.object("birthday") }
        #expect(try days.map { try $0.string("date") } == ["2026-12-24", "2027-02-28"])
        #expect(try days.first?.number("age") == 46)
        let text = try bench.run("contacts", "birthdays", "--from", "2026-12-23", "--days", "1")
        #expect(
            text.lines.count == 1 && text.lines.first?.hasPrefix("2026-12-24  tomorrow  Ana Lima  turns 46") == true)
        #expect(try bench.run("contacts", "birthdays", "--from", "2026-12-25", "--days", "0").output.isEmpty)
        for wrong in [["--days", "-1"], ["--from", "soon"], ["--from", "2026-02-29"]] {
            #expect(try bench.run(["contacts", "birthdays"] + wrong).status == 64)
        }
    }

    @Test("Sets and removes a photo; a file that is not a picture changes nothing")
    func settingPhoto() throws {
        let id = try bench.run("contacts", "add", "--name", "Dora Picture", "--json").json().string("id")
        let picture = try #require(Data(base64Encoded: Self.png))
        let file = bench.path("dora.png")
        try picture.write(to: URL(fileURLWithPath: file))
        let set = try bench.run("contacts", "photo", id, file, "--json").json()
        #expect(try set.string("id") == id)
        #expect(try set.object("contact").object("photo").string("type") == "image/png")
        let gif = Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0, 0x3B]
        try Data(gif).write(to: URL(fileURLWithPath: bench.path("dora.gif")))
        #expect(try bench.run("contacts", "photo", id, bench.path("dora.gif")).status == 0)
        let out = bench.path("dora.out")
        #expect(try bench.run("contacts", "photo", id, "--output", out).status == 0)
        #expect(try Array(Data(contentsOf: URL(fileURLWithPath: out))) == gif)

        try Data("no picture".utf8).write(to: URL(fileURLWithPath: bench.path("dora.txt")))
        let refused = try bench.run("contacts", "photo", id, bench.path("dora.txt"), "--json")
        #expect(refused.status == 65 && refused.output.isEmpty)
        #expect(try bench.run("contacts", "photo", id, bench.path("nowhere.png")).status == 66)
        #expect(try bench.run("contacts", "photo", id, file, "--remove").status == 64)
        // An unknown contact is reported before a missing file.
        #expect(try bench.run("contacts", "photo", "nobody", bench.path("nowhere.png")).status == 1)
        #expect(try bench.run("contacts", "photo", id, "--json").json().object("photo").string("type") == "image/gif")

        #expect(try bench.run("contacts", "photo", id, "--remove").status == 0)
        #expect(try bench.run("contacts", "photo", id).status == 1)
        #expect(try bench.run("contacts", "photo", id, "--remove").status == 1)
        #expect(try bench.run("contacts", "photo", "nope", file).status == 1)
    }

    @Test("Writes a photo unchanged, and exits with 1 without one")
    func photo() throws {
        let rows = try bench.run("contacts", "list", "--json").json().objects("results")
        let id = try #require(try rows.ids().first)
        let photo = try bench.run("contacts", "photo", id, "--json").json().object("photo")
        #expect(try photo.string("type") == "image/png")
        let file = bench.path("ana.png")
        #expect(try bench.run("contacts", "photo", id, "--output", file).status == 0)
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)).base64EncodedString() == Self.png)
        let bare = try bench.run("contacts", "add", "--name", "Cara Nobody", "--json").json().string("id")
        #expect(try bench.run("contacts", "photo", bare).status == 1)
        #expect(try bench.run("contacts", "photo", "nope").status == 1)
        let cards = try bench.run("contacts", "export").output.replacing("\r\n ", with: "")
        #expect(cards.contains("PHOTO;ENCODING=b;TYPE=PNG:\(Self.png)\r\n"))
        #expect(cards.contains("CATEGORIES:Família,Work\r\n"))
    }
}
