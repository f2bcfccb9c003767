import Foundation
import Testing

@Suite("contacts link, sync and unlink")
struct FolderCommandTests {
    let bench: Bench
    let folder: String

    init() throws {
        bench = try Bench()
        // The program prints paths with symbolic links resolved.
        folder = URL(fileURLWithPath: bench.folder).resolvingSymlinksInPath().path + "/cards"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }

    private func write(_ name: String, _ lines: String...) throws {
        let text = (["BEGIN:VCARD", "VERSION:3.0"] + lines + ["END:VCARD", ""]).joined(separator: "\r\n")
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + name), options: .atomic)
    }

    private func read(_ name: String) throws -> String {
        try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
    }

    private func allow() throws { #expect(try bench.run("access", "grant", "contacts").status == 0) }

    private func checked(_ report: JSONObject) throws -> JSONObject {
        try report.check([
            "added", "updated", "removed", "unchanged", "written", "deleted", "conflicts", "skipped",
            "changed",
        ])
        for conflict in try report.objects("conflicts") { try conflict.check(["file", "id", "name", "fields"]) }
        for skipped in try report.objects("skipped") {
            try skipped.check(["file", "reason", "malformed"], optional: ["line", "column"])
        }
        for changed in try report.objects("changed") { try changed.check(["file", "line", "reason"]) }
        return report
    }

    @Test("Exits with 77 without access and does not read the folder")
    func consent() throws {
        try write("a.vcf", "UID:a", "FN:Ana Smith")
        let refused = try bench.run("contacts", "link", folder)
        #expect(refused.status == 77)
        #expect(refused.errors.contains("access grant contacts"))
        #expect(try bench.run("contacts", "links", "--json").output == "{\"results\": []}\n")
        #expect(try bench.run("contacts", "sync").status == 1)
        try allow()
        #expect(try bench.run("contacts", "link", folder).status == 0)
        #expect(try bench.run("access", "deny", "contacts").status == 0)
        #expect(try bench.run("contacts", "sync").status == 77)
        // Unlinking needs no access.
        #expect(try bench.run("contacts", "unlink", folder).status == 0)
        #expect(try bench.run("contacts", "count").output == "1\n")
    }

    @Test("Synchronizes both ways and prints a report")
    func bothWays() throws {
        try allow()
        try write("a.vcf", "UID:a", "FN:Ana Smith", "X-KEPT;A=b:c", "TITLE:Mate")
        let linked = try checked(bench.run("contacts", "link", folder, "--json").json())
        #expect(try linked.integer("added") == 1)
        let links = try bench.run("contacts", "links", "--json").json().objects("results")
        #expect(links.count == 1)
        try links[0].check(["id", "path", "contacts", "linkedAt", "takesNew"])
        #expect(try links[0].string("path") == folder)
        #expect(try bench.run("contacts", "link").output.hasPrefix(folder))

        let id = try bench.run("contacts", "find", "ana", "--json").json().objects("results").ids()[0]
        #expect(try bench.run("contacts", "edit", id, "--organization", "Initech").status == 0)
        #expect(try bench.run("contacts", "favourite", id).status == 0)
        let new = try bench.run("contacts", "add", "--name", "Bo Jones", "--json").json().string("id")
        let synced = try checked(bench.run("contacts", "sync", "--json").json())
        #expect(try synced.integer("written") == 2)
        #expect(try read("a.vcf").contains("X-KEPT;A=b:c\r\nTITLE:Mate\r\n"))
        #expect(try read("a.vcf").contains("ORG:Initech\r\n"))
        #expect(try read(new + ".vcf").contains("UID:" + new))

        #expect(try bench.run("contacts", "edit", id, "--organization", "Globex").status == 0)
        try write("a.vcf", "UID:a", "FN:Ana Smith", "ORG:Umbrella")
        let conflict = try checked(bench.run("contacts", "sync", folder, "--json").json())
        #expect(try conflict.objects("conflicts").ids() == [id])
        #expect(try read("a.vcf").contains("Globex"))
        #expect(try bench.run("contacts", "remove", id).status == 0)
        try write("c.vcf", "UID:c", "FN:Zoe Adams")
        let text = try bench.run("contacts", "sync")
        #expect(text.output == "added 1, updated 0, removed 0, unchanged 2; files written 0, deleted 1\n")
        #expect(
            try bench.run("contacts", "unlink", folder, "--remove-contacts", "--json").json().string("id") == folder)
        #expect(try bench.run("contacts", "count").output == "0\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
    }

    @Test("A malformed card exits with 65, names file and line, and does not affect other cards")
    func broken() throws {
        try allow()
        try write("a.vcf", "FN:Ana Smith")
        try write("b.vcf", "FN:Bo Jones", "VERSION:9.0")
        try write("c.vcf", "FN:Cem Jones", "X_odd/name:kept")
        let result = try bench.run("contacts", "link", folder)
        #expect(result.status == 65)
        #expect(result.errorLines.count == 2)
        #expect(result.errors.contains("\(folder)/c.vcf:4: invalid property name"))
        #expect(result.errors.contains("switchboard: \(folder)/b.vcf:4: "))
        #expect(try bench.run("contacts", "count").output == "2\n")
        let json = try bench.run("contacts", "sync", "--json")
        #expect(json.status == 65)
        let skipped = try checked(json.json()).objects("skipped")
        #expect(try skipped.map { try $0.integer("line") } == [4])
    }

    @Test("A missing folder exits with 66 and removes no contacts, and cannot be linked")
    func away() throws {
        try allow()
        for name in ["a", "b"] { try write(name + ".vcf", "UID:" + name, "FN:\(name) Smith") }
        #expect(try bench.run("contacts", "link", folder).status == 0)
        #expect(try bench.run("contacts", "link", folder + "/nowhere").status == 66)
        #expect(try bench.run("contacts", "unlink", "/").status == 1)
        #expect(try bench.run("contacts", "link", bench.folder).status == 64)
        for name in ["a", "b"] { unlink(folder + "/" + name + ".vcf") }
        #expect(try bench.run("contacts", "sync").status == 66)
        try FileManager.default.removeItem(atPath: folder)
        let gone = try bench.run("contacts", "sync")
        #expect(gone.status == 66)
        #expect(gone.errors.contains(folder))
        #expect(try bench.run("contacts", "count").output == "2\n")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        #expect(try bench.run("contacts", "sync", "--force-delete").status == 0)
        #expect(try bench.run("contacts", "count").output == "0\n")
    }

    @Test("--watch synchronizes changes until it is terminated")
    func watching() throws {
        try allow()
        try write("a.vcf", "UID:a", "FN:Ana Smith")
        #expect(try bench.run("contacts", "link", folder).status == 0)
        try write("b.vcf", "UID:b", "FN:Bo Jones")
        let watcher = try bench.start("contacts", "sync", "--watch", "--json")
        func next() throws -> JSONObject { try checked(JSONObject(line: #require(watcher.readLine()))) }
        #expect(try next().integer("added") == 1)
        try write("c.vcf", "UID:c", "FN:Zoe Adams")
        #expect(try next().integer("added") == 1)
        let id = try bench.run("contacts", "find", "zoe", "--json").json().objects("results").ids()[0]
        #expect(try bench.run("contacts", "edit", id, "--nickname", "Zo").status == 0)
        #expect(try next().integer("written") == 1)
        #expect(try read("c.vcf").contains("NICKNAME:Zo"))
        unlink(folder + "/c.vcf")
        #expect(try next().integer("removed") == 1)
        watcher.child.send(SIGTERM)
        let result = watcher.finish()
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errors.isEmpty)
    }
}
