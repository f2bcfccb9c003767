/// What a search answers.
public struct SearchResponse: Sendable {
    /// What was asked.
    public var query: String
    /// Whether no later stage can add rows.
    public var isFinal: Bool
    /// How long the search alone took, without opening the index, reading the query and printing.
    public var elapsed: Duration
    /// The rows, best first.
    public var results: [SearchResult]

    /// An answer; see the properties.
    public init(query: String, isFinal: Bool = true, elapsed: Duration, results: [SearchResult]) {
        self.query = query
        self.isFinal = isFinal
        self.elapsed = elapsed
        self.results = results
    }

    /// ``elapsed`` in microseconds, to one decimal.
    public var elapsedMicroseconds: Double {
        let (seconds, attoseconds) = elapsed.components
        return (Double(seconds) * 1e7 + Double(attoseconds) / 1e11).rounded() / 10
    }
}

extension SearchResponse: Encodable {
    private enum CodingKeys: String, CodingKey {
        case query, isFinal = "final", elapsedMicroseconds, results
    }

    /// Writes `{"query", "final", "elapsedMicroseconds", "results"}`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(query, forKey: .query)
        try container.encode(isFinal, forKey: .isFinal)
        try container.encode(elapsedMicroseconds, forKey: .elapsedMicroseconds)
        try container.encode(results, forKey: .results)
    }
}
