import SwitchboardAirports
import SwitchboardSearchEngine

// How the rows of a server are joined to those of this program.

extension Switchboard {
    /// How many guesses of this program stay where a server has what was typed as a name, as in the search of this program itself.
    private static let mostGuesses = 3

    /// Whether rows of a server could be shown behind those that are there.
    static func leavesRoom(_ local: [SearchResult], limit: Int) -> Bool {
        limit == 0 || local.count < limit || local.count > mostGuesses && local.last.map(isGuess) ?? false
    }

    /// The rows of this program in their order, then those of a server that are not there yet, in its order.
    ///
    /// An airport that stands below its city is there. Where there is no room, rows that are no more than guesses (typos, and
    /// airports near the place that was meant) make it for rows that are more, but for the first three.
    static func joined(_ local: [SearchResult], _ remote: [SearchResult], limit: Int) -> [SearchResult] {
        let new = missing(remote, in: local)
        guard limit > 0 else { return local + new }
        var kept = local
        let names = new.count { !isGuess($0) }
        while kept.count + names > limit, kept.count > mostGuesses, let last = kept.last, isGuess(last) {
            kept.removeLast()
        }
        return Array((kept + new).prefix(limit))
    }

    /// The airports near a place that either knows: those of this program first, or all by distance.
    static func joined(
        _ local: [SearchResult], _ remote: [SearchResult], near place: Coordinate, radius: Double, order: NearestOrder,
        limit: Int
    ) -> [SearchResult] {
        let new = missing(remote, in: local).compactMap { row -> SearchResult? in
            guard case .airport(var airport, _) = row.object, !airport.isCity,
                let there = try? Coordinate(latitude: airport.latitude, longitude: airport.longitude)
            else { return nil }
            let distance = place.distance(to: there)
            guard distance <= radius else { return nil }
            airport.distance = distance
            var row = row
            row.match = .nearby
            row.stage = nil
            row.object = .airport(airport.withRoundDistance, airports: [])
            return row
        }
        var rows = local + new
        if order == .distance {
            rows = rows.enumerated()
                .sorted { (distance($0.element), $0.offset) < (distance($1.element), $1.offset) }
                .map(\.element)
        }
        return limit == 0 ? rows : Array(rows.prefix(limit))
    }

    private static func isGuess(_ row: SearchResult) -> Bool {
        row.match == .typo || row.match == .nearby
    }

    private static func distance(_ row: SearchResult) -> Double {
        guard case .airport(let airport, _) = row.object else { return .infinity }
        return airport.distance ?? .infinity
    }

    /// An airport and its city may have one code.
    private struct Known: Hashable {
        let code: String
        let isCity: Bool
    }

    private static func missing(_ remote: [SearchResult], in local: [SearchResult]) -> [SearchResult] {
        var known: Set<Known> = []
        for case .airport(let airport, let members) in local.map(\.object) {
            known.insert(Known(code: airport.code, isCity: airport.isCity))
            known.formUnion(members.map { Known(code: $0.code, isCity: false) })
        }
        return remote.filter { row in
            guard case .airport(let airport, _) = row.object else { return false }
            return known.insert(Known(code: airport.code, isCity: airport.isCity)).inserted
        }
    }
}
