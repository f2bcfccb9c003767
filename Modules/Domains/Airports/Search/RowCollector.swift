import SwitchboardSearchEngine

/// Collects rows for candidates, each airport once. An airport whose city has a row is listed in that row.
struct RowCollector {
    let limit: Int
    private let session: SearchSession
    /// The row limit of the current stage, if lower than `limit`.
    var stageLimit: Int?
    private(set) var hits: [AirportHit] = []
    private(set) var hasStrongMatch = false
    private var keys = RowKeySet()

    init(_ session: SearchSession, limit: Int) {
        self.limit = limit
        self.session = session
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
        let context = session.context(of: candidate)
        guard let found = session.rows(of: candidate.subject, in: context.subjects) else { return }
        if candidate.subject.kind == .place {
            // The nearest airports with scheduled flights stand for a place without airports.
            for row in found.rows.prefix(candidate.hit?.kind == .exact ? 2 : 1)
            where !isFull && keys.insert(row.key) {
                append(candidate, row, stage: stage, near: found.title)
            }
            return
        }
        // For a city row, its own code is the city code.
        guard let row = found.rows.first, row.airport.isCity || !keys.contains(row.cityKey),
            keys.insert(row.key)
        else { return }
        if candidate.isStrong { hasStrongMatch = true }
        // A whole name of an airport that is not popular comes first, but stage 3 has found it.
        let isUncommon = candidate.isUncommon && candidate.nameClass != .code
        append(candidate, row, stage: isUncommon ? 3 : stage)
    }

    private mutating func append(_ candidate: Candidate, _ row: DisplayRow, stage: Int, near place: String? = nil) {
        if hits.isEmpty { hits.reserveCapacity(min(limit == 0 ? 16 : limit, 16)) }
        hits.append(Highlighting(candidate: candidate, row: row, session: session).hit(stage: stage, near: place))
    }
}

/// The keys of the rows: a list of up to 32, then a set.
private struct RowKeySet {
    private static let maxListed = 32

    private var listed: [RowKey] = []
    private var more: Set<RowKey> = []

    func contains(_ key: RowKey) -> Bool { listed.contains(key) || !more.isEmpty && more.contains(key) }

    /// Returns `true` if the key is new.
    mutating func insert(_ key: RowKey) -> Bool {
        if listed.contains(key) { return false }
        if listed.count == RowKeySet.maxListed { return more.insert(key).inserted }
        listed.append(key)
        return true
    }
}
