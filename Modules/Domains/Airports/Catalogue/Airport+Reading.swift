// MARK: - Airports that come from elsewhere

extension Airport: Decodable {
    /// Reads the object that ``encode(to:)`` writes. Its values are taken as they are; ``fault`` tells whether they can be.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            code: try container.decode(String.self, forKey: .code),
            icao: try container.decodeIfPresent(String.self, forKey: .icao),
            name: try container.decode(String.self, forKey: .name),
            city: try container.decode(String.self, forKey: .city),
            cityCode: try container.decode(String.self, forKey: .cityCode),
            country: try container.decode(String.self, forKey: .country),
            region: try container.decodeIfPresent(String.self, forKey: .region),
            latitude: try container.decode(Double.self, forKey: .latitude),
            longitude: try container.decode(Double.self, forKey: .longitude),
            timeZone: try container.decode(String.self, forKey: .timeZone),
            popularity: try container.decode(Double.self, forKey: .popularity),
            distance: try container.decodeIfPresent(Double.self, forKey: .distance),
            isCity: try container.decodeIfPresent(Bool.self, forKey: .isCity) ?? false)
    }
}

extension Airport {
    /// The longest name of an airport, a city or a zone, in bytes of UTF-8.
    static let longestText = 500

    /// What no airport can have, if there is something: a latitude of 91, a code of two letters, a name that commands terminals.
    ///
    /// For airports that another program tells of; those of the catalogue have none.
    public var fault: String? {
        if !Self.isCode(code, length: 3) { return "code “\(code.prefix(8))” is not three capital letters" }
        if let icao, !Self.isCode(icao, length: 4) { return "icao “\(icao.prefix(8))” is not four letters or digits" }
        if !Self.isCode(cityCode, length: 3) { return "cityCode “\(cityCode.prefix(8))” is not three capital letters" }
        if !Self.isCode(country, length: 2) { return "country “\(country.prefix(8))” is not two capital letters" }
        for (key, text) in [("name", name), ("city", city), ("timeZone", timeZone)] {
            if text.utf8.count > Self.longestText { return "\(key) is longer than \(Self.longestText) bytes" }
            if !Self.isText(text) { return "\(key) is empty or has control characters" }
        }
        if let region, region.utf8.count > Self.longestText || !region.isEmpty && !Self.isText(region) {
            return "region is too long or has control characters"
        }
        do {
            _ = try Coordinate(latitude: latitude, longitude: longitude)
        } catch {
            return error.description
        }
        if !(popularity >= 0 && popularity.isFinite) { return "popularity \(popularity) is not a number from 0 up" }
        // Half of the earth's girth is some 20,015 kilometres.
        if let distance, !(0...20_100).contains(distance) {
            return "distance \(distance) is farther than the earth is wide"
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
