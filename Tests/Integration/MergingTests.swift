import SwitchboardContacts
import SwitchboardIncrementalIndex
import Testing

@testable import SwitchboardAirports
@testable import SwitchboardKit

@Suite("Merging results of several kinds")
struct MergingTests {
    static func contact(_ id: String, _ match: ResultMatch) -> SearchResult {
        var row = SearchResult(Contact(id: id, formattedName: id))
        row.match = match
        return row
    }

    static func airport(_ code: String, _ match: ResultMatch) -> SearchResult {
        let airport = Airport(
            code: code, name: code, city: code, cityCode: code, country: "XX", latitude: 0, longitude: 0,
            timeZone: "UTC", popularity: 0)
        return SearchResult(
            id: code, title: code, subtitle: "", match: match, object: .airport(airport, airports: []))
    }

    static func ids(_ lists: [[SearchResult]], limit: Int = 10) -> [String] {
        Switchboard.merged(lists, limit: limit).map(\.id)
    }

    @Test("A better match comes first, regardless of its kind")
    func quality() {
        let ids = Self.ids([
            [Self.contact("c1", .prefix), Self.contact("c2", .infix), Self.contact("c3", .typo)],
            [Self.airport("a1", .exact), Self.airport("a2", .initials), Self.airport("a3", .typo)],
        ])
        #expect(ids == ["a1", "c1", "a2"])
        let weak = Self.ids([
            [Self.contact("c1", .initials), Self.contact("c2", .infix), Self.contact("c3", .typo)],
            [Self.airport("a1", .words), Self.airport("a2", .typo)],
        ])
        #expect(weak == ["c1", "a1", "c2", "c3", "a2"])
    }

    @Test("A weak match is left out if another kind matches well, but not if only its own does")
    func weakRows() {
        let weak = [Self.airport("a1", .infix), Self.airport("a2", .typo), Self.airport("a3", .nearby)]
        for good in [ResultMatch.exact, .prefix, .layout] {
            #expect(Self.ids([[Self.contact("c1", good), Self.contact("c2", .typo)], weak]) == ["c1", "c2"])
        }
        #expect(Self.ids([[Self.contact("c1", .words)], weak]) == ["c1", "a1", "a2", "a3"])
        var later = Self.airport("a4", .prefix)
        later.isWeakField = true
        #expect(Self.ids([[Self.contact("c1", .prefix)], [later]]) == ["c1"])
        #expect(Self.ids([[], [later] + weak]) == ["a4", "a1", "a2", "a3"])
    }

    @Test("All kinds together have at most ten weak rows")
    func manyWeakRows() {
        let contacts = (1...30).map { Self.contact("c\($0)", .typo) }
        let ids = Self.ids([contacts, [Self.airport("a1", .typo)]], limit: 0)
        #expect(ids == ["c1", "a1"] + (2...9).map { "c\($0)" })
        #expect(Self.ids([contacts, []], limit: 0).count == 30)
    }

    @Test("Kinds that match equally well alternate, contacts first, each in its own order")
    func turns() {
        let ids = Self.ids([
            [Self.contact("c1", .prefix), Self.contact("c2", .prefix), Self.contact("c3", .prefix)],
            [Self.airport("a1", .prefix), Self.airport("a2", .prefix)],
        ])
        #expect(ids == ["c1", "a1", "c2", "a2", "c3"])
    }

    @Test("A code ranks like an exact name, another keyboard layout like a prefix")
    func codes() {
        let ids = Self.ids([
            [Self.contact("c1", .exact), Self.contact("c2", .prefix)],
            [Self.airport("a1", .code), Self.airport("a2", .layout)],
        ])
        #expect(ids == ["c1", "a1", "c2", "a2"])
    }

    @Test("The best row of each kind that matches well is on the first screen")
    func firstScreen() {
        let contacts = (1...30).map { Self.contact("c\($0)", .exact) }
        let airports = [Self.airport("a1", .prefix), Self.airport("a2", .prefix)]
        let ten = Self.ids([contacts, airports])
        #expect(ten == (1...9).map { "c\($0)" } + ["a1"])
        let all = Self.ids([contacts, airports], limit: 0)
        #expect(all == (1...9).map { "c\($0)" } + ["a1"] + (10...30).map { "c\($0)" } + ["a2"])
        #expect(Self.ids([contacts, airports], limit: 3) == ["c1", "c2", "a1"])
        #expect(Self.ids([contacts, airports], limit: 1) == ["c1"])
        #expect(Self.ids([contacts, [Self.airport("a1", .words)]]) == (1...10).map { "c\($0)" })
    }

    @Test("A single kind keeps its order, and no kinds return nothing")
    func alone() {
        #expect(Self.ids([[], [Self.airport("a1", .typo)]]) == ["a1"])
        #expect(Self.ids([[], []]) == [])
        #expect(Self.ids([]) == [])
    }
}
