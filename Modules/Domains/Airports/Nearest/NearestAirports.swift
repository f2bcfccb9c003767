/// The sort order of nearest airports.
public enum NearestOrder: String, CaseIterable, Sendable {
    /// By distance weighted with traffic: first the airport that a traveler would most likely use, then those nearby.
    case relevance
    /// By distance only.
    case distance
}

extension Catalogue {
    /// The default search radius in kilometers.
    public static let defaultRadius = 500.0

    /// Returns the airports near a place with their distances.
    ///
    /// For example, near 59.93, 30.33 in St Petersburg the most relevant airports are Pulkovo, then Helsinki and
    /// Lappeenranta. The order by distance is exact, even across the antimeridian and at the poles; ties go to the
    /// more popular airport.
    ///
    /// - Parameters:
    ///   - place: The place.
    ///   - radius: The maximum distance in kilometers.
    ///   - order: By relevance or by distance.
    ///   - limit: The maximum number of airports; 0 for all within the radius.
    /// - Throws: `AirportsError.radiusOutOfRange` and `.negativeLimit`.
    /// - Complexity: O(limit · log limit + log n) on average by distance, linear in the airports within the radius by
    ///   relevance.
    public func nearest(
        to place: Coordinate, radius: Double = defaultRadius, order: NearestOrder = .relevance, limit: Int = 10
    ) throws(AirportsError) -> [Airport] {
        guard radius >= 0, radius.isFinite else { throw .radiusOutOfRange(String(radius)) }
        guard limit >= 0 else { throw .negativeLimit(limit) }
        let found: [SphereTree.Neighbor] =
            switch order {
            case .distance where limit > 0: tree.nearest(limit, to: place).filter { $0.distance <= radius }
            case .distance: tree.within(radius, of: place)
            case .relevance: mostRelevant(tree.within(radius, of: place))
            }
        return (limit == 0 ? found[...] : found.prefix(limit)).compactMap { found in
            var airport = airport(at: found.id)
            airport?.distance = found.distance
            return airport
        }
    }

    var tree: SphereTree { nearestIndex(buildNearestIndex).tree }

    private func mostRelevant(_ found: [SphereTree.Neighbor]) -> [SphereTree.Neighbor] {
        let traffic = nearestIndex(buildNearestIndex).traffic
        func standing(_ found: SphereTree.Neighbor) -> Traffic {
            traffic.indices.contains(found.id) ? traffic[found.id] : Traffic()
        }
        var sorted = found.map { found in
            (found: found, relevance: standing(found).alternative(at: found.distance))
        }
        .sorted { ($1.relevance, $0.found.distance, $0.found.id) < ($0.relevance, $1.found.distance, $1.found.id) }
        .map(\.found)
        let attractions = sorted.map { standing($0).relevance(at: $0.distance) }
        if let first = attractions.indices.max(by: { attractions[$0] < attractions[$1] }), first > 0 {
            sorted.insert(sorted.remove(at: first), at: 0)
        }
        return sorted
    }

    private func buildNearestIndex() -> NearestIndex {
        var places: [(id: Int, place: Coordinate)] = []
        var traffic: [Traffic] = []
        places.reserveCapacity(count)
        traffic.reserveCapacity(count)
        for record in 0..<count {
            var cells = table.cells(of: record)
            let (latitude, longitude) = (cells.take(Column.latitude.rawValue).decimal, cells.take().decimal)
            if let latitude, let longitude, let place = try? Coordinate(latitude: latitude, longitude: longitude) {
                places.append((record, place))
            }
            traffic.append(
                Traffic(popularity: cells.take(1).decimal ?? 0, isScheduled: cells.take().contains(UInt8(ascii: "s"))))
        }
        return NearestIndex(tree: SphereTree(places), traffic: traffic)
    }
}

extension Catalogue {
    /// The locations of the airports and how much traffic they have.
    struct NearestIndex: Sendable {
        let tree: SphereTree
        let traffic: [Traffic]
    }

    /// The attributes of an airport that determine its relevance.
    struct Traffic: Sendable {
        var popularity = 0.0
        var isScheduled = false

        /// The attraction of an airport from a place: Huff's gravity model of shopping centers ("A probabilistic
        /// analysis of shopping center trade areas", 1963), which is also used for the catchment areas of airports.
        ///
        ///     relevance = popularity⁴ · service / (distance + 30 km)²
        ///
        /// Popularity, 0…1, is roughly the logarithm of the passengers, and its fourth power roughly their square root:
        /// a hub with fifty times the traffic of a small airport attracts about six times as strongly. Service is 1
        /// with scheduled flights and 0.05 without. The 30 km let traffic decide among the airports of one city, and
        /// distance decide farther out.
        func relevance(at distance: Double) -> Double {
            let reach = distance + 30
            let popularity = max(0, popularity)
            return popularity * popularity * popularity * popularity * (isScheduled ? 1 : 0.05) / (reach * reach)
        }

        /// The attraction of an airport to a traveler who knows the main one and looks for alternatives: traffic counts
        /// less than in ``relevance(at:)``, and distance more.
        ///
        ///     alternative = popularity³ · service / (distance + 50 km)³
        func alternative(at distance: Double) -> Double {
            let attraction = max(0, popularity) / (distance + 50)
            return attraction * attraction * attraction * (isScheduled ? 1 : 0.05)
        }
    }
}
