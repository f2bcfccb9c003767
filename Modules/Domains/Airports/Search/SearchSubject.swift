/// The subject of an index document: an airport, a city, or a place without an airport.
///
/// Identified by its number in a list, so that an index can be opened without reading the subjects.
struct SearchSubject: Hashable, Sendable {
    enum Kind: Int64 {
        /// An airport of the popular list or the catalogue.
        case airport
        /// A city with several airports, by its record in the catalogue.
        case city
        /// A place without an airport, by its record in the table of places.
        case place
    }

    var kind: Kind
    var number: Int

    var id: Int64 { Int64(number) << 8 | kind.rawValue << 4 }

    /// Returns the identifier of the subject's document for a class of names.
    func id(_ nameClass: NameClass) -> Int64 { id | nameClass.rawValue }

    /// Returns the subject and class of an identifier; nil if it is invalid.
    static func of(id: Int64) -> (subject: SearchSubject, nameClass: NameClass)? {
        guard let kind = Kind(rawValue: id >> 4 & 15), let nameClass = NameClass(rawValue: id & 15) else { return nil }
        return (SearchSubject(kind: kind, number: Int(id >> 8)), nameClass)
    }
}

/// The class of a name. A subject has one index document for each class, so that the order of documents blends classes
/// by popularity.
enum NameClass: Int64, CaseIterable, Sendable {
    /// The name and the city, in English, or in the language of the field.
    case main
    /// The airport's name without its city: "Heathrow".
    case own
    /// Suffixes of the main names: "York", "de Gaulle".
    case tail
    /// Further English names, former, colloquial and short ones.
    case colloquial
    /// Names in other languages.
    case foreign
    case code
    case country
    /// All names of a place without an airport.
    case place
    /// All words together.
    case words
}

/// The names of a subject by class, in a stable order: the index refers to names by ordinal.
///
/// Names are parsed on access. Not thread-safe.
final class SubjectNames {
    let main: [String]
    /// "Heathrow" of "London Heathrow".
    let own: [String]
    /// The codes: IATA and ICAO, or the city's code.
    let codes: [String]
    private let country: Country?
    private let city: String?
    private let region: String?
    private let ownNames: Names
    private let cityNames: Names
    /// The names of the city's row, if it has one; they belong to that row.
    private let rowNames: Names?

    /// Creates the names of an airport.
    ///
    /// - Parameter row: The city, if it has its own row because it has several airports.
    init(_ airport: Airport, row: City?, country: Country?) {
        self.country = country
        rowNames = row?.names
        city = airport.city
        region = airport.region
        ownNames = airport.names
        cityNames = airport.cityNames
        main =
            row != nil
            ? [airport.name] : airport.name == airport.city ? [airport.city] : [airport.city, airport.name]
        own = SubjectNames.ownPart(of: airport.name, city: airport.city).map { [$0] } ?? []
        codes = [airport.code] + (airport.icao.map { [$0] } ?? [])
    }

    init(_ city: City, country: Country?) {
        self.country = country
        rowNames = nil
        self.city = nil
        region = city.region
        ownNames = Names()
        cityNames = city.names
        main = [city.name]
        own = []
        codes = [city.code]
    }

    init(_ place: Place) {
        country = nil
        rowNames = nil
        city = nil
        region = place.region
        ownNames = Names()
        cityNames = place.names
        main = [place.name]
        own = []
        codes = []
    }

    private static func ownPart(of name: String, city: String) -> String? {
        guard name.utf8.count > city.utf8.count + 1, name.hasPrefix(city + " ") else { return nil }
        let part = String(name.dropFirst(city.count + 1))
        return descriptions.contains(part) ? nil : part
    }

    /// Words that describe an airport but are not its name: "new" means New York rather than Port Sudan New.
    private static let descriptions: Set<String> = [
        "Aeroporto", "Airport", "Central", "City", "Civil", "County", "Domestic", "Downtown", "East", "Executive",
        "Industrial", "International", "Island", "Memorial", "Metropolitan", "Military", "Municipal", "National", "New",
        "North", "Old", "Regional", "South", "State", "Town", "West",
    ]

    private lazy var parsed: (own: [(language: String, names: [String])], city: [(language: String, names: [String])]) =
        (ownNames.byLanguage, cityNames.byLanguage)

    /// The languages of the names, apart from English and former names.
    var languages: [String] {
        var seen: Set<String> = ["en", Names.otherTag]
        return (parsed.city + parsed.own).map { $0.language }.filter { seen.insert($0).inserted }
    }

    /// Returns the names in one language: the city's unless it has a row, the airport's, and both combined where that
    /// is common.
    private func names(in language: String) -> [String] {
        let city = SubjectNames.withShortNames(parsed.city.first { $0.language == language }?.names ?? [])
        let own = parsed.own.first { $0.language == language }?.names ?? []
        guard let rowNames else { return city + own }
        let shared = SubjectNames.withShortNames(rowNames.names(in: language))
        // Some sources mix up the names of the city and the airport.
        let all = (own + city).filter { !shared.contains($0) }
        guard language != Names.otherTag, let first = shared.first, let name = all.first, !name.contains(first) else {
            return all
        }
        return all + ["\(first) \(name)"]
    }

    /// Adds the names of cities without the word for city, which people omit: 大阪 of 大阪市.
    private static func withShortNames(_ names: [String]) -> [String] {
        names.flatMap { name -> [String] in
            guard name.last == "市", name.count > 2 else { return [name] }
            let short = String(name.dropLast())
            return names.contains(short) ? [name] : [name, short]
        }
    }

    /// The alternative English names: former, colloquial and short ones.
    private(set) lazy var colloquial: [String] = distinct(["en", Names.otherTag]).filter(SubjectNames.isLatin)

    private(set) lazy var foreign: [String] =
        distinct(languages + [Names.otherTag]).filter { !colloquial.contains($0) }

    /// Returns `true` unless a name has letters of another script than Latin. Nicknames are listed without their language.
    static func isLatin(_ name: String) -> Bool {
        name.unicodeScalars.allSatisfy { $0.value < 0x370 || (0x1E00...0x20CF).contains($0.value) }
    }

    private func distinct(_ languages: [String]) -> [String] {
        var seen = Set(main)
        return languages.flatMap(names(in:)).filter { seen.insert($0).inserted }
    }

    // MARK: - Surroundings

    private lazy var countryParsed = country?.names.byLanguage ?? []

    private lazy var countryNames: [String] =
        countryParsed.filter { $0.language == "en" || $0.language == Names.otherTag }.flatMap { $0.names }

    /// City, region and country in English, which users add to a name to disambiguate it.
    private(set) lazy var surroundings: [String] =
        (city.map { [$0] } ?? []) + (region.map { [$0] } ?? []) + countryNames

    /// The names in all languages of the city, if it has a row.
    var foreignCity: [String] { rowNames.map { $0.byLanguage.flatMap { $0.names } } ?? [] }

    var foreignCountry: [String] { countryParsed.flatMap { $0.names } }

    // MARK: - By class

    func names(_ nameClass: NameClass, field: Int) -> [String] {
        if let language = SearchField.language(of: field) {
            switch nameClass {
            case .main, .tail: return names(in: language)
            default: return []
            }
        }
        if SearchField.foreignFields.contains(field) {
            return nameClass == .foreign || nameClass == .place ? foreign : []
        }
        switch nameClass {
        case .main, .tail: return main
        case .own: return own
        case .country: return countryNames
        case .colloquial: return colloquial
        case .foreign: return field == SearchField.keys ? foreign : []
        case .code: return codes
        case .place: return main + colloquial
        case .words: return []
        }
    }
}
