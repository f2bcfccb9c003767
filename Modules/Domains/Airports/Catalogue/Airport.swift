public import SwitchboardJSON

/// An airport, or a city that stands for all its airports.
///
/// Copies share the texts: copying an airport costs one reference count.
public struct Airport: Sendable {
    private var shared: SharedAttributes
    /// The distance in kilometers from the search location, if any.
    public var distance: Double?
    /// `true` for a city.
    public var isCity = false

    /// The values that are the same for all copies of an airport.
    struct Attributes: Hashable, Sendable {
        var code: String
        var icao: String?
        var name: String
        var city: String
        var cityCode: String
        var country: String
        var region: String?
        var latitude: Double
        var longitude: Double
        var timeZone: String
        var popularity: Double
        var isScheduled = true
        var names = Names()
        var cityNames = Names()
    }

    /// The object that the copies of an airport share.
    final class SharedAttributes: Sendable {
        let attributes: Attributes

        init(_ attributes: Attributes) { self.attributes = attributes }
    }

    init(_ shared: SharedAttributes, distance: Double? = nil, isCity: Bool = false) {
        self.shared = shared
        self.distance = distance
        self.isCity = isCity
    }

    init(
        code: String, icao: String? = nil, name: String, city: String, cityCode: String, country: String,
        region: String? = nil, latitude: Double, longitude: Double, timeZone: String, popularity: Double,
        distance: Double? = nil, isCity: Bool = false, isScheduled: Bool = true, names: Names = Names(),
        cityNames: Names = Names()
    ) {
        let attributes = Attributes(
            code: code, icao: icao, name: name, city: city, cityCode: cityCode, country: country, region: region,
            latitude: latitude, longitude: longitude, timeZone: timeZone, popularity: popularity,
            isScheduled: isScheduled, names: names, cityNames: cityNames)
        self.init(SharedAttributes(attributes), distance: distance, isCity: isCity)
    }

    private mutating func change(_ body: (inout Attributes) -> Void) {
        var attributes = shared.attributes
        body(&attributes)
        shared = SharedAttributes(attributes)
    }

    /// The IATA code, or the metropolitan code of a city.
    public var code: String {
        get { shared.attributes.code }
        set { change { $0.code = newValue } }
    }

    /// The ICAO code, if there is one.
    public var icao: String? {
        get { shared.attributes.icao }
        set { change { $0.icao = newValue } }
    }

    /// The name in English.
    public var name: String {
        get { shared.attributes.name }
        set { change { $0.name = newValue } }
    }

    /// The city it serves, in English.
    public var city: String {
        get { shared.attributes.city }
        set { change { $0.city = newValue } }
    }

    /// The metropolitan code of that city, or the airport's own code if the city has none.
    public var cityCode: String {
        get { shared.attributes.cityCode }
        set { change { $0.cityCode = newValue } }
    }

    /// The ISO 3166-1 alpha-2 code of the country.
    public var country: String {
        get { shared.attributes.country }
        set { change { $0.country = newValue } }
    }

    /// The state, province or region, as coded by the catalogue's source.
    public var region: String? {
        get { shared.attributes.region }
        set { change { $0.region = newValue } }
    }

    /// Degrees north.
    public var latitude: Double {
        get { shared.attributes.latitude }
        set { change { $0.latitude = newValue } }
    }

    /// Degrees east.
    public var longitude: Double {
        get { shared.attributes.longitude }
        set { change { $0.longitude = newValue } }
    }

    /// The IANA name of the time zone.
    public var timeZone: String {
        get { shared.attributes.timeZone }
        set { change { $0.timeZone = newValue } }
    }

    /// The popularity from 0 to 1; `docs/data.md` describes how it is computed.
    public var popularity: Double {
        get { shared.attributes.popularity }
        set { change { $0.popularity = newValue } }
    }

    /// `true` if there are scheduled flights.
    public var isScheduled: Bool {
        get { shared.attributes.isScheduled }
        set { change { $0.isScheduled = newValue } }
    }

    /// The airport's names in other languages, and former names.
    public var names: Names {
        get { shared.attributes.names }
        set { change { $0.names = newValue } }
    }

    /// The city's names in other languages, and former names.
    public var cityNames: Names {
        get { shared.attributes.cityNames }
        set { change { $0.cityNames = newValue } }
    }

    /// Returns the name in a language, or else in English.
    public func title(in language: String) -> String {
        names.title(in: language, english: name)
    }

    /// Returns the city's name in a language, or else in English.
    public func cityTitle(in language: String) -> String {
        cityNames.title(in: language, english: city)
    }
}

extension Airport: Hashable {
    /// Returns `true` for airports with the same values, including names and distance.
    public static func == (one: Airport, other: Airport) -> Bool {
        one.distance == other.distance && one.isCity == other.isCity
            && (one.shared === other.shared || one.shared.attributes == other.shared.attributes)
    }

    /// Hashes all values.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(shared.attributes)
        hasher.combine(distance)
        hasher.combine(isCity)
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

extension Airport: Decodable {
    /// Decodes the object that ``encode(to:)`` writes without validating it; see ``validationFailure``.
    public init(from decoder: any Decoder) throws {
        self = try SnapshotEntry(from: decoder).airport
        let container = try decoder.container(keyedBy: CodingKeys.self)
        distance = try container.decodeIfPresent(Double.self, forKey: .distance)
        isCity = try container.decodeIfPresent(Bool.self, forKey: .isCity) ?? false
    }
}

extension Airport {
    /// The maximum length of the name of an airport, a city or a time zone, in bytes of UTF-8.
    private static let maxTextLength = 500

    /// The reason why this airport is invalid, such as a latitude of 91, a code of two letters or a control character
    /// in a name; nil if it is valid.
    ///
    /// For airports received from another program; the catalogue contains only valid ones.
    public var validationFailure: String? {
        if !Self.isCode(code, length: 3) { return "code “\(code.prefix(8))” is not three capital letters or digits" }
        if let icao, !Self.isCode(icao, length: 4) {
            return "icao “\(icao.prefix(8))” is not four capital letters or digits"
        }
        if !Self.isCode(cityCode, length: 3) {
            return "cityCode “\(cityCode.prefix(8))” is not three capital letters or digits"
        }
        if !Self.isCode(country, length: 2) { return "country “\(country.prefix(8))” is not two capital letters" }
        for (key, text) in [("name", name), ("city", city), ("timeZone", timeZone)] {
            if text.utf8.count > Self.maxTextLength { return "\(key) is longer than \(Self.maxTextLength) bytes" }
            if !Self.isText(text) { return "\(key) is empty or contains control characters" }
        }
        if let region, region.utf8.count > Self.maxTextLength || !region.isEmpty && !Self.isText(region) {
            return "region is too long or contains control characters"
        }
        do {
            _ = try Coordinate(latitude: latitude, longitude: longitude)
        } catch {
            return error.description
        }
        if !(popularity >= 0 && popularity.isFinite) { return "popularity \(popularity) is negative or infinite" }
        // Half of the Earth's circumference is about 20,015 kilometers.
        if let distance, !(0...20_100).contains(distance) {
            return "distance \(distance) is greater than half the earth's circumference"
        }
        return nil
    }

    private static func isCode(_ text: String, length: Int) -> Bool {
        let bytes = text.utf8
        return bytes.count == length
            && bytes.allSatisfy { (0x41...0x5A).contains($0) || (length != 2 && (0x30...0x39).contains($0)) }
    }

    private static func isText(_ text: String) -> Bool {
        !text.allSatisfy(\.isWhitespace)
            && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
    }
}
