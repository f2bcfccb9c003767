// MARK: - What searching asks of the catalogue

extension Catalogue {
    /// How many airports the city of a record has; none for a place without one.
    func cityAirportCount(at record: Int) -> Int {
        let codes = cities.cell(record, CityColumn.airports.rawValue)
        return codes.isEmpty ? 0 : codes.string.split(separator: ",").count
    }

    /// Whether a code is that of a city with several airports, which has a row of its own.
    func isCityOfSeveral(code: String) -> Bool {
        cityRecord(code: code).map { cityAirportCount(at: $0) > 1 } ?? false
    }

    /// Tells other data apart. Reads all of them once: about a millisecond.
    var fingerprint: UInt64 {
        [table, cities, countryTable(openCountries)].reduce(0) { ($0 ^ $1.fingerprint) &* 0x9E37_79B9_7F4A_7C15 }
    }
}
