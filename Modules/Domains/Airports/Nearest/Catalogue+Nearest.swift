extension Catalogue {
    /// The default search radius in kilometres.
    public static let defaultRadius = 500.0

    /// Returns the airports near a place with their distances.
    ///
    /// For example, near 59.93, 30.33 in St Petersburg the most relevant airports are Pulkovo, then Helsinki, Tallinn
    /// and Lappeenranta. The order by distance is exact, even across the antimeridian and at the poles; ties go to the
    /// more popular airport.
    ///
    /// - Parameters:
    ///   - place: The place to search from.
    ///   - radius: The maximum distance in kilometres.
    ///   - order: The sort order.
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
        return found.map { found in
            let standing = traffic.indices.contains(found.id) ? traffic[found.id] : Traffic()
            return (found: found, relevance: Relevance.of(standing, at: found.distance))
        }
        .sorted { ($1.relevance, $0.found.distance, $0.found.id) < ($0.relevance, $1.found.distance, $1.found.id) }
        .map(\.found)
    }

    private func buildNearestIndex() -> NearestIndex {
        var places: [(id: Int, place: Coordinate)] = []
        var traffic: [Traffic] = []
        places.reserveCapacity(count)
        traffic.reserveCapacity(count)
        for record in 0..<count {
            var cells = table.cells(of: record)
            for _ in 0..<Column.latitude.rawValue { _ = cells.next() }
            let (latitude, longitude) = (cells.take().decimal, cells.take().decimal)
            if let latitude, let longitude, let place = try? Coordinate(latitude: latitude, longitude: longitude) {
                places.append((record, place))
            }
            _ = cells.next()
            traffic.append(
                Traffic(
                    popularity: cells.take().decimal ?? 0, isScheduled: cells.take().contains(UInt8(ascii: "s"))))
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

    /// The attributes of an airport that relevance depends on.
    struct Traffic: Sendable {
        var popularity = 0.0
        var isScheduled = false
    }
}
