/// The names of a subject, by class, in an order that never changes for the same data: the index names a match by its place in it.
///
/// Nothing is read before it is asked for.
struct SubjectNames: Sendable {
    /// The name and the city in English.
    let main: [String]
    /// Its codes: IATA, ICAO, or that of the city.
    let codes: [String]
    /// What the names stand among: city, region, country.
    private let surroundings: [String]
    private let surroundingNames: [Names]
    private let languages: [Names]
    private let country: Country?
    private let countryLanguages: [String]?

    /// The names of an airport. One of several in its city leaves the city's names to the city's row.
    init(_ airport: Airport, isOneOfSeveral: Bool, country: Country?, countryLanguages: [String]?) {
        languages = isOneOfSeveral ? [airport.names] : [airport.cityNames, airport.names]
        surroundingNames = isOneOfSeveral ? [airport.cityNames] : []
        var main: [String] = []
        if !isOneOfSeveral { main.append(airport.city) }
        if airport.name != airport.city || isOneOfSeveral { main.append(airport.name) }
        if let own = SubjectNames.ownPart(of: airport.name, city: airport.city) { main.append(own) }
        self.main = main
        codes = [airport.code] + (airport.icao.map { [$0] } ?? [])
        surroundings = [airport.city] + (airport.region.map { [$0] } ?? [])
        self.country = country
        self.countryLanguages = countryLanguages
    }

    /// The names of a city with several airports, or of a place without one.
    init(_ city: City, country: Country?, countryLanguages: [String]?) {
        languages = [city.names]
        surroundingNames = []
        main = [city.name]
        codes = [city.code]
        surroundings = city.region.map { [$0] } ?? []
        self.country = country
        self.countryLanguages = countryLanguages
    }

    /// "Heathrow" of "London Heathrow".
    private static func ownPart(of name: String, city: String) -> String? {
        guard name.utf8.count > city.utf8.count + 1, name.hasPrefix(city + " ") else { return nil }
        return String(name.dropFirst(city.count + 1))
    }

    /// Further English names, former, colloquial and short ones.
    var colloquial: [String] { distinct { $0 == "en" || $0 == Names.otherTag } }

    /// Names in other languages.
    var foreign: [String] { distinct { $0 != "en" && $0 != Names.otherTag } }

    private func distinct(_ isWanted: (String) -> Bool) -> [String] {
        var seen = Set(main)
        var result: [String] = []
        for names in languages {
            for (language, list) in names.byLanguage where isWanted(language) {
                result += list.filter { seen.insert($0).inserted }
            }
        }
        return result
    }

    /// City, region and country, for finding words across them.
    var around: [String] {
        var result = surroundings + surroundingNames.flatMap { $0.byLanguage.flatMap(\.names) }
        if let country {
            result += country.names.byLanguage.filter { countryLanguages?.contains($0.language) ?? true }
                .flatMap(\.names)
        }
        return result
    }

    /// The names of a class, in the lane of a language where one is given.
    func names(_ nameClass: NameClass, language: String?) -> [String] {
        if let language { return languages.flatMap { $0.names(in: language) } }
        switch nameClass {
        case .main, .tail: return main
        case .colloquial: return colloquial
        case .foreign: return foreign
        case .code: return codes
        case .place: return main + colloquial + foreign
        case .words: return main + colloquial + foreign + codes + around
        }
    }
}
