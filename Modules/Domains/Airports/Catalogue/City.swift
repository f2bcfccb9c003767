/// A city of the catalogue: what a metropolitan code stands for.
public struct City: Hashable, Sendable {
    /// The metropolitan code, such as `LON`.
    public let code: String
    /// The name in English.
    public let name: String
    /// The country as two letters of ISO 3166-1.
    public let country: String
    /// The state, province or region, as the catalogue's source codes it.
    public let region: String?
    /// Degrees north.
    public let latitude: Double
    /// Degrees east.
    public let longitude: Double
    /// How many people live there, 0 where that is unknown.
    public let population: Int
    /// The names in other languages, and former ones.
    public let names: Names

    /// The name for a reader of `language`, in English where the language has none.
    public func title(in language: String) -> String {
        names.title(in: language, english: name)
    }
}

/// A country of the catalogue.
public struct Country: Hashable, Sendable {
    /// Two letters of ISO 3166-1.
    public let code: String
    /// The names, English among them.
    public let names: Names

    /// The name for a reader of `language`, in English where the language has none, else the code.
    public func title(in language: String) -> String {
        names.best(in: language) ?? names.best(in: "en") ?? code
    }
}
