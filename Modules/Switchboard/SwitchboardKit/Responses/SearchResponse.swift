public import SwitchboardKeypad

/// The response to a search.
public struct SearchResponse: Sendable {
    /// The text or digits that were searched for.
    public var input: SearchInput
    /// `true` if no later stage can add results.
    public var isFinal: Bool
    /// The duration of the search alone, without opening the index, parsing the query and printing.
    public var elapsed: Duration
    /// The results, best first.
    public var results: [SearchResult]

    /// Creates a response.
    public init(_ input: SearchInput, isFinal: Bool = true, elapsed: Duration, results: [SearchResult]) {
        self.input = input
        self.isFinal = isFinal
        self.elapsed = elapsed
        self.results = results
    }

    /// The text or digits as typed.
    public var query: String { input.text }

    /// The duration in microseconds, to one decimal.
    public var elapsedMicroseconds: Double {
        let (seconds, attoseconds) = elapsed.components
        return (Double(seconds) * 1e7 + Double(attoseconds) / 1e11).rounded() / 10
    }
}

extension SearchResponse: Encodable {
    private enum CodingKeys: String, CodingKey {
        case query, isFinal = "final", elapsedMicroseconds, results
    }

    /// Encodes `{"query", "final", "elapsedMicroseconds", "results"}`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(query, forKey: .query)
        try container.encode(isFinal, forKey: .isFinal)
        try container.encode(elapsedMicroseconds, forKey: .elapsedMicroseconds)
        try container.encode(results, forKey: .results)
    }
}
