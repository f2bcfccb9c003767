import Foundation
import Glibc
import SwitchboardTestFixtures
import SwitchboardTestSupport
import Testing

/// The life cycle of a server, and its use next to other processes.
@Suite("Life cycle") struct LifecycleTests {
    @Test("The event stream reports changes of other processes and due reminders")
    func events() throws {
        let server = try LiveServer()
        let token = try server.token()
        let id = try #require(
            try server.ask("POST", "/v1/prospects", token: token, json: #"{"name": "Ana"}"#).json["id"] as? String)
        let page = try HTTPClient(port: server.port)
        page.send(
            "GET /v1/events HTTP/1.1\r\nHost: localhost:\(server.port)\r\nAuthorization: Bearer \(token)\r\n\r\n")
        func line(containing text: String) throws {
            while true { if try page.readLine().contains(text) { return } }
        }
        try line(containing: "text/event-stream")
        try line(containing: "retry:")
        let people = try LiveServer.command("person", "list", "--data", server.data, "--json")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(people.output.utf8)) as? [String: Any])
        let database = try #require((object["results"] as? [[String: Any]])?.first?["database"] as? String)
        let added = try LiveServer.command(
            "contacts", "add", "--name", "Zoë Jogo", "--database", database, program: LiveServer.commandLine)
        #expect(added.status == 0, "\(added.errors)")
        try line(containing: #""contacts""#)
        #expect(try server.ask("GET", "/v1/contacts?q=jogo", token: token).results.count == 1)
        #expect(try server.ask("PUT", "/v1/prospects/\(id)/reminder", token: token, json: #"{"in": 1}"#).status == 200)
        try line(containing: "event: reminder")
        try line(containing: "Contact Ana")
        try eventually("the reminder is delivered") {
            try server.ask("GET", "/v1/reminders", token: token).results.first?["state"] as? String == "delivered"
        }
        #expect(server.stop() == 0)
    }

    @Test("A command delivers the reminders of all people, each once")
    func deliverWith() throws {
        let folder = NSTemporaryDirectory() + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let delivered = folder + "/delivered.txt"
        let server = try LiveServer(["--deliver-with", "echo \"$SWITCHBOARD_TITLE\" >> '\(delivered)'"])
        // Bo has no database, which must not delay other reminders.
        _ = try server.token("bo")
        let token = try server.token()
        for name in ["Ana", "Zoë"] {
            let added = try server.ask("POST", "/v1/prospects", token: token, json: "{\"name\": \"\(name)\"}")
            let id = try #require(try added.json["id"] as? String)
            let set = try server.ask("PUT", "/v1/prospects/\(id)/reminder", token: token, json: #"{"in": 1}"#)
            #expect(set.status == 200)
        }
        try eventually("both are delivered") {
            try server.ask("GET", "/v1/reminders", token: token).results
                .count { $0["state"] as? String == "delivered" } == 2
        }
        let lines = try String(contentsOfFile: delivered, encoding: .utf8).split(separator: "\n")
        #expect(lines.sorted() == ["Contact Ana", "Contact Zoë"])
        #expect(server.stop() == 0)
    }

    @Test("The delivery of reminders keeps no database open")
    func idleDelivery() throws {
        let server = try LiveServer(["--deliver-with", "true", "--idle-seconds", "1"])
        for person in ["ana", "bo"] {
            let token = try server.token(person)
            let added = try server.ask("POST", "/v1/prospects", token: token, json: #"{"name": "Zoë"}"#)
            let id = try #require(try added.json["id"] as? String)
            let set = try server.ask("PUT", "/v1/prospects/\(id)/reminder", token: token, json: #"{"in": 1}"#)
            #expect(set.status == 200)
        }
        let token = try server.token()
        // The delivery and the closing of a file cause one more look at it, which changes nothing. No event shows that the delivery,
        // which runs every two seconds, has left a database alone, so the test watches a whole run.
        var closedSince: ContinuousClock.Instant?
        try eventually("the databases stay closed") {
            let metrics = try server.ask("GET", "/metrics", token: token).text
            closedSince = metrics.contains("switchboard_open_databases 0.0\n") ? closedSince ?? .now : nil
            return closedSince.map { $0.duration(to: .now) > .milliseconds(2_500) } ?? false
        }
    }

    @Test("Beyond a number of people, the databases used longest ago are closed, and answer again")
    func manyPeople() throws {
        let server = try LiveServer(["--open-databases", "3"])
        let tokens = try (0..<5).map { try server.token("person-\($0)") }
        for (number, token) in tokens.enumerated() {
            let added = try server.ask("POST", "/v1/contacts", token: token, json: "{\"name\": \"Zoë \(number)\"}")
            #expect(added.status == 201)
        }
        let metrics = try server.ask("GET", "/metrics").text
        #expect(metrics.contains("switchboard_open_databases 3.0\n"))
        for (number, token) in tokens.enumerated() {
            let found = try server.ask("GET", "/v1/contacts?q=zoe", token: token).results
            #expect(found.map { ($0["contact"] as? [String: Any])?["name"] as? String } == ["Zoë \(number)"])
        }
    }

    @Test("On SIGTERM, requests in flight finish, new connections are refused, and the exit status is 0")
    func graceful() throws {
        let server = try LiveServer()
        let token = try server.token()
        let slow = try HTTPClient(port: server.port)
        slow.send(
            "POST /v1/contacts HTTP/1.1\r\nHost: localhost:\(server.port)\r\nAuthorization: Bearer \(token)\r\nContent-Length: 15\r\nExpect: 100-continue\r\n\r\n{\"name\""
        )
        // The server has the request once it asks for the body.
        while try !slow.readLine().isEmpty {}
        kill(server.processID, SIGTERM)
        try eventually("new connections are refused") { (try? server.ask("GET", "/healthz")) == nil }
        slow.send(": \"Bo\"} ")
        #expect(try slow.readReply().status == 201)
        #expect(server.stop() == 0)
    }

    @Test("An open page and a command each deliver a reminder, and neither silences the other")
    func channels() throws {
        let delivered = NSTemporaryDirectory() + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: delivered) }
        let server = try LiveServer(["--deliver-with", "echo \"$SWITCHBOARD_TITLE\" >> '\(delivered)'"])
        let token = try server.token()
        let page = try HTTPClient(port: server.port)
        page.send(
            "GET /v1/events HTTP/1.1\r\nHost: localhost:\(server.port)\r\nAuthorization: Bearer \(token)\r\n\r\n")
        while try !page.readLine().hasPrefix("retry:") {}
        let added = try server.ask("POST", "/v1/prospects", token: token, json: #"{"name": "Ana"}"#)
        let id = try #require(try added.json["id"] as? String)
        #expect(try server.ask("PUT", "/v1/prospects/\(id)/reminder", token: token, json: #"{"in": 1}"#).status == 200)
        while try !page.readLine().contains("event: reminder") {}
        try eventually("the command delivers it") {
            (try? String(contentsOfFile: delivered, encoding: .utf8)) == "Contact Ana\n"
        }
    }

    @Test("After SIGKILL every confirmed write is stored")
    func killed() throws {
        let server = try LiveServer()
        let token = try server.token()
        var added = 0
        for index in 0..<20 {
            added +=
                try server.ask("POST", "/v1/contacts", token: token, json: "{\"name\": \"Person \(index)\"}").status
                == 201 ? 1 : 0
        }
        _ = server.stop(SIGKILL)
        let again = try LiveServer(in: server.folder)
        #expect(try again.ask("GET", "/v1/contacts", token: token).results.count == added)
        #expect(added == 20)
    }

    @Test("Databases and folders are private to their owner")
    func modes() throws {
        let server = try LiveServer()
        let token = try server.token()
        #expect(try server.ask("POST", "/v1/contacts", token: token, json: #"{"name": "x"}"#).status == 201)
        let files = FileManager.default
        for name in ["", "/people"] {
            let mode = try files.attributesOfItem(atPath: server.data + name)[.posixPermissions] as? Int
            #expect(mode == 0o700, "\(name)")
        }
        for file in try files.subpathsOfDirectory(atPath: server.data) where file.hasSuffix(".sqlite") {
            let mode = try files.attributesOfItem(atPath: server.data + "/" + file)[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(file)")
        }
    }

    @Test("A person is exported as one file and deleted completely")
    func exportAndDelete() throws {
        let server = try LiveServer()
        let token = try server.token()
        #expect(try server.ask("POST", "/v1/contacts", token: token, json: #"{"name": "Zoë Jogo"}"#).status == 201)
        let file = server.folder + "/ana.sqlite"
        let exported = try LiveServer.command("person", "export", "ana", "--output", file, "--data", server.data)
        #expect(exported.status == 0, "\(exported.errors)")
        let found = try LiveServer.command(
            "contacts", "find", "jogo", "--database", file, program: LiveServer.commandLine)
        #expect(found.status == 0)
        #expect(try LiveServer.command("person", "delete", "ana", "--data", server.data).status == 64)
        #expect(try LiveServer.command("person", "delete", "ana", "--yes", "--data", server.data).status == 0)
        #expect(try server.ask("GET", "/v1/contacts", token: token).status == 401)
        #expect(try LiveServer.command("person", "delete", "ana", "--yes", "--data", server.data).status == 1)
        let left = try FileManager.default.contentsOfDirectory(atPath: server.data + "/people")
        #expect(left.filter { $0.hasSuffix(".sqlite") }.isEmpty)
    }

    @Test("A pairing code works once, and its token can be revoked")
    func pair() throws {
        let server = try LiveServer()
        let token = try server.token()
        let paired = try LiveServer.command(
            "pair", "--person", "ana", "--data", server.data, "--json", "--url", "http://localhost:\(server.port)")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(paired.output.utf8)) as? [String: Any])
        let url = try #require(object["url"] as? String)
        let code = try #require(url.split(separator: "=").last)
        let signedIn = try server.ask("POST", "/v1/session", json: "{\"code\": \"\(code)\"}")
        #expect(signedIn.status == 204)
        #expect(try server.ask("POST", "/v1/session", json: "{\"code\": \"\(code)\"}").status == 401)
        let cookie = "Cookie: " + String(try #require(signedIn.headers["set-cookie"]).prefix { $0 != ";" })
        #expect(try server.ask("GET", "/v1/session", headers: [cookie]).json["person"] as? String == "ana")
        let tokens = try server.ask("GET", "/v1/tokens", token: token).results
        let phone = try #require(tokens.first { $0["label"] as? String == "paired" }?["id"] as? String)
        #expect(try server.ask("DELETE", "/v1/tokens/\(phone)", token: token).status == 204)
        #expect(try server.ask("GET", "/v1/session", headers: [cookie]).status == 401)
    }

    @Test("A calendar has a secret address that can be renewed")
    func calendar() throws {
        let server = try LiveServer()
        let token = try server.token()
        let first = try #require(try server.ask("GET", "/v1/calendar", token: token).json["url"] as? String)
        #expect(try server.ask("GET", first).text.hasPrefix("BEGIN:VCALENDAR"))
        let second = try #require(try server.ask("POST", "/v1/calendar", token: token).json["url"] as? String)
        #expect(try server.ask("GET", first).status == 404)
        #expect(try server.ask("GET", second).status == 200)
    }

    @Test("The log has no names, queries or tokens, and metrics need local access or a scope")
    func logAndMetrics() throws {
        let server = try LiveServer()
        let token = try server.token("very-private-name")
        _ = try server.ask("GET", "/v1/find?q=verysecret", token: token)
        _ = try server.ask("GET", "/v1/contacts/secretid", token: token, headers: ["X-Request-ID: request-0815"])
        let metrics = try server.ask("GET", "/metrics")
        #expect(metrics.text.contains(#"switchboard_requests_total{method="GET",route="/v1/find",status="200"} 1"#))
        #expect(metrics.text.contains(#"route="/v1/contacts/{id}",status="404""#))
        #expect(try server.ask("GET", "/metrics", token: try server.token("bo", "contacts")).status == 403)
        #expect(try server.ask("GET", "/metrics", token: try server.token("bo", "metrics")).status == 200)
        #expect(server.stop() == 0)
        let log = server.logText
        #expect(log.contains("request-0815"))
        for secret in ["verysecret", "secretid", "very-private-name", token] { #expect(!log.contains(secret)) }
        for line in log.split(separator: "\n") {
            #expect((try? JSONSerialization.jsonObject(with: Data(line.utf8))) != nil, "\(line)")
        }
    }

    @Test("The OpenAPI document lists the routes, and responses are compressed on request")
    func description() throws {
        let server = try LiveServer()
        let reply = try server.ask("GET", "/openapi.json")
        let document = try reply.json
        #expect(document["openapi"] as? String == "3.1.0")
        let paths = try #require(document["paths"] as? [String: Any])
        for path in ["/v1/find", "/v1/contacts/{id}", "/v1/airports/popular", "/v1/events", "/healthz"] {
            #expect(paths[path] != nil, "\(path)")
        }
        let packed = try server.ask("GET", "/openapi.json", headers: ["Accept-Encoding: gzip"])
        #expect(packed.headers["content-encoding"] == "gzip" && packed.body.count < reply.body.count / 3)
        #expect(try server.ask("HEAD", "/openapi.json").headers["content-length"] == String(reply.body.count))
        let page = try server.ask("GET", "/")
        #expect(page.headers["content-type"]?.hasPrefix("text/html") == true)
        #expect(page.headers["content-security-policy"]?.contains("default-src 'self'") == true)
    }

    @Test(
        "Invalid options are rejected with one line",
        arguments: [
            (["--port", "99999"], 64), (["--port", "x"], 64), (["--config", "/nowhere/at/all.json"], 66),
            (["--tls-certificate", "/nowhere"], 64), (["--log-level", "loud"], 64), (["--region", "XXX"], 64),
        ])
    func badStart(options: [String], status: Int) throws {
        let folder = NSTemporaryDirectory() + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let ending = try LiveServer.start(["serve", "--data", folder] + options)
        #expect(Int(ending.status) == status, "\(ending.errors)")
        #expect(ending.errors.hasPrefix("switchboard-server: "), "\(ending.errors)")
        #expect(ending.errors.split(separator: "\n").count == 1, "\(ending.errors)")
    }

    @Test("With a certificate the server speaks HTTPS and cookies are secure")
    func tls() throws {
        let folder = NSTemporaryDirectory() + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let made = try LiveServer.command(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj",
            "/CN=localhost", "-keyout", folder + "/key.pem", "-out", folder + "/certificate.pem",
            program: "/usr/bin/openssl")
        #expect(made.status == 0, "\(made.errors)")
        let server = try LiveServer([
            "--tls-certificate", folder + "/certificate.pem", "--tls-key", folder + "/key.pem",
        ])
        let url = "https://localhost:\(server.port)"
        let asked = try LiveServer.command(
            "-sS", "--cacert", folder + "/certificate.pem", url + "/healthz", program: "/usr/bin/curl")
        #expect(asked.output == #"{"status": "ok"}"#, "\(asked.errors)")
        let signedIn = try LiveServer.command(
            "-sSi", "--cacert", folder + "/certificate.pem", "-X", "POST", "-H",
            "Authorization: Bearer \(try server.token())", url + "/v1/session", program: "/usr/bin/curl")
        #expect(signedIn.output.contains("; Secure"), "\(signedIn.output)\(signedIn.errors)")
        #expect(server.stop() == 0)
    }

    @Test("A port in use is reported")
    func takenPort() throws {
        let server = try LiveServer()
        let ending = try LiveServer.start(["serve", "--data", server.folder + "/other", "--port", String(server.port)])
        #expect(ending.status == 69, "\(ending.errors)")
        #expect(ending.errors.contains("cannot listen on 127.0.0.1:\(server.port)"))
    }
}
