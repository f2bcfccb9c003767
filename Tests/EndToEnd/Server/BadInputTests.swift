import Foundation
import SwitchboardTestFixtures
import Testing

/// Invalid requests: each gets a problem document without internal details, and the server keeps running.
@Suite("Bad input") struct BadInputTests {
    private func expectProblem(_ reply: Reply, _ status: Int, _ what: String) throws {
        #expect(reply.status == status, "\(what): \(reply.text)")
        #expect(reply.headers["content-type"] == "application/problem+json", "\(what)")
        let problem = try reply.json
        #expect(
            problem["status"] as? Int == status && problem["detail"] is String && problem["code"] is String, "\(what)")
        for secret in ["/tmp", ".sqlite", ".swift", "Optional(", "Error(", "switchboard "] {
            #expect(!reply.text.contains(secret), "\(what): \(reply.text)")
        }
    }

    @Test("Invalid parameters and bodies are rejected without internal details")
    func badRequests() throws {
        let server = try LiveServer()
        let token = try server.token()
        let cases: [(method: String, target: String, body: String?, status: Int)] = [
            ("GET", "/v1/contacts?limit=0", nil, 400), ("GET", "/v1/contacts?limit=101", nil, 400),
            ("GET", "/v1/contacts?limit=9223372036854775808", nil, 400), ("GET", "/v1/contacts?limit=abc", nil, 400),
            ("GET", "/v1/contacts/birthdays?days=0.5", nil, 400), ("GET", "/v1/contacts?cursor=xyz", nil, 400),
            ("GET", "/v1/contacts?cursor=k", nil, 400), ("GET", "/v1/prospects?cursor=kMSB6", nil, 400),
            ("GET", "/v1/index/items?cursor=kMSByOTIxODg2ODQzNzIyNzQwNTMxMg", nil, 400),
            ("GET", "/v1/index/items?cursor=1234567890", nil, 400),
            ("GET", "/v1/contacts?q=a&cursor=", nil, 400), ("GET", "/v1/prospects?q=a&cursor=xyz", nil, 400),
            ("GET", "/v1/contacts?q=a&favourite=", nil, 400), ("GET", "/v1/contacts?q=a&group=none", nil, 404),
            ("GET", "/v1/contacts?q=%FF", nil, 400),
            ("GET", "/v1/contacts?q=%2", nil, 400), ("GET", "/v1/contacts?keypad=12a", nil, 400),
            ("GET", "/v1/find?q=a&kind=nobody", nil, 400), ("GET", "/v1/airports?q=a&stage=4", nil, 400),
            ("GET", "/v1/airports?q=a&language=../../etc", nil, 400),
            ("GET", "/v1/airports/nearest?lat=91&lon=0", nil, 400),
            ("GET", "/v1/airports/nearest?lat=nan&lon=0", nil, 400),
            ("GET", "/v1/airports/nearest", nil, 400), ("GET", "/v1/prospects?filter=some", nil, 400),
            ("GET", "/v1/index/query", nil, 400), ("GET", "/v1/index/search?q=a&where=((", nil, 400),
            ("POST", "/v1/contacts", "{", 400), ("POST", "/v1/contacts", "[]", 400), ("POST", "/v1/contacts", "5", 400),
            ("POST", "/v1/contacts", "{}", 400), ("POST", "/v1/contacts", #"{"givenName": 5}"#, 400),
            ("POST", "/v1/contacts", #"{"phones": "1"}"#, 400), ("POST", "/v1/contacts", #"{"phones": [{}]}"#, 400),
            ("POST", "/v1/contacts", #"{"phones": ["none"]}"#, 400), ("POST", "/v1/contacts", #"{"nmae": "x"}"#, 400),
            ("POST", "/v1/prospects", #"{"name": "x", "email": "no address"}"#, 400),
            ("POST", "/v1/airports/recent", "{}", 400), ("PUT", "/v1/index/items", "{", 400),
            ("PUT", "/v1/index/items", #"{"id": "x", "title": {}}"#, 400), ("POST", "/v1/activities", "{}", 400),
            ("POST", "/v1/activities", "nonsense", 400), ("PUT", "/v1/access/contacts", "{}", 400),
            ("GET", "/v1/contacts/none", nil, 404), ("GET", "/v1/contacts/%2e%2e%2fpublic", nil, 404),
            ("GET", "/v1/contacts/%FF", nil, 400), ("PATCH", "/v1/contacts/none", #"{"note": "x"}"#, 404),
            ("GET", "/v1/../../etc/passwd", nil, 404), ("GET", "/page/../../etc/passwd", nil, 404),
            ("GET", "/v1/airports/%00", nil, 404), ("DELETE", "/v1/reminders/none", nil, 404),
            ("DELETE", "/v1/tokens/none", nil, 404), ("GET", "/v1/calendars/none.ics", nil, 404),
            ("POST", "/v1/airports", "{}", 405), ("DELETE", "/v1/find", nil, 405), ("TRACE", "/v1/find", nil, 405),
            ("QUERY", "/v1/find", nil, 405), ("PURGE", "/v1/contacts/none", nil, 405), ("PURGE", "/nothing", nil, 404),
            ("PUT", "/v1/index/items", "", 400),
        ]
        for one in cases {
            let reply =
                try one.body.map { try server.ask(one.method, one.target, token: token, json: $0) }
                ?? server.ask(one.method, one.target, token: token)
            try expectProblem(reply, one.status, "\(one.method) \(one.target) \(one.body ?? "")")
        }
        let other = try server.ask("POST", "/v1/airports", token: token, json: "{}")
        #expect(other.headers["allow"]?.contains("GET") == true)
        #expect(try server.ask("GET", "/healthz").status == 200)
    }

    @Test("Oversized bodies, addresses and header fields are rejected")
    func tooLarge() throws {
        let server = try LiveServer()
        let token = try server.token()
        let large = [UInt8](repeating: 0x20, count: (1 << 20) + 1)
        try expectProblem(try server.ask("POST", "/v1/contacts", token: token, body: large), 413, "a body")
        // An announced size is rejected before the body arrives.
        let liar = try HTTPClient(port: server.port)
        liar.send(
            "POST /v1/contacts HTTP/1.1\r\nHost: localhost:\(server.port)\r\nAuthorization: Bearer \(token)\r\nContent-Length: 99999999999\r\n\r\n{"
        )
        try expectProblem(try liar.readReply(), 413, "an announced body")
        #expect(liar.isClosed())
        // A client that sends all of a rejected body before it reads is not cut off from the answer.
        let eager = try HTTPClient(port: server.port)
        eager.send(
            "POST /v1/contacts HTTP/1.1\r\nHost: localhost:\(server.port)\r\nAuthorization: Bearer \(token)\r\nContent-Length: 16777216\r\n\r\n"
                + String(repeating: " ", count: 16 << 20))
        try expectProblem(try eager.readReply(), 413, "a body sent to its end")
        #expect(eager.isClosed())
        let long = String(repeating: "a", count: 9 << 10)
        try expectProblem(try server.ask("GET", "/v1/airports?q=" + long), 414, "an address")
        let longer = String(repeating: "a", count: 200 << 10)
        try expectProblem(try server.ask("GET", "/v1/airports?q=" + longer), 414, "a longer address")
        try expectProblem(try server.ask("GET", "/healthz", headers: ["X-Long: " + long + long]), 431, "header fields")
        try expectProblem(try server.ask("GET", "/healthz", headers: ["X-Long: " + longer]), 431, "more header fields")
        #expect(try server.ask("GET", "/healthz").status == 200)
    }

    @Test("Malformed HTTP is answered with 400 and closed")
    func malformedHTTP() throws {
        let server = try LiveServer()
        for text in ["hello\r\n\r\n", "GET / HTTP/1.1\r\nHost : x\r\n\r\n", "\u{16}\u{3}\u{1}\u{0}\r\n\r\n"] {
            let client = try HTTPClient(port: server.port)
            client.send(text)
            let reply = try client.readReply()
            #expect(reply.status == 400, "\(text)")
            #expect(client.isClosed())
        }
        // Another program could see the end of such a body elsewhere.
        for (version, coding, status) in [("1.0", "chunked", 400), ("1.1", "gzip, chunked", 501)] {
            let client = try HTTPClient(port: server.port)
            client.send(
                "POST /v1/contacts HTTP/\(version)\r\nHost: localhost\r\nTransfer-Encoding: \(coding)\r\n\r\n"
                    + "2\r\n{}\r\n0\r\n\r\n")
            #expect(try client.readReply().status == status, "\(version) \(coding)")
            #expect(client.isClosed())
        }
        #expect(try server.ask("GET", "/healthz").status == 200)
    }

    @Test("Extensions of chunks have a limit, and chunks of one byte do not")
    func chunks() throws {
        let server = try LiveServer()
        let head = """
            POST /v1/contacts HTTP/1.1\r
            Host: localhost:\(server.port)\r
            Authorization: Bearer \(try server.token())\r
            Content-Type: application/json\r
            Transfer-Encoding: chunked\r
            \r\n
            """
        let long = try HTTPClient(port: server.port)
        long.send(head + "f;x=" + String(repeating: "a", count: 1 << 20) + "\r\n{\"name\":\"Long\"}\r\n0\r\n\r\n")
        try expectProblem(try long.readReply(), 400, "an extension of 1 MB")
        #expect(long.isClosed())
        let small = try HTTPClient(port: server.port)
        let body = "{" + String(repeating: " ", count: 200 << 10) + #""name": "Tiny Chunks"}"#
        for _ in 0..<2 {
            small.send(head + body.map { "1;a=b\r\n\($0)\r\n" }.joined() + "0\r\n\r\n")
            #expect(try small.readReply().status == 201)
        }
    }

    @Test("Slow requests are answered with 408")
    func slow() throws {
        let server = try LiveServer()
        let token = try server.token()
        let head = try HTTPClient(port: server.port)
        head.send("GET /healthz HTTP/1.1\r\nHost: ")
        let body = try HTTPClient(port: server.port)
        body.send(
            "POST /v1/contacts HTTP/1.1\r\nHost: localhost:\(server.port)\r\nAuthorization: Bearer \(token)\r\nContent-Length: 10\r\n\r\n{"
        )
        // Other requests are still handled.
        #expect(try server.ask("GET", "/healthz").status == 200)
        #expect(try head.readReply().status == 408)
        #expect(try body.readReply().status == 408)
    }

    @Test("Data of other people is not found, and a narrow token is rejected")
    func isolation() throws {
        let server = try LiveServer()
        let (ana, bo) = (try server.token("ana"), try server.token("bo"))
        let id = try #require(
            try server.ask("POST", "/v1/contacts", token: ana, json: #"{"name": "Secret Friend"}"#).json["id"]
                as? String)
        try expectProblem(try server.ask("GET", "/v1/contacts/\(id)", token: bo), 404, "a contact of another")
        try expectProblem(
            try server.ask("PATCH", "/v1/contacts/\(id)", token: bo, json: #"{"note": "x"}"#), 404, "a change")
        #expect(try server.ask("GET", "/v1/find?q=secret&kind=contact", token: bo).results.isEmpty)
        let reader = try server.token("ana", "contacts:read")
        #expect(try server.ask("GET", "/v1/contacts/\(id)", token: reader).status == 200)
        try expectProblem(
            try server.ask("POST", "/v1/contacts", token: reader, json: #"{"name": "x"}"#), 403, "a narrow token")
        try expectProblem(try server.ask("GET", "/v1/prospects", token: reader), 403, "another domain")
        try expectProblem(try server.ask("GET", "/v1/find?q=a&kind=item", token: reader), 403, "another kind")
        #expect(try server.ask("GET", "/v1/find?q=secret", token: reader).results.count == 1)
        try expectProblem(try server.ask("GET", "/v1/tokens", token: reader), 403, "tokens")
        for wrong in ["sb_" + String(repeating: "A", count: 43), "x", ""] {
            let reply = try server.ask("GET", "/v1/contacts", token: wrong)
            try expectProblem(reply, 401, "a wrong token")
            #expect(reply.headers["www-authenticate"]?.hasPrefix("Bearer") == true)
        }
        try expectProblem(try server.ask("GET", "/v1/contacts?token=\(ana)"), 401, "a token in the address")
    }

    @Test("Unknown hosts and cross-site requests are rejected")
    func origins() throws {
        let server = try LiveServer(["--public-host", "people.example.org"])
        let token = try server.token()
        for host in ["evil.example", "evil.example:\(server.port)", "127.0.0.1", "127.0.0.1:1", ""] {
            try expectProblem(try server.ask("GET", "/openapi.json", host: host), 421, "the host \(host)")
        }
        for host in [
            "localhost:\(server.port)", "[::1]:\(server.port)", "people.example.org", "PEOPLE.example.org:443",
        ] {
            #expect(try server.ask("GET", "/openapi.json", host: host).status == 200, "\(host)")
        }
        let signedIn = try server.ask("POST", "/v1/session", token: token)
        #expect(signedIn.status == 204)
        let field = try #require(signedIn.headers["set-cookie"])
        #expect(field.contains("HttpOnly") && field.contains("SameSite=Strict") && !field.contains(token))
        let cookie = "Cookie: " + String(field.prefix { $0 != ";" })
        #expect(try server.ask("GET", "/v1/contacts", headers: [cookie]).status == 200)
        let own = "Origin: http://127.0.0.1:\(server.port)"
        for headers in [[cookie], [cookie, "Origin: http://evil.example"], [cookie, "Origin: null"]] {
            try expectProblem(
                try server.ask("POST", "/v1/contacts", json: #"{"name": "x"}"#, headers: headers), 403, "\(headers)")
        }
        #expect(try server.ask("POST", "/v1/contacts", json: #"{"name": "x"}"#, headers: [cookie, own]).status == 201)
        try expectProblem(
            try server.ask("POST", "/v1/session", token: token, headers: ["Origin: http://evil.example"]), 403,
            "signing in")
        #expect(try server.ask("DELETE", "/v1/session", headers: [cookie, own]).status == 204)
        #expect(try server.ask("GET", "/v1/contacts", headers: [cookie]).status == 401)
    }

    @Test("Requests of a token are rate limited")
    func rates() throws {
        let server = try LiveServer(["--requests-per-second", "1"])
        let token = try server.token()
        let client = try HTTPClient(port: server.port)
        var statuses: [Int] = []
        var last = Reply()
        for _ in 0..<40 {
            last = try client.ask("GET", "/v1/session", headers: ["Authorization: Bearer \(token)"])
            statuses.append(last.status)
        }
        #expect(statuses.first == 200 && statuses.contains(429))
        try expectProblem(try server.ask("GET", "/v1/session", token: token), 429, "too many")
        #expect(try server.ask("GET", "/v1/session", token: try server.token("bo")).status == 200)
    }
}
