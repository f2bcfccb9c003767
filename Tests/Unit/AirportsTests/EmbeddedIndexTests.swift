import Foundation
import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardSearchEngine
import Testing

@testable import SwitchboardAirports

@Suite("The embedded indexes of the airports")
struct EmbeddedIndexTests {
    @Test(
        "are those that are built from the embedded catalogue",
        arguments: [SubjectList.Extent.popular, .others, .places])
    func current(_ extent: SubjectList.Extent) throws {
        let source = SubjectList(catalogue: Catalogue(), loaded: nil, extent: extent)
        var builder = IndexBuilder(fields: source.fields)
        source.add(to: &builder)
        let built = Self.data(of: try builder.build(fingerprint: source.fingerprint).bytes)
        let embedded = Self.data(of: try #require(source.embedded))
        #expect(embedded == built, "raise SubjectList.schemaVersion and run Scripts/data/build-airport-indexes")
    }

    @Test("are used by the first search, which builds no file")
    func firstSearch() throws {
        let temporary = try TemporaryStorage()
        let search = AirportSearch(
            airports: Airports(storage: temporary.storage, catalogue: Catalogue(), location: .unavailable))
        #expect(try search.search("frankfrut").hits.first?.airport.code == "FRA")
        #expect(try !FileManager.default.contentsOfDirectory(atPath: temporary.folder.path).contains("a.index"))
    }

    private static func data(of bytes: IndexBytes) -> Data {
        bytes.withUnsafeBytes { Data($0) }
    }
}
