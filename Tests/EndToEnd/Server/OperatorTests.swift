import Foundation
import Glibc
import SwitchboardTestFixtures
import SwitchboardTestSupport
import Synchronization
import Testing

/// What an operator does: backups, limits, and looking at what the server says.
@Suite("Operation") struct OperatorTests {
    private func add(_ name: String, _ server: LiveServer, _ token: String) throws -> [String: Any] {
        let reply = try server.ask("POST", "/v1/contacts", token: token, json: #"{"name": "\#(name)"}"#)
        #expect(reply.status == 201, "\(reply.text)")
        return try reply.json
    }

    private func count(_ server: LiveServer, _ token: String) throws -> Int {
        try #require(try server.ask("GET", "/v1/contacts?limit=1", token: token).json["total"] as? Int)
    }

    @Test("A backup under a running server is of one moment, and can be restored")
    func backup() throws {
        let server = try LiveServer()
        let (ana, bo) = (try server.token("ana"), try server.token("bo"))
        let isOver = Atomic(false)
        let writer = Thread {
            for number in 0..<10_000 where !isOver.load(ordering: .relaxed) {
                // Ana's contact is stored before Bo's.
                for token in [ana, bo] { _ = try? self.add("Person \(number)", server, token) }
            }
            isOver.store(true, ordering: .relaxed)
        }
        writer.start()
        try eventually("something is stored") { try self.count(server, bo) > 20 }
        var folders: [String] = []
        for number in 0..<5 {
            let folder = server.folder + "/backup-\(number)"
            let made = try LiveServer.command("backup", folder, "--data", server.data, "--json")
            #expect(made.status == 0 && made.output == "{\"people\": 2}\n", "\(made.errors)")
            folders.append(folder)
        }
        isOver.store(true, ordering: .relaxed)
        #expect(try LiveServer.command("backup", folders[0], "--data", server.data).status == 64)
        #expect(try LiveServer.command("restore", folders[0], "--data", server.data).status == 75)
        let trial = try LiveServer.command("restore", folders[0], "--dry-run", "--data", server.data)
        #expect(trial.status == 0 && trial.errors.contains("could restore the data of 2 people"), "\(trial.errors)")
        let later = try count(server, ana)
        #expect(server.stop() == 0)
        var counts: [Int] = []
        // A server removes its folder when it is released.
        var servers = [server]
        for folder in folders {
            let done = try LiveServer.command("restore", folder, "--data", server.data)
            #expect(done.status == 0, "\(done.errors)")
            let restored = try LiveServer(in: server.folder)
            servers.append(restored)
            let (first, second) = (try count(restored, ana), try count(restored, bo))
            #expect(first == second || first == second + 1, "\(first) and \(second)")
            #expect(first <= later)
            counts.append(first)
            #expect(restored.stop() == 0)
        }
        #expect(counts == counts.sorted() && servers.count == folders.count + 1)
        // What was replaced is kept.
        let replaced = try LiveServer.command("person", "list", "--data", server.data + "/replaced-1", "--json")
        #expect(replaced.status == 0 && replaced.output.contains("\"ana\""))
        try FileManager.default.removeItem(atPath: folders[0] + "/backup.json")
        #expect(try LiveServer.command("restore", folders[0], "--data", server.data).status == 66)
    }

    @Test("A person can take everything along, and delete their account")
    func account() throws {
        let server = try LiveServer()
        let (ana, bo) = (try server.token("ana"), try server.token("bo"))
        _ = try add("Zoë Quill", server, ana)
        _ = try server.ask("POST", "/v1/prospects", token: ana, json: #"{"name": "Otto, the elder"}"#)
        _ = try server.ask("PUT", "/v1/index/items", token: ana, json: #"{"id": "show", "title": "Dunes"}"#)
        let archive = try server.ask("GET", "/v1/export", token: ana)
        #expect(archive.status == 200 && archive.headers["content-type"] == "application/zip")
        let file = server.folder + "/all.zip"
        try Data(archive.body).write(to: URL(fileURLWithPath: file))
        let script = """
            import sys, zipfile
            with zipfile.ZipFile(sys.argv[1]) as z:
                assert z.testzip() is None
                print(sorted(z.namelist()))
                print(*(z.read(n).decode() for n in ("contacts.vcf", "prospects.csv", "items.jsonl")))
            """
        let read = try LiveServer.command("-c", script, file, program: "/usr/bin/python3")
        #expect(read.status == 0, "\(read.errors)")
        for part in ["FN:Zoë Quill", "\"Otto, the elder\"", "\"title\": \"Dunes\"", "'prospects.vcf'"] {
            #expect(read.output.contains(part), "\(read.output)")
        }
        #expect(try server.ask("GET", "/v1/export", token: server.token("ana", "read")).status == 403)

        let id = try #require(try server.ask("GET", "/v1/contacts", token: ana).results.first?["id"] as? String)
        let card = try server.ask("GET", "/v1/contacts/\(id)", token: ana, headers: ["Accept: text/vcard"])
        #expect(
            card.text.hasPrefix("BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Zoë Quill") && card.text.hasSuffix("END:VCARD\r\n"))
        for (path, part) in [
            ("contacts.csv", "Zoë"), ("contacts.vcf", "FN:Zoë Quill"), ("prospects.csv", "Otto"),
            ("prospects.vcf", "FN:Otto\\, the elder"),
        ] {
            let file = try server.ask("GET", "/v1/\(path)", token: ana)
            #expect(file.text.contains(part) && file.headers["content-disposition"] == "attachment; filename=\(path)")
        }

        let unconfirmed = try server.ask("DELETE", "/v1/account", token: ana, json: #"{"name": "bo"}"#)
        #expect(unconfirmed.status == 400 && unconfirmed.text.contains("notConfirmed"))
        #expect(try server.ask("DELETE", "/v1/account", token: ana, json: #"{"name": "ana"}"#).status == 204)
        #expect(try server.ask("GET", "/v1/contacts", token: ana).status == 401)
        #expect(try server.ask("GET", "/v1/contacts", token: bo).status == 200)
        let left = try FileManager.default.contentsOfDirectory(atPath: server.data + "/people")
        #expect(left.filter { $0.hasSuffix(".sqlite") }.count == 1)
        #expect(try server.ask("GET", "/readyz").status == 200)
    }

    @Test("Sessions are listed with their browser, and each can be ended alone")
    func sessions() throws {
        let server = try LiveServer()
        let token = try server.token()
        func signIn(_ agent: String) throws -> String {
            let reply = try server.ask("POST", "/v1/session", token: token, headers: ["User-Agent: \(agent)"])
            return "Cookie: " + String(try #require(reply.headers["set-cookie"]).prefix { $0 != ";" })
        }
        let phone = try signIn("Mozilla/5.0 (Android 14; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0")
        let desk = try signIn("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36")
        let rows = try server.ask("GET", "/v1/sessions", headers: [desk]).results
        #expect(Set(rows.map { $0["device"] as? String }) == ["Firefox on Android", "Chrome on Linux"])
        let current = rows.filter { $0["current"] as? Bool == true }
        #expect(current.map { $0["device"] as? String } == ["Chrome on Linux"])
        let other = try #require(rows.first { $0["device"] as? String == "Firefox on Android" }?["id"] as? String)
        let stranger = try server.token("bo")
        #expect(try server.ask("DELETE", "/v1/sessions/\(other)", token: stranger).status == 404)
        #expect(try server.ask("GET", "/v1/contacts", headers: [phone]).status == 200)
        #expect(try server.ask("DELETE", "/v1/sessions/\(other)", token: token).status == 204)
        #expect(try server.ask("GET", "/v1/contacts", headers: [phone]).status == 401)
        #expect(try server.ask("GET", "/v1/contacts", headers: [desk]).status == 200)
    }

    @Test("A person's database has a maximum size; reading and removing go on")
    func budget() throws {
        let server = try LiveServer(["--person-megabytes", "1"])
        let (ana, bo) = (try server.token("ana"), try server.token("bo"))
        let id = try #require(try add("Ana Lima", server, ana)["id"] as? String)
        let note = String(repeating: "a long note ", count: 5_000)
        var last = 201
        for number in 0..<60 where last == 201 {
            last = try server.ask(
                "POST", "/v1/contacts", token: ana, json: #"{"name": "Person \#(number)", "note": "\#(note)"}"#
            ).status
        }
        #expect(last == 507)
        #expect(try server.ask("GET", "/v1/contacts/\(id)", token: ana).status == 200)
        #expect(try server.ask("DELETE", "/v1/contacts/\(id)", token: ana).status == 204)
        _ = try add("Bo", server, bo)
        let usage = try server.ask("GET", "/v1/usage", token: ana).results
        let size = try #require(usage.first { $0["what"] as? String == "megabytes" })
        #expect(size["budget"] as? Int == 1 && size["used"] as? Int ?? 0 >= 1)
        let metrics = try server.ask("GET", "/metrics").text
        for line in [
            "switchboard_problems_total{code=\"overBudget\"} 1", "switchboard_build_info{version=\"", "_free_bytes ",
        ] {
            #expect(metrics.contains(line), "\(metrics)")
        }
    }

    @Test("What a reload does not apply, a second server and open files are warned of")
    func warnings() throws {
        let folder = NSTemporaryDirectory() + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = folder + "/server.json"
        try #"{"region": "TR"}"#.write(toFile: file, atomically: true, encoding: .utf8)
        let server = try LiveServer(["--config", file])
        #expect(!server.logText.contains("another server") && !server.logText.contains("chmod"))
        try #"{"region": "DE", "idleSeconds": 7, "requestsPerSecond": 50}"#
            .write(toFile: file, atomically: true, encoding: .utf8)
        kill(server.processID, SIGHUP)
        try eventually("the warning") { server.logText.contains(#""options": "region, idleSeconds""#) }
        let second = try LiveServer(in: server.folder)
        #expect(second.logText.contains("another server uses the same data folder"))
        #expect(second.stop() == 0 && server.stop() == 0)
        chmod(server.data, 0o755)
        let third = try LiveServer(in: server.folder)
        #expect(third.logText.contains("chmod go="))
    }

    @Test("A token that may only write reads nothing")
    func writeOnly() throws {
        let server = try LiveServer()
        let (all, writer) = (try server.token(), try server.token("ana", "contacts:write"))
        let added = try server.ask(
            "POST", "/v1/contacts", token: writer, json: #"{"name": "Ana", "note": "secret"}"#)
        #expect(try added.status == 201 && Set(added.json.keys) == ["id"])
        let place = try #require(added.headers["location"])
        let stale = try server.ask(
            "PATCH", place, token: writer, json: #"{"nickname": "A"}"#, headers: ["If-Match: \"stale\""])
        #expect(stale.status == 412 && !stale.text.contains("secret"))
        let changed = try server.ask("PATCH", place, token: writer, json: #"{"nickname": "A"}"#)
        #expect(changed.status == 204 && changed.text.isEmpty)
        let now = try server.ask("GET", place, token: all)
        #expect(now.headers["etag"] == changed.headers["etag"] && now.text.contains("secret"))
        #expect(try server.ask("GET", place, token: writer).status == 403)
        let batch = try server.ask(
            "POST", "/v1/contacts/batch", token: writer, json: #"[{"id": "\#(place.dropFirst(13))", "nickname": "B"}]"#)
        #expect(batch.status == 204 && batch.text.isEmpty)
        let card = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Bo\r\nEND:VCARD\r\n"
        let imported = try server.ask("POST", "/v1/contacts/import", token: writer, body: Array(card.utf8))
        #expect(try imported.json["added"] as? Int == 1)
    }

    @Test("A 201 has the tag of what is stored, web addresses are kept as sent, and ambiguous requests are refused")
    func stored() throws {
        let server = try LiveServer()
        let token = try server.token()
        let urls = ["javascript:alert(1)", "mailto:a@b.example", "tel:+1", "example.org:8080/x", "https://example.org"]
        let body = try JSONSerialization.data(withJSONObject: ["name": "Ana", "urls": urls + ["work:example.com"]])
        let added = try server.ask("POST", "/v1/contacts", token: token, json: String(decoding: body, as: UTF8.self))
        let stored = try #require((try added.json["contact"] as? [String: Any])?["urls"] as? [[String: String]])
        #expect(stored.map { $0["url"] } == urls + ["example.com"])
        #expect(stored.map { $0["label"] } == urls.map { _ in "" } + ["work"])
        let place = try #require(added.headers["location"])
        #expect(try server.ask("GET", place, token: token).headers["etag"] == added.headers["etag"])
        let tag = try #require(added.headers["etag"])
        #expect(
            try server.ask("PATCH", place, token: token, json: #"{"note": "x"}"#, headers: ["If-Match: \(tag)"]).status
                == 200)
        let row = try #require(try server.ask("GET", "/v1/contacts", token: token).results.first)
        #expect(try row["etag"] as? String == server.ask("GET", place, token: token).headers["etag"])
        let batch = try server.ask(
            "POST", "/v1/contacts/batch", token: token,
            json: #"[{"id": "\#(place.dropFirst(13))", "ifMatch": \#(row["etag"] as? String ?? ""), "note": "y"}]"#)
        #expect(
            try batch.results.first?["etag"] as? String == server.ask("GET", place, token: token).headers["etag"],
            "\(batch.text)")
        let prospect = try server.ask("POST", "/v1/prospects", token: token, json: #"{"name": "Bo"}"#)
        let prospectPlace = try #require(prospect.headers["location"])
        #expect(try server.ask("GET", prospectPlace, token: token).headers["etag"] == prospect.headers["etag"])

        for (json, field) in [
            (#"{"name": 5}"#, "name"), (#"{"name": "A", "note": 5}"#, "note"), (#"{"name": "A", "name": "B"}"#, "name"),
            (#"{"name": "A", "phones": [{"number": "1", "number": "2"}]}"#, "number"),
        ] {
            let reply = try server.ask("POST", "/v1/contacts", token: token, json: json)
            #expect(try reply.status == 400 && reply.json["field"] as? String == field, "\(reply.text)")
        }
        #expect(try server.ask("GET", "/v1/contacts?q=ana&keypad=262", token: token).status == 400)
        #expect(try server.ask("GET", "/v1/contacts?q=262&keypad=true", token: token).status == 200)
        for (type, status) in [
            ("application/x-www-form-urlencoded", 415), ("text/plain", 415), ("application/json; charset=utf-8", 201),
            ("application/vnd.example+json", 201),
        ] {
            let reply = try server.ask(
                "POST", "/v1/contacts", token: token, headers: ["Content-Type: \(type)"],
                body: Array(#"{"name": "C"}"#.utf8))
            #expect(reply.status == status, "\(type): \(reply.text)")
        }
        #expect(try server.ask("POST", "/v1/contacts", token: token, body: Array(#"{"name": "D"}"#.utf8)).status == 201)
    }
}
