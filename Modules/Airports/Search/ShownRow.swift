import TextFolding

/// A row as it is shown in one language: its texts, before anything is highlighted.
struct ShownRow: Sendable {
    let airport: Airport
    let airports: [Airport]
    let title: String
    let subtitle: String

    init(_ airport: Airport, airports: [Airport], catalogue: Catalogue, language: String) {
        self.airport = airport
        self.airports = airports
        title = airport.isCity ? airport.cityTitle(in: language) : airport.title(in: language)
        var parts: [String] = []
        let city = airport.cityTitle(in: language)
        if !airport.isCity, city != title { parts.append(city) }
        if let region = airport.region, catalogue.isNamesake(city: airport.city), region != title, region != city {
            parts.append(region)
        }
        parts.append(catalogue.country(code: airport.country)?.title(in: language) ?? airport.country)
        subtitle = parts.joined(separator: ", ")
    }
}
