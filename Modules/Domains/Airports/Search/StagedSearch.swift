import SwitchboardSearchEngine

struct StagedSearch {
    let query: AirportQuery
    /// The typed text, for readings with other keyboard layouts; nil for keys.
    let text: String?
    let limit: Int
    let language: String
    let rowCache: RowCache
    let catalogue: Catalogue
    let popular: () throws -> AirportIndex
    let others: () throws -> AirportIndex
    let isCancelled: (@Sendable () -> Bool)?
    private let readings = LayoutReadings()

    init(
        query: AirportQuery, text: String?, limit: Int, language: String, rowCache: RowCache, catalogue: Catalogue,
        popular: @escaping () throws -> AirportIndex, others: @escaping () throws -> AirportIndex,
        isCancelled: (@Sendable () -> Bool)?
    ) {
        self.query = query
        self.text = text
        self.limit = limit
        self.language = language
        self.rowCache = rowCache
        self.catalogue = catalogue
        self.popular = popular
        self.others = others
        self.isCancelled = isCancelled
    }

    static let minLettersForCatalogue = 3
    static let minLettersForLayout = 3

    func run(only stage: Int?) throws -> AirportResults {
        let reachesCatalogue = query.letterCount >= StagedSearch.minLettersForCatalogue
        guard !query.isEmpty else { return AirportResults(hits: [], isFinal: true) }
        var rows = RowCollector(
            limit: limit, language: language, rowCache: rowCache, catalogue: catalogue)
        switch stage {
        case 1?:
            try searchPopular(&rows)
            return AirportResults(hits: rows.hits, isFinal: !reachesCatalogue && !rows.isEmpty)
        case 2?:
            try searchPopular(&rows)
            guard rows.isEmpty else { return AirportResults(hits: [], isFinal: !reachesCatalogue) }
            try searchPopularTypos(&rows)
            return AirportResults(hits: rows.hits, isFinal: !reachesCatalogue)
        case 3?:
            if reachesCatalogue {
                try searchPopular(&rows, stage: 3)
                try searchOthers(&rows)
                try searchFallbacks(&rows)
            }
            return AirportResults(hits: rows.hits, isFinal: true)
        case nil:
            try searchPopular(&rows)
            if rows.isEmpty {
                // Rows of stage 2 come first, but must leave room for exact matches in the whole catalogue.
                var later = rows
                if reachesCatalogue { try searchOthers(&later) }
                rows.stageLimit = later.hasStrongMatch ? StagedSearch.maxTypoRows : nil
                try searchPopularTypos(&rows)
                rows.stageLimit = nil
            }
            if reachesCatalogue, !rows.isFull {
                try searchOthers(&rows)
                try searchFallbacks(&rows)
            }
            return AirportResults(hits: rows.hits, isFinal: true)
        default:
            return AirportResults(hits: [], isFinal: true)
        }
    }

    /// The maximum number of rows of stage 2 if an airport that is not popular has the query as its name.
    static let maxTypoRows = 3

    // MARK: - The stages

    /// Stage 1: prefix matches, at any word, among the popular airports.
    private func searchPopular(_ rows: inout RowCollector, stage: Int = 1) throws {
        let index = try popular()
        try collect(query, index, stage, &rows)
        if rows.isEmpty, let shorter = query.withoutGenericWords { try collect(shorter, index, stage, &rows) }
    }

    private func collect(
        _ query: AirportQuery, _ index: AirportIndex, _ stage: Int, _ rows: inout RowCollector
    ) throws {
        try rows.fill(stage) { wanted in
            CodeRanking.rank(try search(index, query, wanted).prefixMatches(), query, index.subjects)
        }
        // Punctuation between letters is more likely text of another layout than a gap.
        if query.hasPunctuationGaps { try searchOtherLayouts(index, stage, &rows) }
        try rows.fill(stage) { try search(index, query, $0).wordMatches() }
        try rows.fill(stage) { try search(index, query, $0).initialsMatches() }
    }

    /// Stage 2: the popular airports as typed with another keyboard layout, or else with typos.
    private func searchPopularTypos(_ rows: inout RowCollector, stage: Int = 2) throws {
        let index = try popular()
        try searchOtherLayouts(index, stage, &rows)
        if rows.isEmpty { try rows.fill(stage) { try search(index, query, $0).typoMatches(maxEdits: 2) } }
        if rows.isEmpty, let shorter = query.withoutGenericWords {
            try rows.fill(stage) { try search(index, shorter, $0).typoMatches(maxEdits: 2) }
        }
        if rows.isEmpty { try rows.fill(stage) { try search(index, query, $0).looseTypoMatch() } }
    }

    private func searchOtherLayouts(_ index: AirportIndex, _ stage: Int, _ rows: inout RowCollector) throws {
        guard let text, query.letterCount >= StagedSearch.minLettersForLayout else { return }
        let readings = readings.of(text)
        try rows.fill(stage) { wanted in
            var found = CandidateList()
            for reading in readings { found.add(try search(index, reading, wanted).prefixMatches()) }
            for position in found.candidates.indices { found.candidates[position].match = .layout }
            return found.ordered
        }
    }

    private func searchOthers(_ rows: inout RowCollector) throws {
        let index = try others()
        try collect(query, index, 3, &rows)
        if rows.isEmpty, let shorter = query.withoutGenericWords { try collect(shorter, index, 3, &rows) }
    }

    /// Stage 3 if there is no good match: other layouts and typos in the whole catalogue.
    private func searchFallbacks(_ rows: inout RowCollector) throws {
        if rows.hasStrongMatch || rows.isFull { return }
        let index = try others()
        if rows.isEmpty { try searchOtherLayouts(index, 3, &rows) }
        let maxEdits = rows.isEmpty ? 2 : 1
        // Stage 2 may already have searched the popular airports.
        if !rows.hasTypos {
            let known = try popular()
            try rows.fill(3) { try search(known, query, $0).typoMatches(maxEdits: maxEdits) }
        }
        try rows.fill(3) { try search(index, query, $0).typoMatches(maxEdits: maxEdits) }
    }

    private func search(_ index: AirportIndex, _ query: AirportQuery, _ wanted: Int) -> NameSearch {
        NameSearch(index, query, language: language, wanted: wanted, isCancelled: isCancelled)
    }
}

/// The readings of a text with other keyboard layouts, computed by the first stage that needs them.
private final class LayoutReadings {
    private var queries: [AirportQuery]?

    func of(_ text: String) -> [AirportQuery] {
        if let queries { return queries }
        // Every key must produce a letter.
        let keys = text.unicodeScalars.count { !$0.properties.isWhitespace }
        let made = WrongKeyboard.readings(of: text).map { AirportQuery($0.text) }.filter { $0.letterCount >= keys }
        queries = made
        return made
    }
}
