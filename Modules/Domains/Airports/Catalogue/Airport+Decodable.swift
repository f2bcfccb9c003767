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
    static let maxTextLength = 500

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
