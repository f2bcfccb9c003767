import Foundation
import SwitchboardTestFixtures
import SwitchboardTestSupport
import Testing

/// Databases that are missing: a volume that is not mounted, or a restore that forgot some files.
@Suite("Missing data") struct MissingDataTests {
    private func files(_ server: LiveServer) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: server.data).filter { $0.hasSuffix(".sqlite") }.sorted()
    }

    private func file(of person: String, _ server: LiveServer) throws -> String {
        let listed = try LiveServer.command("person", "list", "--data", server.data, "--json")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(listed.output.utf8)) as? [String: Any])
        let rows = try #require(object["results"] as? [[String: Any]])
        return try #require(rows.first { $0["name"] as? String == person }?["database"] as? String)
    }

    /// Moves the files of a database away, and returns a closure that moves them back.
    private func hide(_ file: String) throws -> () throws -> Void {
        let names = try FileManager.default.contentsOfDirectory(atPath: (file as NSString).deletingLastPathComponent)
            .filter { $0.hasPrefix((file as NSString).lastPathComponent) }
        let folder = (file as NSString).deletingLastPathComponent
        for name in names {
            try FileManager.default.moveItem(atPath: "\(folder)/\(name)", toPath: "\(folder)/../hidden-\(name)")
        }
        return {
            for name in names {
                try FileManager.default.moveItem(atPath: "\(folder)/../hidden-\(name)", toPath: "\(folder)/\(name)")
            }
        }
    }

    /// Asks for the events of a person.
    private func events(_ server: LiveServer, _ token: String) throws -> HTTPClient {
        let client = try HTTPClient(port: server.port)
        client.send(
            "GET /v1/events HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nAuthorization: Bearer \(token)\r\n\r\n")
        return client
    }

    @Test("The database of a person is created together with the person")
    func creation() throws {
        let server = try LiveServer()
        _ = try server.token("ana")
        let paired = try LiveServer.command("pair", "--create", "--person", "bo", "--data", server.data)
        #expect(paired.status == 0, "\(paired.errors)")
        for person in ["ana", "bo"] {
            #expect(FileManager.default.fileExists(atPath: try file(of: person, server)), "\(person)")
        }
        // A person who cannot be created leaves no database.
        let before = try files(server)
        let refused = try LiveServer.command(
            "token", "create", "--create", "--person", "c\u{7}", "--scope", "all", "--data", server.data)
        #expect(refused.status == 64)
        #expect(try files(server) == before)
    }

    @Test(
        "A database that is missing is reported and never created, and used again once it is back",
        arguments: ["before the start", "while it is open", "while it is closed", "empty"])
    func missingFile(when: String) throws {
        let options = when == "while it is closed" ? ["--idle-seconds", "0"] : []
        let first = try LiveServer(options)
        // The end of the first server deletes the folder.
        defer { _ = first.folder }
        var server = first
        let (token, other) = (try server.token("ana"), try server.token("bo"))
        for one in [token, other] {
            #expect(try server.ask("POST", "/v1/contacts", token: one, json: #"{"name": "Kept"}"#).status == 201)
        }
        let path = try file(of: "ana", server)
        if when != "while it is open" {
            if when == "while it is closed" {
                try eventually("the database is closed") {
                    try server.ask("GET", "/metrics").text.contains("switchboard_open_databases 0")
                }
            } else {
                #expect(server.stop() == 0)
            }
        }
        let bringBack = try hide(path)
        if when == "empty" { _ = FileManager.default.createFile(atPath: path, contents: nil) }
        if ["before the start", "empty"].contains(when) { server = try LiveServer(options, in: server.folder) }

        for (method, place, json) in [
            ("GET", "/v1/contacts", nil), ("GET", "/v1/find?q=kept", nil), ("GET", "/v1/me", nil),
            ("GET", "/v1/contacts.vcf", nil),
            ("POST", "/v1/contacts", #"{"name": "Lost"}"#), ("PUT", "/v1/me", #"{"name": "Ana"}"#),
        ] {
            let reply =
                try json.map { try server.ask(method, place, token: token, json: $0) }
                ?? server.ask(method, place, token: token)
            #expect(reply.status == 503 && reply.headers["content-type"] == "application/problem+json", "\(place)")
            #expect(try reply.json["code"] as? String == "dataMissing", "\(reply.text)")
            #expect(!reply.text.contains("people/") && reply.headers["retry-after"] != nil, "\(reply.text)")
        }
        #expect(try events(server, token).readReply(hasBody: false).status == 503)
        #expect(server.logText.contains(path), "\(server.logText)")
        #expect(server.logText.contains(#""level": "error""#))
        // Others are not affected.
        #expect(try server.ask("GET", "/v1/contacts", token: other).results.count == 1)
        try eventually("the server is ready") { try server.ask("GET", "/readyz").status == 200 }

        let exported = server.folder + "/ana.sqlite"
        for command in [
            ["person", "export", "ana", "--output", exported], ["pair", "--person", "ana"],
            ["token", "create", "--person", "ana", "--scope", "all"],
        ] {
            let ending = try LiveServer.start(command + ["--data", server.data])
            #expect(ending.status == 66 && ending.errors.contains(path), "\(command): \(ending.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: exported))
        #expect(FileManager.default.fileExists(atPath: path) == (when == "empty"))

        if when == "empty" { try FileManager.default.removeItem(atPath: path) }
        try bringBack()
        #expect(try server.ask("GET", "/v1/contacts", token: token).results.first?["title"] as? String == "Kept")
        #expect(try server.ask("POST", "/v1/contacts", token: token, json: #"{"name": "Next"}"#).status == 201)
        #expect(try server.ask("GET", "/v1/contacts", token: token).results.count == 2)
    }

    @Test("A database that another file replaced is opened again, and streams of the former one end")
    func replacedFile() throws {
        let server = try LiveServer()
        let token = try server.token()
        #expect(try server.ask("POST", "/v1/contacts", token: token, json: #"{"name": "Before"}"#).status == 201)
        let (path, copy) = (try file(of: "ana", server), server.folder + "/copy.sqlite")
        let exported = try LiveServer.command("person", "export", "ana", "--output", copy, "--data", server.data)
        #expect(exported.status == 0, "\(exported.errors)")
        #expect(try server.ask("POST", "/v1/contacts", token: token, json: #"{"name": "After"}"#).status == 201)
        let stream = try events(server, token)
        while try !stream.readLine().hasPrefix("id:") {}
        _ = try hide(path)
        try FileManager.default.moveItem(atPath: copy, toPath: path)
        #expect(
            try server.ask("GET", "/v1/contacts", token: token).results.compactMap { $0["title"] as? String } == [
                "Before"
            ])
        // The empty chunk ends the response. A stream that goes on has four lines every fourteen seconds.
        #expect(try (0..<20).contains { _ in try stream.readLine() == "0" })
    }

    @Test("A person whose data is missing can be deleted and created again")
    func deletion() throws {
        let server = try LiveServer()
        _ = try server.token("bo")
        let token = try server.token("ana")
        _ = try hide(try file(of: "ana", server))
        #expect(try server.ask("GET", "/v1/contacts", token: token).status == 503)
        #expect(try LiveServer.command("person", "delete", "ana", "--yes", "--data", server.data).status == 0)
        #expect(try server.ask("GET", "/v1/contacts", token: try server.token("ana")).results.isEmpty)
    }

    @Test("Without the databases of all people, a server is not ready, and no person is created")
    func missingFolder() throws {
        let server = try LiveServer()
        let token = try server.token()
        try eventually("the server is ready") { try server.ask("GET", "/readyz").status == 200 }
        let people = server.data + "/people"
        // The folder on which a volume is mounted remains.
        try FileManager.default.moveItem(atPath: people, toPath: server.folder + "/away")
        for isThere in [false, true] {
            if isThere { try FileManager.default.createDirectory(atPath: people, withIntermediateDirectories: true) }
            let probe = try server.ask("GET", "/readyz")
            #expect(probe.status == 503)
            #expect(try probe.json["code"] as? String == "dataMissing")
            #expect(try server.ask("GET", "/healthz").status == 200)
            #expect(try server.ask("GET", "/v1/contacts", token: token).status == 503)
            let created = try LiveServer.command(
                "token", "create", "--create", "--person", "bo", "--scope", "all", "--data", server.data)
            #expect(created.status == 66, "\(created.errors)")
            #expect(try files(server).filter { $0.hasPrefix("people/") }.isEmpty)
        }
        try FileManager.default.removeItem(atPath: people)
        try FileManager.default.moveItem(atPath: server.folder + "/away", toPath: people)
        #expect(try server.ask("GET", "/readyz").status == 200)
        #expect(try server.ask("GET", "/v1/contacts", token: token).status == 200)
        #expect(try LiveServer.command("token", "list", "--data", server.data).output.contains("bo") == false)
    }

    @Test("Without the accounts, a server with databases of people does not start")
    func missingAccounts() throws {
        let server = try LiveServer()
        let token = try server.token()
        try eventually("the server is ready") { try server.ask("GET", "/readyz").status == 200 }
        let bringBack = try hide(server.data + "/public.sqlite")
        #expect(try server.ask("GET", "/readyz").status == 503)
        #expect(server.stop() == 0)
        for command in [["serve", "--port", "0"], ["token", "list"], ["person", "list"]] {
            // A server that starts would run on.
            let ending = try LiveServer.start(
                ["20", LiveServer.program] + command + ["--data", server.data], program: "/usr/bin/timeout")
            #expect(ending.status == 66 && ending.errors.contains("public.sqlite"), "\(ending.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: server.data + "/public.sqlite"))
        try bringBack()
        defer { _ = server.folder }
        let again = try LiveServer(in: server.folder)
        #expect(try again.ask("GET", "/v1/contacts", token: token).status == 200)
    }

    @Test("People of an earlier version who never signed in get a database, and others do not")
    func earlierVersion() throws {
        let server = try LiveServer()
        let (used, unused, metrics) = (
            try server.token("used"), try server.token("unused"), try server.token("m", "metrics")
        )
        #expect(
            try server.ask("POST", "/v1/contacts", token: try server.token("kept"), json: #"{"name": "x"}"#).status
                == 201)
        #expect(try server.ask("GET", "/v1/contacts", token: used).status == 200)
        #expect(try server.ask("GET", "/metrics", token: metrics).status == 200)
        // The use of a token is recorded in the background.
        try eventually("the uses are recorded") {
            let tokens = try LiveServer.command("token", "list", "--data", server.data)
            return tokens.output.split(separator: "\n").count { $0.contains("never used") } == 1
        }
        let lost = try ["used", "unused", "m"].map { try file(of: $0, server) }
        #expect(server.stop() == 0)
        for path in lost { try FileManager.default.removeItem(atPath: path) }
        // Earlier versions created databases with the first request, and did not record this.
        let forgotten = try LiveServer.command(
            "-c",
            "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute(\"DELETE FROM person_key WHERE name = 'databases'\"); d.commit()",
            server.data + "/public.sqlite", program: "/usr/bin/python3")
        #expect(forgotten.status == 0, "\(forgotten.errors)")
        defer { _ = server.folder }
        let again = try LiveServer(in: server.folder)
        #expect(try again.ask("GET", "/v1/contacts", token: unused).results.isEmpty)
        #expect(FileManager.default.fileExists(atPath: lost[2]))
        #expect(try again.ask("GET", "/v1/contacts", token: used).status == 503)
        // From then on, every database counts.
        try FileManager.default.removeItem(atPath: lost[1])
        #expect(try again.ask("GET", "/v1/contacts", token: unused).status == 503)
    }
}
