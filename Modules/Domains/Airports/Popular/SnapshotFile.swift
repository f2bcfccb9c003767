import Foundation

/// The part that all schemas of a snapshot have in common.
struct SnapshotSchema: Decodable {
    let schema: Int
}

struct SnapshotFile: Codable {
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
