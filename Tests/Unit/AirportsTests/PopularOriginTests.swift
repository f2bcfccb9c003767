import Foundation
import SwitchboardStorage
import Testing

@testable import SwitchboardAirports

private let catalogue = Catalogue()

@Suite("The origin of the popular list")
struct PopularOriginTests {
    private func snapshot(_ codes: String...) throws -> Data {
        try PopularSnapshot(
            generatedAt: Date(timeIntervalSince1970: 0), airports: codes.compactMap(catalogue.airport(code:))
        ).gzip()
    }

    @Test("is stored with the list and replaced with it")
    func kept() throws {
        let file = try TemporaryStorage()
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let airports = Airports(storage: file.storage, catalogue: catalogue) { now }
        #expect(try airports.popularOrigin() == PopularOrigin())
        try airports.update(snapshot: snapshot("LHR"), from: "http://a", entityTag: "\"1\"")
        let origin = PopularOrigin(address: "http://a", entityTag: "\"1\"", checkedAt: now)
        #expect(try Airports(storage: try file.again(), catalogue: catalogue).popularOrigin() == origin)
        #expect(throws: AirportsError.self) { try airports.update(snapshot: Data([1, 2, 3]), from: "http://b") }
        #expect(try airports.popularOrigin() == origin)
        try airports.update(snapshot: snapshot("CDG"))
        #expect(try airports.popularOrigin() == PopularOrigin(checkedAt: now))
    }

    @Test("confirming a list changes only its origin, unless another list was loaded since")
    func confirmed() throws {
        let file = try TemporaryStorage()
        try Airports(storage: file.storage, catalogue: catalogue) { Date(timeIntervalSince1970: 0) }
            .update(snapshot: snapshot("LHR"), from: "http://a", entityTag: "\"1\"")
        let generation = try file.storage.generation(of: Airports.popularGeneration)
        let later = Date(timeIntervalSince1970: 100)
        let airports = Airports(storage: file.storage, catalogue: catalogue) { later }
        let origin = try airports.popularOrigin()
        try airports.confirmPopular(origin)
        #expect(try airports.popularOrigin().checkedAt == later)
        #expect(try file.storage.generation(of: Airports.popularGeneration) == generation)
        try airports.update(snapshot: snapshot("CDG"))
        try airports.confirmPopular(origin)
        #expect(try airports.popularOrigin().address == nil)
    }

    @Test("one caller claims a due refresh, and the others wait for an hour")
    func claimed() throws {
        let file = try TemporaryStorage()
        func airports(at seconds: TimeInterval) throws -> Airports {
            Airports(storage: try file.again(), catalogue: catalogue) { Date(timeIntervalSince1970: seconds) }
        }
        #expect(try airports(at: 0).claimRefresh())
        #expect(try !airports(at: 0).claimRefresh())
        #expect(try !airports(at: 3_599).claimRefresh())
        #expect(try airports(at: 3_600).claimRefresh())
        try airports(at: 4_000).update(snapshot: snapshot("LHR"), from: "http://a")
        #expect(try !airports(at: 4_000 + 86_399).claimRefresh())
        #expect(try airports(at: 4_000 + 86_400).claimRefresh())
        #expect(throws: AirportsError.noStorage) { try Airports(storage: nil, catalogue: catalogue).claimRefresh() }
    }

    @Test("a clock that was once wrong does not block refreshes")
    func wrongClock() {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let decade = TimeInterval(86_400 * 3_650)
        #expect(PopularOrigin(checkedAt: now + decade, attemptedAt: now + decade).isDue(at: now))
        #expect(!PopularOrigin(checkedAt: now + 60).isDue(at: now))
    }
}

@Suite("Decoding airports")
struct AirportDecodingTests {
    @Test("an encoded airport is decoded unchanged")
    func roundTrip() throws {
        var airport = try #require(catalogue.airport(code: "LHR"))
        airport.distance = 12.5
        let read = try JSONDecoder().decode(Airport.self, from: JSONEncoder().encode(airport))
        airport.names = Names()
        airport.cityNames = Names()
        airport.isScheduled = read.isScheduled
        #expect(read == airport && read.validationFailure == nil)
    }

    @Test("all airports of the catalogue are valid")
    func catalogued() {
        for record in 0..<catalogue.count {
            guard let airport = catalogue.airport(at: record) else { continue }
            #expect(airport.validationFailure == nil, "\(airport.code)")
        }
    }
}
