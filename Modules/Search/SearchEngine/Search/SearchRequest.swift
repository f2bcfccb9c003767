/// A search: queries (usually one; several where fields spell differently), the tiers in order, and a limit.
public struct SearchRequest: Sendable {
    /// The queries that tiers refer to.
    public var queries: [SearchQuery]
    /// What is searched, best first.
    public var tiers: [SearchTier]
    /// How many hits at most; 0 is all.
    public var limit: Int
    /// Only documents with these numbers; since numbers follow rank, a prefix of them is "the most popular".
    public var documents: Range<Int>
    /// Documents that are left out, as if they were not there.
    public var excluded = DocumentSet()
    /// Whether hits come with what they match. Whoever shows only some of them may ask for those alone, by ``SearchIndex/matches(of:in:)``.
    public var includesMatches = true
    /// Asked now and then; when it says true the search ends with ``SearchCancelled``.
    public var isCancelled: (@Sendable () -> Bool)?

    /// A search; see the properties.
    public init(
        queries: [SearchQuery], tiers: [SearchTier], limit: Int = 10, documents: Range<Int> = 0..<Int.max,
        isCancelled: (@Sendable () -> Bool)? = nil
    ) {
        self.queries = queries
        self.tiers = tiers
        self.limit = limit
        self.documents = documents
        self.isCancelled = isCancelled
    }
}

/// The search was cancelled by its caller.
public struct SearchCancelled: Error {
    /// A cancellation.
    public init() {}
}
