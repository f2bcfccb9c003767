/// The results of a search.
public struct SearchResults<Hit: Sendable>: Sendable {
    /// The hits, best first.
    public var hits: [Hit]
    /// The duration of the search: normalizing the query, matching and ranking, without opening the index or reading
    /// the objects.
    public var searchTime: Duration
    /// Indicates that a longer search, such as one on a server, would find nothing more.
    public var isFinal: Bool

    /// Creates results.
    public init(hits: [Hit], searchTime: Duration, isFinal: Bool = true) {
        self.hits = hits
        self.searchTime = searchTime
        self.isFinal = isFinal
    }
}

extension SearchResults: Equatable where Hit: Equatable {}
