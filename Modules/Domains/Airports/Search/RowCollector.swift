import SwitchboardSearchEngine

/// Makes candidates into rows, each airport once: an airport whose city's row is shown stands in that row.
struct RowCollector {
    let limit: Int
    let language: String
    let shown: ShownSubjects
    let catalogue: Catalogue
    /// How many rows there may be for now, if fewer than the limit.
    var room: Int?
    private(set) var hits: [AirportHit] = []
    private(set) var hasStrongMatch = false
    private var keys: Set<RowKey> = []

    init(limit: Int, language: String, shown: ShownSubjects, catalogue: Catalogue) {
        self.limit = limit
        self.language = language
        self.shown = shown
        self.catalogue = catalogue
    }

    var isEmpty: Bool { hits.isEmpty }
    var hasTypos: Bool { hits.contains { $0.match == .typo } }
    var isFull: Bool { hits.count >= Swift.min(limit == 0 ? .max : limit, room ?? .max) }

    /// Adds rows for what `find` gives, asking for more while there are more and some of these were shown already.
    mutating func fill(_ stage: Int, _ find: (_ wanted: Int) throws -> CandidateList) throws {
        var wanted = limit == 0 ? 0 : limit * 2 + 8
        while !isFull {
            let found = try find(wanted)
            // What comes below the floor waits until it is known that nothing better is missing.
            for candidate in found.candidates where !isFull && (found.isComplete || candidate.score >= found.floor) {
                add(candidate, stage: stage)
            }
            if found.isComplete { return }
            wanted *= 4
        }
    }

    private mutating func add(_ candidate: Candidate, stage: Int) {
        if candidate.subject.kind == .place {
            addNearby(candidate, stage: stage)
            return
        }
        guard let row = shown.row(candidate.subject, of: candidate.subjects, language: language) else { return }
        // The row of a city has the code of the city as its own.
        guard row.airport.isCity || !keys.contains(row.cityKey), keys.insert(row.key).inserted else { return }
        if candidate.isStrong { hasStrongMatch = true }
        hits.append(Highlighting(candidate, row).hit(stage: stage))
    }

    /// The served airports nearest to a place that has none.
    private mutating func addNearby(_ candidate: Candidate, stage: Int) {
        guard let place = catalogue.city(at: candidate.subject.number) else { return }
        let near = shown.rows(near: candidate.subject, of: candidate.subjects, language: language)
        for row in near.prefix(candidate.hit?.kind == .exact ? 2 : 1) where !isFull && keys.insert(row.key).inserted {
            hits.append(Highlighting(candidate, row).nearby(place, stage: stage, language: language))
        }
    }
}
