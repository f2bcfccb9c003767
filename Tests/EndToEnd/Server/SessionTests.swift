import Foundation
import SwitchboardTestFixtures
import SwitchboardTestSupport
import Testing

/// Tokens, sessions, event streams and addresses that end with them.
@Suite("Sessions") struct SessionTests {
    /// Opens an event stream and reads its head.
    private func stream(
        of server: LiveServer, _ credential: String, lastEventID: String? = nil, query: String = ""
    ) throws -> HTTPClient {
        let client = try HTTPClient(port: server.port)
        client.send(
            "GET /v1/events\(query) HTTP/1.1\r\nHost: localhost:\(server.port)\r\n\(credential)\r\n"
                + (lastEventID.map { "Last-Event-ID: \($0)\r\n" } ?? "") + "\r\n")
        _ = try line(of: client, beginning: "retry:")
        return client
    }

    /// Reads up to the next line that begins with a text, and returns the rest of that line.
    private func line(of client: HTTPClient, beginning text: String) throws -> String {
        while true {
            let line = try client.readLine()
            if line.hasPrefix(text) { return String(line.dropFirst(text.count)) }
        }
    }

    @Test("An event stream ends when its token is revoked, here or by the command, or its browser signs out")
    func streamsEnd() throws {
        let server = try LiveServer()
        let admin = try server.token()
        for ending in ["command", "route"] {
            let token = try server.token()
            let id = try #require(
                try server.ask("GET", "/v1/tokens", token: token).results.first { $0["current"] as? Bool == true }?[
                    "id"] as? String)
            let client = try stream(of: server, "Authorization: Bearer \(token)")
            if ending == "command" {
                #expect(try LiveServer.command("token", "revoke", id, "--data", server.data).status == 0)
            } else {
                #expect(try server.ask("DELETE", "/v1/tokens/\(id)", token: admin).status == 204)
            }
            while try client.readLine() != "0" {}
        }
        let signedIn = try server.ask("POST", "/v1/session", token: admin)
        let cookie = "Cookie: " + String(try #require(signedIn.headers["set-cookie"]).prefix { $0 != ";" })
        let client = try stream(of: server, cookie)
        let origin = "Origin: http://127.0.0.1:\(server.port)"
        #expect(try server.ask("DELETE", "/v1/session", headers: [cookie, origin]).status == 204)
        while try client.readLine() != "0" {}
    }

    @Test("A stream is resumed without a gap")
    func resumed() throws {
        let server = try LiveServer()
        let token = try server.token()
        let credential = "Authorization: Bearer \(token)"
        let first = try stream(of: server, credential)
        let id = try line(of: first, beginning: "id: ")
        #expect(try server.ask("POST", "/v1/contacts", token: token, json: #"{"name": "Ana"}"#).status == 201)
        #expect(try line(of: first, beginning: "data: ").contains("contacts"))
        // A client that was asleep during the change gets it, one that knows it does not.
        let asleep = try stream(of: server, credential, lastEventID: id)
        let latest = try line(of: asleep, beginning: "id: ")
        #expect(try line(of: asleep, beginning: "data: ").contains("contacts"))
        let awake = try stream(of: server, credential, lastEventID: latest)
        #expect(try server.ask("POST", "/v1/prospects", token: token, json: #"{"name": "Bo"}"#).status == 201)
        #expect(try line(of: awake, beginning: "data: ").contains("prospects"))
    }

    @Test("A client can tell whether a response is older than the beginning of its stream")
    func positions() throws {
        let server = try LiveServer()
        let token = try server.token()
        let credential = "Authorization: Bearer \(token)"
        func position() throws -> String {
            let response = try server.ask("GET", "/v1/contacts", token: token, headers: ["Prefer: event-id"])
            return try #require(response.headers["event-id"])
        }
        let before = try position()
        #expect(try server.ask("GET", "/v1/contacts", token: token).headers["event-id"] == nil)
        #expect(try server.ask("POST", "/v1/contacts", token: token, json: #"{"name": "Ana"}"#).status == 201)
        let client = try stream(of: server, credential, query: "?started=true")
        let id = try line(of: client, beginning: "id: ")
        #expect(try line(of: client, beginning: "event: ").contains("started"))
        #expect(id.contains(try position()) && !id.contains(before))
    }

    @Test("Only a stream that may see reminders delivers them")
    func scopes() throws {
        let server = try LiveServer()
        let token = try server.token()
        let id = try #require(
            try server.ask("POST", "/v1/prospects", token: token, json: #"{"name": "Ana"}"#).json["id"] as? String)
        let narrow = try stream(of: server, "Authorization: Bearer \(try server.token("ana", "contacts"))")
        #expect(try server.ask("PUT", "/v1/prospects/\(id)/reminder", token: token, json: #"{"in": 1}"#).status == 200)
        try eventually("the reminder is overdue") {
            try server.ask("GET", "/v1/reminders?overdue=true", token: token).results.count == 1
        }
        // A reminder that is due later arrives on a stream of another person that may see it.
        let other = try server.token("bo")
        let others = try stream(of: server, "Authorization: Bearer \(other)")
        let later = try #require(
            try server.ask("POST", "/v1/prospects", token: other, json: #"{"name": "Cy"}"#).json["id"] as? String)
        #expect(
            try server.ask("PUT", "/v1/prospects/\(later)/reminder", token: other, json: #"{"in": 1}"#).status == 200)
        while try !line(of: others, beginning: "event: ").contains("reminder") {}
        // The narrow stream sees a later change of its own domain, and before it only that notifications were allowed.
        #expect(try server.ask("POST", "/v1/contacts", token: token, json: #"{"name": "Bo"}"#).status == 201)
        var seen = ""
        while !seen.contains("contacts") { seen += try line(of: narrow, beginning: "data: ") }
        #expect(!seen.contains("reminders") && !seen.contains("Ana"), "\(seen)")
        let reminder = try #require(try server.ask("GET", "/v1/reminders", token: token).results.first)
        #expect(reminder["state"] as? String == "pending" && reminder["overdue"] as? Bool == true)
        let wide = try stream(of: server, "Authorization: Bearer \(token)")
        #expect(try line(of: wide, beginning: "event: ").contains("reminder"))
        try eventually("the reminder is delivered") {
            try server.ask("GET", "/v1/reminders", token: token).results.first?["state"] as? String == "delivered"
        }
        #expect(try server.ask("GET", "/v1/reminders?overdue=true", token: token).results.count == 1)
        #expect(
            try server.ask("PATCH", "/v1/prospects/\(id)", token: token, json: #"{"contacted": true}"#).status == 200)
        #expect(try server.ask("GET", "/v1/reminders?overdue=true", token: token).results.isEmpty)
    }

    @Test("A calendar address ends with its token, and a browser that signs in anew ends its session")
    func addresses() throws {
        let server = try LiveServer()
        let (admin, token) = (try server.token(), try server.token())
        let id = try #require(
            try server.ask("GET", "/v1/tokens", token: token).results.first { $0["current"] as? Bool == true }?["id"]
                as? String)
        let address = try #require(try server.ask("GET", "/v1/calendar", token: token).json["url"] as? String)
        #expect(try server.ask("GET", address).status == 200)
        let signedIn = try server.ask("POST", "/v1/session", token: token)
        let cookie = "Cookie: " + String(try #require(signedIn.headers["set-cookie"]).prefix { $0 != ";" })
        #expect(try server.ask("GET", "/v1/session", headers: [cookie]).status == 200)
        #expect(try server.ask("POST", "/v1/session", token: admin, headers: [cookie]).status == 204)
        #expect(try server.ask("GET", "/v1/session", headers: [cookie]).status == 401)
        #expect(try server.ask("DELETE", "/v1/tokens/\(id)", token: admin).status == 204)
        #expect(try server.ask("GET", address).status == 404)
    }

    @Test("A link for another browser works once, and needs full access that does not expire")
    func pairing() throws {
        let server = try LiveServer()
        let token = try server.token()
        let made = try server.ask("POST", "/v1/pairing", token: token)
        #expect(made.status == 200)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(made.text.utf8)) as? [String: String])
        let parts = try #require(object["url"]).components(separatedBy: "/#pair=")
        #expect(parts.first == "http://127.0.0.1:\(server.port)" || parts.first == "http://localhost:\(server.port)")
        #expect(object["picture"]?.hasPrefix("data:image/png;base64,iVBOR") == true)
        let code = #"{"code": "\#(parts.last ?? "")"}"#
        #expect(try server.ask("POST", "/v1/session", json: code).status == 204)
        #expect(try server.ask("POST", "/v1/session", json: code).status == 401)

        let narrow = try server.token("ana", "contacts")
        #expect(try server.ask("POST", "/v1/pairing", token: narrow).status == 403)
        let expiring = try LiveServer.command(
            "token", "create", "--person", "ana", "--scope", "all", "--expires-in", "1h", "--data", server.data)
        let refused = try server.ask(
            "POST", "/v1/pairing", token: expiring.output.trimmingCharacters(in: .whitespacesAndNewlines))
        #expect(refused.status == 403 && refused.text.contains("expiringToken"))
    }

    @Test("A password for a device is created once, opens only what devices synchronize, and can be revoked")
    func device() throws {
        let server = try LiveServer()
        let token = try server.token()
        let made = try server.ask("POST", "/v1/tokens", token: token, json: #"{"device": "Ana's telephone"}"#)
        #expect(made.status == 200)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(made.text.utf8)) as? [String: String])
        #expect(Set(object.keys) == ["id", "address", "user", "password", "picture", "profile"])
        let (user, password) = (object["user"] ?? "", object["password"] ?? "")
        #expect(user == "ana" && object["address"]?.hasSuffix(":\(server.port)") == true)
        #expect(object["picture"]?.hasPrefix("data:image/png;base64,iVBOR") == true)
        let profile = object["profile"]?.split(separator: ",").last.flatMap { Data(base64Encoded: String($0)) }
        #expect(profile.map { String(decoding: $0, as: UTF8.self).contains(password) } == true)

        let known = try server.ask("GET", "/v1/tokens", token: token).text
        #expect(known.contains("Ana's telephone") && !known.contains(password))
        #expect(try server.ask("GET", "/v1/contacts", token: password).status == 200)
        #expect(try server.ask("GET", "/v1/tokens", token: password).status == 403)
        #expect(try server.ask("POST", "/v1/tokens", token: password, json: #"{"device": "x"}"#).status == 403)
        for wrong in [#"{}"#, #"{"device": ""}"#, #"{"device": 1}"#, #"{"name": "x"}"#] {
            #expect(try server.ask("POST", "/v1/tokens", token: token, json: wrong).status == 400, "\(wrong)")
        }
        #expect(try server.ask("DELETE", "/v1/tokens/\(object["id"] ?? "")", token: token).status == 204)
        #expect(try server.ask("GET", "/v1/contacts", token: password).status == 401)
        for number in 0..<99 {
            #expect(
                try server.ask("POST", "/v1/tokens", token: token, json: #"{"device": "\#(number)"}"#).status == 200)
        }
        let refused = try server.ask("POST", "/v1/tokens", token: token, json: #"{"device": "one more"}"#)
        #expect(refused.status == 429 && refused.text.contains("tooManyTokens"))
    }

    @Test("An invitation signs a new person in, and has a limit")
    func invitation() throws {
        let server = try LiveServer()
        func pair(_ time: String) throws -> CommandEnding {
            try LiveServer.command(
                "pair", "--create", "--person", "bo", "--expires-in", time, "--url", "https://people.example.org",
                "--data", server.data, "--json")
        }
        let made = try pair("7d")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(made.output.utf8)) as? [String: String])
        let code = try #require(object["url"]?.components(separatedBy: "#pair=").last)
        #expect(try server.ask("POST", "/v1/session", json: #"{"code": "\#(code)"}"#).status == 204)
        for time in ["31d", "soon"] {
            let refused = try pair(time)
            #expect(refused.status == 64 && refused.errors.contains("--expires-in"), "\(refused.errors)")
        }
    }

    @Test("An unknown person is an error unless --create is given, and names ignore case")
    func people() throws {
        let server = try LiveServer()
        let wrong = try LiveServer.command(
            "token", "create", "--person", "aan", "--scope", "all", "--data", server.data)
        #expect(wrong.status == 1 && wrong.errors.contains("--create"), "\(wrong.errors)")
        #expect(try LiveServer.command("pair", "--person", "aan", "--data", server.data).status == 1)
        let first = try server.token("ana")
        #expect(try server.ask("POST", "/v1/contacts", token: first, json: #"{"name": "Zoë"}"#).status == 201)
        let again = try LiveServer.command(
            "token", "create", "--person", "ANA", "--scope", "all", "--data", server.data)
        let token = again.output.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(try server.ask("GET", "/v1/contacts", token: token).results.count == 1)
        let file = server.folder + "/ana.sqlite"
        #expect(try LiveServer.command("person", "export", "ana", "--output", file, "--data", server.data).status == 0)
        #expect(try LiveServer.command("person", "import", "Ana", file, "--data", server.data).status == 64)
        #expect(try LiveServer.command("person", "import", "bo", server.log, "--data", server.data).status == 65)
        let imported = try LiveServer.command("person", "import", "bo", file, "--data", server.data)
        #expect(imported.status == 0, "\(imported.errors)")
        #expect(try server.ask("GET", "/v1/contacts", token: try server.token("bo")).results.count == 1)
        #expect(try LiveServer.command("person", "rename", "bo", "ANA", "--data", server.data).status == 64)
        #expect(try LiveServer.command("person", "rename", "bo", "Bob", "--data", server.data).status == 0)
        let session = try server.ask("GET", "/v1/session", token: try server.token("BOB"))
        #expect(try session.json["person"] as? String == "Bob")
    }

    @Test("A token with a lifetime expires, and its event stream with it")
    func expiry() throws {
        let server = try LiveServer()
        let made = try LiveServer.command(
            "token", "create", "--create", "--person", "ana", "--scope", "all", "--expires-in", "2s", "--data",
            server.data)
        let token = made.output.trimmingCharacters(in: .whitespacesAndNewlines)
        let client = try stream(of: server, "Authorization: Bearer \(token)")
        #expect(try server.ask("GET", "/v1/tokens", token: token).results.first?["expiresAt"] is String)
        try eventually("the token expires") { try server.ask("GET", "/v1/session", token: token).status == 401 }
        while try client.readLine() != "0" {}
        let wrong = try LiveServer.command(
            "token", "create", "--person", "ana", "--scope", "all", "--expires-in", "soon", "--data", server.data)
        #expect(wrong.status == 64, "\(wrong.errors)")
    }
}
