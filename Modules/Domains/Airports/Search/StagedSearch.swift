import SwitchboardSearchEngine

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
    let others: () throws -> AirportIndex
    let isCancelled: (@Sendable () -> Bool)?
    private let readings = LayoutReadings()

    init(
        query: AirportQuery, text: String?, limit: Int, language: String, shown: ShownSubjects, catalogue: Catalogue,
        popular: @escaping () throws -> AirportIndex, others: @escaping () throws -> AirportIndex,
        isCancelled: (@Sendable () -> Bool)?
    ) {
        self.query = query
        self.text = text
        self.limit = limit
        self.language = language
        self.shown = shown
        self.catalogue = catalogue
        self.popular = popular
        self.others = others
        self.isCancelled = isCancelled
    }

    /// From so many letters on the whole catalogue is searched.
    static let fewestForCatalogue = 3
    /// From so many letters on a text may have been typed on another layout.
    static let fewestForLayout = 3

    func answer(only stage: Int?) throws -> AirportResults {
        let reachesCatalogue = query.letterCount >= StagedSearch.fewestForCatalogue
        guard !query.isEmpty else { return AirportResults(hits: [], isFinal: true) }
        var rows = RowCollector(
            limit: limit, language: language, shown: shown, catalogue: catalogue)
        switch stage {
        case 1?:
            try beginnings(&rows)
            return AirportResults(hits: rows.hits, isFinal: !reachesCatalogue && !rows.isEmpty)
        case 2?:
            try beginnings(&rows)
            guard rows.isEmpty else { return AirportResults(hits: [], isFinal: !reachesCatalogue) }
            try typos(&rows)
            return AirportResults(hits: rows.hits, isFinal: !reachesCatalogue)
        case 3?:
            if reachesCatalogue {
                try beginnings(&rows, stage: 3)
                try otherBeginnings(&rows)
                try fallbacks(&rows)
            }
            return AirportResults(hits: rows.hits, isFinal: true)
        case nil:
            try beginnings(&rows)
            if rows.isEmpty {
                // Rows of stage 2 come first, but must leave room for what the whole catalogue has under this very name.
                var later = rows
                if reachesCatalogue { try otherBeginnings(&later) }
                rows.room = later.hasStrongMatch ? StagedSearch.mostTypos : nil
                try typos(&rows)
                rows.room = nil
            }
            if reachesCatalogue, !rows.isFull {
                try otherBeginnings(&rows)
                try fallbacks(&rows)
            }
            return AirportResults(hits: rows.hits, isFinal: true)
        default:
            return AirportResults(hits: [], isFinal: true)
        }
    }

    /// How many rows of stage 2 there are at most when an airport that is not popular has what was typed as its name.
    static let mostTypos = 3

    // MARK: - The stages

    /// Stage 1: what begins with the query, at any word, among the popular.
    private func beginnings(_ rows: inout RowCollector, stage: Int = 1) throws {
        let index = try popular()
        try collect(query, index, stage, &rows)
        if rows.isEmpty, let fewer = query.withoutGenericWords { try collect(fewer, index, stage, &rows) }
    }

    private func collect(
        _ query: AirportQuery, _ index: AirportIndex, _ stage: Int, _ rows: inout RowCollector
    ) throws {
        try rows.fill(stage) { wanted in
            CodePlacing.place(try search(index, query, wanted).beginnings(), query, index.subjects)
        }
        // Brackets between letters are letters of another layout rather than gaps.
        if query.hasOddGaps { try otherLayouts(index, stage, &rows) }
        try rows.fill(stage) { try search(index, query, $0).words() }
        try rows.fill(stage) { try search(index, query, $0).initials() }
    }

    /// Stage 2: the popular as typed on another keyboard layout, else with typos.
    private func typos(_ rows: inout RowCollector, stage: Int = 2) throws {
        let index = try popular()
        try otherLayouts(index, stage, &rows)
        if rows.isEmpty { try rows.fill(stage) { try search(index, query, $0).typos(most: 2) } }
        if rows.isEmpty, let fewer = query.withoutGenericWords {
            try rows.fill(stage) { try search(index, fewer, $0).typos(most: 2) }
        }
        if rows.isEmpty { try rows.fill(stage) { try search(index, query, $0).looseTypo() } }
    }

    private func otherLayouts(_ index: AirportIndex, _ stage: Int, _ rows: inout RowCollector) throws {
        guard let text, query.letterCount >= StagedSearch.fewestForLayout else { return }
        let readings = readings.of(text)
        try rows.fill(stage) { wanted in
            var found = CandidateList()
            for reading in readings { found.add(try search(index, reading, wanted).beginnings()) }
            for position in found.candidates.indices { found.candidates[position].match = .layout }
            return found.ordered
        }
    }

    /// Stage 3: the airports that are not popular.
    private func otherBeginnings(_ rows: inout RowCollector) throws {
        let index = try others()
        try collect(query, index, 3, &rows)
        if rows.isEmpty, let fewer = query.withoutGenericWords { try collect(fewer, index, 3, &rows) }
    }

    /// Stage 3, where nothing fits well: other layouts and typos in all.
    private func fallbacks(_ rows: inout RowCollector) throws {
        if rows.hasStrongMatch || rows.isFull { return }
        let index = try others()
        if rows.isEmpty { try otherLayouts(index, 3, &rows) }
        let most = rows.isEmpty ? 2 : 1
        // Stage 2 has been through the popular ones if it was its turn.
        if !rows.hasTypos {
            let known = try popular()
            try rows.fill(3) { try search(known, query, $0).typos(most: most) }
        }
        try rows.fill(3) { try search(index, query, $0).typos(most: most) }
    }

    private func search(_ index: AirportIndex, _ query: AirportQuery, _ wanted: Int) -> NameSearch {
        NameSearch(index, query, language: language, wanted: wanted, isCancelled: isCancelled)
    }
}

/// What a text is on other keyboard layouts, as queries: made for the first stage that asks, kept for the next.
private final class LayoutReadings {
    private var queries: [AirportQuery]?

    func of(_ text: String) -> [AirportQuery] {
        if let queries { return queries }
        // Every key that was pressed must have been a letter's.
        let keys = text.unicodeScalars.count { !$0.properties.isWhitespace }
        let made = WrongKeyboard.readings(of: text).map { AirportQuery($0.text) }.filter { $0.letterCount >= keys }
        queries = made
        return made
    }
}
