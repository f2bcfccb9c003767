/// The sort order of nearest airports.
public enum NearestOrder: String, CaseIterable, Sendable {
    /// By distance weighted with traffic: the airport a traveller would most likely use.
    case relevance
    /// By distance only.
    case distance
}

/// The attraction of an airport from a place: Huff's gravity model of shopping centres ("A probabilistic analysis of
/// shopping center trade areas", 1963), which is also used for the catchment areas of airports.
///
///     relevance = popularity⁴ · service / (distance + 30 km)²
///
/// Popularity, 0…1, is roughly the logarithm of the passengers, and its fourth power roughly their square root: a hub
/// with fifty times the traffic of a small airport attracts some six times as strongly. Service is 1 with scheduled
/// flights and 0.05 without. The 30 km make traffic decide among the airports of one city, and distance farther out.
enum Relevance {
    static func of(_ airport: Catalogue.Traffic, at distance: Double) -> Double {
        let reach = distance + 30
        let popularity = max(0, airport.popularity)
        return popularity * popularity * popularity * popularity * (airport.isScheduled ? 1 : 0.05) / (reach * reach)
    }
}
