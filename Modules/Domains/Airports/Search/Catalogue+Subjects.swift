// MARK: - What searching asks of the catalogue

extension Catalogue {
    /// How many airports the city of a record has; none for a place without one.
    func cityAirportCount(at record: Int) -> Int {
        let codes = cities.cell(record, CityColumn.airports.rawValue)
        return codes.isEmpty ? 0 : codes.string.split(separator: ",").count
    }

    /// The city of a code, if it has several airports and so a row of its own.
    func cityOfSeveral(code: String) -> City? {
        cityRecord(code: code).flatMap { cityAirportCount(at: $0) > 1 ? city(at: $0) : nil }
    }

    /// Tells other data apart. Reads all of them once: about a millisecond.
    var fingerprint: UInt64 {
        [table, cities, countryTable(openCountries)].reduce(0) { ($0 ^ $1.fingerprint) &* 0x9E37_79B9_7F4A_7C15 }
    }
}
