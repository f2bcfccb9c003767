import LookupEngine

/// One question, answered in three stages.
struct StagedSearch {
    let query: AirportQuery
    /// What was typed, for the readings of other keyboard layouts; nil for keys.
    let text: String?
    let limit: Int
    let language: String
    let shown: ShownSubjects
    let catalogue: Catalogue
    let popular: () throws -> AirportIndex
    let all: () throws -> AirportIndex
    let isCancelled: (@Sendable () -> Bool)?

    /// From so many letters on the whole catalogue is searched.
    static let fewestForCatalogue = 3
    /// From so many letters on a text may have been typed on another layout.
    static let fewestForLayout = 3

    func answer(only stage: Int?) throws -> AirportAnswer {
        let reachesCatalogue = query.letterCount >= StagedSearch.fewestForCatalogue
        guard !query.isEmpty else { return AirportAnswer(hits: [], isFinal: true) }
        var rows = RowCollector(
            limit: limit, language: language, shown: shown, catalogue: catalogue)
        switch stage {
        case 1?:
            try beginnings(&rows)
            return AirportAnswer(hits: rows.hits, isFinal: !reachesCatalogue && !rows.isEmpty)
        case 2?:
            try beginnings(&rows)
            guard rows.isEmpty else { return AirportAnswer(hits: [], isFinal: !reachesCatalogue) }
            try typos(&rows)
            return AirportAnswer(hits: rows.hits, isFinal: !reachesCatalogue)
        case 3?:
            if reachesCatalogue { try wholeCatalogue(&rows) }
            return AirportAnswer(hits: rows.hits, isFinal: true)
        case nil:
            try beginnings(&rows)
            if rows.isEmpty { try typos(&rows) }
            if reachesCatalogue, !rows.isFull { try wholeCatalogue(&rows) }
            return AirportAnswer(hits: rows.hits, isFinal: true)
        default:
            return AirportAnswer(hits: [], isFinal: true)
        }
    }

    // MARK: - The stages

    /// Stage 1: what begins with the query, at any word, among the popular; codes also of all others.
    private func beginnings(_ rows: inout RowCollector) throws {
        let index = try popular()
        try collect(query, index, stage: 1, &rows, withCodes: true)
        if rows.isEmpty, let fewer = query.withoutGenericWords { try collect(fewer, index, stage: 1, &rows) }
    }

    private func collect(
        _ query: AirportQuery, _ index: AirportIndex, stage: Int, _ rows: inout RowCollector, withCodes: Bool = false
    ) throws {
        try rows.fill(stage, index) { wanted in
            let search = self.search(index, query, wanted)
            var found = try search.beginnings()
            if withCodes { found = CodePlacing.place(found, query, catalogue) }
            return found
        }
        try rows.fill(stage, index) { try search(index, query, $0).words() }
        try rows.fill(stage, index) { try search(index, query, $0).initials() }
    }

    /// Stage 2: the popular as typed on another keyboard layout, else with typos.
    private func typos(_ rows: inout RowCollector) throws {
        let index = try popular()
        try otherLayouts(index, stage: 2, &rows)
        if rows.isEmpty { try rows.fill(2, index) { try search(index, query, $0).typos() } }
        if rows.isEmpty, let fewer = query.withoutGenericWords {
            try rows.fill(2, index) { try search(index, fewer, $0).typos() }
        }
    }

    private func otherLayouts(_ index: AirportIndex, stage: Int, _ rows: inout RowCollector) throws {
        guard let text, query.letterCount >= StagedSearch.fewestForLayout else { return }
        let readings = WrongKeyboard.readings(of: text).map { AirportQuery($0.text) }
        try rows.fill(stage, index) { wanted in
            var found: [Candidate] = []
            for reading in readings where !reading.isEmpty {
                found += try search(index, reading, wanted).beginnings()
            }
            return found.sorted { $0.score > $1.score }.map { candidate in
                var candidate = candidate
                candidate.match = .layout
                return candidate
            }
        }
    }

    /// Stage 3: the whole catalogue; typos only where nothing fits well.
    private func wholeCatalogue(_ rows: inout RowCollector) throws {
        let index = try all()
        try collect(query, index, stage: 3, &rows)
        if rows.isEmpty, let fewer = query.withoutGenericWords { try collect(fewer, index, stage: 3, &rows) }
        if rows.isEmpty { try otherLayouts(index, stage: 3, &rows) }
        if !rows.hasStrongMatch { try rows.fill(3, index) { try search(index, query, $0).typos() } }
    }

    private func search(_ index: AirportIndex, _ query: AirportQuery, _ wanted: Int) -> NameSearch {
        NameSearch(index, query, language: language, wanted: wanted, isCancelled: isCancelled)
    }
}
