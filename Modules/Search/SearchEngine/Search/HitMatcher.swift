/// Locates the matches of the hits of one request, and prepares its query once for all of them.
public final class HitMatcher {
    private let index: SearchIndex
    private let request: SearchRequest
    private var encoder: QueryEncoder
    private var locators: [(tier: Int, expansion: Int, locator: MatchLocator)] = []

    /// Creates a matcher. Nothing is prepared before the first hit.
    public init(_ index: SearchIndex, _ request: SearchRequest) {
        self.index = index
        self.request = request
        encoder = QueryEncoder(fields: index.fields, queries: request.queries)
    }

    /// Returns the letters that a hit matches, in order of field, value and word. Returns an empty array if the request
    /// cannot have found the hit. O(letters of the document).
    public func matches(of hit: CompactHit) -> [WordMatch] {
        guard let tier = request.tiers.firstIndex(where: { $0.kind == hit.kind }),
            let locator = locator(tier, expansion: Int(hit.expansion)),
            (0..<index.documentCount).contains(Int(hit.document))
        else { return [] }
        return locator.matches(
            of: Candidate(
                document: Int(hit.document), halfEdits: Int(hit.halfEdits), isAcrossValues: hit.isAcrossValues,
                expansion: Int(hit.expansion)))
    }

    private func locator(_ number: Int, expansion: Int) -> MatchLocator? {
        for known in locators where known.tier == number && known.expansion == expansion { return known.locator }
        let tier = request.tiers[number]
        guard index.fields.indices.contains(tier.field), request.queries.indices.contains(tier.query),
            encoder.expansions(of: tier.query, field: tier.field).indices.contains(expansion)
        else { return nil }
        let locator = MatchLocator(
            fieldQueries: encoder.fieldQueries(of: tier, expansion: expansion), tier: tier, cache: SearchCache())
        locators.append((number, expansion, locator))
        return locator
    }
}
