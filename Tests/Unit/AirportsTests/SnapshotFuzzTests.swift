import Foundation
import Testing

@testable import SwitchboardAirports

/// Damages popular lists as they travel. Whatever they are then: they are refused with a reason, or taken, and then written and read
/// back they are the same.
@Suite("Random snapshots")
struct SnapshotFuzzTests {
    private static let seed = """
        {"schema": 1, "generatedAt": "2026-11-20T09:00:00Z", "airports": [
        {"code": "LHR", "icao": "EGLL", "name": "Heathrow", "names": {"ru": ["Хитроу"], "x": []}, "city": "London", "cityCode": "LON",
         "cityNames": {"fr": ["Londres"]}, "country": "GB", "latitude": 51.47, "longitude": -0.45, "timeZone": "Europe/London",
         "popularity": 0.93},
        {"code": "ZAZ", "icao": null, "name": "Zaragoza", "city": "Zaragoza", "cityCode": "ZAZ", "country": "ES", "latitude": 41.6,
         "longitude": -1.0, "timeZone": "Europe/Madrid", "popularity": 1e-3}]}
        """

    private static let pieces = [
        "{", "}", "[", "]", ",", ":", "\"", "null", "true", "1e999", "-1e999", "1e-999", "91", "-181", "0", "\"\"",
        "\\u0000", "\\ud800",
        "\"LHR\"", "\"code\"", "\"names\"", "\"schema\"", "2", "9999999999999999999", "\u{0}", "\u{301}", "ß", "😀", " ",
        "\t",
        "\"2026-02-30T25:00:00Z\"", "\"ru\": [\"", "{\"x\": ",
    ].map { Array($0.utf8) }

    /// What was found before, as JSON in base64.
    static let found: [String] = []

    /// WordSuffixes for a second; `Scripts/fuzz-snapshots SECONDS` wordSuffixes it for longer.
    @Test("Mutated snapshots are refused with a reason, or taken and stay what they are")
    func mutations() throws {
        let seconds = ProcessInfo.processInfo.environment["FUZZ_SECONDS"].flatMap(Double.init) ?? 1
        let end = ContinuousClock.now + .seconds(seconds)
        var random = SystemRandomNumberGenerator()
        let corpus = [Array(Self.seed.utf8)] + Self.found.compactMap { Data(base64Encoded: $0).map { Array($0) } }
        var (taken, refused) = (0, 0)
        while ContinuousClock.now < end {
            var file = Data(Self.mutated(corpus.randomElement(using: &random) ?? [], &random))
            let json = file
            // Sometimes the packed bytes are damaged, too: then a checksum is wrong.
            file = try Gzip.compress(file)
            let isTorn = Int.random(in: 0..<8, using: &random) == 0
            if isTorn {
                file[Int.random(in: 0..<file.count, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
            }
            switch Self.look(at: file) {
            case nil: refused += 1
            case "": taken += 1
            case let fault?: Issue.record("\(fault)\n\(json.base64EncodedString())")
            }
        }
        #expect(taken > 0 && refused > 0)
        print("Snapshots taken: \(taken), refused: \(refused)")
    }

    @Test("What was found before stays mended", arguments: found)
    func foundBefore(_ json: String) throws {
        let file = try Gzip.compress(try #require(Data(base64Encoded: json)))
        #expect((Self.look(at: file) ?? "").isEmpty)
    }

    /// Nil if a snapshot is refused, nothing if it is taken; otherwise what is wrong with it then.
    private static func look(at file: Data) -> String? {
        let snapshot: PopularSnapshot
        do {
            snapshot = try PopularSnapshot(gzip: file)
        } catch .malformedSnapshot(let reason) {
            return reason.isEmpty || reason.contains("\n") ? "refused without a line that says why" : nil
        } catch {
            return "another error: \(error)"
        }
        guard !snapshot.airports.isEmpty else { return "an empty list is taken" }
        guard let again = try? PopularSnapshot(gzip: snapshot.gzip()) else { return "what is written is refused" }
        return again.airports == snapshot.airports ? "" : "what is written says something else"
    }

    private static func mutated(_ seed: [UInt8], _ random: inout SystemRandomNumberGenerator) -> [UInt8] {
        var bytes = seed
        for _ in 0...Int.random(in: 0...4, using: &random) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            let removed = place..<min(bytes.count, place + Int.random(in: 0...5, using: &random))
            let piece =
                Int.random(in: 0..<3, using: &random) == 0
                ? [UInt8.random(in: 0x20...0x7E, using: &random)] : pieces.randomElement(using: &random) ?? []
            bytes.replaceSubrange(removed, with: piece)
        }
        return bytes
    }
}
