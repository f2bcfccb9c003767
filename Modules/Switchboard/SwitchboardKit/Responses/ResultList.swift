/// A list that answers no question: `{"results": […]}`.
public struct ResultList<Row: Encodable & Sendable>: Encodable, Sendable {
    /// The rows in order.
    public var results: [Row]

    /// A list of rows.
    public init(_ results: [Row]) {
        self.results = results
    }
}
