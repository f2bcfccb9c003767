@_exported public import SwitchboardErrors
public import SwitchboardJSON

/// The error that front ends report: any error of a module in a uniform shape.
///
/// As JSON it is `{"code", "message", "file", "line", "column"}`, with `field` for an error about a field; as text it
/// is one line with its location.
public struct SwitchboardError: CodedError, Hashable {
    /// The stable code for programs, such as "malformedInput".
    public var code: String
    /// The problem and its remedy in one line.
    public var message: String
    /// The file that the error concerns, if any.
    public var file: String?
    /// The line in the file, from 1.
    public var line: Int?
    /// The byte in the line, from 1.
    public var column: Int?
    /// The JSON name of the field that the error concerns, if any.
    public var field: String?
    /// The exit status of a command.
    public var status: ExitStatus

    /// Creates an error.
    public init(
        code: String, message: String, file: String? = nil, line: Int? = nil, column: Int? = nil, field: String? = nil,
        status: ExitStatus
    ) {
        self.code = code
        self.message = message
        self.file = file
        self.line = line
        self.column = column
        self.field = field
        self.status = status
    }

    /// Converts an error of any module. An unexpected error becomes an internal error.
    public init(_ error: any Error) {
        switch error {
        case let error as SwitchboardError: self = error
        case let error as any CodedError:
            let details = error.details
            self.init(
                code: details.code, message: details.message, file: details.file, line: details.line,
                column: details.column, field: details.field, status: ExitStatus(details.category))
        case is CancellationError: self.init(code: "cancelled", message: "cancelled", status: .interrupted)
        default: self.init(code: "internal", message: "internal error: \(error)", status: .internalError)
        }
    }

    /// The code, the category, the message and the location.
    public var details: ErrorDetails {
        let category = ErrorCategory.allCases.first { ExitStatus($0) == status } ?? .internalError
        return ErrorDetails(code, category, message, file: file, line: line, column: column, field: field)
    }

    /// Returns a usage error.
    public static func usage(_ message: String) -> SwitchboardError {
        SwitchboardError(code: "usage", message: message, status: .usage)
    }

    /// Returns the error with a file, unless it already has one.
    public func about(file name: String) -> SwitchboardError {
        var error = self
        if error.file == nil { error.file = name }
        return error
    }
}

extension SwitchboardError {
    /// `a.vcf:12:3: message`, with the known parts of the location that the message does not contain.
    public var description: String {
        guard let file else { return message }
        guard let line else { return message.contains(file) ? message : "\(file): \(message)" }
        return "\(file):\(line):" + (column.map { "\($0):" } ?? "") + " " + message
    }
}

extension SwitchboardError: JSONObjectEncodable {
    /// Encodes `{"code", "message", "file", "line", "column"}`, where unknown values are null, and `field` if present.
    public func encode(to members: inout JSONMembers) throws {
        try members.add("code", code)
        try members.add("message", message)
        try members.add("file", file)
        try members.add("line", line)
        try members.add("column", column)
        if let field { try members.add("field", field) }
    }
}

/// The response for an error: `{"error": {…}}`, with the query in a batch.
public struct ErrorResponse: Encodable, Sendable {
    private let query: String?
    private let error: SwitchboardError

    /// Creates the response for a failed query or command.
    public init(_ error: SwitchboardError, query: String? = nil) {
        self.query = query
        self.error = error
    }
}

/// The exit status of a command, following `sysexits.h`.
public enum ExitStatus: Int32, Sendable, CaseIterable {
    /// Success.
    case done = 0
    /// No match, or an unknown identifier.
    case nothingFound = 1
    /// Usage error.
    case usage = 64
    /// Malformed input.
    case malformed = 65
    /// Missing input.
    case missing = 66
    /// A service or server is unreachable.
    case unavailable = 69
    /// An internal error.
    case internalError = 70
    /// An I/O error.
    case inputOutput = 74
    /// Locked: try again.
    case tryAgain = 75
    /// Access not granted.
    case accessNotGranted = 77
    /// Interrupted by the user (128 + SIGINT, as in shells).
    case interrupted = 130
}

extension ExitStatus {
    /// The exit status for a category of errors.
    init(_ category: ErrorCategory) {
        switch category {
        case .usage: self = .usage
        case .malformed: self = .malformed
        case .notFound: self = .nothingFound
        case .missing: self = .missing
        case .unavailable: self = .unavailable
        case .io: self = .inputOutput
        case .locked: self = .tryAgain
        case .access: self = .accessNotGranted
        case .cancelled: self = .interrupted
        case .internalError: self = .internalError
        }
    }
}
