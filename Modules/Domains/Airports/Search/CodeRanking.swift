import SwitchboardIncrementalIndex
import SwitchboardSearchEngine

/// Ranks exact codes among names: a code comes first, unless the same letters are a prefix of a much bigger city.
enum CodeRanking {
    /// The largest lead in popularity of a prefix match at which the airport with the code still comes first.
    static let lead = 0.1
    /// The same for the less familiar ICAO codes of four letters.
    static let icaoLead = 0.0

    /// Ranks candidates with an exact code, and inserts the airport outside the popular list that has the code.
    static func rank(
        _ candidates: [Candidate], _ query: AirportQuery, _ subjects: SubjectList, _ session: SearchSession
    ) -> [Candidate] {
        guard query.field == SearchField.names, !query.hasGaps, (3...4).contains(query.letterCount) else {
            return candidates
        }
        var codes = candidates.filter { $0.match == .code }
        var others = candidates.filter { $0.match != .code }
        guard let code = codes.first else {
            guard let other = otherAirport(query, subjects, session) else { return candidates }
            others.insert(other, at: Swift.min(others.first?.isStrong ?? false ? maxNamesBeforeCode : 0, others.count))
            return others
        }
        // If a city and its airport share a code, the city's row already includes the airport.
        codes.sort { ($0.subject.kind == .airport ? 1 : 0) < ($1.subject.kind == .airport ? 1 : 0) }
        let best = others.first { $0.nameClass == .main && $0.subject != code.subject }
        if let best, best.popularity > code.popularity + (query.letterCount == 3 ? lead : icaoLead) {
            others.insert(contentsOf: codes, at: Swift.min(1, others.count))
            return others
        }
        return codes + others
    }

    /// The number of names before the code of an airport that is not popular.
    private static let maxNamesBeforeCode = 2

    /// Returns the airport outside the popular list whose IATA code is the query.
    private static func otherAirport(
        _ query: AirportQuery, _ subjects: SubjectList, _ session: SearchSession
    ) -> Candidate? {
        guard query.letterCount == 3, let letters = query.joined.words.first?.first else {
            return nil
        }
        let code = String(decoding: letters, as: UTF16.self)
        guard let record = subjects.catalogue.record(code: code), let others = subjects.others else { return nil }
        return Candidate(
            subject: SearchSubject(kind: .airport, number: record), nameClass: .code, match: .code, hit: nil,
            field: SearchField.names, score: .infinity, context: session.add(SearchContext(others, query)),
            isLatinQuery: query.isLatin, hasGaps: query.hasGaps, isUncommon: true)
    }
}
