import Foundation

/// What every schema of a snapshot has.
struct SnapshotSchema: Decodable {
    let schema: Int
}

/// The JSON of a snapshot, schema 1.
struct SnapshotFile: Codable {
    let schema: Int
    let generatedAt: Date
    let airports: [SnapshotEntry]
}

/// One airport in the JSON of a snapshot.
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

    /// What no airport can have, if there is something.
    var fault: String? {
        if !Self.isCode(code, length: 3) { return "code “\(code.prefix(8))” is not three capital letters" }
        if let icao, !Self.isCode(icao, length: 4) { return "icao “\(icao.prefix(8))” is not four letters or digits" }
        if !Self.isCode(cityCode, length: 3) { return "cityCode “\(cityCode.prefix(8))” is not three capital letters" }
        if !Self.isCode(country, length: 2) { return "country “\(country.prefix(8))” is not two capital letters" }
        for (key, text) in [("name", name), ("city", city), ("timeZone", timeZone)] where !Self.isText(text) {
            return "\(key) is empty or has control characters"
        }
        do {
            _ = try Coordinate(latitude: latitude, longitude: longitude)
        } catch {
            return error.description
        }
        if !(popularity >= 0 && popularity.isFinite) { return "popularity \(popularity) is not a number from 0 up" }
        return nil
    }

    var airport: Airport {
        Airport(
            code: code, icao: icao, name: name, city: city, cityCode: cityCode, country: country, region: region,
            latitude: latitude, longitude: longitude, timeZone: timeZone, popularity: popularity,
            names: names ?? Names(), cityNames: cityNames ?? Names())
    }

    private static func isCode(_ text: String, length: Int) -> Bool {
        let bytes = text.utf8
        return bytes.count == length
            && bytes.allSatisfy { (0x41...0x5A).contains($0) || (length != 2 && (0x30...0x39).contains($0)) }
    }

    private static func isText(_ text: String) -> Bool {
        !text.allSatisfy(\.isWhitespace) && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    }
}
