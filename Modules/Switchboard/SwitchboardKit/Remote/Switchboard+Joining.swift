import SwitchboardAirports
import SwitchboardSearchEngine

extension Switchboard {
    /// The number of local guesses that are kept when a server has a match by name, as in the local search.
    private static let maxGuesses = 3

    /// Returns `true` if there is room for rows of a server after the local ones.
    static func leavesRoom(_ local: [SearchResult], limit: Int) -> Bool {
        limit == 0 || local.count < limit || local.count > maxGuesses && local.last.map(isGuess) ?? false
    }

    /// Returns the local rows in their order, then the missing rows of a server, in its order.
    ///
    /// An airport listed below its city is not missing. If there is no room, guesses (typos, and airports near the
    /// intended place) beyond the first three make room for better rows.
    static func joined(_ local: [SearchResult], _ remote: [SearchResult], limit: Int) -> [SearchResult] {
        let new = missing(remote, in: local)
        guard limit > 0 else { return local + new }
        var kept = local
        let names = new.count { !isGuess($0) }
        while kept.count + names > limit, kept.count > maxGuesses, let last = kept.last, isGuess(last) {
            kept.removeLast()
        }
        return Array((kept + new).prefix(limit))
    }

    /// Returns the airports near a place from both sources: local ones first, or all sorted by distance.
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

    /// The identity of a row: an airport and its city may share a code.
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
