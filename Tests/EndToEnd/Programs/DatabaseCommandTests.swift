import Foundation
import Testing

@Suite("database and access")
struct DatabaseCommandTests {
    let bench: Bench

    init() throws {
        bench = try Bench()
    }

    private func add(_ name: String) throws {
        #expect(try bench.run("contacts", "add", "--name", name).status == 0)
    }

    @Test("check, stats and optimize accept an intact database")
    func care() throws {
        try add("Ana Smith")
        let check = try bench.run("database", "check", "--json").json()
        try check.check(["sound", "problems"])
        #expect(try check.boolean("sound"))
        let stats = try bench.run("database", "stats", "--json").json()
        try stats.check([
            "path", "fileBytes", "logBytes", "pageSize", "pages", "freePages", "sqliteVersion", "tables", "modules",
        ])
        #expect(try stats.objects("tables").contains { try $0.string("name") == "contact" && $0.integer("rows") == 1 })
        #expect(try bench.run("database", "stats").output.contains("rows of contact"))
        let optimized = try bench.run("database", "optimize", "--json").json()
        try optimized.check(["bytesBefore", "bytesAfter"])
    }

    @Test("Maintenance commands do not create a database", arguments: ["check", "stats", "optimize"])
    func missing(command: String) throws {
        let result = try bench.run("database", command)
        #expect(result.status == 66)
        #expect(!FileManager.default.fileExists(atPath: bench.database))
        #expect(try bench.run("database", "backup", bench.path("b.sqlite")).status == 66)
        #expect(try bench.otherFiles().isEmpty)
    }

    @Test("Restores a backup; a refused backup changes nothing")
    func backup() throws {
        try add("Ana Smith")
        let copy = bench.path("copy.sqlite")
        let answer = try bench.run("database", "backup", copy, "--json")
        #expect(answer.status == 0, "\(answer.errors)")
        try answer.json().check(["file"])
        try add("Bo Lee")
        let text = try bench.file("text.sqlite", String(repeating: "no database ", count: 500))
        let refused = try bench.run("database", "restore", text)
        #expect(refused.status == 65)
        #expect(refused.errorLines.count == 1)
        #expect(try bench.run("database", "restore", bench.path("none")).status == 66)
        #expect(try bench.run("contacts", "count").output == "2\n")
        let restored = try bench.run("database", "restore", copy, "--json")
        #expect(restored.status == 0, "\(restored.errors)")
        try restored.json().check(["file"], optional: ["setAside"])
        #expect(try bench.run("contacts", "count").output == "1\n")
        // The replaced data is kept, and restoring it undoes the first one.
        let replaced = try restored.json().string("setAside")
        #expect(try bench.run("contacts", "count", "--database", replaced).output == "2\n")
        let again = try bench.run("database", "restore", replaced)
        #expect(again.errors.contains("replaced-2"))
        #expect(try bench.run("contacts", "count").output == "2\n")
        #expect(try bench.run("database", "restore", copy).status == 0)
        // So is an earlier backup.
        let second = try bench.run("database", "backup", copy)
        #expect(second.errors.contains("the earlier file is now \(copy)~"))
        #expect(FileManager.default.fileExists(atPath: copy + "~"))
        #expect(try bench.run("contacts", "dial", "262", "--json").found().titles() == ["Ana Smith"])
        #expect(try bench.run("database", "backup", bench.database).status == 64)
    }

    @Test("A file that is not a database exits with 65 and is unchanged")
    func notADatabase() throws {
        let text = try bench.file("text.sqlite", "hello, this is no database at all\n")
        for command in [
            ["contacts", "list"], ["contacts", "add", "--name", "Ana"], ["database", "check"], ["access", "status"],
        ] {
            let result = try bench.run(command + ["--database", text])
            #expect(result.status == 65, "\(command)")
            #expect(result.output.isEmpty)
            #expect(result.errors.contains(text))
        }
        #expect(try String(contentsOfFile: text, encoding: .utf8) == "hello, this is no database at all\n")
        try add("Ana Smith")
        try FileManager.default.removeItem(atPath: text)
    }

    @Test("Access is undetermined at first, then granted or denied, and can be reset")
    func access() throws {
        func statuses() throws -> [String] {
            let answer = try bench.run("access", "status", "--json").json()
            try answer.check(["results"])
            let rows = try answer.objects("results")
            for row in rows { try row.check(["what", "status", "purpose"]) }
            #expect(try rows.map { try $0.string("what") } == ["contacts", "notifications", "location"])
            return try rows.map { try $0.string("status") }
        }
        #expect(try statuses() == ["notDetermined", "notDetermined", "notDetermined"])
        #expect(try bench.run("access", "grant", "location").status == 0)
        #expect(try bench.run("access", "deny", "contacts", "--json").json().objects("results").count == 1)
        #expect(try statuses() == ["denied", "notDetermined", "authorized"])
        #expect(try bench.run("access", "reset", "location").status == 0)
        #expect(try statuses() == ["denied", "notDetermined", "notDetermined"])
        #expect(try bench.run("access", "grant", "camera").status == 64)
        #expect(try bench.run("access", "grant").status == 64)
    }

    @Test("Creates the default database under XDG_DATA_HOME with mode 0600")
    func defaultPlace() throws {
        let data = bench.path("data")
        let result = try bench.run(
            ["contacts", "add", "--name", "Ana"], environment: ["SWITCHBOARD_DATABASE": "", "XDG_DATA_HOME": data])
        #expect(result.status == 0, "\(result.errors)")
        let file = data + "/switchboard/switchboard.sqlite"
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }
}
