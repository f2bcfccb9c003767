/// A search: queries (usually one; several if fields spell differently), tiers in order, and a limit.
public struct SearchRequest: Sendable {
    /// The queries that tiers refer to.
    public var queries: [SearchQuery]
    /// The steps of the search, best first.
    public var tiers: [SearchTier]
    /// The maximum number of hits; 0 for all.
    public var limit: Int
    /// The document numbers to search. Numbers follow rank, so a prefix of them means "the most popular".
    public var documents: Range<Int>
    /// The documents to ignore.
    public var excluded = DocumentSet()
    /// `true` if hits carry match ranges. To locate the matches of a few hits only, use
    /// ``SearchIndex/matches(of:in:)``.
    public var includesMatches = true
    /// Called regularly during the search. If it returns true, the search throws `CancellationError`.
    public var isCancelled: (@Sendable () -> Bool)?

    /// Creates a search; see the properties.
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
