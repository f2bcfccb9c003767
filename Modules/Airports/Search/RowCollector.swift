import LookupEngine

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
    private var codes: Set<String> = []
    private var cities: Set<String> = []

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
    mutating func fill(_ stage: Int, _ find: (_ wanted: Int) throws -> Found) throws {
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
        let key = row.airport.isCity ? "\(row.airport.code) city" : row.airport.code
        guard !codes.contains(key), row.airport.isCity || !cities.contains(row.airport.cityCode) else { return }
        codes.insert(key)
        if row.airport.isCity { cities.insert(row.airport.cityCode) }
        if candidate.isStrong { hasStrongMatch = true }
        hits.append(Highlighting(candidate, row).hit(stage: stage))
    }

    /// The served airports nearest to a place that has none.
    private mutating func addNearby(_ candidate: Candidate, stage: Int) {
        guard let place = catalogue.city(at: candidate.subject.number),
            let coordinate = try? Coordinate(latitude: place.latitude, longitude: place.longitude),
            let near = try? catalogue.nearest(to: coordinate, limit: 6)
        else { return }
        let most = candidate.hit?.kind == .exact ? 2 : 1
        for airport in near.filter(\.isScheduled).prefix(most) where !isFull && codes.insert(airport.code).inserted {
            let row = ShownRow(airport, airports: [], catalogue: catalogue, language: language)
            hits.append(Highlighting(candidate, row).nearby(place, stage: stage, language: language))
        }
    }
}
