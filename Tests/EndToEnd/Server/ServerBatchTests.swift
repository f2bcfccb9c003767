import Foundation
import SwitchboardTestFixtures
import Testing

/// Several changes in one request.
@Suite("Batches") struct BatchRequestTests {
    private let server: LiveServer
    private let token: String

    init() throws {
        server = try LiveServer()
        token = try server.token()
    }

    private func send(_ kind: String, _ json: String, _ headers: [String] = []) throws -> Reply {
        try server.ask("POST", "/v1/\(kind)/batch", token: token, json: json, headers: headers)
    }

    private func titles(_ kind: String) throws -> [String] {
        try server.ask("GET", "/v1/\(kind)?limit=100", token: token).results.compactMap { $0["title"] as? String }
            .sorted()
    }

    private func add(_ kind: String, _ name: String) throws -> (id: String, tag: String) {
        let email = "\(name.prefix(2))@example.org"
        let fields = kind == "contacts" ? #""emails": ["\#(email)"]"# : #""email": "\#(email)""#
        let reply = try server.ask(
            "POST", "/v1/\(kind)", token: token, json: #"{"name": "\#(name)", \#(fields)}"#)
        let id = try #require(try reply.json["id"] as? String, "\(reply.text)")
        return (id, try #require(try server.ask("GET", "/v1/\(kind)/\(id)", token: token).headers["etag"]))
    }

    @Test("Objects are added, changed and removed in one request", arguments: ["contacts", "prospects"])
    func performed(kind: String) throws {
        let (ana, bo) = (try add(kind, "Ana One"), try add(kind, "Bo Two"))
        let tag = String(decoding: try JSONEncoder().encode(ana.tag), as: UTF8.self)
        let reply = try send(
            kind,
            """
            [{"name": "Cy Three"}, {"id": "\(ana.id)", "note": "new", "ifMatch": \(tag)}, {"id": "\(bo.id)", "remove": true}]
            """)
        #expect(reply.status == 200, "\(reply.text)")
        let rows = try reply.results
        #expect(rows.map { $0["status"] as? Int } == [201, 200, 204])
        let name = kind == "contacts" ? "contact" : "prospect"
        #expect((rows[0][name] as? [String: Any])?["name"] as? String == "Cy Three")
        #expect((rows[1][name] as? [String: Any])?["note"] as? String == "new")
        #expect(rows[1]["id"] as? String == ana.id && rows[2]["id"] as? String == bo.id && rows[2][name] == nil)
        #expect(try titles(kind) == ["Ana One", "Cy Three"])
    }

    @Test(
        "If an element cannot be applied, nothing is changed, and each such element has a problem",
        arguments: ["contacts", "prospects"])
    func rejected(kind: String) throws {
        let ana = try add(kind, "Ana One")
        let reply = try send(
            kind,
            """
            [{"name": "Cy Three"}, {"id": "unknown", "note": "x"}, {"id": "\(ana.id)", "note": "changed"}, {"nmae": "Di"},
             {"id": "\(ana.id)", "remove": true, "ifMatch": "\\"other\\""}, {"remove": true}, 7, {"name": "E", "ifMatch": "x"},
             {"id": "unknown", "remove": true}, {"name": "\(String(repeating: "a", count: 2000))"}, {}]
            """)
        #expect(reply.status == 422, "\(reply.text)")
        #expect(reply.headers["content-type"] == "application/problem+json")
        #expect(try reply.json["code"] as? String == "rejectedBatch")
        let problems = try #require(try reply.json["problems"] as? [[String: Any]])
        #expect(problems.map { $0["element"] as? Int } == [1, 3, 4, 5, 6, 7, 8, 9, 10], "\(problems)")
        #expect(problems.map { $0["status"] as? Int } == [404, 400, 412, 400, 400, 400, 404, 400, 400], "\(problems)")
        // The problem of an outdated version has the current one, with the changes of earlier elements.
        #expect(problems[2]["current"] is [String: Any])
        #expect(problems.allSatisfy { ($0["detail"] as? String)?.isEmpty == false })
        #expect(try titles(kind) == ["Ana One"])
        let stored = try server.ask("GET", "/v1/\(kind)/\(ana.id)", token: token)
        #expect(stored.headers["etag"] == ana.tag)
    }

    @Test("A later element sees the changes of an earlier one")
    func order() throws {
        let id = try add("contacts", "Ana One").id
        let reply = try send(
            "contacts",
            #"[{"id": "\#(id)", "note": "a"}, {"id": "\#(id)", "remove": true}, {"id": "\#(id)", "note": "b"}]"#)
        #expect(reply.status == 422)
        let problems = try #require(try reply.json["problems"] as? [[String: Any]])
        #expect(problems.count == 1 && problems[0]["element"] as? Int == 2 && problems[0]["status"] as? Int == 404)
        #expect(try titles("contacts") == ["Ana One"])
    }

    @Test("Contacted prospects lose their reminder, and a known prospect is updated")
    func prospects() throws {
        let (ana, bo) = (try add("prospects", "Ana One"), try add("prospects", "Bo Two"))
        for one in [ana, bo] {
            #expect(
                try server.ask("PUT", "/v1/prospects/\(one.id)/reminder", token: token, json: #"{"in": 3600}"#).status
                    == 200)
        }
        let rejected = try send(
            "prospects", #"[{"id": "\#(ana.id)", "contacted": true}, {"id": "none", "remove": true}]"#)
        #expect(rejected.status == 422)
        #expect(try server.ask("GET", "/v1/reminders?state=pending", token: token).results.count == 2)
        let reply = try send(
            "prospects",
            """
            [{"id": "\(ana.id)", "contacted": true}, {"name": "Bo Two", "email": "Bo@example.org", "note": "again"},
             {"id": "\(bo.id)", "remove": true}]
            """)
        #expect(reply.status == 200, "\(reply.text)")
        #expect(try reply.results.map { $0["status"] as? Int } == [200, 200, 204])
        #expect(try server.ask("GET", "/v1/reminders?state=pending", token: token).results.isEmpty)
    }

    @Test("A repeated batch with a known Idempotency-Key is not performed again")
    func repeated() throws {
        let first = try send("contacts", #"[{"name": "Ana"}, {"name": "Bo"}]"#, ["Idempotency-Key: one"])
        let again = try send("contacts", #"[{"name": "Ana"}, {"name": "Bo"}]"#, ["Idempotency-Key: one"])
        #expect(first.status == 200 && again.body == first.body)
        #expect(try titles("contacts") == ["Ana", "Bo"])
        #expect(try send("contacts", #"[{"name": "Cy"}]"#, ["Idempotency-Key: one"]).status == 422)
        // A rejected batch may be corrected and sent with the same key.
        #expect(try send("contacts", "[{}]", ["Idempotency-Key: two"]).status == 422)
        #expect(try send("contacts", #"[{"name": "Cy"}]"#, ["Idempotency-Key: two"]).status == 200)
    }

    @Test("A batch has limits, and needs the right to write")
    func limits() throws {
        for (body, code) in [
            ("", "malformedInput"), ("{}", "malformedInput"), ("[]", "malformedInput"), ("[", "malformedInput"),
            ("[" + Array(repeating: #"{"name": "A"}"#, count: 201).joined(separator: ",") + "]", "tooManyElements"),
        ] {
            let reply = try server.ask(
                "POST", "/v1/contacts/batch", token: token, headers: ["Content-Type: application/json"],
                body: Array(body.utf8))
            #expect(reply.status == 400)
            #expect(try reply.json["code"] as? String == code, "\(reply.text)")
        }
        #expect(
            try send("contacts", "[" + Array(repeating: #"{"name": "A"}"#, count: 200).joined(separator: ",") + "]")
                .status
                == 200)
        let reader = try server.token("ana", "contacts:read")
        #expect(try server.ask("POST", "/v1/contacts/batch", token: reader, json: "[{}]").status == 403)
        #expect(try server.ask("POST", "/v1/contacts/batch", json: "[{}]").status == 401)
    }
}
