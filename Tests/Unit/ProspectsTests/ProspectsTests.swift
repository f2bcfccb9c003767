import Foundation
import SwitchboardStorage
import Synchronization
import Testing

@testable import SwitchboardProspects

/// A clock that the test advances.
final class TestClock: Sendable {
    private let time = Mutex(Date(timeIntervalSince1970: 1_790_000_000))
    var now: Date { time.withLock { $0 } }
    func advance(hours: Double) { time.withLock { $0 += hours * 3600 } }
}

/// An empty list in memory.
func emptyList(region: String? = "GB", clock: TestClock = TestClock()) throws -> Prospects {
    Prospects(storage: try Storage.inMemory(migrations: [Prospects.migrations]), region: region) { clock.now }
}

@Suite("The list of prospects")
struct ProspectsTests {
    @Test("A field that is too long is rejected")
    func limits() throws {
        let list = try emptyList()
        let longest = try list.add(
            Prospect(name: String(repeating: "é", count: 512), note: String(repeating: "a", count: 64 << 10))
        ).prospect
        #expect(throws: ProspectsError.tooLong(field: "name", limit: 1 << 10)) {
            try list.add(Prospect(name: String(repeating: "é", count: 513)))
        }
        #expect(throws: ProspectsError.tooLong(field: "note", limit: 64 << 10)) {
            try list.edit(longest.id) { $0.note += "a" }
        }
        #expect(try list.list() == [longest])
    }

    @Test("Of several prospects, those that cannot be added are refused one by one")
    func addEach() throws {
        let list = try emptyList()
        let long = String(repeating: "a", count: 1_025)
        let results = try list.addEach([
            Prospect(name: "Ana"), Prospect(name: long), Prospect(), Prospect(name: "Bo", organization: long),
            Prospect(name: "Cy"),
        ])
        #expect(results.map { (try? $0.get())?.prospect.name } == ["Ana", nil, nil, nil, "Cy"])
        #expect(throws: ProspectsError.tooLong(field: "name", limit: 1 << 10)) { try results[1].get() }
        #expect(try list.count() == 2)
    }

    @Test(
        "A text with U+0000, at which SQLite would end it, is rejected",
        arguments: ["name", "organization", "note", "met"])
    func nulTexts(field: String) throws {
        let list = try emptyList()
        let paths: [String: WritableKeyPath<Prospect, String>] = [
            "name": \.name, "organization": \.organization, "note": \.note, "met": \.met,
        ]
        let path = try #require(paths[field])
        var prospect = Prospect(name: "Ana")
        let id = try list.add(prospect).prospect.id
        prospect[keyPath: path] = "keep\0lost"
        #expect(throws: ProspectsError.nulText(field: field)) { try list.add(prospect) }
        let error = #expect(throws: ProspectsError.self) { try list.edit(id) { $0[keyPath: path] = "keep\0lost" } }
        #expect(error?.details.field == field)
        #expect(throws: ProspectsError.nulText(field: "title")) { try list.setMe(MyDetails(title: "a\0b")) }
        #expect(try list.list().map(\.name) == ["Ana"] && list.me() == nil)
    }

    @Test("Scanning a known person again neither makes the note too long nor keeps endless meetings")
    func growth() throws {
        let clock = TestClock()
        let list = try emptyList(clock: clock)
        let long = String(repeating: "a", count: 40_000)
        let id = try list.add(Prospect(name: "Ana", email: "ana@example.org", note: long)).prospect.id
        let error = #expect(throws: ProspectsError.self) {
            try list.add(Prospect(name: "Ana", email: "ana@example.org", note: String(repeating: "b", count: 40_000)))
        }
        #expect(error == .tooLong(field: "note", limit: 64 << 10) && error?.details.field == "note")
        #expect(try list.prospect(id).note == long)
        for number in 0...Prospect.largestList {
            try list.add(Prospect(name: "Ana", email: "ana@example.org", met: "Booth \(number)"))
            clock.advance(hours: 13)
        }
        let places = try list.prospect(id).meetings.map(\.place)
        #expect(places.count == Prospect.largestList && places.last == "Booth \(Prospect.largestList)")
    }

    @Test("Own details that are too long are rejected")
    func largeDetails() throws {
        let list = try emptyList()
        let long = String(repeating: "a", count: 1 << 10)
        let address = "https://example.org/" + String(repeating: "a", count: (8 << 10) - 20)
        let mine = MyDetails(name: long, organization: long, title: long, url: address)
        try list.setMe(mine)
        #expect(throws: ProspectsError.tooLong(field: "title", limit: 1 << 10)) {
            try list.setMe(MyDetails(title: long + "a"))
        }
        #expect(throws: ProspectsError.tooLong(field: "url", limit: 8 << 10)) {
            try list.setMe(MyDetails(url: address + "a"))
        }
        #expect(try list.me() == mine)
    }

    @Test("A prospect survives a round trip through the store")
    func roundTrip() throws {
        let clock = TestClock()
        let list = try emptyList(clock: clock)
        let added = try list.add(
            Prospect(
                name: " José Ñandú ", email: "jose@example.org", phone: "020 7946 0123", organization: "Ärzte\nOhne",
                note: "two\nlines\n", met: "Bergen"))
        #expect(!added.wasKnown)
        let stored = try list.prospect(added.prospect.id)
        #expect(stored == added.prospect)
        #expect(stored.id.utf8.count == 12)
        #expect(stored.name == "José Ñandú")
        #expect(stored.organization == "Ärzte Ohne")
        #expect(stored.note == "two\nlines")
        #expect(stored.meetings == [Prospect.Meeting(time: clock.now, place: "Bergen")])
        #expect(!stored.isContacted)
        #expect(stored.createdAt == clock.now)
    }

    @Test(
        "Invalid prospects are refused",
        arguments: [
            (Prospect(), ProspectsError.nameless),
            (Prospect(name: "  ", note: "note alone"), .nameless),
            (Prospect(name: "Ana", email: "ana"), .notAnAddress("ana")),
            (Prospect(name: "Ana", email: "an a@example.org"), .notAnAddress("an a@example.org")),
            (Prospect(name: "Ana", phone: "none"), .notANumber("none")),
        ])
    func refused(_ prospect: Prospect, _ expected: ProspectsError) throws {
        let list = try emptyList()
        #expect(throws: expected) { try list.add(prospect) }
        #expect(try list.count() == 0)
    }

    @Test("Adding several prospects is atomic")
    func severalAtOnce() throws {
        let list = try emptyList()
        #expect(throws: ProspectsError.nameless) { try list.add([Prospect(name: "Ana"), Prospect()]) }
        #expect(try list.count() == 0)
        let result = try list.add([
            Prospect(name: "Ana", email: "ana@example.org"), Prospect(name: "Bo"),
            Prospect(email: "ANA@example.org", phone: "020 7946 0000"),
        ])
        #expect(result.map(\.wasKnown) == [false, false, true])
        #expect(try list.count() == 2)
    }

    @Test("Lists are filtered and sorted")
    func lists() throws {
        let clock = TestClock()
        let list = try emptyList(clock: clock)
        for name in ["Żaneta", "adam", "Émile", "Łukasz"] {
            clock.advance(hours: 1)
            try list.add(Prospect(name: name))
        }
        #expect(try list.list().map(\.name) == ["adam", "Émile", "Łukasz", "Żaneta"])
        #expect(try list.list(sortedBy: .recent).map(\.name) == ["Łukasz", "Émile", "adam", "Żaneta"])
        let adam = try list.list()[0]
        try list.setContacted([adam.id])
        #expect(try list.list(.contacted).map(\.name) == ["adam"])
        #expect(try list.list(.uncontacted, limit: 2).map(\.name) == ["Émile", "Łukasz"])
        #expect(try list.list(.uncontacted, limit: 2, offset: 2).map(\.name) == ["Żaneta"])
        #expect(try ProspectFilter.allCases.map { try list.count($0) } == [4, 1, 3])
    }

    @Test("Marking as contacted is atomic, reversible, and keeps the first time")
    func contacted() throws {
        let clock = TestClock()
        let list = try emptyList(clock: clock)
        let ids = try ["Ana", "Bo"].map { try list.add(Prospect(name: $0)).prospect.id }
        let first = try list.setContacted([ids[0]])[0]
        #expect(first.contactedAt == clock.now)
        clock.advance(hours: 2)
        #expect(try list.setContacted(ids).map(\.contactedAt) == [first.contactedAt, clock.now])
        #expect(throws: ProspectsError.notFound(id: "x")) { try list.setContacted([ids[0], "x"], to: false) }
        #expect(try list.count(.contacted) == 2)
        #expect(try list.setContacted(ids, to: false).allSatisfy { !$0.isContacted })
    }

    @Test("A removed prospect can be restored for some days")
    func removed() throws {
        let clock = TestClock()
        let list = try emptyList(clock: clock)
        let ana = try list.add(Prospect(name: "Ana", email: "ana@example.org", met: "Oslo")).prospect
        let bo = try list.add(Prospect(name: "Bo")).prospect
        #expect(throws: ProspectsError.notFound(id: "x")) { try list.remove([ana.id, "x"]) }
        try list.remove([ana.id, ana.id])
        #expect(throws: ProspectsError.notFound(id: ana.id)) { try list.prospect(ana.id) }
        #expect(try list.count() == 1)
        #expect(try list.restore([ana.id]) == [ana])
        #expect(try list.prospect(ana.id) == ana)

        try list.remove([ana.id])
        let again = try list.add(Prospect(name: "Ana", email: "ana@example.org"))
        #expect(!again.wasKnown)
        #expect(throws: ProspectsError.metAgain(id: ana.id, as: again.prospect.id)) { try list.restore([ana.id]) }

        clock.advance(hours: 31 * 24)
        try list.remove([bo.id])
        #expect(throws: ProspectsError.notRemoved(id: ana.id)) { try list.restore([ana.id]) }
    }

    @Test("An edit that throws changes nothing, and the identifier stays")
    func editing() throws {
        let list = try emptyList()
        let ana = try list.add(Prospect(name: "Ana", met: "Oslo")).prospect
        #expect(throws: ProspectsError.notAnAddress("@")) { try list.edit(ana.id) { $0.email = "@" } }
        #expect(try list.prospect(ana.id) == ana)
        let edited = try list.edit(ana.id) {
            $0.met = "Bergen"
            $0.note = "tall"
        }
        #expect(edited.meetings.map(\.place) == ["Bergen"])
        #expect(try list.prospect(ana.id) == edited)
    }

    @Test("Changes advance the generation, but marking as contacted leaves the index current")
    func generations() throws {
        let list = try emptyList()
        let id = try list.add(Prospect(name: "Ana")).prospect.id
        let (all, texts) = (
            try list.storage.generation(of: Prospects.module), try list.storage.generation(of: Prospects.texts)
        )
        try list.setContacted([id])
        #expect(try list.storage.generation(of: Prospects.module) != all)
        #expect(try list.storage.generation(of: Prospects.texts) == texts)
    }

    @Test("The user's own details are stored, and removed by empty ones")
    func me() throws {
        let list = try emptyList()
        #expect(try list.me() == nil)
        let mine = try list.setMe(MyDetails(name: "Đặng", email: "dang@example.org", title: "CTO"))
        #expect(try list.me() == mine)
        #expect(throws: ProspectsError.notAnAddress("x")) { try list.setMe(MyDetails(email: "x")) }
        try list.setMe(MyDetails())
        #expect(try list.me() == nil)
    }
}
