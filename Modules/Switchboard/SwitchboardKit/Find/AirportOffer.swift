import SwitchboardAirports
import SwitchboardSearchEngine

/// What is offered before an airport is typed: the nearest, the last ones chosen, the most popular. Each is in one list alone, the first
/// that has it.
public struct AirportOffer: Sendable {
    /// Those near the place that is known; none if none is.
    public var nearest: [SearchResult]
    /// The last ones chosen, the newest first.
    public var recent: [SearchResult]
    /// The most used.
    public var popular: [SearchResult]
}

extension Switchboard {
    /// What to offer before an airport is typed.
    ///
    /// The place is the one that was set, if the person lets it be used; no service is asked.
    ///
    /// - Parameters:
    ///   - nearest: how many near ones at most.
    ///   - popular: how many popular ones at most.
    /// - Throws: `AirportsError`, `StorageError`.
    public func airportOffer(nearest: Int = 5, popular: Int = 50) throws -> AirportOffer {
        let airports = try airports
        var seen: Set<String> = []
        func rows(_ list: [Airport], _ match: Bool = false) -> [SearchResult] {
            list.filter { seen.insert($0.code).inserted }
                .map { row(of: $0, match: match ? .nearby : nil, airports: airports) }
        }
        let near = try airports.knownPlace().map { try airports.nearest(to: $0, limit: max(1, nearest)) } ?? []
        return AirportOffer(
            nearest: rows(near, true), recent: rows(try airports.recent()),
            popular: rows(try airports.popular(limit: max(1, popular))))
    }
}
