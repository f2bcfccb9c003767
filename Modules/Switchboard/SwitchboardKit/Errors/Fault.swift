/// What went wrong, in the one shape that every front end shows.
///
/// As JSON it is `{"code", "message", "file", "line", "column"}`; as text it is one line with its place.
public struct Fault: Error, Sendable, Hashable {
    /// A stable name for programs, such as "malformedInput".
    public var code: String
    /// One line for a person: what is wrong and what to do.
    public var message: String
    /// The file it is about.
    public var file: String?
    /// The line in that file, from 1.
    public var line: Int?
    /// The byte in that line, from 1.
    public var column: Int?
    /// What a command ends with.
    public var status: ExitStatus

    /// A fault; see the properties.
    public init(
        code: String, message: String, file: String? = nil, line: Int? = nil, column: Int? = nil, status: ExitStatus
    ) {
        self.code = code
        self.message = message
        self.file = file
        self.line = line
        self.column = column
        self.status = status
    }

    /// Wrong usage.
    public static func usage(_ message: String) -> Fault {
        Fault(code: "usage", message: message, status: .usage)
    }

    /// The same fault about a file, if it names none yet.
    public func about(file name: String) -> Fault {
        var fault = self
        if fault.file == nil { fault.file = name }
        return fault
    }
}

extension Fault: CustomStringConvertible {
    /// `a.vcf:12:3: message`, with as much of the place as is known and the message does not say itself.
    public var description: String {
        guard let file else { return message }
        guard let line else { return message.contains(file) ? message : "\(file): \(message)" }
        return "\(file):\(line):" + (column.map { "\($0):" } ?? "") + " " + message
    }
}

extension Fault: Encodable {
    private enum CodingKeys: String, CodingKey { case code, message, file, line, column }

    /// Writes `{"code", "message", "file", "line", "column"}`; what is unknown is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(code, forKey: .code)
        try container.encode(message, forKey: .message)
        try container.encode(file, forKey: .file)
        try container.encode(line, forKey: .line)
        try container.encode(column, forKey: .column)
    }
}

/// A fault as it stands alone in an answer: `{"error": {…}}`, with the query it answers where there is one.
public struct FaultResponse: Encodable, Sendable {
    private let query: String?
    private let error: Fault

    private enum CodingKeys: String, CodingKey { case query, error }

    /// The answer to a query that could not be answered, or to a whole command.
    public init(_ error: Fault, query: String? = nil) {
        self.query = query
        self.error = error
    }

    /// Writes `{"query", "error"}`, the query only if there is one.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(query, forKey: .query)
        try container.encode(error, forKey: .error)
    }
}
