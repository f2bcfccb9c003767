/// In which order nearest airports are given.
public enum NearestOrder: String, CaseIterable, Sendable {
    /// Distance weighed with traffic: where somebody would want to leave from.
    case relevance
    /// By distance alone.
    case distance
}

/// How much an airport draws somebody from a place: Huff's gravity model of how people choose among shops ("A
/// probabilistic analysis of shopping center trade areas", 1963), which is also used for the catchment of airports.
///
///     relevance = popularity⁴ · service / (distance + 30 km)²
///
/// Popularity, 0…1, grows about as the logarithm of the passengers, and its fourth power about as their square root:
/// a hub of fifty times the traffic of a small airport draws some six times as strongly. Service is 1 with scheduled
/// flights and 0.05 without. The 30 km are a way that nobody minds, so that among the airports of one city traffic
/// decides, and farther out distance does.
enum Relevance {
    static func of(_ airport: Catalogue.Standing, at distance: Double) -> Double {
        let reach = distance + 30
        let popularity = max(0, airport.popularity)
        return popularity * popularity * popularity * popularity * (airport.isScheduled ? 1 : 0.05) / (reach * reach)
    }
}
