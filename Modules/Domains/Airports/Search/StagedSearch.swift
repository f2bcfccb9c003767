import SwitchboardIncrementalIndex
import SwitchboardSearchEngine

struct StagedSearch {
    let session: SearchSession
    let query: AirportQuery
    let limit: Int
    let popular: AirportIndex
    /// The index of stage 3; nil if the query is too short for it.
    let others: (() throws -> AirportIndex)?
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
            try search(popular, 3, &rows)
            try searchOthers(&rows)
            try searchUncommonNames(popular, 3, &rows)
            try searchFallbacks(&rows)
        case nil:
            try search(popular, 1, &rows)
            if rows.isEmpty || others == nil { try searchUncommonNames(popular, 1, &rows) }
            if !rows.isEmpty, others != nil { firstStage?(rows.hits) }
            // A whole name comes first even if its airport is not popular.
            if let exact = try others.map({ try find(.exactNames, $0(), query, limit).candidates }), !exact.isEmpty {
                rows = RowCollector(session, limit: limit)
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

    /// Runs stage 1 or 3: prefix matches at any word.
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
            var found = try find(.prefix, index, query, wanted)
            if !wholeNames.isEmpty {
                found.candidates += wholeNames
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
            var found = CandidateList()
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
    }

    /// Returns the matches with the fewest edits.
    private func findTypos(_ index: AirportIndex, maxEdits: Int, _ wanted: Int) throws -> CandidateList {
        for edits in 1..<maxEdits {
            let found = try find(.typos(edits), index, query, wanted)
            if !found.candidates.isEmpty { return found }
        }
        return try find(.typos(maxEdits), index, query, wanted)
    }

    private func find(
        _ kind: NameSearch.Kind, _ index: AirportIndex, _ query: AirportQuery, _ wanted: Int
    ) throws -> CandidateList {
        let key = SearchSession.Key(index: index, query: query, kind: kind, wanted: wanted)
        if let known = session.known(key) { return known }
        let found = try NameSearch(session, index, query, wanted: wanted).candidates(kind)
        session.remember(found, for: key)
        return found
    }
}
