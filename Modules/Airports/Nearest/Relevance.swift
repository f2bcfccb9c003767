#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

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
///     relevance = (popularity + 0.02) · service / (distance + 30 km)²
///
/// Popularity is 0…1; service is 1 with scheduled flights and 0.05 without; the 30 km are the way that nobody minds,
/// so that among the airports of one city traffic decides, and farther out distance does.
enum Relevance {
    static func of(popularity: Double, isScheduled: Bool, distance: Double) -> Double {
        let reach = distance + 30
        return (popularity + 0.02) * (isScheduled ? 1 : 0.05) / (reach * reach)
    }
}
