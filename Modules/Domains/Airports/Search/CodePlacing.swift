import SwitchboardSearchEngine

/// Where an exact code stands among names: it comes first, but three letters are also the beginning of bigger cities.
enum CodePlacing {
    /// How much more popular than a code's airport a name that begins with the same letters may be while the code still comes first.
    static let lead = 0.1
    /// The same for the four letters of an ICAO code, which people know less well.
    static let icaoLead = 0.0

    /// Puts candidates of an exact code into place, and among the popular the airport of any other code.
    static func place(_ found: CandidateList, _ query: AirportQuery, _ subjects: SubjectList) -> CandidateList {
        var found = found
        found.candidates = place(found.candidates, query, subjects)
        return found
    }

    private static func place(
        _ candidates: [Candidate], _ query: AirportQuery, _ subjects: SubjectList
    ) -> [Candidate] {
        guard query.field == SearchField.names, !query.hasGaps, (3...4).contains(query.letterCount) else {
            return candidates
        }
        var codes = candidates.filter { $0.match == .code }
        var others = candidates.filter { $0.match != .code }
        guard let code = codes.first else {
            guard let other = otherAirport(query, subjects) else { return candidates }
            others.insert(other, at: Swift.min(others.first?.isStrong ?? false ? mostBefore : 0, others.count))
            return others
        }
        // Where a city's code is also that of an airport, the airport is what the code says first.
        codes.sort { ($0.subject.kind == .airport ? 0 : 1) < ($1.subject.kind == .airport ? 0 : 1) }
        let popularity = code.score - 5 + NameClass.code.penalty
        let best = others.first { $0.nameClass == .main && $0.subject != code.subject }
        if let best, best.score > popularity + (query.letterCount == 3 ? lead : icaoLead) {
            others.insert(contentsOf: codes, at: Swift.min(1, others.count))
            return others
        }
        return codes + others
    }

    /// How many names stand before the code of an airport that is not popular.
    private static let mostBefore = 2

    /// The airport that is not popular and has the query as its IATA code.
    private static func otherAirport(_ query: AirportQuery, _ subjects: SubjectList) -> Candidate? {
        guard subjects.extent == .popular, query.letterCount == 3, let letters = query.joined.words.first?.first else {
            return nil
        }
        let code = String(decoding: letters, as: UTF16.self)
        guard let record = subjects.catalogue.record(code: code) else { return nil }
        let others = SubjectList(catalogue: subjects.catalogue, loaded: subjects.loaded, extent: .others)
        return Candidate(
            subject: SearchSubject(kind: .airport, number: record), nameClass: .code, score: .infinity, match: .code,
            hit: nil, asked: CachedQuery(query, others, nil))
    }
}
