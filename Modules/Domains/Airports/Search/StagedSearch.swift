import SwitchboardAlgorithms
import SwitchboardIncrementalIndex
import SwitchboardSearchEngine

struct StagedSearch {
    let session: SearchSession
    let query: AirportQuery
    let limit: Int
    let popular: AirportIndex
    /// The index of stage 3; nil if the query is too short for it.
    let others: (() throws -> AirportIndex)?
    /// The index of places without an airport; nil if the query is too short for it.
    let places: (() throws -> AirportIndex)?
    /// Receives the rows of stage 1 before the other stages run.
    let firstStage: (([AirportHit]) -> Void)?

    func run(only stage: Int?) throws -> SearchResults<AirportHit> {
        var rows = RowCollector(session, limit: limit)
        var isFinal = true
        switch stage {
        case _ where query.isEmpty: break
        case 1?:
            try search(popular, 1, &rows)
            try searchUncommonNames(popular, 1, &rows)
            isFinal = !query.reachesCatalogue && !rows.isEmpty
        case 2?:
            isFinal = !query.reachesCatalogue
            try search(popular, 1, &rows)
            try searchUncommonNames(popular, 1, &rows)
            guard rows.isEmpty else { return SearchResults(hits: [], searchTime: .zero, isFinal: isFinal) }
            try searchPopularTypos(&rows)
        case 3? where others != nil:
            try search(popular, 3, &rows, wholeNames: wholeNames(of: query))
            try searchOthers(&rows)
            try searchPlaces(&rows)
            try searchUncommonNames(popular, 3, &rows)
            try searchFallbacks(&rows)
        case nil:
            try search(popular, 1, &rows)
            if rows.isEmpty || others == nil { try searchUncommonNames(popular, 1, &rows) }
            if !rows.isEmpty, others != nil { firstStage?(rows.hits) }
            // A whole name comes first even if its airport is not popular.
            let exact = try wholeNames(of: query)
            if !exact.isEmpty {
                rows = RowCollector(session, limit: limit)
                try search(popular, 1, &rows, wholeNames: exact)
            }
            if rows.isEmpty {
                // Rows of stage 2 come first, but must leave room for good matches in the whole catalogue. Whole names
                // come before typos.
                var later = RowCollector(session, limit: StagedSearch.maxLaterRows)
                try searchOthers(&later)
                if later.hits.first?.match != .exact {
                    rows.stageLimit = later.hasStrongMatch ? StagedSearch.maxTypoRows : nil
                    try searchPopularTypos(&rows)
                    rows.stageLimit = nil
                }
            }
            if !rows.isFull, others != nil {
                try searchOthers(&rows)
                try searchPlaces(&rows)
                try searchUncommonNames(popular, 3, &rows)
                try searchFallbacks(&rows)
            }
        default: break
        }
        return SearchResults(hits: rows.hits, searchTime: .zero, isFinal: isFinal)
    }

    /// The maximum number of rows of stage 2 if the name of an airport that is not popular begins with the query.
    private static let maxTypoRows = 3
    /// The number of rows among which there may be such a name. It is the same for every limit, and so are the first rows.
    private static let maxLaterRows = 10

    // MARK: - The stages

    /// Runs stage 1 or 3: prefix matches at any word.
    ///
    /// - Parameter wholeNames: Candidates of the whole catalogue that equal the query.
    private func search(
        _ index: AirportIndex, _ stage: Int, _ rows: inout RowCollector, wholeNames: [AirportCandidate] = []
    ) throws {
        try collect(query, index, stage, &rows, wholeNames: wholeNames)
        if rows.isEmpty, let shorter = query.withoutGenericWords {
            try collect(shorter, index, stage, &rows, wholeNames: self.wholeNames(of: shorter))
        }
        if rows.isEmpty, let (name, code) = query.withoutCode {
            try rows.fill(stage) { wanted in
                var found = try find(.prefix, index, name, wanted)
                found.candidates.removeAll { !stands($0, forCode: code) }
                return found
            }
        }
    }

    /// Returns `true` if the row of a candidate is, or contains, the airport or the city with a code.
    private func stands(_ candidate: AirportCandidate, forCode code: String) -> Bool {
        let rows = session.rows(of: candidate.subject, in: session.context(of: candidate).subjects)?.rows ?? []
        return rows.contains { row in row.airport.code == code || row.airports.contains { $0.code == code } }
    }

    /// Returns the airports that are not popular and the places that have the query as their name.
    private func wholeNames(of query: AirportQuery) throws -> [AirportCandidate] {
        var found = try others.map { try find(.exactNames, $0(), query, 0).candidates } ?? []
        if let places = try places?() { found += try find(.exactPlaces, places, query, 0).candidates }
        return found
    }

    /// Searches for places whose name begins with the query.
    private func searchPlaces(_ rows: inout RowCollector) throws {
        guard let places = try places?() else { return }
        try rows.fill(3) { try find(.prefix, places, query, $0) }
    }

    private func collect(
        _ query: AirportQuery, _ index: AirportIndex, _ stage: Int, _ rows: inout RowCollector,
        wholeNames: [AirportCandidate] = []
    ) throws {
        try rows.fill(stage) { wanted in
            var found = try find(.prefix, index, query, wanted)
            if !wholeNames.isEmpty {
                found.candidates += wholeNames
                found.candidates = NameRanking.rank(found.candidates, session)
                found = found.ordered
            }
            found.candidates = CodeRanking.rank(found.candidates, query, index.source, session)
            return found
        }
        for reading in query.kanaReadings {
            try rows.fill(stage) { try find(.prefix, index, reading, $0) }
        }
        // Punctuation between letters is more likely text of another layout than a gap.
        if query.hasPunctuationGaps { try searchOtherLayouts(index, stage, &rows) }
        let field = query.isLatin ? SearchField.englishWords : SearchField.words
        try rows.fill(stage) { try find(.words(field), index, query, $0) }
        try rows.fill(stage) { try find(.initials, index, query, $0) }
    }

    /// Searches for names that few people type: transliterations, and words of foreign names in Latin letters.
    private func searchUncommonNames(_ index: AirportIndex, _ stage: Int, _ rows: inout RowCollector) throws {
        for query in [query, query.withoutGenericWords].compactMap(\.self) where query.isLatin {
            try rows.fill(stage) { try find(.romanized, index, query, $0) }
            try rows.fill(stage) { try find(.words(SearchField.words), index, query, $0) }
            if !rows.isEmpty { return }
        }
    }

    /// Runs stage 2: the popular airports as typed with another keyboard layout, or else with typos.
    private func searchPopularTypos(_ rows: inout RowCollector) throws {
        try searchOtherLayouts(popular, 2, &rows)
        let queries = [query, query.withoutGenericWords].compactMap(\.self)
        for query in queries where rows.isEmpty {
            try rows.fill(2) { try find(.typos(1), popular, query, $0) }
        }
        if rows.isEmpty { try rows.fill(2) { try find(.soundAlikes, popular, query, $0) } }
        for query in queries where rows.isEmpty {
            try rows.fill(2) { try find(.typos(2), popular, query, $0) }
        }
        if rows.isEmpty { try rows.fill(2) { try find(.looseTypo, popular, query, $0) } }
    }

    private func searchOtherLayouts(_ index: AirportIndex, _ stage: Int, _ rows: inout RowCollector) throws {
        let readings = query.layoutReadings(in: index, languageField: session.languageField)
        if readings.isEmpty { return }
        try rows.fill(stage) { wanted in
            var found = AirportCandidateList()
            for reading in readings { found.add(try find(.prefix, index, reading, wanted)) }
            for position in found.candidates.indices { found.candidates[position].match = .layout }
            return found.ordered
        }
    }

    private func searchOthers(_ rows: inout RowCollector) throws {
        guard let others = try others?() else { return }
        try search(others, 3, &rows)
        try searchUncommonNames(others, 3, &rows)
    }

    /// Runs the rest of stage 3 if there is no good match: other layouts and typos in the whole catalogue.
    private func searchFallbacks(_ rows: inout RowCollector) throws {
        guard !rows.hasStrongMatch, !rows.isFull, let others = try others?() else { return }
        if rows.isEmpty { try searchOtherLayouts(others, 3, &rows) }
        let maxEdits = rows.isEmpty ? 2 : 1
        // Stage 2 may already have searched the popular airports.
        if !rows.hasTypos { try rows.fill(3) { try findTypos(popular, maxEdits: maxEdits, $0) } }
        try rows.fill(3) { try findTypos(others, maxEdits: maxEdits, $0) }
        if rows.isEmpty, let places = try places?() {
            try rows.fill(3) { try find(.typos(1), places, query, $0) }
        }
    }

    /// Returns the matches with the fewest edits.
    private func findTypos(_ index: AirportIndex, maxEdits: Int, _ wanted: Int) throws -> AirportCandidateList {
        for edits in 1..<maxEdits {
            let found = try find(.typos(edits), index, query, wanted)
            if !found.candidates.isEmpty { return found }
        }
        return try find(.typos(maxEdits), index, query, wanted)
    }

    private func find(
        _ kind: NameSearch.Kind, _ index: AirportIndex, _ query: AirportQuery, _ wanted: Int
    ) throws -> AirportCandidateList {
        let key = SearchSession.Key(index: index, query: query, kind: kind, wanted: wanted)
        if let known = session.known(key) { return known }
        let found = try NameSearch(session, index, query, wanted: wanted).candidates(kind)
        session.remember(found, for: key)
        return found
    }
}

/// Collects rows for candidates, each airport once. An airport whose city has a row is listed in that row.
private struct RowCollector {
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
    mutating func fill(_ stage: Int, _ find: (_ wanted: Int) throws -> AirportCandidateList) throws {
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

    private mutating func add(_ candidate: AirportCandidate, stage: Int) {
        let context = session.context(of: candidate)
        guard let found = session.rows(of: candidate.subject, in: context.subjects) else { return }
        if candidate.subject.kind == .place {
            // Airports stand for a place without one: a few for a whole name, else the most used.
            let isExact = candidate.hit?.kind == .exact
            if isExact { hasStrongMatch = true }
            for row in found.rows.prefix(isExact ? .max : 1)
            where !isFull && !keys.contains(row.cityKey) && keys.insert(row.key) {
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

    private mutating func append(
        _ candidate: AirportCandidate, _ row: DisplayRow, stage: Int, near place: String? = nil
    ) {
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

/// Ranks whole names by traffic: the name of a hardly used airport comes after an airport of far more passengers that has
/// the same island, region, country, former or local name. Bali is Denpasar before it is a town in Cameroon.
private enum NameRanking {
    /// The lead in bits from which another airport is meant: some twenty-five times the passengers.
    private static let lead = 4.7
    /// The lead of another town: some twelve times the people.
    private static let leadOfTown = 2.0
    /// The bits that a name has less than its rival.
    private static let behindRival = 0.25
    /// The minimum length at which a former or colloquial name is more than an abbreviation.
    private static let minLettersOfNickname = 4

    static func rank(_ candidates: [AirportCandidate], _ session: SearchSession) -> [AirportCandidate] {
        let rivals = candidates.filter {
            isOtherName($0)
                && ($0.nameClass != .colloquial
                    || session.context(of: $0).query.letterCount >= minLettersOfNickname)
        }
        guard let best = rivals.map(\.use).max() else { return candidates }
        let towns = candidates.filter { $0.hit?.kind == .exact && town($0, session) != nil }
        return candidates.map { candidate in
            guard candidate.match == .exact, candidate.nameClass == .main || candidate.nameClass == .own,
                candidate.use + leadOfTown < best
            else { return candidate }
            // An airport is meant as often as the town that it is named after.
            let own = towns.filter { isAt($0, candidate, session) }.map(\.use)
            let use = max(candidate.use, own.max() ?? 0)
            guard
                let rival = rivals.filter({
                    use + (town($0, session) != nil ? leadOfTown : lead) < $0.use && !isAt($0, candidate, session)
                }).max(by: { $0.score < $1.score })
            else { return candidate }
            var candidate = candidate
            // Namesakes keep their order.
            let most = rival.score - behindRival + candidate.score / 1000
            candidate.evidence.namesake = min(0, most - candidate.score)
            return candidate
        }
    }

    private static func isOtherName(_ candidate: AirportCandidate) -> Bool {
        guard candidate.hit?.kind == .exact, candidate.field != SearchField.romanized else { return false }
        return switch candidate.nameClass {
        case .country, .colloquial, .foreign: true
        case .place: candidate.evidence.prior > AirportLikelihood.largeTown
        default: false
        }
    }

    /// The distance in kilometers within which an airport is that of a town.
    private static let reach = 60.0

    /// Returns `true` if an airport serves the region or the place that shares its name, like Salzburg, or is near it.
    private static func isAt(_ place: AirportCandidate, _ candidate: AirportCandidate, _ session: SearchSession) -> Bool
    {
        func airports(_ candidate: AirportCandidate) -> [Airport] {
            let rows = session.rows(of: candidate.subject, in: session.context(of: candidate).subjects)?.rows ?? []
            return rows.flatMap { $0.airports.isEmpty ? [$0.airport] : $0.airports }
        }
        let served = airports(place).map(\.code)
        let town = town(place, session)
        return airports(candidate).contains { airport in
            served.contains(airport.code)
                || town.map {
                    GreatCircle.distance(
                        from: ($0.latitude, $0.longitude), to: (airport.latitude, airport.longitude)) < reach
                } ?? false
        }
    }

    /// Returns the place of a candidate if it weighs as much as its people.
    private static func town(_ candidate: AirportCandidate, _ session: SearchSession) -> Place? {
        guard candidate.subject.kind == .place else { return nil }
        let place = session.context(of: candidate).subjects.catalogue.place(at: candidate.subject.number)
        return place.flatMap { $0.population > 0 ? $0 : nil }
    }
}

/// Ranks exact codes among names: a code comes first, unless the same letters are a prefix of a much bigger city.
private enum CodeRanking {
    /// The largest lead in bits of a prefix match at which the airport with the code still comes first.
    private static let lead = 2.3
    /// The same for the less familiar ICAO codes of four letters.
    private static let icaoLead = 0.0

    /// Ranks candidates with an exact code, and inserts the airport outside the popular list that has the code.
    static func rank(
        _ candidates: [AirportCandidate], _ query: AirportQuery, _ subjects: SubjectList, _ session: SearchSession
    ) -> [AirportCandidate] {
        guard query.field == SearchField.names, !query.hasGaps, (3...4).contains(query.letterCount) else {
            return candidates
        }
        var codes = candidates.filter { $0.match == .code }
        var others = candidates.filter { $0.match != .code }
        guard let code = codes.first else {
            guard let other = otherAirport(query, subjects, session) else { return candidates }
            others.insert(other, at: others.first?.isStrong ?? false ? position(ofCodeBehind: others, session) : 0)
            return others
        }
        // If a city and its airport share a code, the city's row already includes the airport.
        codes.sort { ($0.subject.kind == .airport ? 1 : 0) < ($1.subject.kind == .airport ? 1 : 0) }
        let best = others.first { $0.nameClass == .main && $0.subject != code.subject }
        if let best, best.use > code.use + (query.letterCount == 3 ? lead : icaoLead) {
            others.insert(contentsOf: codes, at: Swift.min(1, others.count))
            return others
        }
        return codes + others
    }

    /// The number of rows before the code of an airport that is not popular.
    private static let maxRowsBeforeCode = 2

    /// Returns the position of a code behind the names of at most two rows. Several airports stand for a place.
    private static func position(ofCodeBehind names: [AirportCandidate], _ session: SearchSession) -> Int {
        var rows = 0
        return names.prefix(maxRowsBeforeCode).prefix { candidate in
            let subjects = session.context(of: candidate).subjects
            rows +=
                candidate.subject.kind == .place
                ? session.rows(of: candidate.subject, in: subjects)?.rows.count ?? 1 : 1
            return rows <= maxRowsBeforeCode
        }.count
    }

    /// Returns the airport outside the popular list whose IATA code is the query.
    private static func otherAirport(
        _ query: AirportQuery, _ subjects: SubjectList, _ session: SearchSession
    ) -> AirportCandidate? {
        guard query.letterCount == 3, let letters = query.joined.words.first?.first else {
            return nil
        }
        let code = String(decoding: letters, as: UTF16.self)
        guard let record = subjects.catalogue.record(code: code), let others = subjects.others else { return nil }
        var evidence = AirportEvidence(nameClass: .code, kind: .exact, letters: 3)
        evidence.prior = AirportLikelihood.bits(
            popularity: subjects.catalogue.airport(at: record)?.popularity ?? 0)
        return AirportCandidate(
            SearchSubject(kind: .airport, number: record), .code, nil, field: SearchField.names, evidence,
            context: session.add(SearchContext(others, query)), query, isUncommon: true)
    }
}
