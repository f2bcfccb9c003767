import Foundation
import SwitchboardIncrementalIndex
import SwitchboardJSON
import SwitchboardKeypad
import SwitchboardTestFixtures
import Synchronization
import Testing

@testable import SwitchboardAirports
@testable import SwitchboardKit

/// Returns a row as this program or a server has it.
private func row(
    _ code: String, _ match: ResultMatch = .prefix, isCity: Bool = false, members: [String] = [], at place: Double = 0
) -> SearchResult {
    func airport(_ code: String, isCity: Bool = false) -> Airport {
        Airport(
            code: code, name: code, city: code, cityCode: code, country: "IS", latitude: place, longitude: 0,
            timeZone: "UTC", popularity: 0.5, isCity: isCity)
    }
    return SearchResult(
        id: code, title: code, subtitle: "", match: match, stage: 3,
        object: .airport(airport(code, isCity: isCity), airports: members.map { airport($0) }))
}

@Suite("Rows of an airport server")
struct RemoteRowTests {
    private func joined(_ local: [SearchResult], _ remote: [SearchResult], limit: Int = 10) -> [String] {
        Switchboard.joined(local, remote, limit: limit).map(\.id)
    }

    @Test("Missing rows follow local ones, within the limit")
    func order() {
        let local = [row("AAA"), row("BBB", .typo)]
        #expect(joined(local, [row("CCC"), row("AAA"), row("DDD"), row("CCC")]) == ["AAA", "BBB", "CCC", "DDD"])
        #expect(joined(local, [row("CCC"), row("DDD")], limit: 3) == ["AAA", "BBB", "CCC"])
        #expect(joined(local, [row("CCC"), row("DDD")], limit: 0) == ["AAA", "BBB", "CCC", "DDD"])
        #expect(joined([], [row("CCC")]) == ["CCC"])
    }

    @Test("An airport below its city is not missing; a city and an airport with the same code are distinct")
    func cities() {
        let london = row("LON", isCity: true, members: ["LHR", "LGW"])
        #expect(joined([london], [row("LGW"), row("LON"), row("LON", isCity: true)]) == ["LON", "LON"])
    }

    @Test("Guesses beyond the first three make room for names, but not for other guesses")
    func guesses() {
        let guesses = ["AAA", "BBB", "CCC", "DDD", "EEE"].map { row($0, .typo) }
        #expect(joined(guesses, [row("XXX"), row("YYY")], limit: 5) == ["AAA", "BBB", "CCC", "XXX", "YYY"])
        #expect(joined(guesses, [row("XXX", .typo)], limit: 5) == guesses.map(\.id))
        let names = (1...9).map { row("N0\($0)") }
        #expect(joined(guesses, names, limit: 5) == ["AAA", "BBB", "CCC", "N01", "N02"])
        #expect(joined([row("AAA")] + guesses.dropFirst(), names, limit: 2).first == "AAA")
        #expect(Switchboard.leavesRoom(guesses, limit: 5) && !Switchboard.leavesRoom(names, limit: 9))
        #expect(Switchboard.leavesRoom(names, limit: 10) && Switchboard.leavesRoom(names, limit: 0))
    }

    @Test("By distance, rows of both sources are sorted together, within the radius")
    func near() throws {
        let place = try Coordinate(latitude: 0, longitude: 0)
        func near(_ code: String, _ degrees: Double) -> SearchResult {
            var row = row(code, .nearby, at: degrees)
            if case .airport(var airport, _) = row.object {
                airport.distance = degrees * 111.195
                row.object = .airport(airport, airports: [])
            }
            return row
        }
        func joined(_ order: NearestOrder, limit: Int) -> [String] {
            Switchboard.joined(
                [near("AAA", 1), near("CCC", 3)], [near("ZZZ", 9), near("BBB", 2)], near: place, radius: 500,
                order: order, limit: limit
            ).map(\.id)
        }
        #expect(joined(.distance, limit: 0) == ["AAA", "BBB", "CCC"])
        #expect(joined(.distance, limit: 2) == ["AAA", "BBB"])
        #expect(joined(.relevance, limit: 0) == ["AAA", "CCC", "BBB"])
    }

    @Test(
        "A place is rounded to a hundredth of a degree",
        arguments: [
            (59.939_1, "59.94"), (-0.001, "0.0"), (0.004_9, "0.0"), (-33.924_9, "-33.92"), (180, "180.0"),
            (-21.94267, "-21.94"), (90, "90.0"),
        ])
    func rounding(degrees: Double, text: String) {
        #expect(Switchboard.hundredths(degrees) == text)
    }

    @Test("An encoded row is decoded unchanged")
    func roundTrip() throws {
        let switchboard = Switchboard(Settings(database: ":memory:"))
        let catalogue = Catalogue()
        let airport = try #require(catalogue.airport(code: "LHR"))
        let written = SearchResult(
            AirportHit(
                airport: airport, title: "London Heathrow", subtitle: "London, United Kingdom", match: .words, stage: 1,
                highlights: ["title": [0..<3, 7..<9]]))
        let bytes = try OrderedJSON.bytes(SearchResponse("lon hea", elapsed: .zero, results: [written]))
        let read = try #require(try RemoteRows.read(bytes).first)
        #expect(read.highlights == written.highlights && read.match == .words && read.stage == 3)
        #expect(
            try OrderedJSON.text(read).replacingOccurrences(of: "\"stage\": 3", with: "\"stage\": 1")
                == OrderedJSON.text(written))
        _ = switchboard
    }
}

@Suite("Requests to an airport server")
struct AirportServerTests {
    private let local = SearchResponse("keflavik", elapsed: .zero, results: [row("KEF")])
    private let switchboard = Switchboard(Settings(database: "/nowhere/at/all.sqlite"))

    @Test("The next keystroke cancels the request")
    func cancelled() throws {
        let silent = try LocalServer { _ in .silence }
        let server = try AirportServer(silent.url, timeLimit: .seconds(600))
        let keystrokes = Atomic<Int>(0)
        // The next key is typed once the request was received.
        #expect(throws: CancellationError.self) {
            try switchboard.completing(local, from: server) {
                !silent.requests.isEmpty || keystrokes.load(ordering: .relaxed) > 0
            }
        }
        // Cancellation does not mark the server as unreachable.
        #expect(throws: CancellationError.self) { try switchboard.completing(local, from: server) { true } }
    }

    @Test("An unreachable server is not contacted again for a while, a failing one is")
    func rest() throws {
        let slow = try LocalServer { _ in .silence }
        let server = try AirportServer(slow.url, timeLimit: .milliseconds(200))
        for _ in 0..<3 {
            let completed = try switchboard.completing(local, from: server)
            #expect(completed.error?.code == "timedOut" && completed.response.results.map(\.id) == ["KEF"])
            #expect(!completed.response.isFinal)
        }
        #expect(slow.requests.count == 1)
        let bad = try LocalServer { _ in .answer(500) }
        let other = try AirportServer(bad.url)
        for _ in 0..<3 { #expect(try switchboard.completing(local, from: other).error?.code == "badStatus") }
        #expect(bad.requests.count == 3)
    }

    @Test(
        "The query is escaped in the URL", arguments: ["a&limit=1000#x", "ü мос %20", "a+b=c;d/e?"])
    func escaping(text: String) throws {
        let listening = try LocalServer { _ in .answer(500) }
        let server = try AirportServer(listening.url + "/below/")
        _ = try switchboard.completing(
            SearchResponse(SearchInput(text), elapsed: .zero, results: []), limit: 7, language: "de", from: server)
        let asked = try #require(listening.requests.first)
        #expect(asked.path == "/below/v1/airports")
        #expect(asked.query == ["q": text, "limit": "7", "language": "de", "stage": "3"])
    }

    @Test("The address of the popular list is derived from that of a server")
    func popular() throws {
        #expect(try AirportServer("http://a/b/").popularAddress == "http://a/b/v1/airports/popular")
        #expect(try AirportServer.popularAddress(at: "http://a:1") == "http://a:1/v1/airports/popular")
        #expect(try AirportServer.popularAddress(at: "https://a/") == "https://a/v1/airports/popular")
        #expect(try AirportServer.popularAddress(at: "https://a/list.gz?x=1") == "https://a/list.gz?x=1")
    }
}
