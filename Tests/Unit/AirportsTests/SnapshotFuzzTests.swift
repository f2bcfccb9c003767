import Foundation
import Testing

@testable import SwitchboardAirports

/// Mutates snapshots: they are rejected with a reason, or accepted and then unchanged by a round trip.
@Suite("Mutated snapshots")
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

    /// Regression inputs, as JSON in base64.
    static let found: [String] = []

    /// `FUZZ_ROUNDS` sets the number of rounds.
    @Test("are rejected with a reason, or survive a round trip")
    func mutations() throws {
        let rounds = ProcessInfo.processInfo.environment["FUZZ_ROUNDS"].flatMap { Int($0) } ?? 1_000
        var random = SystemRandomNumberGenerator()
        let corpus = [Array(Self.seed.utf8)] + Self.found.compactMap { Data(base64Encoded: $0).map { Array($0) } }
        var (taken, refused) = (0, 0)
        for _ in 0..<rounds {
            var file = Data(Self.mutated(corpus.randomElement(using: &random) ?? [], &random))
            let json = file
            // Sometimes flip a bit of the compressed data, so that a checksum is wrong.
            file = try Gzip.compress(file)
            let isCorrupt = Int.random(in: 0..<8, using: &random) == 0
            if isCorrupt {
                file[Int.random(in: 0..<file.count, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
            }
            switch Self.check(file) {
            case nil: refused += 1
            case "": taken += 1
            case let problem?: Issue.record("\(problem)\n\(json.base64EncodedString())")
            }
        }
        #expect(taken > 0 && refused > 0)
        print("Snapshots taken: \(taken), refused: \(refused)")
    }

    @Test("Regression inputs stay fixed", arguments: found)
    func foundBefore(_ json: String) throws {
        let file = try Gzip.compress(try #require(Data(base64Encoded: json)))
        #expect((Self.check(file) ?? "").isEmpty)
    }

    /// Returns nil if a snapshot is rejected, "" if it is accepted, or else a description of the bug.
    private static func check(_ file: Data) -> String? {
        let snapshot: PopularSnapshot
        do {
            snapshot = try PopularSnapshot(gzip: file)
        } catch .malformedSnapshot(let reason) {
            return reason.isEmpty || reason.contains("\n") ? "rejected without a reason" : nil
        } catch {
            return "another error: \(error)"
        }
        guard !snapshot.airports.isEmpty else { return "an empty list is accepted" }
        guard let again = try? PopularSnapshot(gzip: snapshot.gzip()) else { return "an encoded snapshot is rejected" }
        return again.airports == snapshot.airports ? "" : "an encoded snapshot differs"
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
