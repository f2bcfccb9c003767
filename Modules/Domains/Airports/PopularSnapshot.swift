public import Foundation
import SwitchboardErrors

/// A list of popular airports in its exchange format: gzipped JSON, schema 1.
///
/// Decoding validates every airport and reports the first invalid one.
public struct PopularSnapshot: Sendable {
    /// The supported schema.
    public static let schema = 1
    /// The maximum size of the JSON in bytes, about forty times the size of the embedded list.
    static let maxJSONSize = 64 << 20

    /// The time when the list was generated.
    public let generatedAt: Date
    /// The airports, most used first.
    public let airports: [Airport]
}

extension PopularSnapshot {
    // MARK: - Reading

    /// Decodes a snapshot. Airports of equal popularity keep their order.
    ///
    /// - Throws: `AirportsError.malformedSnapshot` if the data is truncated or not gzip, has another schema, an empty
    ///   list or a duplicate code, or an airport is invalid.
    public init(gzip data: Data) throws(AirportsError) {
        let json: Data
        do {
            json = try Gzip.decompress(data, limit: Self.maxJSONSize)
        } catch {
            throw .malformedSnapshot(Self.reason(error))
        }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let file: SnapshotFile
        do {
            // Decode the schema first: another one may have any shape.
            let schema = try decoder.decode(SnapshotSchema.self, from: json).schema
            guard schema == Self.schema else {
                throw AirportsError.malformedSnapshot("schema \(schema) is not supported, only \(Self.schema)")
            }
            file = try decoder.decode(SnapshotFile.self, from: json)
        } catch let error as AirportsError {
            throw error
        } catch let error as DecodingError {
            throw .malformedSnapshot(error.reason(row: "airport"))
        } catch {
            throw .malformedSnapshot("not JSON")
        }
        let airports = try Self.checked(file.airports)
        generatedAt = file.generatedAt
        // Swift's sort is not guaranteed to be stable.
        self.airports = airports.enumerated()
            .sorted { ($1.element.popularity, $0.offset) < ($0.element.popularity, $1.offset) }
            .map(\.element)
    }

    private static func checked(_ entries: [SnapshotEntry]) throws(AirportsError) -> [Airport] {
        guard !entries.isEmpty else { throw .malformedSnapshot("the list is empty") }
        var seen: Set<String> = []
        var airports: [Airport] = []
        airports.reserveCapacity(entries.count)
        for (index, entry) in entries.enumerated() {
            let airport = entry.airport
            if let failure = airport.validationFailure {
                throw .malformedSnapshot("airport \(index + 1), \(entry.code.prefix(8)): \(failure)")
            }
            guard seen.insert(entry.code).inserted else {
                throw .malformedSnapshot("the code \(entry.code) is duplicated")
            }
            airports.append(airport)
        }
        return airports
    }

    private static func reason(_ failure: Gzip.Failure) -> String {
        switch failure {
        case .truncated: "the file is truncated"
        case .corrupt: "not a gzip file, or corrupt"
        case .trailingBytes: "unexpected data after its end"
        case .tooLarge: "larger than \(maxJSONSize >> 20) MiB"
        case .outOfMemory: "out of memory"
        }
    }

    // MARK: - Writing

    /// Returns the snapshot as gzipped JSON. The output is deterministic.
    public func gzip() throws -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let file = SnapshotFile(
            schema: Self.schema, generatedAt: generatedAt, airports: airports.map(SnapshotEntry.init))
        return try Gzip.compress(try encoder.encode(file))
    }
}

/// The part common to all snapshot schemas.
private struct SnapshotSchema: Decodable {
    let schema: Int
}

private struct SnapshotFile: Codable {
    let schema: Int
    let generatedAt: Date
    let airports: [SnapshotEntry]
}

struct SnapshotEntry: Codable {
    let code: String
    let icao: String?
    let name: String
    let names: Names?
    let city: String
    let cityCode: String
    let cityNames: Names?
    let country: String
    let region: String?
    let latitude: Double
    let longitude: Double
    let timeZone: String
    let popularity: Double

    init(_ airport: Airport) {
        code = airport.code
        icao = airport.icao
        name = airport.name
        names = airport.names
        city = airport.city
        cityCode = airport.cityCode
        cityNames = airport.cityNames
        country = airport.country
        region = airport.region
        latitude = airport.latitude
        longitude = airport.longitude
        timeZone = airport.timeZone
        popularity = airport.popularity
    }

    var airport: Airport {
        Airport(
            code: code, icao: icao, name: name, city: city, cityCode: cityCode, country: country, region: region,
            latitude: latitude, longitude: longitude, timeZone: timeZone, popularity: popularity,
            names: names ?? Names(), cityNames: cityNames ?? Names())
    }
}
