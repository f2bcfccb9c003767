public import SwitchboardJSON

/// An airport, or a city that stands for all its airports.
public struct Airport: Hashable, Sendable {
    /// The IATA code, or the metropolitan code of a city.
    public var code: String
    /// The ICAO code, if there is one.
    public var icao: String?
    /// The name in English.
    public var name: String
    /// The city it serves, in English.
    public var city: String
    /// The metropolitan code of that city, or the airport's own code if the city has none.
    public var cityCode: String
    /// The ISO 3166-1 alpha-2 code of the country.
    public var country: String
    /// The state, province or region, as coded by the catalogue's source.
    public var region: String?
    /// Degrees north.
    public var latitude: Double
    /// Degrees east.
    public var longitude: Double
    /// The IANA name of the time zone.
    public var timeZone: String
    /// The popularity from 0 to 1; `docs/data.md` describes how it is computed.
    public var popularity: Double
    /// The distance in kilometres from the place that was searched from, if any.
    public var distance: Double?
    /// `true` for a city.
    public var isCity = false
    /// `true` if there are scheduled flights.
    public var isScheduled = true
    /// The airport's names in other languages, and former names.
    public var names = Names()
    /// The city's names in other languages, and former names.
    public var cityNames = Names()

    /// Returns the name in a language, or else in English.
    public func title(in language: String) -> String {
        names.title(in: language, english: name)
    }

    /// Returns the city's name in a language, or else in English.
    public func cityTitle(in language: String) -> String {
        cityNames.title(in: language, english: city)
    }
}

extension Airport: JSONObjectEncodable {
    enum CodingKeys: String, CodingKey {
        case code, icao, name, city, cityCode, country, region, latitude, longitude, timeZone, popularity, distance
        case isCity
    }

    /// Encodes the `airport` object of search responses; unknown values are null.
    ///
    /// Names in other languages are omitted: they belong to the popular snapshot.
    public func encode(to members: inout JSONMembers) throws {
        try members.add("code", code)
        try members.add("icao", icao)
        try members.add("name", name)
        try members.add("city", city)
        try members.add("cityCode", cityCode)
        try members.add("country", country)
        try members.add("region", region)
        try members.add("latitude", latitude)
        try members.add("longitude", longitude)
        try members.add("timeZone", timeZone)
        try members.add("popularity", popularity)
        try members.add("distance", distance)
        try members.add("isCity", isCity)
    }
}
