import Foundation
import SwitchboardTestFixtures
import Testing

/// The lists of a contact: numbers and addresses with their labels, and related names.
@Suite("Fields of a contact") struct ContactFieldTests {
    private let server: LiveServer
    private let token: String

    init() throws {
        server = try LiveServer()
        token = try server.token()
    }

    private func contact(_ method: String, _ place: String, _ json: String? = nil) throws -> [String: Any] {
        let reply =
            try json.map { try server.ask(method, place, token: token, json: $0) }
            ?? server.ask(method, place, token: token)
        return try #require(try reply.json["contact"] as? [String: Any], "\(reply.text)")
    }

    private static let lists = ["phones", "emails", "addresses", "urls", "relatedNames", "socialProfiles"]

    private static func same(_ one: [String: Any], _ other: [String: Any]) -> Bool {
        lists.allSatisfy { (one[$0] as? NSArray) == (other[$0] as? NSArray) }
    }

    @Test("All lists are set, and a change with what a GET request returned changes nothing")
    func roundTrip() throws {
        let added = try contact(
            "POST", "/v1/contacts",
            """
            {"name": "Zoë", "phones": [{"label": "a:b", "number": "+44 20 7946 0123", "preferred": true}, "work:+44 20 7946 0456"],
             "emails": [{"label": "Mobile Phone", "address": "zoe@example.org"}],
             "addresses": [{"label": "home", "box": "PO 7", "extended": "Flat 2; left", "street": "Rua Nova 3\\nback",
               "locality": "Porto", "region": "Norte", "postalCode": "4000-002", "country": "Portugal"}, "work:Side 1;Rome", {}],
             "urls": [{"label": "blog", "url": "https://example.org/a:b"}, "home:https://example.com", {"url": ""}],
             "relatedNames": ["Otto Quill", "Vera, née Lux"],
             "socialProfiles": [{"service": "Mastodon", "user": "zoe", "url": "https://social.example/@zoe"}, "X:zquill", {}]}
            """)
        let phones = try #require(added["phones"] as? [[String: Any]])
        #expect(phones.map { $0["label"] as? String } == ["a:b", "work"])
        #expect(phones[0]["preferred"] as? Bool == true && phones[1]["preferred"] == nil)
        #expect((added["emails"] as? [[String: Any]])?.first?["label"] as? String == "mobile")
        let addresses = try #require(added["addresses"] as? [[String: String]])
        #expect(addresses.count == 2)
        #expect(addresses[0]["extended"] == "Flat 2; left" && addresses[0]["street"] == "Rua Nova 3\nback")
        #expect(addresses[1]["label"] == "work" && addresses[1]["locality"] == "Rome")
        let urls = try #require(added["urls"] as? [[String: String]])
        #expect(
            urls == [
                ["label": "blog", "url": "https://example.org/a:b"], ["label": "home", "url": "https://example.com"],
            ])
        #expect(added["relatedNames"] as? [String] == ["Otto Quill", "Vera, née Lux"])
        #expect(
            added["socialProfiles"] as? [[String: String]] == [
                ["service": "Mastodon", "user": "zoe", "url": "https://social.example/@zoe"],
                ["service": "X", "user": "zquill"],
            ])

        let place = "/v1/contacts/\(try #require(added["id"] as? String))"
        let body = String(decoding: try JSONSerialization.data(withJSONObject: added), as: UTF8.self)
        let tag = try server.ask("GET", place, token: token).headers["etag"]
        #expect(Self.same(try contact("PATCH", place, body), added))
        #expect(try server.ask("GET", place, token: token).headers["etag"] == tag)
        let cleared = try contact(
            "PATCH", place,
            #"{"phones": null, "emails": [], "addresses": null, "urls": [], "relatedNames": null, "socialProfiles": []}"#
        )
        #expect(Self.lists.allSatisfy { (cleared[$0] as? [Any])?.isEmpty ?? true }, "\(cleared)")
        #expect(cleared["otherProperties"] == nil)
    }

    @Test("A changed label keeps what only the card of a contact has")
    func vendorData() throws {
        let card = """
            BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ana\r\nTEL;TYPE=WORK;X-EVOLUTION-UI-SLOT=1:+44 20 7946 0123\r
            X-SPOUSE:Otto Quill\r\nEND:VCARD\r\n
            """
        _ = try server.ask(
            "POST", "/v1/contacts/import", token: token, headers: ["Content-Type: text/vcard"], body: Array(card.utf8))
        let id = try #require(try server.ask("GET", "/v1/contacts", token: token).results.first?["id"] as? String)
        _ = try contact(
            "PATCH", "/v1/contacts/\(id)",
            #"{"phones": [{"label": "home", "number": "+44 20 7946 0123"}], "relatedNames": ["Ida", "Otto Quill"]}"#)
        let exported = try server.ask("GET", "/v1/contacts.vcf", token: token).text
        #expect(exported.contains("TEL;TYPE=HOME;X-EVOLUTION-UI-SLOT=1:+44 20 7946 0123"), "\(exported)")
        #expect(exported.contains("X-SPOUSE:Otto Quill") && exported.contains("RELATED;VALUE=text:Ida"), "\(exported)")
    }

    @Test(
        "A list that cannot be read is rejected with its name",
        arguments: [
            (#"{"name": "A", "phones": [{"label": "home"}]}"#, "malformedInput", "phones"),
            (#"{"name": "A", "phones": [{"number": "+44 20 7946 0123", "lable": "x"}]}"#, "unknownMember", "lable"),
            (#"{"name": "A", "phones": ["none"]}"#, "usage", "“none” has no digits"),
            (#"{"name": "A", "emails": [{"address": "a"}]}"#, "usage", "“a” has no @"),
            (#"{"name": "A", "addresses": [{"city": "Rome"}]}"#, "unknownMember", "city"),
            (#"{"name": "A", "addresses": [5]}"#, "malformedInput", "addresses"),
            (#"{"name": "A", "addresses": [{"street": 5}]}"#, "malformedInput", "street"),
            (#"{"name": "A", "urls": [{"label": "x"}]}"#, "malformedInput", "urls"),
            (#"{"name": "A", "relatedNames": [{"name": "x"}]}"#, "malformedInput", "relatedNames"),
            (#"{"name": "A", "groups": "x"}"#, "malformedInput", "groups"),
        ])
    func rejected(body: String, code: String, part: String) throws {
        let reply = try server.ask("POST", "/v1/contacts", token: token, json: body)
        #expect(reply.status == 400, "\(reply.text)")
        let problem = try reply.json
        #expect(problem["code"] as? String == code, "\(problem)")
        #expect((problem["detail"] as? String)?.contains(part) == true, "\(problem)")
    }

    @Test("A field of a list that is too long is rejected with its name")
    func limits() throws {
        let long = String(repeating: "a", count: 1025)
        for (body, name) in [
            (#""relatedNames": ["\#(long)"]"#, "related name"), (#""addresses": [{"street": "\#(long)"}]"#, "address"),
            (#""urls": ["https://\#(String(repeating: long, count: 8))"]"#, "url"),
            (#""phones": [{"number": "+44 20 7946 0123", "label": "\#(long)"}]"#, "phone"),
        ] {
            let reply = try server.ask("POST", "/v1/contacts", token: token, json: #"{"name": "A", \#(body)}"#)
            #expect(reply.status == 400)
            #expect(try reply.json["code"] as? String == "tooLong", "\(reply.text)")
            #expect(try (reply.json["detail"] as? String)?.hasPrefix(name) == true, "\(reply.text)")
        }
    }
}
