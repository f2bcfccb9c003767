import CSwitchboardAirportCatalogue
import Synchronization

// Each `unsafe` is safe because the embedded files are constants of the program, given with their size.

/// The embedded catalogue of all airports with an IATA code, their cities and countries.
///
/// The data are read in place: opening locates the lines, and an `Airport` is created from its record on first access.
/// Records are sorted by popularity, most used first. Lookup tables (codes, cities, the spatial index) are built on
/// first use.
///
/// For example:
///
///     let catalogue = Catalogue()
///     catalogue.airport(code: "led")?.cityTitle(in: "ru")  // "Санкт-Петербург"
public final class Catalogue: Sendable {
    enum Column: Int, CaseIterable {
        case code, icao, name, city, cityCode, country, region, latitude, longitude, timeZone, popularity, flags
        case cityNames, airportNames
    }

    let table: TextTable
    private let openPlaces: @Sendable () -> TextTable
    private let openCities: @Sendable () -> TextTable
    let openCountries: @Sendable () -> TextTable

    private let airports: LazyObjects<Airport.SharedAttributes>
    private let cityTable = Once<TextTable>()
    private let placeTable = Once<TextTable>()
    let countryTable = Once<TextTable>()
    private let codes = Once<[String: Int]>()
    private let cityCodes = Once<[String: Int]>()
    private let countries = Once<[String: Country]>()
    let nearestIndex = Once<NearestIndex>()
    private let namesakes = Once<Set<String>>()

    /// Opens the embedded catalogue. Takes about a millisecond and copies nothing.
    public init() {
        table = unsafe TextTable(embedded: sb_airports)
        airports = LazyObjects(count: table.count)
        openCities = { unsafe TextTable(embedded: sb_cities) }
        openPlaces = { unsafe TextTable(embedded: sb_places) }
        openCountries = { unsafe TextTable(embedded: sb_countries) }
    }

    /// Creates a catalogue from other data in the same format, which is copied and never freed.
    init(airports: String, cities: String = "", places: String = "", countries: String = "") {
        table = TextTable(copying: Array(airports.utf8))
        self.airports = LazyObjects(count: table.count)
        openCities = { TextTable(copying: Array(cities.utf8)) }
        openPlaces = { TextTable(copying: Array(places.utf8)) }
        openCountries = { TextTable(copying: Array(countries.utf8)) }
    }

    /// Returns the records of a table by code. The first of several records with the same code wins.
    private static func records(_ table: TextTable, codeColumn: Int) -> [String: Int] {
        Dictionary((0..<table.count).map { (table.cell($0, codeColumn).string, $0) }) { first, _ in first }
    }

    /// Returns the record of a code, ignoring the case of ASCII letters. Other letters, such as ſ, match only
    /// themselves.
    private static func record(of code: String, in records: [String: Int]) -> Int? {
        code.utf8.allSatisfy { $0 < 0x80 } ? records[code.uppercased()] : nil
    }

    // MARK: - Airports

    /// The number of airports.
    public var count: Int { table.count }

    /// Returns the airport of a record; nil if the record does not exist.
    public func airport(at record: Int) -> Airport? {
        airports.object(at: record) { attributes(of: record).map(Airport.SharedAttributes.init) }.map { Airport($0) }
    }

    private func attributes(of record: Int) -> Airport.Attributes? {
        var cells = table.cells(of: record)
        let code = cells.take().string
        let icao = cells.take().nonEmptyString
        let name = cells.take().string
        let city = cells.take().string
        let cityCode = cells.take().nonEmptyString ?? code
        let country = cells.take().string
        let region = cells.take().nonEmptyString
        guard let latitude = cells.take().decimal, let longitude = cells.take().decimal else { return nil }
        let timeZone = cells.take().string
        let popularity = cells.take().decimal ?? 0
        let isScheduled = cells.take().contains(UInt8(ascii: "s"))
        let cityNames = Names(text: cells.take().string)
        let names = Names(text: cells.take().string)
        return Airport.Attributes(
            code: code, icao: icao, name: name, city: city, cityCode: cityCode, country: country, region: region,
            latitude: latitude, longitude: longitude, timeZone: timeZone, popularity: popularity,
            isScheduled: isScheduled, names: names, cityNames: cityNames)
    }

    /// Returns the record of an IATA code, ignoring case. O(1) after the first call.
    public func record(code: String) -> Int? {
        Self.record(of: code, in: codes { Self.records(table, codeColumn: Column.code.rawValue) })
    }

    /// Returns the airport with an IATA code, ignoring case.
    public func airport(code: String) -> Airport? {
        record(code: code).flatMap(airport(at:))
    }

    /// Returns the airport with an ICAO code, ignoring case. Linear in the number of airports.
    public func airport(icao: String) -> Airport? {
        let wanted = Array(icao.uppercased().utf8)
        guard wanted.count == 4 else { return nil }
        return (0..<table.count).first { cell($0, .icao).equals(wanted) }.flatMap(airport(at:))
    }

    /// The records of the embedded popular list, most used first.
    public var popularRecords: [Int] {
        (0..<table.count).filter { cell($0, .flags).contains(UInt8(ascii: "p")) }
    }

    func cell(_ record: Int, _ column: Column) -> Cell {
        table.cell(record, column.rawValue)
    }

    /// Returns `true` if cities in several countries or regions have this name.
    func isNamesake(city: String) -> Bool {
        let namesakes = namesakes {
            // The last record of each city.
            var records: [Cell: Int] = [:]
            records.reserveCapacity(table.count)
            var several: Set<String> = []
            for record in 0..<table.count {
                let city = cell(record, .city)
                guard let earlier = records.updateValue(record, forKey: city) else { continue }
                if cell(record, .country) != cell(earlier, .country) || cell(record, .region) != cell(earlier, .region)
                {
                    several.insert(city.string)
                }
            }
            return several
        }
        return namesakes.contains(city)
    }

    // MARK: - Cities and countries

    enum CityColumn: Int, CaseIterable {
        case code, name, country, region, latitude, longitude, population, names, airports
    }

    /// Returns the city with a metropolitan code, ignoring case.
    public func city(code: String) -> City? {
        cityRecord(code: code).flatMap(city(at:))
    }

    func cityRecord(code: String) -> Int? {
        Self.record(of: code, in: cityCodes { Self.records(cities, codeColumn: CityColumn.code.rawValue) })
    }

    var cities: TextTable { cityTable(openCities) }

    /// The number of cities.
    public var cityCount: Int { cities.count }

    /// Returns the city of a record; nil if the record does not exist.
    public func city(at record: Int) -> City? {
        guard record >= 0, record < cityCount else { return nil }
        var cells = cities.cells(of: record)
        let code = cells.take().string
        let name = cells.take().string
        let country = cells.take().string
        let region = cells.take().nonEmptyString
        guard let latitude = cells.take().decimal, let longitude = cells.take().decimal else { return nil }
        return City(
            code: code, name: name, country: country, region: region, latitude: latitude, longitude: longitude,
            population: Int(cells.take().string) ?? 0, names: Names(text: cells.take().string))
    }

    /// Returns the records of a city's airports, most used first. An airport code that is not also a city code returns
    /// that airport alone.
    public func records(inCity code: String) -> [Int] {
        guard let city = cityRecord(code: code) else { return record(code: code).map { [$0] } ?? [] }
        let codes = cities.cell(city, CityColumn.airports.rawValue).string
        return codes.split(separator: ",").compactMap { record(code: String($0)) }
    }

    /// Returns the row that represents a city with all its airports, as popular as the most used of them.
    public func cityRow(code: String) -> Airport? {
        guard let city = city(code: code), let first = records(inCity: code).first.flatMap(airport(at:)) else {
            return nil
        }
        return Airport(
            code: city.code, name: city.name, city: city.name, cityCode: city.code, country: city.country,
            region: city.region, latitude: city.latitude, longitude: city.longitude, timeZone: first.timeZone,
            popularity: first.popularity, isCity: true, isScheduled: first.isScheduled, names: city.names,
            cityNames: city.names)
    }

    enum PlaceColumn: Int, CaseIterable {
        case name, country, region, latitude, longitude, population, airports, names
    }

    var places: TextTable { placeTable(openPlaces) }

    /// Returns the place of a record; nil if the record does not exist.
    func place(at record: Int) -> Place? {
        guard record >= 0, record < places.count else { return nil }
        var cells = places.cells(of: record)
        let name = cells.take().string
        let country = cells.take().string
        let region = cells.take().nonEmptyString
        guard let latitude = cells.take().decimal, let longitude = cells.take().decimal else { return nil }
        return Place(
            name: name, country: country, region: region, latitude: latitude, longitude: longitude,
            population: Int(cells.take().string) ?? 0,
            airports: cells.take().string.split(separator: ",").map(String.init),
            names: Names(text: cells.take().string))
    }

    /// Returns the airports that serve a place: those that the catalogue lists, or else the two nearest with scheduled
    /// flights.
    func airports(serving place: Place) -> [Airport] {
        if !place.airports.isEmpty { return place.airports.compactMap(airport(code:)) }
        let coordinate = try? Coordinate(latitude: place.latitude, longitude: place.longitude)
        let near = coordinate.flatMap { try? nearest(to: $0, limit: 6) } ?? []
        return Array(near.filter(\.isScheduled).prefix(2))
    }

    /// Returns the country with an ISO 3166-1 alpha-2 code, ignoring case.
    public func country(code: String) -> Country? {
        let all = countries {
            let table = countryTable(openCountries)
            let list = (0..<table.count).map { record in
                Country(code: table.cell(record, 0).string, names: Names(text: table.cell(record, 1).string))
            }
            return Dictionary(list.map { ($0.code, $0) }) { first, _ in first }
        }
        return all[code.uppercased()]
    }
}

/// A city of the catalogue, identified by a metropolitan code.
public struct City: Hashable, Sendable {
    /// The metropolitan code, such as `LON`.
    public let code: String
    /// The name in English.
    public let name: String
    /// The ISO 3166-1 alpha-2 code of the country.
    public let country: String
    /// The state, province or region, as coded by the catalogue's source.
    public let region: String?
    /// Degrees north.
    public let latitude: Double
    /// Degrees east.
    public let longitude: Double
    /// The population; 0 if unknown.
    public let population: Int
    /// The names in other languages, and former names.
    public let names: Names

    /// Returns the name in a language, or else in English.
    public func title(in language: String) -> String {
        names.title(in: language, english: name)
    }
}

/// A place without an airport: a town, a region, an island, a landscape, a sight or a country.
struct Place: Sendable {
    /// The name in English.
    let name: String
    /// The ISO 3166-1 alpha-2 code of the country.
    let country: String
    let region: String?
    let latitude: Double
    let longitude: Double
    /// The population of a place that weighs as much as its people; 0 for one that weighs as much as its airports.
    let population: Int
    /// The codes of the airports that serve the place; empty if those nearest to it do.
    let airports: [String]
    let names: Names
}

/// A country of the catalogue.
public struct Country: Hashable, Sendable {
    /// The ISO 3166-1 alpha-2 code.
    public let code: String
    /// The names, including English.
    public let names: Names

    /// Returns the name in a language, or else in English, or else the code.
    public func title(in language: String) -> String {
        names.best(in: language) ?? names.best(in: "en") ?? code
    }
}

// MARK: - Lazy values

/// A value that is created once, on first use.
final class Once<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    /// Returns the value, creating it on the first call. Concurrent callers wait.
    func callAsFunction(_ make: () throws -> Value) rethrows -> Value {
        try value.withLock { value in
            if let value { return value }
            let made = try make()
            value = made
            return made
        }
    }
}

/// A list of objects that are created on first access and then kept.
///
/// Reading an existing object takes one atomic load, without a lock. If several threads create the same object, all of
/// them get the first that was stored.
struct LazyObjects<Object: AnyObject & Sendable>: Sendable {
    private static var chunkSize: Int { 64 }

    private final class Chunk: Sendable {
        let objects: InlineArray<64, AtomicLazyReference<Object>>

        init() { objects = InlineArray { _ in AtomicLazyReference<Object>() } }
    }

    private let chunks: [Chunk]
    let count: Int

    init(count: Int) {
        self.count = count
        chunks = (0..<(count + Self.chunkSize - 1) / Self.chunkSize).map { _ in Chunk() }
    }

    /// Returns an object, creating it if missing; nil if the position is outside the list, or `make` returns nil.
    func object(at position: Int, orMake make: () -> Object?) -> Object? {
        guard position >= 0, position < count else { return nil }
        let chunk = chunks[position / Self.chunkSize]
        if let known = chunk.objects[position % Self.chunkSize].load() { return known }
        return make().map { chunk.objects[position % Self.chunkSize].storeIfNil($0) }
    }
}
