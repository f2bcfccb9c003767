import Foundation
import SwitchboardTestSupport
import Testing

@testable import SwitchboardAirports

/// Returns a snapshot with a change.
private func snapshot(
    schema: Any = 1, count: Int = 3, _ change: (inout [[String: Any]]) -> Void = { _ in }
) throws -> Data {
    var airports: [[String: Any]] = ["AQQ", "BQQ", "CQQ"].prefix(count).enumerated().map(entry)
    change(&airports)
    let object: [String: Any] = ["schema": schema, "generatedAt": "2026-11-20T09:00:00Z", "airports": airports]
    return try Gzip.compress(JSONSerialization.data(withJSONObject: object))
}

private func entry(_ index: Int, _ code: String) -> [String: Any] {
    [
        "code": code, "icao": NSNull(), "name": "Airport \(index)", "names": ["ru": ["Аэропорт"]], "city": "City",
        "cityCode": "QQQ", "cityNames": ["x": ["Old"]], "country": "DE", "latitude": Double(index), "longitude": -0.5,
        "timeZone": "Europe/Berlin", "popularity": 0.9 - Double(index) * 0.1,
    ]
}

@Suite("Snapshots of the popular list")
struct SnapshotTests {
    @Test("a valid snapshot is decoded in order of popularity")
    func whole() throws {
        let data = try snapshot { airports in
            airports[0]["popularity"] = 0.5
            airports[1]["popularity"] = 0.7
            airports[2]["popularity"] = 0.5
        }
        let snapshot = try PopularSnapshot(gzip: data)
        #expect(snapshot.airports.map(\.code) == ["BQQ", "AQQ", "CQQ"])
        #expect(snapshot.airports[0].names.best(in: "ru") == "Аэропорт")
        #expect(snapshot.airports[0].cityNames.other == ["Old"])
        #expect(snapshot.generatedAt == Date(timeIntervalSince1970: 1_795_165_200))
    }

    @Test("optional keys may be missing, and unknown keys are ignored")
    func optional() throws {
        let data = try snapshot { airports in
            for key in ["icao", "names", "cityNames"] { airports[0][key] = nil }
            airports[0]["runways"] = 2
        }
        #expect(try PopularSnapshot(gzip: data).airports.count == 3)
    }

    private func reason(_ data: Data) -> String {
        do {
            _ = try PopularSnapshot(gzip: data)
            return "none"
        } catch .malformedSnapshot(let reason) {
            return reason
        } catch {
            return "another error"
        }
    }

    @Test(
        "an invalid airport is rejected and named",
        arguments: [
            ("latitude", "91"), ("latitude", "-90.5"), ("longitude", "180.01"), ("longitude", "1e300"),
            ("code", "\"\""),
            ("code", "\"AB\""), ("code", "\"abc\""), ("code", "\"ABCD\""), ("code", "\"ÄÖÜ\""), ("code", "null"),
            ("code", "5"), ("icao", "\"E\""), ("name", "\"\""), ("name", "\" \""), ("name", "\"a\\u0000b\""),
            ("name", "[]"), ("city", "\"\""), ("cityCode", "\"\""), ("country", "\"D1\""), ("country", "\"de\""),
            ("timeZone", "\"\""), ("latitude", "null"), ("latitude", "\"1\""), ("latitude", "1e999"),
            ("popularity", "-1"), ("popularity", "-1e999"), ("names", "[]"), ("names", "{\"ru\": \"x\"}"),
            ("names", "{\"ru\": [1]}"),
        ])
    func oneBadAirport(key: String, value: String) throws {
        let good = try Gzip.decompress(snapshot(), limit: 1 << 20)
        let json = String(decoding: good, as: UTF8.self)
        var object = try #require(JSONSerialization.jsonObject(with: good) as? [String: Any])
        var airports = try #require(object["airports"] as? [[String: Any]])
        airports[1][key] = "@@"
        object["airports"] = airports
        let changed = String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
            .replacingOccurrences(of: "\"@@\"", with: value)
        #expect(changed != json)
        let reason = reason(try Gzip.compress(Data(changed.utf8)))
        #expect(reason.contains(key) || reason == "not JSON" || reason.hasPrefix("airport 2"), "\(reason)")
        #expect(reason != "none")
    }

    @Test(
        "a missing key is named",
        arguments: ["code", "name", "city", "cityCode", "country", "latitude", "popularity"])
    func missingKey(key: String) throws {
        #expect(reason(try snapshot { $0[2][key] = nil }) == "airports, airport 3, \(key): missing")
    }

    @Test("an empty list, a duplicate code and another schema are rejected")
    func lists() throws {
        #expect(reason(try snapshot(count: 0)) == "the list is empty")
        #expect(reason(try snapshot { $0[2]["code"] = "AQQ" }) == "the code AQQ is duplicated")
        #expect(reason(try snapshot(schema: 2)) == "schema 2 is not supported, only 1")
        #expect(reason(try snapshot(schema: "1")) == "schema: not a number")
        #expect(
            reason(try Gzip.compress(Data("{\"schema\": 9, \"what\": {}}".utf8))) == "schema 9 is not supported, only 1"
        )
    }

    @Test(
        "malformed or unexpected JSON is rejected",
        arguments: [
            "", "null", "[]", "{}", "{\"schema\": 1}", "{\"schema\": 1, \"airports\": []}", "NaN", "{\"schema\": NaN}",
            "{\"schema\": 1, \"generatedAt\": \"yesterday\", \"airports\": []}", "\u{FEFF}{}", "{\"schema\":1",
        ])
    func notJSON(text: String) throws {
        #expect(reason(try Gzip.compress(Data(text.utf8))) != "none")
    }

    @Test("a snapshot truncated anywhere, or with a changed or added byte, is rejected")
    func torn() throws {
        let data = try snapshot()
        let json = try Gzip.decompress(data, limit: PopularSnapshot.maxJSONSize)
        for end in 0..<data.count { #expect(reason(data.prefix(end)) != "none", "cut at \(end)") }
        // Time, extra flags and system in the header are not checked.
        for index in data.indices where !(4...9).contains(index) {
            var changed = data
            changed[index] ^= 0x10
            // Bits that do not change the list, such as padding and lengths of unused codes, are not checked.
            let isSame = (try? Gzip.decompress(changed, limit: PopularSnapshot.maxJSONSize)) == json
            #expect(reason(changed) != "none" || isSame, "changed at \(index)")
        }
        #expect(reason(data + [0]) == "unexpected data after its end")
        #expect(reason(data + data) == "unexpected data after its end")
        #expect(reason(Data("{\"schema\": 1}".utf8)) == "not a gzip file, or corrupt")
    }

    @Test("a decompression bomb is rejected")
    func bomb() throws {
        let bomb = try Gzip.compress(Data(count: PopularSnapshot.maxJSONSize + 1))
        #expect(bomb.count < 100_000)
        #expect(reason(bomb) == "larger than 64 MiB")
    }

    @Test("data of any size survives a round trip", arguments: [0, 1, 65_535, 65_536, 65_537, 1_000_000])
    func gzip(size: Int) throws {
        var random = SplitMix(seed: UInt64(size))
        let data = Data((0..<size).map { _ in UInt8.random(in: 0...7, using: &random) })
        #expect(try Gzip.decompress(Gzip.compress(data), limit: size) == data)
        if size > 0 {
            #expect(throws: Gzip.Failure.tooLarge) { try Gzip.decompress(Gzip.compress(data), limit: size - 1) }
        }
    }

    @Test("a slice of data is decoded")
    func slice() throws {
        let data = Data([1, 2, 3]) + (try snapshot())
        #expect(try PopularSnapshot(gzip: data.dropFirst(3)).airports.count == 3)
    }
}
