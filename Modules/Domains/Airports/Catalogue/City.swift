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
