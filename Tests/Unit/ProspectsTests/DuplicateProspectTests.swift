import Foundation
import SwitchboardStorage
import Testing

@testable import SwitchboardProspects

@Suite("Adding a prospect who is already in the list")
struct DuplicateProspectTests {
    @Test(
        "Prospects are recognised by address or number",
        arguments: [
            (Prospect(name: "Ana", email: "ANA@Example.org"), true),
            (Prospect(name: "Someone", email: "ana@example.org"), true),
            (Prospect(name: "Ana", phone: "+44 20 7946 0123"), true),
            (Prospect(name: "Ana Li", email: "other@example.org", phone: "+442079460123"), true),
            (Prospect(name: "Bob", email: "bob@example.org", phone: "020 7946 0123"), false),
            (Prospect(name: "Ana Li"), false),
            (Prospect(name: "Ana Li", email: "ana@example.com"), false),
        ])
    func known(_ other: Prospect, _ isKnown: Bool) throws {
        let list = try emptyList()
        try list.add(Prospect(name: "Ana Li", email: "ana@example.org", phone: "020 7946 0123"))
        #expect(try list.add(other).wasKnown == isKnown)
        #expect(try list.count() == (isKnown ? 1 : 2))
    }

    @Test(
        "A code is another number than its digits, and a new number replaces it", arguments: ["100", "#100#", "1-00,1"])
    func codes(_ other: String) throws {
        let list = try emptyList()
        try list.add(Prospect(name: "Ana", phone: "*100#"))
        #expect(try !list.add(Prospect(name: "Ana", phone: other)).wasKnown)
        #expect(try list.add(Prospect(name: "Ana", phone: "* 100 #")).wasKnown)
        let known = try list.add(Prospect(name: "Bo", email: "bo@example.org", phone: "*100#"))
        let changed = try list.add(Prospect(name: "Bo", email: "bo@example.org", phone: other)).prospect
        #expect(changed.id == known.prospect.id && changed.phone == other)
        #expect(changed.note.contains("phone before: *100#"))
    }

    @Test("New values replace old ones, which are added to the note")
    func merging() throws {
        let clock = TestClock()
        let list = try emptyList(clock: clock)
        let first = try list.add(
            Prospect(name: "Łukasz Nowak", email: "l@example.org", organization: "Initech", note: "tall", met: "FOSDEM")
        )
        try list.setContacted([first.prospect.id])
        clock.advance(hours: 24 * 300)
        let again = try list.add(
            Prospect(
                name: "Łukasz", email: "L@example.org", phone: "020 7946 0123", organization: "Globex", met: "Oslo"))
        let merged = again.prospect
        #expect(again.wasKnown)
        #expect(merged.id == first.prospect.id)
        #expect(merged.name == "Łukasz Nowak")
        #expect(merged.email == "l@example.org")
        #expect(merged.phone == "020 7946 0123")
        #expect(merged.organization == "Globex")
        #expect(merged.note == "tall\norganisation before: Initech")
        #expect(merged.met == "Oslo")
        #expect(merged.meetings.map(\.place) == ["FOSDEM", "Oslo"])
        #expect(merged.isContacted)
        #expect(try list.prospect(merged.id) == merged)
    }

    @Test("A fuller name replaces a shorter one")
    func fullerName() throws {
        let list = try emptyList()
        try list.add(Prospect(name: "Ana", email: "a@example.org"))
        let merged = try list.add(Prospect(name: "Ana María Ruiz", email: "a@example.org")).prospect
        #expect(merged.name == "Ana María Ruiz")
        #expect(merged.note.isEmpty)
    }

    @Test("Two scans of a badge within hours are one meeting and change nothing else")
    func twiceInARow() throws {
        let clock = TestClock()
        let list = try emptyList(clock: clock)
        let badge = Prospect(name: "Ana", email: "a@example.org", note: "CTO", met: "Oslo")
        let first = try list.add(badge).prospect
        clock.advance(hours: 1)
        #expect(try list.add(badge).prospect == first)
        clock.advance(hours: 24)
        #expect(try list.add(badge).prospect.meetings.count == 2)
    }

    @Test("Without a region, only international numbers are recognised")
    func withoutRegion() throws {
        let list = try emptyList(region: nil)
        try list.add(Prospect(name: "Ana", phone: "+44 20 7946 0123"))
        #expect(try list.add(Prospect(phone: "0044 20 79460123")).wasKnown == false)
        #expect(try list.add(Prospect(phone: "+442079460123")).wasKnown)
    }
}
