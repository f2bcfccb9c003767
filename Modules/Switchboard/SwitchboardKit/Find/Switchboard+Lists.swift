public import SwitchboardAirports
public import SwitchboardSearchEngine

extension Switchboard {
    /// Returns the row of an airport, or of a city with its airports.
    ///
    /// - Throws: `StorageError`.
    public func row(of airport: Airport, match: ResultMatch? = nil, language: String? = nil) throws -> SearchResult {
        row(of: airport, match: match, airports: try airports, language: language)
    }

    func row(
        of airport: Airport, match: ResultMatch?, airports: Airports, language: String? = nil
    ) -> SearchResult {
        let catalogue = airports.catalogue
        let members =
            airport.isCity ? catalogue.records(inCity: airport.code).compactMap(catalogue.airport(at:)) : []
        return SearchResult(
            airport, airports: members, match: match, catalogue: catalogue,
            language: language ?? settings.language)
    }

    /// Returns the recently chosen airports, newest first.
    ///
    /// - Parameter limit: The maximum number of results; 0 for all.
    /// - Throws: ``SwitchboardError`` for a negative limit, `StorageError`.
    public func recentAirports(limit: Int = 0) throws -> [SearchResult] {
        try Self.validate(limit: limit)
        let airports = try airports
        let recent = try airports.recent()
        return (limit == 0 ? recent[...] : recent.prefix(limit)).map { row(of: $0, match: nil, airports: airports) }
    }

    /// Returns the most popular airports, most used first.
    ///
    /// - Parameter limit: The maximum number of results; 0 for all.
    /// - Throws: `AirportsError`, `StorageError`.
    public func popularAirports(limit: Int = 0) throws -> [SearchResult] {
        let airports = try airports
        return try airports.popular(limit: limit).map { row(of: $0, match: nil, airports: airports) }
    }
}
