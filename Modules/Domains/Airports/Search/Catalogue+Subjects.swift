extension Catalogue {
    /// Returns the number of airports of a city; 0 for a place without airports.
    func cityAirportCount(at record: Int) -> Int {
        let codes = cities.cell(record, CityColumn.airports.rawValue)
        return codes.isEmpty ? 0 : codes.string.split(separator: ",").count
    }

    /// Returns the city with a code if it has several airports, and therefore its own row.
    func multiAirportCity(code: String) -> City? {
        cityRecord(code: code).flatMap { cityAirportCount(at: $0) > 1 ? city(at: $0) : nil }
    }

    /// A hash of all data, computed in about a millisecond.
    var fingerprint: UInt64 {
        [table, cities, countryTable(openCountries)].reduce(0) { ($0 ^ $1.fingerprint) &* 0x9E37_79B9_7F4A_7C15 }
    }
}
