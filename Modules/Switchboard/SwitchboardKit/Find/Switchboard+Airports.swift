public import SwitchboardAirports
public import SwitchboardSearchEngine

/// The suggestions for an empty airport query: nearest, recent and popular airports, each airport in the first list
/// that has it.
public struct AirportSuggestions: Sendable {
    /// The airports near the stored location, if any.
    public var nearest: [SearchResult]
    /// The recent choices, newest first.
    public var recent: [SearchResult]
    /// The most popular airports.
    public var popular: [SearchResult]
}

extension Switchboard {
    /// Returns the suggestions for an empty airport query.
    ///
    /// Uses the stored location if access is granted; never asks the location service.
    ///
    /// - Parameters:
    ///   - nearest: The maximum number of nearest airports.
    ///   - popular: The maximum number of popular airports.
    /// - Throws: `AirportsError`, `StorageError`.
    public func airportSuggestions(nearest: Int = 5, popular: Int = 50) throws -> AirportSuggestions {
        let airports = try airports
        var seen: Set<String> = []
        func rows(_ list: [Airport], _ match: Bool = false) -> [SearchResult] {
            list.filter { seen.insert($0.code).inserted }
                .map { row(of: $0, match: match ? .nearby : nil, airports: airports) }
        }
        let near = try airports.knownLocation().map { try airports.nearest(to: $0, limit: max(1, nearest)) } ?? []
        return AirportSuggestions(
            nearest: rows(near, true), recent: rows(try airports.recent()),
            popular: rows(try airports.popular(limit: max(1, popular))))
    }

    /// Returns the row of an airport, or of a city with its airports.
    public func row(of airport: Airport, match: ResultMatch? = nil, language: String? = nil) throws -> SearchResult {
        row(of: airport, match: match, airports: try airports, language: language)
    }

    func row(
        of airport: Airport, match: ResultMatch? = nil, airports: Airports, language: String? = nil
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
        return (limit == 0 ? recent[...] : recent.prefix(limit)).map { row(of: $0, airports: airports) }
    }

    /// Returns the most popular airports, most used first.
    ///
    /// - Parameter limit: The maximum number of results; 0 for all.
    /// - Throws: `AirportsError`, `StorageError`.
    public func popularAirports(limit: Int = 0) throws -> [SearchResult] {
        let airports = try airports
        return try airports.popular(limit: limit).map { row(of: $0, airports: airports) }
    }
}
