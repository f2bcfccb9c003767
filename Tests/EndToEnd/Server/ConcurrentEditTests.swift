import Foundation
import SwitchboardTestFixtures
import Testing

/// Entity tags, `If-Match` and the changes of several clients.
@Suite("Concurrent edits") struct ConcurrentEditTests {
    private let server: LiveServer
    private let token: String

    init() throws {
        server = try LiveServer()
        token = try server.token()
    }

    private func ask(_ method: String, _ target: String, json: String? = nil, _ headers: String...) throws -> Reply {
        guard let json else { return try server.ask(method, target, token: token, headers: headers) }
        return try server.ask(method, target, token: token, json: json, headers: headers)
    }

    @Test("A change of an outdated version gets 412 with the current version, and changes nothing")
    func outdated() throws {
        let places = [
            try #require(ask("POST", "/v1/contacts", json: #"{"name": "Ana", "note": "old"}"#).headers["location"]),
            try #require(ask("POST", "/v1/prospects", json: #"{"name": "Bo", "note": "old"}"#).headers["location"]),
        ]
        for place in places {
            let first = try ask("GET", place)
            let tag = try #require(first.headers["etag"])
            #expect(first.headers["cache-control"] == "private, no-cache")
            #expect(try ask("GET", place, "If-None-Match: \(tag)").status == 304)
            let changed = try ask("PATCH", place, json: #"{"note": "one"}"#, "If-Match: \(tag)")
            #expect(changed.status == 200, "\(changed.text)")
            let conflict = try ask("PATCH", place, json: #"{"note": "two"}"#, "If-Match: \(tag)")
            #expect(conflict.status == 412, "\(conflict.text)")
            #expect(conflict.headers["etag"] == changed.headers["etag"])
            let current = try #require(conflict.json["current"] as? [String: Any])
            let object = try #require((current["contact"] ?? current["prospect"]) as? [String: Any])
            #expect(object["note"] as? String == "one")
            #expect(try ask("DELETE", place, "If-Match: \(tag)").status == 412)
            #expect(try ask("GET", place, "If-None-Match: \(tag)").status == 200)
            let now = try #require(changed.headers["etag"])
            #expect(try ask("GET", place).headers["etag"] == now)
            #expect(try ask("PATCH", place, json: #"{"note": "three"}"#, "If-Match: \"other\", \(now)").status == 200)
            #expect(try ask("PATCH", place, json: #"{"note": "four"}"#, "If-Match: *").status == 200)
            #expect(try ask("PATCH", place, json: #"{"note": "five"}"#).status == 200)
            let last = try #require(ask("GET", place).headers["etag"])
            #expect(try ask("DELETE", place, "If-Match: \(last)").status == 204)
        }
    }

    @Test("Lists and /me have ETags")
    func lists() throws {
        #expect(try ask("PUT", "/v1/me", json: #"{"name": "Ana"}"#).status == 200)
        for place in ["/v1/me", "/v1/contacts", "/v1/reminders", "/v1/access", "/v1/me/badge.svg", "/v1/session"] {
            let tag = try #require(ask("GET", place).headers["etag"], "\(place)")
            let again = try ask("GET", place, "If-None-Match: \(tag)")
            #expect(again.status == 304 && again.body.isEmpty && again.headers["etag"] == tag, "\(place)")
        }
        let tag = try #require(ask("GET", "/v1/me").headers["etag"])
        #expect(try ask("PUT", "/v1/me", json: #"{"name": "Bo"}"#, "If-Match: \(tag)").status == 200)
        #expect(try ask("PUT", "/v1/me", json: #"{"name": "Cy"}"#, "If-Match: \(tag)").status == 412)
    }

    @Test("Compressed and plain responses have different tags, and both are known")
    func encodings() throws {
        for index in 0..<20 { _ = try ask("POST", "/v1/contacts", json: "{\"name\": \"Person \(index)\"}") }
        for place in ["/v1/contacts", "/v1/airports?q=lon", "/openapi.json"] {
            let plain = try #require(ask("GET", place).headers["etag"])
            let packed = try ask("GET", place, "Accept-Encoding: gzip")
            #expect(packed.headers["content-encoding"] == "gzip", "\(place)")
            let tag = try #require(packed.headers["etag"])
            #expect(tag != plain, "\(place)")
            #expect(try ask("GET", place, "If-None-Match: \(plain)").status == 304)
            let known = try ask("GET", place, "Accept-Encoding: gzip", "If-None-Match: \(tag)")
            #expect(known.status == 304 && known.headers["etag"] == tag, "\(place)")
        }
    }

    @Test("The tag of an airport response depends on its content, not on the state of one server")
    func airports() throws {
        let other = try LiveServer()
        for place in ["/v1/airports?q=frankfurt", "/v1/airports/LHR", "/v1/airports/nearest?lat=50&lon=8"] {
            let tag = try #require(ask("GET", place).headers["etag"])
            #expect(try other.ask("GET", place).headers["etag"] == tag, "\(place)")
            #expect(
                try other.ask("GET", place + (place.contains("?") ? "&" : "?") + "language=ru").headers["etag"] != tag)
        }
    }
}
