import SwitchboardSearchEngine

/// Collects rows for candidates, each airport once. An airport whose city has a row is listed in that row.
struct RowCollector {
    let limit: Int
    let language: String
    let rowCache: RowCache
    let catalogue: Catalogue
    /// The row limit of the current stage, if lower than `limit`.
    var stageLimit: Int?
    private(set) var hits: [AirportHit] = []
    private(set) var hasStrongMatch = false
    private var keys: Set<RowKey> = []

    init(limit: Int, language: String, rowCache: RowCache, catalogue: Catalogue) {
        self.limit = limit
        self.language = language
        self.rowCache = rowCache
        self.catalogue = catalogue
    }

    var isEmpty: Bool { hits.isEmpty }
    var hasTypos: Bool { hits.contains { $0.match == .typo } }
    var isFull: Bool { hits.count >= Swift.min(limit == 0 ? .max : limit, stageLimit ?? .max) }

    /// Adds rows for the candidates of `find`, requesting more while there are more and the rows are not filled.
    mutating func fill(_ stage: Int, _ find: (_ wanted: Int) throws -> CandidateList) throws {
        var wanted = limit == 0 ? 0 : limit * 2 + 8
        while !isFull {
            let found = try find(wanted)
            // Candidates below the floor wait until no better one can be missing.
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
        guard let row = rowCache.row(candidate.subject, of: candidate.subjects, language: language) else { return }
        // For a city row, its own code is the city code.
        guard row.airport.isCity || !keys.contains(row.cityKey), keys.insert(row.key).inserted else { return }
        if candidate.isStrong { hasStrongMatch = true }
        hits.append(Highlighting(candidate, row).hit(stage: stage))
    }

    /// Adds the nearest airports with scheduled flights for a place without airports.
    private mutating func addNearby(_ candidate: Candidate, stage: Int) {
        guard let place = catalogue.city(at: candidate.subject.number) else { return }
        let near = rowCache.rows(near: candidate.subject, of: candidate.subjects, language: language)
        for row in near.prefix(candidate.hit?.kind == .exact ? 2 : 1) where !isFull && keys.insert(row.key).inserted {
            hits.append(Highlighting(candidate, row).nearby(place, stage: stage, language: language))
        }
    }
}
