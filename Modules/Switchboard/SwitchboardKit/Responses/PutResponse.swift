public import SwitchboardSearchableIndex

/// The response to putting items: `{"indexed", "updated", "clientState"}`, where the client state may be null.
public struct PutResponse: Encodable, Sendable {
    private let report: PutReport

    private enum CodingKeys: String, CodingKey { case indexed, updated, clientState }

    /// Creates the response for a report.
    public init(_ report: PutReport) {
        self.report = report
    }

    /// Encodes the three members.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(report.indexed, forKey: .indexed)
        try container.encode(report.updated, forKey: .updated)
        try container.encode(report.clientState, forKey: .clientState)
    }
}
