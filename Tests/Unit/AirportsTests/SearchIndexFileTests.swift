import Foundation
import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardSearchEngine
import SwitchboardStorage
import Testing

@testable import SwitchboardAirports

@Suite("The index file of the airport search")
struct SearchIndexFileTests {
    /// A catalogue small enough to be indexed many times.
    private static let catalogue = Catalogue(
        airports: """
            code\ticao\tname\tcity\tcityCode\tcountry\tregion\tlatitude\tlongitude\ttimeZone\tpopularity\tflags\tcityNames\tairportNames
            AAA\tAAAA\tAlpha Field\tAlpha\tAAA\tXX\t\t1\t1\tEtc/UTC\t0.9\tps\tde=Alfa\t
            BBB\tBBBB\tBravo\tBravo\tBBB\tXX\t\t2\t2\tEtc/UTC\t0.8\tps\t\t
            CCC\tCCCC\tCharlie\tCharlie\tCCC\tXX\t\t3\t3\tEtc/UTC\t0.1\ts\t\t
            """,
        cities: "code\tname\tcountry\tregion\tlatitude\tlongitude\tpopulation\tnames\tairports\n",
        countries: "code\tnames\nXX\ten=Exland\n")

    private static func search(_ storage: Storage?, _ catalogue: Catalogue = catalogue) -> AirportSearch {
        AirportSearch(airports: Airports(storage: storage, catalogue: catalogue, location: .unavailable))
    }

    private static func codes(_ search: AirportSearch) throws -> [[String]] {
        try ["alp", "alfa", "alpah", "charlie", "bbb", "exland"].map {
            try search.search(SearchInput($0)).hits.map(\.airport.code)
        }
    }

    private static func files(_ temporary: TemporaryStorage) -> [URL] {
        ["airports-popular.index", "airports.index"].map { temporary.folder.appending(path: "a.index/\($0)") }
    }

    @Test("The file is created on first use and returns the same results as an index in memory")
    func createdOnFirstUse() throws {
        let temporary = try TemporaryStorage()
        let expected = try Self.codes(Self.search(nil))
        #expect(expected == [["AAA"], ["AAA"], ["AAA"], ["CCC"], ["BBB"], ["AAA", "BBB", "CCC"]])
        #expect(try Self.codes(Self.search(temporary.storage)) == expected)
        for file in Self.files(temporary) { #expect(FileManager.default.fileExists(atPath: file.path)) }
        let before = try Self.files(temporary).map { try Data(contentsOf: $0) }
        #expect(try Self.codes(Self.search(temporary.storage)) == expected)
        #expect(try Self.files(temporary).map { try Data(contentsOf: $0) } == before)
    }

    @Test(
        "A truncated, corrupt, empty or foreign file is rebuilt",
        arguments: [
            "truncated", "corrupt", "empty", "foreign", "zeros",
        ])
    func badFile(_ kind: String) throws {
        let temporary = try TemporaryStorage()
        let expected = try Self.codes(Self.search(temporary.storage))
        for file in Self.files(temporary) {
            let good = try Data(contentsOf: file)
            var bad = good
            switch kind {
            case "truncated": bad = good.prefix(good.count / 2)
            case "corrupt": bad[bad.count - 9] ^= 0xFF
            case "empty": bad = Data()
            case "foreign": bad = Data("not an index at all".utf8)
            default: bad = Data(count: good.count)
            }
            try bad.write(to: file)
            #expect(try Self.codes(Self.search(temporary.storage)) == expected)
            #expect(try Data(contentsOf: file) == good)
        }
    }

    @Test("A file of another catalogue is rebuilt")
    func staleFile() throws {
        let temporary = try TemporaryStorage()
        _ = try Self.codes(Self.search(temporary.storage))
        let other = Catalogue(
            airports: """
                code\ticao\tname\tcity\tcityCode\tcountry\tregion\tlatitude\tlongitude\ttimeZone\tpopularity\tflags\tcityNames\tairportNames
                ZZZ\tZZZZ\tAlpha Port\tAlpha\tZZZ\tXX\t\t1\t1\tEtc/UTC\t0.9\tps\t\t
                """,
            cities: "code\n", countries: "code\tnames\n")
        #expect(try Self.search(temporary.storage, other).search("alp").hits.map(\.airport.code) == ["ZZZ"])
    }

    @Test("The search works without a writable folder")
    func unwritable() throws {
        let temporary = try TemporaryStorage()
        // A file in place of the folder: not even root can write into it.
        try Data().write(to: temporary.folder.appending(path: "a.index"))
        #expect(try Self.codes(Self.search(temporary.storage)) == Self.codes(Self.search(nil)))
    }

    @Test("A loaded popular list takes effect immediately")
    func loadedList() throws {
        let temporary = try TemporaryStorage()
        let airports = Airports(storage: temporary.storage, catalogue: Self.catalogue, location: .unavailable)
        let search = AirportSearch(airports: airports)
        #expect(try search.search("delta").hits.isEmpty)
        let list = PopularSnapshot(
            generatedAt: Date(timeIntervalSince1970: 0),
            airports: [
                Airport(
                    code: "DDD", name: "Delta", city: "Delta", cityCode: "DDD", country: "XX", latitude: 1,
                    longitude: 1, timeZone: "Etc/UTC", popularity: 0.5)
            ])
        try airports.update(snapshot: list.gzip())
        #expect(try search.search("delta").hits.map(\.airport.code) == ["DDD"])
        // An airport that is no longer popular is found by stage 3.
        #expect(try search.search("alpha").hits.map(\.stage) == [3])
        #expect(try Self.codes(search)[0] == ["AAA"])
    }

    @Test("Concurrent searches return the same results")
    func concurrency() async throws {
        let temporary = try TemporaryStorage()
        let search = Self.search(temporary.storage)
        let expected = try Self.codes(Self.search(nil))
        try await withThrowingTaskGroup(of: [[String]].self) { group in
            for _ in 0..<8 { group.addTask { try Self.codes(search) } }
            for try await codes in group { #expect(codes == expected) }
        }
    }
}
