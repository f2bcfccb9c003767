/// A list of rows: `{"results": […]}`.
public struct ListResponse<Row: Encodable & Sendable>: Encodable, Sendable {
    /// The rows in order.
    public var results: [Row]

    /// Creates a list.
    public init(_ results: [Row]) {
        self.results = results
    }
}
