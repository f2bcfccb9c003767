import SwitchboardIncrementalIndex
import SwitchboardSearchEngine

struct StagedSearch {
    let query: AirportQuery
    let limit: Int
    let language: String
    let popular: AirportIndex
    /// The index of stage 3; nil if the query is too short for it.
    let others: (() throws -> AirportIndex)?
    let isCancelled: (@Sendable () -> Bool)?
    /// Receives the rows of stage 1 before the other stages run.
    let firstStage: (([AirportHit]) -> Void)?

    func run(only stage: Int?) throws -> SearchResults<AirportHit> {
        var rows = RowCollector(limit: limit, language: language)
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
            try search(popular, 3, &rows)
            try searchOthers(&rows)
            try searchUncommonNames(popular, 3, &rows)
            try searchFallbacks(&rows)
        case nil:
            try search(popular, 1, &rows)
            if rows.isEmpty || others == nil { try searchUncommonNames(popular, 1, &rows) }
            if !rows.isEmpty, others != nil { firstStage?(rows.hits) }
            // A whole name comes first even if its airport is not popular.
            if let exact = try others.map({ try search($0(), query, limit).exactNames() }), !exact.isEmpty {
                rows = RowCollector(limit: limit, language: language)
                try search(popular, 1, &rows, wholeNames: exact)
            }
            if rows.isEmpty {
                // Rows of stage 2 come first, but must leave room for exact matches in the whole catalogue.
                var later = rows
                try searchOthers(&later)
                rows.stageLimit = later.hasStrongMatch ? StagedSearch.maxTypoRows : nil
                try searchPopularTypos(&rows)
                rows.stageLimit = nil
            }
            if !rows.isFull, others != nil {
                try searchOthers(&rows)
                try searchUncommonNames(popular, 3, &rows)
                try searchFallbacks(&rows)
            }
        default: break
        }
        return SearchResults(hits: rows.hits, searchTime: .zero, isFinal: isFinal)
    }

    /// The maximum number of rows of stage 2 if an airport that is not popular has the query as its name.
    static let maxTypoRows = 3

    // MARK: - The stages

    /// Stages 1 and 3: prefix matches, at any word.
    ///
    /// - Parameter wholeNames: Candidates of the whole catalogue that equal the query.
    private func search(
        _ index: AirportIndex, _ stage: Int, _ rows: inout RowCollector, wholeNames: [Candidate] = []
    ) throws {
        try collect(query, index, stage, &rows, wholeNames: wholeNames)
        if rows.isEmpty, let shorter = query.withoutGenericWords { try collect(shorter, index, stage, &rows) }
    }

    private func collect(
        _ query: AirportQuery, _ index: AirportIndex, _ stage: Int, _ rows: inout RowCollector,
        wholeNames: [Candidate] = []
    ) throws {
        try rows.fill(stage) { wanted in
            var found = try search(index, query, wanted).prefixMatches()
            if !wholeNames.isEmpty {
                found.candidates += wholeNames
                found = found.ordered
            }
            found.candidates = CodeRanking.rank(found.candidates, query, index.source)
            return found
        }
        for reading in query.kanaReadings {
            try rows.fill(stage) { try search(index, reading, $0).prefixMatches() }
        }
        // Punctuation between letters is more likely text of another layout than a gap.
        if query.hasPunctuationGaps { try searchOtherLayouts(index, stage, &rows) }
        let field = query.isLatin ? SearchField.englishWords : SearchField.words
        try rows.fill(stage) { try search(index, query, $0).wordMatches(in: field) }
        try rows.fill(stage) { try search(index, query, $0).initialsMatches() }
    }

    /// Names that few people type: transliterations, and words of foreign names in Latin letters.
    private func searchUncommonNames(_ index: AirportIndex, _ stage: Int, _ rows: inout RowCollector) throws {
        for query in [query, query.withoutGenericWords].compactMap(\.self) where query.isLatin {
            try rows.fill(stage) { try search(index, query, $0).romanizedMatches() }
            try rows.fill(stage) { try search(index, query, $0).wordMatches(in: SearchField.words) }
            if !rows.isEmpty { return }
        }
    }

    /// Stage 2: the popular airports as typed with another keyboard layout, or else with typos.
    private func searchPopularTypos(_ rows: inout RowCollector) throws {
        try searchOtherLayouts(popular, 2, &rows)
        let queries = [query, query.withoutGenericWords].compactMap(\.self)
        for query in queries where rows.isEmpty {
            try rows.fill(2) { try search(popular, query, $0).typoMatches(edits: 1...1) }
        }
        if rows.isEmpty { try rows.fill(2) { try search(popular, query, $0).soundAlikes() } }
        for query in queries where rows.isEmpty {
            try rows.fill(2) { try search(popular, query, $0).typoMatches(edits: 2...2) }
        }
        if rows.isEmpty { try rows.fill(2) { try search(popular, query, $0).looseTypoMatch() } }
    }

    private func searchOtherLayouts(_ index: AirportIndex, _ stage: Int, _ rows: inout RowCollector) throws {
        let readings = query.layoutReadings
        if readings.isEmpty { return }
        try rows.fill(stage) { wanted in
            var found = CandidateList()
            for reading in readings { found.add(try search(index, reading, wanted).prefixMatches()) }
            for position in found.candidates.indices { found.candidates[position].match = .layout }
            return found.ordered
        }
    }

    private func searchOthers(_ rows: inout RowCollector) throws {
        guard let others = try others?() else { return }
        try search(others, 3, &rows)
        try searchUncommonNames(others, 3, &rows)
    }

    /// Stage 3 if there is no good match: other layouts and typos in the whole catalogue.
    private func searchFallbacks(_ rows: inout RowCollector) throws {
        guard !rows.hasStrongMatch, !rows.isFull, let others = try others?() else { return }
        if rows.isEmpty { try searchOtherLayouts(others, 3, &rows) }
        let edits = rows.isEmpty ? 1...2 : 1...1
        // Stage 2 may already have searched the popular airports.
        if !rows.hasTypos {
            try rows.fill(3) { try search(popular, query, $0).typoMatches(edits: edits) }
        }
        try rows.fill(3) { try search(others, query, $0).typoMatches(edits: edits) }
    }

    private func search(_ index: AirportIndex, _ query: AirportQuery, _ wanted: Int) -> NameSearch {
        NameSearch(index, query, language: language, wanted: wanted, isCancelled: isCancelled)
    }
}
