/// One airport, or the row of a city that stands for its airports.
public struct Airport: Hashable, Sendable {
    /// The IATA code, or the metropolitan code of a city row.
    public var code: String
    /// The ICAO code, where it has one.
    public var icao: String?
    /// The name in English.
    public var name: String
    /// The city it serves, in English.
    public var city: String
    /// The metropolitan code of that city; the airport's own code where there is none.
    public var cityCode: String
    /// The country as two letters of ISO 3166-1.
    public var country: String
    /// The state, province or region, as the catalogue's source codes it.
    public var region: String?
    /// Degrees north.
    public var latitude: Double
    /// Degrees east.
    public var longitude: Double
    /// The time zone by its IANA name.
    public var timeZone: String
    /// How much it is used, from 0 to 1; how it is composed is written beside the data.
    public var popularity: Double
    /// Kilometres from the place that was asked about, if one was.
    public var distance: Double?
    /// Whether this row is a city rather than one airport.
    public var isCity: Bool
    /// Whether airlines fly there on a schedule.
    public var isScheduled: Bool
    /// The names of the airport in other languages, and former ones.
    public var names: Names
    /// The names of its city in other languages, and former ones.
    public var cityNames: Names

    /// An airport of these properties; they are taken as they are.
    public init(
        code: String, icao: String? = nil, name: String, city: String, cityCode: String, country: String,
        region: String? = nil, latitude: Double, longitude: Double, timeZone: String, popularity: Double,
        distance: Double? = nil, isCity: Bool = false, isScheduled: Bool = true, names: Names = Names(),
        cityNames: Names = Names()
    ) {
        self.code = code
        self.icao = icao
        self.name = name
        self.city = city
        self.cityCode = cityCode
        self.country = country
        self.region = region
        self.latitude = latitude
        self.longitude = longitude
        self.timeZone = timeZone
        self.popularity = popularity
        self.distance = distance
        self.isCity = isCity
        self.isScheduled = isScheduled
        self.names = names
        self.cityNames = cityNames
    }

    /// The name for a reader of `language`, in English where the language has none.
    public func title(in language: String) -> String {
        names.title(in: language, english: name)
    }

    /// The city's name for a reader of `language`, in English where the language has none.
    public func cityTitle(in language: String) -> String {
        cityNames.title(in: language, english: city)
    }
}

extension Airport: Encodable {
    enum CodingKeys: String, CodingKey {
        case code, icao, name, city, cityCode, country, region, latitude, longitude, timeZone, popularity, distance
        case isCity
    }

    /// Writes the object that search answers hold under `airport`; what is unknown is written as null.
    ///
    /// Names in other languages are left out: they belong to the popular snapshot.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(code, forKey: .code)
        try container.encode(icao, forKey: .icao)
        try container.encode(name, forKey: .name)
        try container.encode(city, forKey: .city)
        try container.encode(cityCode, forKey: .cityCode)
        try container.encode(country, forKey: .country)
        try container.encode(region, forKey: .region)
        try container.encode(latitude, forKey: .latitude)
        try container.encode(longitude, forKey: .longitude)
        try container.encode(timeZone, forKey: .timeZone)
        try container.encode(popularity, forKey: .popularity)
        try container.encode(distance, forKey: .distance)
        try container.encode(isCity, forKey: .isCity)
    }
}
