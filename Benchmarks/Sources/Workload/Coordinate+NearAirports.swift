public import SwitchboardAirports

extension Coordinate {
    /// Returns coordinates within a degree of airports, the same in every run.
    public static func nearAirports(_ count: Int, of catalogue: Catalogue) -> [Coordinate] {
        var random = SplitMix(seed: 3)
        return (0..<count).compactMap { _ in
            guard let airport = catalogue.airport(at: Int.random(in: 0..<max(catalogue.count, 1), using: &random))
            else {
                return nil
            }
            return try? Coordinate(
                latitude: airport.latitude + Double.random(in: -1...1, using: &random),
                longitude: airport.longitude + Double.random(in: -1...1, using: &random))
        }
    }
}
