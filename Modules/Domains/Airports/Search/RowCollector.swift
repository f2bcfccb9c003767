import SwitchboardSearchEngine

/// Collects rows for candidates, each airport once. An airport whose city has a row is listed in that row.
struct RowCollector {
    let limit: Int
    let language: String
    /// The row limit of the current stage, if lower than `limit`.
    var stageLimit: Int?
    private(set) var hits: [AirportHit] = []
    private(set) var hasStrongMatch = false
    private var keys: Set<RowKey> = []

    init(limit: Int, language: String) {
        self.limit = limit
        self.language = language
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
        let rows = candidate.subjects.rows(of: candidate.subject, language: language)
        if candidate.subject.kind == .place {
            // The nearest airports with scheduled flights stand for a place without airports.
            guard let place = candidate.subjects.catalogue.city(at: candidate.subject.number) else { return }
            let title = place.title(in: language)
            for row in rows.prefix(candidate.hit?.kind == .exact ? 2 : 1)
            where !isFull && keys.insert(row.key).inserted {
                hits.append(Highlighting(candidate: candidate, row: row).hit(stage: stage, near: title))
            }
            return
        }
        // For a city row, its own code is the city code.
        guard let row = rows.first, row.airport.isCity || !keys.contains(row.cityKey),
            keys.insert(row.key).inserted
        else { return }
        if candidate.isStrong { hasStrongMatch = true }
        // A whole name of an airport that is not popular comes first, but stage 3 has found it.
        let isUncommon = candidate.subjects.extent == .others && candidate.nameClass != .code
        hits.append(Highlighting(candidate: candidate, row: row).hit(stage: isUncommon ? 3 : stage))
    }
}
