import LookupEngine

/// Where an exact code stands among names: it comes first, but three letters are also the beginning of bigger cities.
enum CodePlacing {
    /// How much more popular than a code's airport a name that begins with the same letters may be while the code still comes first.
    static let lead = 0.25

    /// Puts candidates of an exact code into place, and adds that of an airport that is not among the popular.
    static func place(_ candidates: [Candidate], _ query: AirportQuery, _ catalogue: Catalogue) -> [Candidate] {
        guard query.lane == SearchLane.names, !query.hasGaps, (3...4).contains(query.letterCount) else {
            return candidates
        }
        var codes = candidates.filter { $0.match == .code }
        // Where a city's code is also that of an airport, the airport is what the code says first.
        codes.sort { ($0.subject.kind == .airport ? 0 : 1) < ($1.subject.kind == .airport ? 0 : 1) }
        var others = candidates.filter { $0.match != .code }
        guard let code = codes.first else { return candidates }
        let popularity = code.score - 5 + NameClass.code.penalty
        let best = others.first { $0.nameClass == .main && $0.subject != code.subject }
        if let best, best.score > popularity + lead {
            others.insert(contentsOf: codes, at: min(1, others.count))
            return others
        }
        return codes + others
    }
}
