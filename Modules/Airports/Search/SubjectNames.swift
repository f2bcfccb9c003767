/// The names of a subject, by class, in an order that never changes for the same data: the index names a match by its place in it.
///
/// Nothing is read before it is asked for. Used by one thread at a time.
final class SubjectNames {
    /// The name and the city in English.
    let main: [String]
    /// "Heathrow" of "London Heathrow".
    let own: [String]
    /// Its codes: IATA, ICAO, or that of the city.
    let codes: [String]
    private let country: Country?
    private let city: String?
    private let region: String?
    private let ownNames: Names
    private let cityNames: Names
    /// Whether the city has a row, which its names are left to.
    private let isOneOfSeveral: Bool

    /// The names of an airport.
    init(_ airport: Airport, isOneOfSeveral: Bool, country: Country?) {
        self.country = country
        self.isOneOfSeveral = isOneOfSeveral
        city = airport.city
        region = airport.region
        ownNames = airport.names
        cityNames = airport.cityNames
        main =
            isOneOfSeveral
            ? [airport.name] : airport.name == airport.city ? [airport.city] : [airport.city, airport.name]
        own = SubjectNames.ownPart(of: airport.name, city: airport.city).map { [$0] } ?? []
        codes = [airport.code] + (airport.icao.map { [$0] } ?? [])
    }

    /// The names of a city with several airports, or of a place without one.
    init(_ city: City, country: Country?) {
        self.country = country
        isOneOfSeveral = false
        self.city = nil
        region = city.region
        ownNames = Names()
        cityNames = city.names
        main = [city.name]
        own = []
        codes = [city.code]
    }

    private static func ownPart(of name: String, city: String) -> String? {
        guard name.utf8.count > city.utf8.count + 1, name.hasPrefix(city + " ") else { return nil }
        return String(name.dropFirst(city.count + 1))
    }

    /// The names by language, parsed once.
    private lazy var parsed: (own: [(language: String, names: [String])], city: [(language: String, names: [String])]) =
        (ownNames.byLanguage, cityNames.byLanguage)

    /// The languages that there are names in, English and former names aside.
    var languages: [String] {
        var seen: Set<String> = ["en", Names.otherTag]
        return (parsed.city + parsed.own + countryParsed).map(\.language).filter { seen.insert($0).inserted }
    }

    /// The names in one language: the city's unless it has a row, the airport's, and both where people say both.
    private func names(in language: String) -> [String] {
        let city = parsed.city.first { $0.language == language }?.names ?? []
        let own = parsed.own.first { $0.language == language }?.names ?? []
        if !isOneOfSeveral { return city + own }
        guard language != Names.otherTag, let first = city.first, let name = own.first, !name.contains(first) else {
            return own
        }
        return own + ["\(first) \(name)"]
    }

    /// Further English names, former, colloquial and short ones.
    private(set) lazy var colloquial: [String] = distinct(["en", Names.otherTag])

    /// Names in other languages.
    private(set) lazy var foreign: [String] = distinct(languages)

    private func distinct(_ languages: [String]) -> [String] {
        var seen = Set(main)
        return languages.flatMap(names(in:)).filter { seen.insert($0).inserted }
    }

    // MARK: - Surroundings

    private lazy var countryParsed = country?.names.byLanguage ?? []

    /// The country's names in a language, or in English and what people call it.
    private func countryNames(_ language: String?) -> [String] {
        if let language { return countryParsed.first { $0.language == language }?.names ?? [] }
        return countryParsed.filter { $0.language == "en" || $0.language == Names.otherTag }.flatMap(\.names)
    }

    /// City, region and country in English: what is typed beside a name to tell it apart.
    private(set) lazy var surroundings: [String] =
        (city.map { [$0] } ?? []) + (region.map { [$0] } ?? []) + countryNames(nil)

    /// The names of the city and the country in all languages.
    private(set) lazy var foreignSurroundings: [String] =
        (isOneOfSeveral ? parsed.city.flatMap(\.names) : []) + countryParsed.flatMap(\.names)

    // MARK: - By class

    /// The names of a class, in the lane of a language where one is given.
    func names(_ nameClass: NameClass, language: String?) -> [String] {
        switch nameClass {
        case .main, .tail: language.map(names(in:)) ?? main
        case .own: language == nil ? own : []
        case .country: countryNames(language)
        case .colloquial: language == nil ? colloquial : []
        case .foreign: language == nil ? foreign : []
        case .code: language == nil ? codes : []
        case .place: language == nil ? main + colloquial + foreign : []
        case .words: []
        }
    }
}
