import Testing

@testable import SwitchboardSearchableIndex

@Suite("Owners")
struct OwnerTests {
    private let test = try! TestIndex()

    @Test("The owner of a domain, or of the nearest domain above it")
    func nearest() throws {
        let index = test.index
        #expect(try index.owner(ofDomain: "notes") == nil)
        let notes = try ItemOwner(domain: "notes", application: "org.example.Notes.desktop", action: "open")
        let work = try ItemOwner(domain: "notes.work", application: "work")
        for owner in [work, notes] { try index.setOwner(owner) }
        #expect(notes.application == "org.example.Notes")
        #expect(try index.owners() == [notes, work])
        let expected: [(String?, ItemOwner?)] = [
            ("notes", notes), ("notes.play", notes), ("notes.work", work), ("notes.work.old", work),
            ("notes.workshop", notes), ("notesy", nil), ("note", nil), ("", nil), (nil, nil), ("Notes", nil),
        ]
        for (domain, owner) in expected { #expect(try index.owner(ofDomain: domain) == owner, "\(domain ?? "none")") }
        #expect(try test.index("other").owner(ofDomain: "notes") == nil)

        try index.setOwner(ItemOwner(domain: "notes", application: "other"))
        #expect(try index.owner(ofDomain: "notes")?.application == "other")
        try index.removeOwner(ofDomain: "notes")
        #expect(throws: SearchableIndexError.ownerNotFound(domain: "notes")) {
            try index.removeOwner(ofDomain: "notes")
        }
        #expect(try index.owners() == [work])

        try index.setOwner(
            ItemOwner(domain: "notes", application: "org.example.Notes", urlTemplate: "notes://open/{id}"))
        #expect(try index.owner(ofDomain: "notes.play")?.url(of: "1") == "notes://open/1")
    }

    @Test("The URL has the percent-encoded identifier")
    func urls() throws {
        let owner = try ItemOwner(domain: "a.b", application: "x", urlTemplate: "n:{id}/{id}?q")
        #expect(owner.url(of: "1") == "n:1/1?q")
        #expect(owner.url(of: "a.b:1") == "n:1/1?q")
        #expect(owner.url(of: "a/é {id}~") == "n:a%2F%C3%A9%20%7Bid%7D~/a%2F%C3%A9%20%7Bid%7D~?q")
        #expect(owner.url(of: "a.b:\u{1}") == "n:%01/%01?q")
        #expect(try ItemOwner(domain: "a", application: "x").url(of: "1") == nil)
    }

    @Test("Malformed owners are refused")
    func refusals() {
        for (domain, application, template, action) in [
            ("", "x", nil, nil), ("a", "", nil, nil), ("a", "org..x", nil, nil), ("a", "x/y", nil, nil),
            ("a", ".desktop", nil, nil), ("a", "é", nil, nil), ("a", String(repeating: "x", count: 256), nil, nil),
            ("a", "x", "n://open", nil), ("a", "x", "{id}", nil), ("a", "x", "{id}:a", nil),
            ("a", "x", "n:{id} b", nil),
            ("a", "x", "n:{id}{name}", nil), ("a", "x", "n:é{id}", nil), ("a", "x", "1:{id}", nil),
            ("a", "org.x", nil, ""), ("a", "org.x", nil, "open note"), ("a", "x", nil, "open"),
            ("a", "org.1x", nil, "open"),
        ] as [(String, String, String?, String?)] {
            #expect(throws: SearchableIndexError.self, "\(domain) \(application) \(template ?? "") \(action ?? "")") {
                try ItemOwner(domain: domain, application: application, urlTemplate: template, action: action)
            }
        }
    }
}
