import Foundation
import Testing

@Suite("contacts duplicates and merge")
struct MergeCommandTests {
    let bench: Bench

    init() throws {
        bench = try Bench()
    }

    private func add(_ arguments: String...) throws -> String {
        let result = try bench.run(["contacts", "add"] + arguments + ["--region", "TR", "--json"])
        #expect(result.status == 0, "\(result.errors)")
        return try result.json().string("id")
    }

    private func export() throws -> String { try bench.run("contacts", "export", "--format", "json").output }

    @Test("A group is the row of the most complete contact, with all contacts and the reasons")
    func duplicates() throws {
        let bare = try add("--name", "Bob Smith", "--phone", "0532 123 45 67")
        let full = try add(
            "--name", "Robert Smith", "--phone", "+90 532 123 45 67", "--email", "bob@example.org", "--note", "tea")
        _ = try add("--name", "Zoe Adams", "--phone", "+1 212 555 0123")
        let result = try bench.run("contacts", "duplicates", "--json")
        #expect(result.status == 0)
        let list = try result.json()
        try list.check(["results"])
        let groups = try list.objects("results")
        #expect(groups.count == 1)
        let group = try #require(groups.first)
        try group.check([
            "kind", "id", "title", "subtitle", "number", "highlights", "contact", "contacts", "reasons", "against",
        ])
        #expect(try group.string("kind") == "contact")
        #expect(try group.string("id") == full)
        #expect(try group.string("title") == "Robert Smith")
        try group.object("contact").checkContact()
        #expect(try group.objects("contacts").ids() == [full, bare])
        for contact in try group.objects("contacts") { try contact.checkContact() }
        let reasons = try group.objects("reasons")
        #expect(try reasons.map { try $0.string("reason") } == ["phone"])
        #expect(try reasons.map { try $0.string("value") } == ["+905321234567"])

        let text = try bench.run("contacts", "duplicates")
        #expect(text.lines.first == "same number +905321234567")
        #expect(text.lines.count == 4 && text.lines.last == "against: different names: Robert Smith, Bob Smith")
        #expect(try bench.run("contacts", "duplicates", "--limit", "1", "--json").json().objects("results").count == 1)
    }

    @Test("Without duplicates, the list is empty and the status is 0")
    func noDuplicates() throws {
        _ = try add("--name", "Ana Smith", "--phone", "+1 212 555 0123")
        _ = try add("--name", "Ana Smith", "--phone", "+1 212 555 0124")
        let result = try bench.run("contacts", "duplicates", "--json")
        #expect(result.status == 0)
        #expect(result.output == "{\"results\": []}\n")
        #expect(try bench.run("contacts", "duplicates").output.isEmpty)
    }

    @Test("merge keeps one contact, and --undo restores all of them")
    func merging() throws {
        let first = try add("--name", "Bob Smith", "--phone", "0532 123 45 67", "--organization", "Initech")
        let second = try add("--name", "Robert Smith", "--phone", "work:0212 555 01 00", "--organization", "Globex")
        let before = try export()
        let merged = try bench.run("contacts", "merge", first, second, "--json").json()
        try merged.check(["id", "contact"])
        #expect(try merged.string("id") == first)
        let contact = try merged.object("contact")
        try contact.checkContact()
        #expect(try contact.objects("phones").map { try $0.string("e164") } == ["+905321234567", "+902125550100"])
        #expect(try contact.string("organization") == "Initech")
        #expect(try bench.run("contacts", "show", second).status == 1)
        #expect(try bench.run("contacts", "find", "02125550100", "--json").json().objects("results").ids() == [first])
        let undone = try bench.run("contacts", "merge", "--undo", first, "--json").json()
        try undone.check(["ids"])
        #expect(try export() == before)
        #expect(try bench.run("contacts", "find", "02125550100", "--json").json().objects("results").ids() == [second])
        #expect(try bench.run("contacts", "merge", "--undo", first).status == 1)
    }

    @Test("Rejects invalid merges and undos and changes nothing")
    func refused() throws {
        let ana = try add("--name", "Ana")
        let bo = try add("--name", "Bo")
        let before = try export()
        let cases: [([String], Int32)] = [
            ([ana, "nobody"], 1), (["nobody", ana], 1), ([ana, bo, "nobody"], 1), (["--undo", ana], 1),
            (["--undo", "nobody"], 1), ([ana, ana], 64), ([ana], 64), ([], 64), (["--undo", ana, bo], 64),
            ([ana, bo, "--discard-changes"], 64),
        ]
        for (arguments, status) in cases {
            let result = try bench.run(["contacts", "merge"] + arguments)
            #expect(result.status == status, "\(arguments): \(result.errors)")
            #expect(result.output.isEmpty)
            #expect(try export() == before)
        }
        #expect(try bench.run("contacts", "merge", ana, bo).status == 0)
        #expect(try bench.run("contacts", "edit", ana, "--note", "new").status == 0)
        #expect(try bench.run("contacts", "merge", "--undo", ana).status == 64)
        #expect(try bench.run("contacts", "merge", "--undo", ana, "--discard-changes").status == 0)
        #expect(try export() == before)
    }
}
