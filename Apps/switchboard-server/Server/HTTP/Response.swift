import HTTPTypes
import Hummingbird
import NIOCore
import SwitchboardAccounts
import SwitchboardContacts
import SwitchboardJSON
import SwitchboardKit
import SwitchboardStorage

extension Response {
    static func json(
        _ value: some Encodable, status: HTTPResponse.Status = .ok, fields: HTTPFields = [:]
    ) throws -> Response {
        bytes(try OrderedJSON.bytes(value), type: "application/json", status: status, fields: fields)
    }

    /// Returns a 201 response with the location of the new resource.
    ///
    /// - Parameter value: The same representation as a GET request returns, so that the tag is valid for `If-Match`.
    static func created(_ value: some Encodable, at path: String) throws -> Response {
        let bytes = try OrderedJSON.bytes(value)
        return .bytes(bytes, type: "application/json", status: .created, fields: [.location: path])
            .tagged(EntityTag.of(bytes))
    }

    static func bytes(
        _ bytes: [UInt8], type: String, status: HTTPResponse.Status = .ok, fields: HTTPFields = [:]
    ) -> Response {
        var fields = fields
        fields[.contentType] = type
        return Response(status: status, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    static let noContent = Response(status: .noContent)

    static func problem(_ problem: Problem) -> Response {
        bytes(problem.bytes, type: Problem.contentType, status: problem.status, fields: problem.fields)
    }

    /// Returns the response with an `ETag`, and with a public `Cache-Control` if `maxAge` is given.
    func tagged(_ tag: String, maxAge seconds: Int? = nil) -> Response {
        var response = self
        response.headers[.eTag] = "\"\(tag)\""
        if let seconds { response.headers[.cacheControl] = "public, max-age=\(seconds)" }
        return response
    }
}

/// An error response with problem details (RFC 9457).
///
/// Clients get no file paths or implementation details, only the error and its remedy.
struct Problem: Error, Sendable {
    static let contentType = "application/problem+json"

    var status: HTTPResponse.Status
    /// A stable error code, the same as on the command line.
    var code: String
    /// A one-line message for users.
    var detail: String
    var line: Int?
    var column: Int?
    /// The member of the body that caused the problem.
    var field: String?
    /// The rejected records of an import.
    var skipped: [MalformedInput]?
    /// The current version of a resource, if the client wants to change an outdated one.
    var current: JSONValue?
    /// The index of the batch element that caused the problem, starting at 0.
    var element: Int?
    /// The problems of the elements of a batch, with their indexes.
    var problems: [Problem]?
    /// Additional header fields of the response.
    var fields: HTTPFields = [:]

    /// The encoded problem document.
    var bytes: [UInt8] { (try? OrderedJSON.bytes(self)) ?? [] }
}

extension Problem: Encodable {
    private enum CodingKeys: String, CodingKey {
        case type, title, status, code, detail, line, column, field, skipped, current, element, problems
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode("about:blank", forKey: .type)
        try container.encode(status.reasonPhrase, forKey: .title)
        try container.encode(status.code, forKey: .status)
        try container.encode(code, forKey: .code)
        try container.encode(detail, forKey: .detail)
        try container.encodeIfPresent(line, forKey: .line)
        try container.encodeIfPresent(column, forKey: .column)
        try container.encodeIfPresent(field, forKey: .field)
        try container.encodeIfPresent(skipped, forKey: .skipped)
        try container.encodeIfPresent(current, forKey: .current)
        try container.encodeIfPresent(element, forKey: .element)
        try container.encodeIfPresent(problems, forKey: .problems)
    }
}

// MARK: - Common problems

extension Problem {
    static func badRequest(_ detail: String, code: String = "badRequest", field: String? = nil) -> Problem {
        Problem(status: .badRequest, code: code, detail: detail, field: field)
    }

    static func badParameter(_ detail: String) -> Problem { badRequest(detail, code: "badParameter") }

    static func malformed(_ detail: String, field: String? = nil) -> Problem {
        badRequest(detail, code: "malformedInput", field: field)
    }

    static func forbidden(_ detail: String, code: String) -> Problem {
        Problem(status: .forbidden, code: code, detail: detail)
    }

    static let notFound = Problem(status: .notFound, code: "notFound", detail: "no resource at this address")

    static let unauthorized = Problem(
        status: .unauthorized, code: "unauthorized",
        detail: "a valid token is required; send it as 'Authorization: Bearer sb_…'",
        fields: [.wwwAuthenticate: "Bearer realm=\"switchboard\""])

    /// The problem for a request that arrives while too many others are waiting.
    static let busy = Problem(
        status: .serviceUnavailable, code: "busy", detail: "the server is busy; try again",
        fields: [.retryAfter: "1"])

    /// The problem for a request while too many others of the same person are waiting.
    static let tooManyAtOnce = Problem(
        status: .tooManyRequests, code: "tooManyRequests",
        detail: "too many requests of this kind at once; wait for the earlier ones", fields: [.retryAfter: "2"])

    /// The problem for a request while no PostgreSQL server of the cluster accepts writes.
    static let unavailable = Problem(
        status: .serviceUnavailable, code: "journalUnavailable",
        detail: "the database is not available, and a change may have been saved; try again",
        fields: [.retryAfter: "2"])

    /// The problem for a further token of someone who has many.
    static let tooManyTokens = Problem(
        status: .tooManyRequests, code: "tooManyTokens",
        detail: "you have \(Accounts.maximumTokens) tokens; revoke one that you no longer use")

    static let tooManyStreams = Problem(
        status: .tooManyRequests, code: "tooManyStreams",
        detail: "\(EventHub.maximumStreams) event streams of yours are open; close one", fields: [.retryAfter: "10"])

    /// The problem for a change by someone whose database has reached its maximum size.
    static func overBudget(_ megabytes: Int) -> Problem {
        Problem(
            status: .init(code: 507, reasonPhrase: "Insufficient Storage"), code: "overBudget",
            detail: "your data has reached \(megabytes) MB; remove some, or ask the operator for more")
    }

    static let diskFull = Problem(
        status: .serviceUnavailable, code: "diskFull", detail: "the disk of the server is full; try again later",
        fields: [.retryAfter: "10"])

    /// The problem for a request that needs a database that is missing; see ``MissingDatabase``.
    static let dataMissing = Problem(
        status: .serviceUnavailable, code: "dataMissing",
        detail: "the data is missing on the server, and nothing was changed; ask the operator to restore it",
        fields: [.retryAfter: "60"])

    /// The problem for a client that has disconnected and never sees it; nginx logs the same status.
    static let cancelled = Problem(
        status: .init(code: 499, reasonPhrase: "Client Closed Request"), code: "cancelled",
        detail: "the client has disconnected")

    /// The problem for a change to an outdated version.
    ///
    /// - Parameter current: The JSON of the current version.
    static func preconditionFailed(_ current: [UInt8]) -> Problem {
        Problem(
            status: .preconditionFailed, code: "changedMeanwhile",
            detail: "the resource has changed in the meantime; merge the change with “current” and try again",
            current: try? JSONParser.value(of: current), fields: [.eTag: "\"\(EntityTag.of(current))\""])
    }

    static let encodedBody = Problem(
        status: .unsupportedMediaType, code: "encodedBody",
        detail: "the body is encoded; send it without Content-Encoding", fields: [.acceptEncoding: "identity"])

    /// Returns the problem for a body of another type.
    static func wrongType(_ type: String, _ accepted: [String]) -> Problem {
        let accepted = accepted.joined(separator: ", ")
        return Problem(
            status: .unsupportedMediaType, code: "wrongType",
            detail: "Content-Type: “\(type)” is not supported here; use \(accepted)", fields: [.accept: accepted])
    }

    /// Returns the problem for a body larger than a limit in bytes. The response does not wait for the rest of the
    /// body.
    static func tooLarge(_ limit: Int) -> Problem {
        Problem(
            status: .contentTooLarge, code: "tooLarge", detail: "the body is larger than \(limit >> 20) MiB",
            fields: [.connection: "close"])
    }

    /// - Parameter allowed: The `Allow` field.
    static func methodNotAllowed(_ allowed: HTTPFields) -> Problem {
        Problem(
            status: .methodNotAllowed, code: "methodNotAllowed",
            detail: "this method is not supported here; use \(allowed[.allow] ?? "another")", fields: allowed)
    }

    init(_ error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case is CancellationError: self = .cancelled
        case let error as HTTPError where error.status == .notFound: self = .notFound
        case let error as StorageError where error.category == .access:
            self = .forbidden(
                "access not granted; PUT /v1/access/{what} with {\"status\": \"authorized\"} grants it",
                code: error.code)
        // Clients get details of a storage error only if they can act on them.
        case let error as StorageError where error.category == .locked:
            self = .busy
            (code, detail) = (error.code, "the database is busy; try again")
        case StorageError.journalUnavailable: self = .unavailable
        case StorageError.diskFull: self = .diskFull
        case is MissingDatabase, StorageError.missing: self = .dataMissing
        case is StorageError: self = .internalError
        default: self.init(SwitchboardError(error))
        }
    }

    private static let internalError = Problem(
        status: .internalServerError, code: "internal", detail: "internal error; see the server log")

    /// Creates the problem for an error, with the HTTP status that corresponds to its category.
    private init(_ fault: SwitchboardError) {
        let status: HTTPResponse.Status =
            switch fault.status {
            case .nothingFound: .notFound
            // The request is valid but conflicts with the state of the prospect or contact.
            case .usage where ["contacted", "changedSinceMerge", "thereAgain"].contains(fault.code): .conflict
            case .usage: .badRequest
            case .malformed, .missing: .unprocessableContent
            case .accessNotGranted: .forbidden
            case .tryAgain: fault.code == "mismatchedClientState" ? .conflict : .serviceUnavailable
            case .unavailable, .interrupted: .serviceUnavailable
            case .done, .internalError, .inputOutput: .internalServerError
            }
        self.init(
            status: status, code: fault.code, detail: fault.message, line: fault.line, column: fault.column,
            field: fault.field)
        if status == .internalServerError { (code, detail) = (Self.internalError.code, Self.internalError.detail) }
    }
}
