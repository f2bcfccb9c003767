extension Catalogue {
    /// How far is near, in kilometres, where nobody says otherwise.
    public static let defaultRadius = 500.0

    /// What relevance needs to know of an airport.
    struct Standing: Sendable {
        let popularity: Double
        let isScheduled: Bool
    }

    /// The airports near a place, with their distance from it.
    ///
    /// For example, near 59.93, 30.33 in St Petersburg these are by relevance Pulkovo, then Helsinki and Tallinn, and
    /// Lappeenranta in Finland. By distance they are exact, also across the antimeridian and at the poles; ties go to
    /// the more popular one.
    ///
    /// - Parameters:
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
        let found: [SphereTree.Found] =
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

    private func mostRelevant(_ found: [SphereTree.Found]) -> [SphereTree.Found] {
        found.map { (found: $0, relevance: Relevance.of(standing(of: $0.id), at: $0.distance)) }
            .sorted { ($1.relevance, $0.found.distance, $0.found.id) < ($0.relevance, $1.found.distance, $1.found.id) }
            .map(\.found)
    }

    private func standing(of record: Int) -> Standing {
        let all = standings {
            (0..<count).map { record in
                Standing(
                    popularity: cell(record, .popularity).decimal ?? 0,
                    isScheduled: cell(record, .flags).contains(UInt8(ascii: "s")))
            }
        }
        return all.indices.contains(record) ? all[record] : Standing(popularity: 0, isScheduled: false)
    }
}
