extension SearchIndex {
    /// Searches tier by tier, best documents first, until the limit is reached. A document appears once, in its best
    /// tier.
    ///
    /// Complexity: a prefix of any length takes O(length + k · log k) for the best k documents. Initials, words and
    /// typos are described at `SegmentationCandidates` and `PrefixTrie`. With `limit` 0, k is the number of matches.
    ///
    /// - Throws: `CancellationError` if ``SearchRequest/isCancelled`` returns true; ``IndexFormatError/checksum`` if
    ///   the index is verified lazily and is corrupt.
    public func search(_ request: SearchRequest) throws -> [SearchHit] {
        try verifier.verify(.base)
        let limit = request.limit == 0 ? Int.max : request.limit
        var hits: [SearchHit] = []
        hits.reserveCapacity(min(limit, documentCount, TierSearch.typicalLimit))
        var visited = VisitedSet(count: documentCount, excluded: request.excluded)
        var encoder = QueryEncoder(fields: fields, queries: request.queries)
        let cache = SearchCache()
        let cancellation = CancellationCheck(request.isCancelled)
        let bounds = request.documents.clamped(to: 0..<documentCount)
        for (number, tier) in request.tiers.enumerated() {
            if hits.count >= limit { break }
            if tier.isFallback && !hits.isEmpty { continue }
            try cancellation.check()
            guard fields.indices.contains(tier.field), request.queries.indices.contains(tier.query) else { continue }
            let groups = tier.groups(isMultiWord: request.queries[tier.query].words.count > 1).union(.base)
            try fields[tier.field].verifier.verify(groups)
            for field in tier.otherFields where fields.indices.contains(field) {
                try fields[field].verifier.verify(groups)
            }
            let expansions = encoder.expansions(of: tier.query, field: tier.field)
            var candidates: [Candidate] = []
            for expansion in expansions.indices {
                var search = TierSearch(
                    fieldQueries: encoder.fieldQueries(of: tier, expansion: expansion), tier: tier, bounds: bounds,
                    limit: limit - hits.count, visited: visited, cancellation: cancellation, cache: cache,
                    expansion: expansion)
                let found = try search.run()
                if candidates.isEmpty { candidates = found } else { candidates += found }
            }
            if expansions.count > 1 {
                candidates.sort {
                    $0.penalty == $1.penalty ? $0.document < $1.document : $0.penalty < $1.penalty
                }
            }
            // The match locators of the query expansions, created when first needed.
            var locators = [MatchLocator?](repeating: nil, count: candidates.isEmpty ? 0 : expansions.count)
            for candidate in candidates where hits.count < limit && visited.insert(candidate.document) {
                var matches: [WordMatch] = []
                if request.includesMatches {
                    let (expansion, locator) = (candidate.expansion, locators[candidate.expansion])
                    let fieldQueries = locator?.fieldQueries ?? encoder.fieldQueries(of: tier, expansion: expansion)
                    locators[expansion] = locator ?? MatchLocator(fieldQueries: fieldQueries, tier: tier, cache: cache)
                    matches = locators[expansion]?.matches(of: candidate) ?? []
                }
                hits.append(
                    SearchHit(
                        document: candidate.document, id: id(of: candidate.document), tier: number, field: tier.field,
                        kind: tier.kind, edits: Double(candidate.halfEdits) / 2, penalty: candidate.penalty,
                        matches: matches, expansion: candidate.expansion))
            }
        }
        return hits
    }

    /// Locates the matches of a hit that was found with ``SearchRequest/includesMatches`` off. O(letters of the
    /// document).
    public func matches(of hit: SearchHit, in request: SearchRequest) -> [WordMatch] {
        guard request.tiers.indices.contains(hit.tier), (0..<documentCount).contains(hit.document) else { return [] }
        let tier = request.tiers[hit.tier]
        guard fields.indices.contains(tier.field), request.queries.indices.contains(tier.query) else { return [] }
        var encoder = QueryEncoder(fields: fields, queries: request.queries)
        guard encoder.expansions(of: tier.query, field: tier.field).indices.contains(hit.expansion) else { return [] }
        let candidate = Candidate(
            document: hit.document, halfEdits: Int(hit.edits * 2),
            isAcrossValues: hit.penalty == Candidate.acrossValuesPenalty,
            expansion: hit.expansion)
        let fieldQueries = encoder.fieldQueries(of: tier, expansion: hit.expansion)
        return MatchLocator(fieldQueries: fieldQueries, tier: tier, cache: SearchCache()).matches(of: candidate)
    }
}
