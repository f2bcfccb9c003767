import Foundation
import SwitchboardStorage
import Testing

@testable import SwitchboardAirports

private let catalogue = Catalogue()

@Suite("Recent choices")
struct RecentTests {
    @Test("are distinct, newest first, and persistent")
    func recent() throws {
        let file = try TemporaryStorage()
        let airports = Airports(storage: file.storage, catalogue: catalogue)
        #expect(try airports.recent().isEmpty)
        for code in ["LHR", "jfk", "SVO", "LED", "LHR", "NYC", "EGLL", "HEL"] { try airports.choose(code) }
        #expect(try airports.recent().map(\.code) == ["HEL", "LHR", "NYC", "LED", "SVO"])
        #expect(try airports.recent()[2].isCity)
        let other = Airports(storage: try file.again(), catalogue: catalogue)
        #expect(try other.recent().map(\.code) == ["HEL", "LHR", "NYC", "LED", "SVO"])
        try other.choose("JFK")
        #expect(try airports.recent().map(\.code) == ["JFK", "HEL", "LHR", "NYC", "LED"])
    }

    @Test("the order does not depend on the clock")
    func clock() throws {
        let file = try TemporaryStorage()
        for (offset, code) in ["LHR", "JFK", "LED"].enumerated() {
            let airports = Airports(storage: file.storage, catalogue: catalogue) {
                Date(timeIntervalSince1970: -Double(offset) * 1e6)
            }
            try airports.choose(code)
        }
        let airports = Airports(storage: file.storage, catalogue: catalogue)
        #expect(try airports.recent().map(\.code) == ["LED", "JFK", "LHR"])
    }

    @Test("an unknown code is rejected and changes nothing", arguments: ["", "Q9Q", "LHRR", "'; DROP TABLE", "ЛЕД"])
    func unknown(code: String) throws {
        let file = try TemporaryStorage()
        let airports = Airports(storage: file.storage, catalogue: catalogue)
        try airports.choose("LED")
        let generation = try file.storage.generation(of: Airports.module)
        #expect(throws: AirportsError.unknownCode(code)) { try airports.choose(code) }
        #expect(throws: AirportsError.unknownCode(code)) { try airports.airport(code: code) }
        #expect(try airports.recent().map(\.code) == ["LED"])
        #expect(try file.storage.generation(of: Airports.module) == generation)
    }

    @Test("each choice increases the generation")
    func generation() throws {
        let file = try TemporaryStorage()
        let airports = Airports(storage: file.storage, catalogue: catalogue)
        let before = try file.storage.generation(of: Airports.module)
        try airports.choose("LED")
        let after = try file.storage.generation(of: Airports.module)
        #expect(after != before)
        try airports.choose("LED")
        #expect(try file.storage.generation(of: Airports.module) != after)
    }
}

@Suite("Airports without a storage")
struct NoStorageTests {
    @Test("use the catalogue and reject operations that need a database")
    func alone() async throws {
        let airports = Airports(storage: nil, catalogue: catalogue, location: .unavailable)
        #expect(try airports.airport(code: "led").code == "LED")
        #expect(try airports.airport(code: "ULLI").code == "LED")
        #expect(try airports.airport(code: "mow").isCity)
        #expect(try airports.nearest(to: Coordinate(parsing: "59.93,30.33")).first?.code == "LED")
        #expect(try airports.recent().isEmpty)
        #expect(try airports.popular().count == 1_500)
        #expect(try airports.popular(limit: 3).map(\.code) == Array(airports.popular().prefix(3)).map(\.code))
        #expect(try airports.knownLocation() == nil)
        #expect(try PopularSnapshot(gzip: airports.snapshot()).airports.count == 1_500)
        #expect(throws: AirportsError.noStorage) { try airports.choose("LED") }
        #expect(throws: AirportsError.noStorage) { try airports.setLocation(Coordinate(parsing: "0,0")) }
        #expect(throws: AirportsError.noStorage) { try airports.update(snapshot: Data()) }
        await #expect(throws: AirportsError.noStorage) { try await airports.currentLocation() }
        #expect(throws: AirportsError.negativeLimit(-1)) { try airports.popular(limit: -1) }
    }
}

@Suite("The location of this machine")
struct PlaceTests {
    private static let petersburg = try? Coordinate(parsing: "59.9343,30.3351")

    @Test("requires the grant, whether it is stored or requested")
    func grant() async throws {
        let file = try TemporaryStorage()
        let place = try #require(Self.petersburg)
        let airports = Airports(storage: file.storage, catalogue: catalogue, location: .fixed(place))
        for status in [AccessStatus.notDetermined, .denied] {
            try file.storage.setStatus(status, of: .location)
            await #expect(throws: StorageError.self) { try await airports.currentLocation() }
            try airports.setLocation(place)
            await #expect(throws: StorageError.self) { try await airports.currentLocation() }
            #expect(try airports.knownLocation() == nil)
            try airports.clearLocation()
        }
        try file.storage.setStatus(.authorized, of: .location)
        #expect(try await airports.currentLocation() == place.rounded)
        #expect(try airports.knownLocation() == nil)
    }

    @Test("is stored rounded, and takes precedence over the service")
    func set() async throws {
        let file = try TemporaryStorage()
        try file.storage.setStatus(.authorized, of: .location)
        let place = try #require(Self.petersburg)
        let airports = Airports(storage: file.storage, catalogue: catalogue, location: .unavailable)
        await #expect(throws: AirportsError.self) { try await airports.currentLocation() }
        #expect(try airports.setLocation(place) == place.rounded)
        #expect(place.rounded != place)
        #expect(try await airports.currentLocation() == place.rounded)
        #expect(try airports.knownLocation() == place.rounded)
        try airports.setLocation(Coordinate(parsing: "-33.9,18.4"))
        #expect(try await Airports(storage: file.again(), catalogue: catalogue).currentLocation().latitude == -33.9)
    }

    @Test("suggestions are the nearest, recent and popular airports, each once")
    func suggestions() throws {
        let file = try TemporaryStorage()
        let airports = Airports(storage: file.storage, catalogue: catalogue, location: .unavailable)
        #expect(try airports.suggestions().map(\.code) == airports.popular(limit: 10).map(\.code))
        try airports.choose("LPP")
        try airports.choose("LED")
        try airports.setLocation(Coordinate(parsing: "59.93,30.33"))
        #expect(try airports.suggestions().prefix(2).map(\.code) == ["LED", "LPP"])
        try file.storage.setStatus(.authorized, of: .location)
        let all = try airports.suggestions(limit: 0).map(\.code)
        #expect(all.prefix(5) == ["LED", "HEL", "LPP", "ATL", "DXB"])
        #expect(Set(all).count == all.count && all.count > 1_500)
    }
}

@Suite("The popular list")
struct PopularTests {
    private func smallSnapshot(_ codes: [String]) throws -> Data {
        let airports = codes.enumerated().map { index, code in
            Airport(
                code: code, name: "Name of \(code)", city: "City", cityCode: code, country: "DE", latitude: 1,
                longitude: 2, timeZone: "Europe/Berlin", popularity: 1 - Double(index) / 10_000,
                names: Names(["ru": ["Имя"]]))
        }
        return try PopularSnapshot(generatedAt: Date(timeIntervalSince1970: 0), airports: airports).gzip()
    }

    @Test("is the one loaded last, in every connection")
    func update() throws {
        let file = try TemporaryStorage()
        let airports = Airports(storage: file.storage, catalogue: catalogue)
        let other = Airports(storage: try file.again(), catalogue: catalogue)
        #expect(try airports.popular().count == 1_500)
        #expect(try other.popular().count == 1_500)
        #expect(try airports.update(snapshot: smallSnapshot(["ZZZ", "LHR"])) == 2)
        for airports in [airports, other] {
            #expect(try airports.popular().map(\.code) == ["ZZZ", "LHR"])
            #expect(try airports.airport(code: "zzz").names.best(in: "ru") == "Имя")
            #expect(try airports.airport(code: "LHR").name == "Name of LHR")
            #expect(try airports.airport(code: "LED").code == "LED")
        }
        try other.update(snapshot: smallSnapshot(["JFK"]))
        #expect(try airports.popular().map(\.code) == ["JFK"])
        #expect(throws: AirportsError.unknownCode("ZZZ")) { try airports.airport(code: "ZZZ") }
    }

    @Test("a snapshot survives a round trip")
    func roundTrip() throws {
        let file = try TemporaryStorage()
        let time = Date(timeIntervalSince1970: 1_800_000_000)
        let airports = Airports(storage: file.storage, catalogue: catalogue) { time }
        let before = try airports.popular()
        let data = try airports.snapshot()
        #expect(try airports.snapshot() == data)
        #expect(try airports.update(snapshot: data) == 1_500)
        #expect(try airports.popular().map(\.code) == before.map(\.code))
        for (old, new) in zip(before, try airports.popular()) {
            #expect(
                Dictionary(grouping: old.names.byLanguage, by: \.language).mapValues { $0.map(\.names) }
                    == Dictionary(grouping: new.names.byLanguage, by: \.language).mapValues { $0.map(\.names) })
            #expect(old.latitude == new.latitude && old.longitude == new.longitude && old.timeZone == new.timeZone)
            #expect(old.icao == new.icao && old.region == new.region && old.city == new.city)
        }
        #expect(try airports.snapshot() == data)
    }

    @Test("an invalid snapshot changes nothing")
    func broken() throws {
        let file = try TemporaryStorage()
        let airports = Airports(storage: file.storage, catalogue: catalogue)
        try airports.update(snapshot: smallSnapshot(["LED", "JFK"]))
        let generation = try file.storage.generation(of: Airports.popularGeneration)
        let good = try smallSnapshot(["AAA", "BBB"])
        for bad in [
            Data(), good.dropLast(), Data("{}".utf8), try smallSnapshot([]), try smallSnapshot(["AAA", "AAA"]),
        ] {
            #expect {
                try airports.update(snapshot: bad)
            } throws: { error in
                (error as? AirportsError)?.category == .malformed
            }
            #expect(try airports.popular().map(\.code) == ["LED", "JFK"])
        }
        #expect(try file.storage.generation(of: Airports.popularGeneration) == generation)
    }

    @Test("readers see consistent lists while it is replaced")
    func concurrent() async throws {
        let file = try TemporaryStorage()
        let airports = Airports(storage: file.storage, catalogue: catalogue)
        let first = (0..<200).map { "A" + String(format: "%02X", $0) }
        let second = (0..<100).map { "B" + String(format: "%02X", $0) }
        let snapshots = [try smallSnapshot(first), try smallSnapshot(second)]
        try airports.update(snapshot: snapshots[0])
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for turn in 0..<20 { try airports.update(snapshot: snapshots[turn % 2]) }
            }
            for _ in 0..<3 {
                group.addTask {
                    for _ in 0..<200 {
                        let codes = try airports.popular().map(\.code)
                        #expect(codes == first || codes == second)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("a choice does not invalidate the popular list")
    func generations() throws {
        let file = try TemporaryStorage()
        let airports = Airports(storage: file.storage, catalogue: catalogue)
        try airports.update(snapshot: smallSnapshot(["LED"]))
        let popular = try file.storage.generation(of: Airports.popularGeneration)
        try airports.choose("LED")
        #expect(try file.storage.generation(of: Airports.popularGeneration) == popular)
    }
}
