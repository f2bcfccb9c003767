extension Catalogue {
    /// How far is near, in kilometres, where nobody says otherwise.
    public static let defaultRadius = 500.0

    /// The airports near a place, with their distance from it.
    ///
    /// For example, near 59.93, 30.33 in St Petersburg these are by relevance Pulkovo, then Helsinki and Tallinn, and
    /// Lappeenranta in Finland. By distance they are exact, also across the antimeridian and at the poles; ties go to
    /// the more popular one.
    ///
    /// - Parameters:
    ///   - place: The place.
    ///   - radius: How far away they may be, in kilometres.
    ///   - order: By relevance, as `NearestOrder` tells, or by distance alone.
    ///   - limit: How many at most; 0 is all within the radius.
    /// - Throws: `AirportsError.radiusOutOfRange` and `.negativeLimit`.
    /// - Complexity: O(limit · log limit + log n) on average by distance, linear in those within the radius by relevance.
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

    /// Where all airports are; those without a readable place are left out.
    var tree: SphereTree { landscape(surveyed).tree }

    private func mostRelevant(_ found: [SphereTree.Neighbor]) -> [SphereTree.Neighbor] {
        let standings = landscape(surveyed).standings
        return found.map { found in
            let standing = standings.indices.contains(found.id) ? standings[found.id] : Standing()
            return (found: found, relevance: Relevance.of(standing, at: found.distance))
        }
        .sorted { ($1.relevance, $0.found.distance, $0.found.id) < ($0.relevance, $1.found.distance, $1.found.id) }
        .map(\.found)
    }

    /// What nearest needs of every record, in one pass over all lines.
    private func surveyed() -> Landscape {
        var places: [(id: Int, place: Coordinate)] = []
        var standings: [Standing] = []
        places.reserveCapacity(count)
        standings.reserveCapacity(count)
        for record in 0..<count {
            var cells = table.cells(of: record)
            for _ in 0..<Column.latitude.rawValue { _ = cells.next() }
            let (latitude, longitude) = (cells.take().decimal, cells.take().decimal)
            if let latitude, let longitude, let place = try? Coordinate(latitude: latitude, longitude: longitude) {
                places.append((record, place))
            }
            _ = cells.next()
            standings.append(
                Standing(
                    popularity: cells.take().decimal ?? 0, isScheduled: cells.take().contains(UInt8(ascii: "s"))))
        }
        return Landscape(tree: SphereTree(places), standings: standings)
    }
}

extension Catalogue {
    /// Where the airports are and how much they draw people.
    struct Landscape: Sendable {
        let tree: SphereTree
        let standings: [Standing]
    }

    /// What relevance needs to know of an airport.
    struct Standing: Sendable {
        var popularity = 0.0
        var isScheduled = false
    }
}
