public import SwitchboardSearchableIndex

/// What putting items answers: `{"indexed", "updated", "clientState"}`, the client state null if there is none.
public struct PutResponse: Encodable, Sendable {
    private let report: PutReport

    private enum CodingKeys: String, CodingKey { case indexed, updated, clientState }

    /// The answer for a report.
    public init(_ report: PutReport) {
        self.report = report
    }

    /// Writes the three members.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(report.indexed, forKey: .indexed)
        try container.encode(report.updated, forKey: .updated)
        try container.encode(report.clientState, forKey: .clientState)
    }
}
