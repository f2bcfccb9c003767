import Foundation
import SwitchboardTestFixtures
import Testing

/// The limits of fields, cards and queries, and parameters and bodies that the server does not accept.
@Suite("Limits") struct LimitTests {
    @Test("A field that is too long is rejected with its name")
    func fields() throws {
        let server = try LiveServer()
        let token = try server.token()
        let cases: [(place: String, field: String, size: Int)] = [
            ("contacts", "name", 1 << 10), ("contacts", "organization", 1 << 10), ("contacts", "note", 64 << 10),
            ("prospects", "name", 1 << 10), ("prospects", "note", 64 << 10),
        ]
        for one in cases {
            let name = one.field.lowercased().contains("name") ? "" : "\"name\": \"Ana\", "
            func add(_ size: Int) throws -> Reply {
                let text = String(repeating: "a", count: size)
                return try server.ask(
                    "POST", "/v1/\(one.place)", token: token, json: "{\(name)\"\(one.field)\": \"\(text)\"}")
            }
            #expect([200, 201].contains(try add(one.size).status), "\(one)")
            let refused = try add(one.size + 1)
            #expect(refused.status == 400, "\(one)")
            let problem = try refused.json
            #expect(problem["code"] as? String == "tooLong", "\(problem)")
            #expect(problem["field"] as? String == one.field, "\(problem)")
            #expect((problem["detail"] as? String)?.contains("KiB") == true)
        }
    }

    @Test(
        "Every text and list that a client stores has a limit, and the problem names its member",
        arguments: [
            ("POST", "/v1/contacts", #"{"name": "A", "phones": [LIST]}"#, "phones", "tooMany"),
            ("POST", "/v1/contacts", #"{"name": "A", "groups": [LIST]}"#, "groups", "tooMany"),
            ("POST", "/v1/contacts", #"{"name": "A", "relatedNames": [LIST]}"#, "relatedNames", "tooMany"),
            ("POST", "/v1/contacts", #"{"name": "A", "phoneticGivenName": "LONG"}"#, "phoneticGivenName", "tooLong"),
            ("PUT", "/v1/me", #"{"name": "A", "title": "LONG"}"#, "title", "tooLong"),
            ("PUT", "/v1/index/items", #"{"id": "a", "title": "LONG"}"#, "title", "malformedInput"),
            ("PUT", "/v1/index/items", #"{"id": "a", "keywords": [LIST]}"#, "keywords", "malformedInput"),
            ("PUT", "/v1/index/items", #"{"id": "LONG", "title": "A"}"#, "id", "malformedInput"),
            ("POST", "/v1/activities", #"{"activityType": "LONG"}"#, "activityType", "malformedInput"),
            (
                "POST", "/v1/activities", #"{"activityType": "a", "userInfo": {"a": [LIST]}}"#, "userInfo",
                "malformedInput"
            ),
        ])
    func members(method: String, place: String, body: String, field: String, code: String) throws {
        let server = try LiveServer()
        let list = (0..<9_000).map { "\"\(1_000_000 + $0)\"" }.joined(separator: ",")
        let long = String(repeating: "a", count: 9_000)
        let body = body.replacingOccurrences(of: "LIST", with: list).replacingOccurrences(of: "LONG", with: long)
        let reply = try server.ask(method, place, token: try server.token(), json: body)
        #expect(reply.status == 400, "\(reply.text.prefix(500))")
        let problem = try reply.json
        #expect(problem["code"] as? String == code, "\(reply.text.prefix(500))")
        #expect(problem["field"] as? String == field, "\(reply.text.prefix(500))")
        #expect(reply.body.count < 1_000)
    }

    @Test(
        "A text with U+0000 is refused with its member, and nothing of it is stored",
        arguments: [
            ("POST", "/v1/contacts", #"{"name": "A", "note": "keep\u0000lost"}"#, "note"),
            ("POST", "/v1/contacts", #"{"name": "A\u0000"}"#, "name"),
            (
                "POST", "/v1/contacts", #"{"name": "A", "phones": ["1", {"label": "a\u0000b", "number": "2"}]}"#,
                "phones"
            ),
            ("POST", "/v1/contacts", #"{"name": "A", "addresses": [{"street": "a\u0000b"}]}"#, "addresses"),
            ("POST", "/v1/contacts", #"{"name": "A", "groups": ["a\u0000b"]}"#, "groups"),
            ("POST", "/v1/prospects", #"{"name": "A", "met": "a\u0000b"}"#, "met"),
            ("PUT", "/v1/me", #"{"name": "A\u0000B"}"#, "name"),
            ("POST", "/v1/airports/recent", #"{"code": "LHR\u0000"}"#, "code"),
            ("POST", "/v1/choices", #"{"kind": "airport", "id": "LHR\u0000x", "q": "lon"}"#, "id"),
            ("PUT", "/v1/index/items", #"[{"id": "a", "title": "A"}, {"id": "b\u0000c", "title": "B"}]"#, "id"),
            ("PUT", "/v1/index/items", #"{"id": "b", "title": "B", "domain": "news\u0000"}"#, "domain"),
            ("PUT", "/v1/index/items", #"{"id": "b", "textContent": "keep\u0000lost"}"#, "textContent"),
            ("PUT", "/v1/index/items", #"{"id": "b", "title": "B", "custom": {"c": ["x", "y\u0000"]}}"#, "custom.c"),
            ("POST", "/v1/activities", #"{"activityType": "a", "title": "keep\u0000lost"}"#, "title"),
            (
                "POST", "/v1/activities", #"{"activityType": "a", "persistentIdentifier": "a\u0000b"}"#,
                "persistentIdentifier"
            ),
        ])
    func nul(method: String, place: String, body: String, field: String) throws {
        let server = try LiveServer()
        let token = try server.token()
        let reply = try server.ask(method, place, token: token, json: body)
        #expect(reply.status == 400, "\(reply.text)")
        #expect(try reply.json["field"] as? String == field, "\(reply.text)")
        #expect((try reply.json["detail"] as? String)?.contains("U+0000; remove it") == true, "\(reply.text)")
        for list in ["contacts", "prospects", "index/items", "activities", "choices", "airports/recent"] {
            #expect(try server.ask("GET", "/v1/\(list)", token: token).results.isEmpty, "\(list)")
        }
    }

    @Test("An element of a batch with U+0000 is named, and an identifier with it is that of no object")
    func nulIdentifier() throws {
        let server = try LiveServer()
        let token = try server.token()
        let added = try server.ask("POST", "/v1/contacts", token: token, json: #"{"name": "Ana"}"#).json
        let id = try #require(added["id"] as? String)
        let batch = try server.ask(
            "POST", "/v1/contacts/batch", token: token, json: #"[{"name": "Bo"}, {"name": "Cy", "note": "a\u0000b"}]"#)
        let problem = try #require((try batch.json["problems"] as? [[String: Any]])?.first)
        #expect(batch.status == 422 && problem["element"] as? Int == 1 && problem["field"] as? String == "note")
        let remove = "[{\"id\": \"\(id)\\u0000x\", \"remove\": true}]"
        #expect(try server.ask("POST", "/v1/contacts/batch", token: token, json: remove).status == 422)
        for method in ["GET", "DELETE"] {
            #expect(try server.ask(method, "/v1/contacts/\(id)%00x", token: token).status == 404)
        }
        let items = #"[{"id": "a", "domain": "news", "title": "A"}]"#
        #expect(try server.ask("PUT", "/v1/index/items", token: token, json: items).status == 200)
        let update = #"{"id": "a\u0000b", "isUpdate": true, "title": "Other"}"#
        #expect(try server.ask("PUT", "/v1/index/items", token: token, json: update).status == 400)
        #expect(try server.ask("DELETE", "/v1/index/items?domain=news%00x", token: token).status == 400)
        #expect(try server.ask("GET", "/v1/index/items/a", token: token).text.contains(#""A""#))
        #expect(try server.ask("GET", "/v1/contacts", token: token).results.count == 1)
    }

    @Test("Imports leave U+0000 out, and the rest of the text is stored")
    func nulImports() throws {
        let server = try LiveServer()
        let token = try server.token()
        let card = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ana\r\nNOTE:keep\0this\r\nEND:VCARD\r\n"
        for (text, type) in [(card, "text/vcard"), ("Given Name,Notes\r\nBo,keep\0this\r\n", "text/csv")] {
            let reply = try server.ask(
                "POST", "/v1/contacts/import", token: token, headers: ["Content-Type: \(type)"], body: Array(text.utf8))
            #expect(reply.status == 200, "\(reply.text)")
        }
        for name in ["ana", "bo"] {
            let row = try server.ask("GET", "/v1/contacts?q=\(name)", token: token).results.first
            #expect((row?["contact"] as? [String: Any])?["note"] as? String == "keepthis", "\(name)")
        }
    }

    @Test("The description links objects to the operations on them")
    func links() throws {
        let document = try LiveServer().ask("GET", "/openapi.json").json
        let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
        for (method, path, status, target, parameter, value) in [
            ("post", "/v1/contacts", "201", "patchContactsId", "id", "/id"),
            ("get", "/v1/index/items", "200", "deleteIndexItemsId", "id", "/results/0/id"),
            ("put", "/v1/prospects/{id}/reminder", "200", "getRemindersId", "id", "/id"),
            ("get", "/v1/access", "200", "putAccessWhat", "what", "/results/0/what"),
        ] {
            let response = (paths[path]?[method]?["responses"] as? [String: [String: Any]])?[status]
            let link = (response?["links"] as? [String: [String: Any]])?[target]
            #expect(link?["operationId"] as? String == target, "\(path)")
            #expect((link?["parameters"] as? [String: String])?[parameter] == "$response.body#\(value)", "\(path)")
        }
    }

    @Test("The description has the limits of the server")
    func description() throws {
        let server = try LiveServer()
        let document = try server.ask("GET", "/openapi.json").json
        let schemas = try #require((document["components"] as? [String: Any])?["schemas"] as? [String: Any])
        func member(_ schema: String, _ name: String) throws -> [String: Any] {
            let properties = (schemas[schema] as? [String: Any])?["properties"] as? [String: Any]
            let member = try #require(properties?[name] as? [String: Any], "\(schema).\(name)")
            guard let reference = member["$ref"] as? String else { return member }
            return try #require(schemas[String(reference.split(separator: "/").last ?? "")] as? [String: Any])
        }
        for (schema, name, limit) in [
            ("ContactChange", "name", 1 << 10), ("ContactChange", "note", 64 << 10), ("ProspectChange", "met", 1 << 10),
            ("MeChange", "url", 8 << 10), ("Item", "title", 8 << 10), ("Item", "contentDescription", 64 << 10),
            ("ActivityChange", "activityType", 1 << 10),
        ] {
            #expect(try member(schema, name)["maxLength"] as? Int == limit, "\(schema).\(name)")
        }
        for name in ["phones", "emails", "addresses", "urls", "relatedNames", "groups"] {
            #expect(try member("ContactChange", name)["maxItems"] as? Int == 1_000, "\(name)")
        }
    }

    @Test("An import with a huge name or card is rejected with its line, and needs little memory")
    func imports() throws {
        let server = try LiveServer()
        let token = try server.token()
        #expect(try server.ask("GET", "/v1/contacts", token: token).status == 200)
        func memory() throws -> Int {
            let status = try String(contentsOfFile: "/proc/\(server.processID)/status", encoding: .utf8)
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
            return try #require(Int(line.filter(\.isNumber))) << 10
        }
        let before = try memory()
        let head = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ana\r\nEND:VCARD\r\nBEGIN:VCARD\r\nVERSION:3.0\r\nFN:"
        for count in [2_000, 2 << 20, 30 << 20] {
            let body = Array(head.utf8) + [UInt8](repeating: 0x61, count: count) + Array("\r\nEND:VCARD\r\n".utf8)
            let reply = try server.ask("POST", "/v1/contacts/import?keepGood=true", token: token, body: body)
            #expect(reply.status == 200, "\(reply.text)")
            let skipped = try #require(try reply.json["skipped"] as? [[String: Any]])
            #expect(skipped.count == 1 && skipped.first?["line"] as? Int == 5, "\(skipped)")
        }
        let json = "[" + String(repeating: "{\"nickname\": \"\"},", count: 1_000_000) + "{\"name\": \"Ana\"}]"
        let reply = try server.ask(
            "POST", "/v1/contacts/import?keepGood=true", token: token, body: Array(json.utf8))
        #expect(reply.status == 200, "\(reply.text.prefix(500))")
        // The body of 30 MiB is in memory a few times, but not once for each step of parsing it.
        #expect(try memory() - before < 300 << 20)
        #expect(try server.ask("GET", "/v1/contacts", token: token).results.count == 1)
    }

    @Test("A large photo does not count as text, but has a limit of pixels")
    func photos() throws {
        let server = try LiveServer()
        let token = try server.token()
        let picture = Data([0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0x5A, count: 3 << 20)).base64EncodedString()
        let card = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ana\r\nPHOTO;ENCODING=b;TYPE=JPEG:\(picture)\r\nEND:VCARD\r\n"
        let reply = try server.ask("POST", "/v1/contacts/import", token: token, body: Array(card.utf8))
        #expect(try reply.json["added"] as? Int == 1, "\(reply.text)")
        let id = try #require(try server.ask("GET", "/v1/contacts", token: token).results.first?["id"] as? String)
        func png(_ side: UInt32) -> [UInt8] {
            let size = withUnsafeBytes(of: side.bigEndian) { Array($0) }
            return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8) + size + size
        }
        #expect(try server.ask("PUT", "/v1/contacts/\(id)/photo", token: token, body: png(60_000)).status == 422)
        #expect(try server.ask("PUT", "/v1/contacts/\(id)/photo", token: token, body: png(4_000)).status == 200)
    }

    @Test(
        "A query of too many words is rejected",
        arguments: [
            "/v1/find?q=", "/v1/contacts?q=", "/v1/prospects?q=", "/v1/airports?q=", "/v1/index/search?q=",
            "/v1/public/search?q=",
        ])
    func words(place: String) throws {
        let server = try LiveServer()
        let token = try server.token()
        #expect(try server.ask("GET", place + String(repeating: "ab+", count: 256), token: token).status == 200)
        let refused = try server.ask("GET", place + String(repeating: "ab+", count: 257), token: token)
        #expect(refused.status == 400)
        #expect(try refused.json["code"] as? String == "tooManyWords", "\(refused.text)")
    }

    @Test("A request with a known Idempotency-Key is not handled again")
    func repeated() throws {
        let server = try LiveServer()
        let (token, other) = (try server.token(), try server.token("bo"))
        func add(_ name: String, _ key: String, _ token: String) throws -> Reply {
            try server.ask(
                "POST", "/v1/contacts", token: token, json: "{\"name\": \"\(name)\"}",
                headers: ["Idempotency-Key: \(key)"])
        }
        let first = try add("Ana", "one", token)
        let again = try add("Ana", "one", token)
        #expect(first.status == 201 && again.status == 201)
        #expect(again.body == first.body && again.headers["location"] == first.headers["location"])
        #expect(try add("Bo", "one", token).status == 422)
        #expect(try add("Ana", "two", token).status == 201)
        // A key belongs to a person, and a rejected request may be repeated.
        #expect(try add("Cy", "one", other).status == 201)
        #expect(try add("", "three", token).status == 400)
        #expect(try add("Dan", "three", token).status == 201)
        #expect(try server.ask("GET", "/v1/contacts", token: token).results.count == 3)
    }

    @Test("Unknown parameters and encoded bodies are rejected")
    func strictness() throws {
        let server = try LiveServer()
        let token = try server.token()
        for target in ["/v1/contacts?query=ana", "/v1/airports?q=a&limt=3", "/v1/keypad?keys=2&x", "/v1/me?x=1"] {
            let reply = try server.ask("GET", target, token: token)
            #expect(reply.status == 400, "\(target)")
            #expect(try reply.json["code"] as? String == "unknownParameter")
        }
        #expect(try server.ask("GET", "/?source=app").status == 200)
        let encoded = try server.ask(
            "POST", "/v1/contacts", token: token, headers: ["Content-Encoding: gzip"], body: [0x1F, 0x8B])
        #expect(encoded.status == 415)
        #expect(try encoded.json["code"] as? String == "encodedBody")
    }
}
