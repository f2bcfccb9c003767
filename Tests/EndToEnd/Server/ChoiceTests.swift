import Foundation
import SwitchboardTestFixtures
import Testing

/// An object opened from a search comes first the next time.
@Suite("Choices over HTTP") struct ServerChoiceTests {
    private let server: LiveServer
    private let token: String

    init() throws {
        server = try LiveServer()
        token = try server.token()
    }

    private func add(_ name: String) throws -> String {
        let reply = try server.ask("POST", "/v1/contacts", token: token, json: "{\"name\": \"\(name)\"}")
        return try #require(try reply.json["id"] as? String)
    }

    private func first(_ place: String) throws -> String? {
        try server.ask("GET", place, token: token).results.first?["title"] as? String
    }

    @Test("A recorded choice comes first, is listed and is forgotten") func record() throws {
        _ = try add("Ann Smith")
        let chosen = try add("Al Smithe")
        #expect(try first("/v1/contacts?q=smith") == "Ann Smith")
        let body = "{\"kind\": \"contact\", \"id\": \"\(chosen)\", \"q\": \"Smith\"}"
        #expect(try server.ask("POST", "/v1/choices", token: token, json: body).status == 204)
        #expect(try first("/v1/contacts?q=smith") == "Al Smithe")
        #expect(try first("/v1/find?q=smi") == "Al Smithe")
        let row = try #require(try server.ask("GET", "/v1/choices", token: token).results.first)
        #expect(row["query"] as? String == "smith")
        #expect(row["title"] as? String == "Al Smithe")
        #expect(row["count"] as? Int == 1)
        #expect(try server.ask("DELETE", "/v1/choices", token: token).status == 204)
        #expect(try first("/v1/contacts?q=smith") == "Ann Smith")
    }

    @Test("Learning is switched off and on") func learning() throws {
        _ = try add("Al Smith")
        let chosen = try add("Ann Smith")
        let body = "{\"kind\": \"contact\", \"id\": \"\(chosen)\", \"keypad\": \"76484\"}"
        #expect(try server.ask("POST", "/v1/choices", token: token, json: body).status == 204)
        #expect(try first("/v1/contacts?keypad=76484") == "Ann Smith")
        for isOn in [false, true] {
            let reply = try server.ask("PUT", "/v1/choices/learning", token: token, json: "{\"learning\": \(isOn)}")
            #expect(try reply.json["learning"] as? Bool == isOn)
            #expect(
                try server.ask("GET", "/v1/choices/learning", token: token).json["learning"] as? Bool == isOn)
            #expect(try first("/v1/contacts?keypad=76484") == (isOn ? "Ann Smith" : "Al Smith"))
        }
    }

    @Test("A token sees and records only the kinds that it may read") func scopes() throws {
        let chosen = try add("Al Smithe")
        let body = "{\"kind\": \"contact\", \"id\": \"\(chosen)\", \"q\": \"smith\"}"
        #expect(try server.ask("POST", "/v1/choices", token: token, json: body).status == 204)
        let narrow = try server.token("ana", "activities")
        #expect(try server.ask("GET", "/v1/choices", token: narrow).results.isEmpty)
        #expect(try server.ask("POST", "/v1/choices", token: narrow, json: body).status == 403)
        let other = try server.token("ana", "contacts")
        #expect(try server.ask("GET", "/v1/choices", token: other).status == 403)
        #expect(try server.ask("GET", "/v1/choices").status == 401)
    }

    @Test(
        "Invalid choices are refused with the reason",
        arguments: [
            (#"{}"#, 400), (#"{"kind": "contact"}"#, 400), (#"{"kind": "planet", "id": "x", "q": "x"}"#, 400),
            (#"{"kind": "contact", "id": "nope", "q": "x"}"#, 404), (#"{"kind": "contact", "id": 7}"#, 400),
            (#"{"kind": "airport", "id": "LHR", "keypad": "ab"}"#, 400),
            (#"{"kind": "airport", "id": "LHR", "x": 1}"#, 400),
        ])
    func invalid(body: String, status: Int) throws {
        let reply = try server.ask("POST", "/v1/choices", token: token, json: body)
        #expect(reply.status == status, "\(reply.text)")
        #expect(reply.headers["content-type"] == "application/problem+json")
        #expect(try server.ask("GET", "/v1/choices", token: token).results.isEmpty)
    }
}
