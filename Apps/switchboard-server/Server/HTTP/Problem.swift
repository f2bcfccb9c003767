import HTTPTypes
import SwitchboardAccounts
import SwitchboardContacts
import SwitchboardJSON
import SwitchboardKit
import SwitchboardStorage

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
    /// The rejected records of an import.
    var skipped: [ImportReport.Skipped]?
    /// Additional header fields of the response.
    var fields: HTTPFields = [:]

    init(status: HTTPResponse.Status, code: String, detail: String) {
        self.status = status
        self.code = code
        self.detail = detail
    }

    /// The encoded problem document.
    var bytes: [UInt8] { (try? OrderedJSON.bytes(self)) ?? [] }
}

extension Problem: Encodable {
    private enum CodingKeys: String, CodingKey { case type, title, status, code, detail, line, column, skipped }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode("about:blank", forKey: .type)
        try container.encode(status.reasonPhrase, forKey: .title)
        try container.encode(status.code, forKey: .status)
        try container.encode(code, forKey: .code)
        try container.encode(detail, forKey: .detail)
        try container.encodeIfPresent(line, forKey: .line)
        try container.encodeIfPresent(column, forKey: .column)
        try container.encodeIfPresent(skipped, forKey: .skipped)
    }
}

// MARK: - Common problems

extension Problem {
    static func badRequest(_ detail: String, code: String = "badRequest") -> Problem {
        Problem(status: .badRequest, code: code, detail: detail)
    }

    static let notFound = Problem(status: .notFound, code: "notFound", detail: "no resource at this address")

    static var unauthorized: Problem {
        var problem = Problem(
            status: .unauthorized, code: "unauthorized",
            detail: "a valid token is required; send it as 'Authorization: Bearer sb_…'")
        problem.fields[.wwwAuthenticate] = "Bearer realm=\"switchboard\""
        return problem
    }

    static func forbidden(_ detail: String, code: String = "forbidden") -> Problem {
        Problem(status: .forbidden, code: code, detail: detail)
    }

    static func tooLarge(_ limit: Int) -> Problem {
        var problem = Problem(
            status: .contentTooLarge, code: "tooLarge", detail: "the body is larger than \(limit >> 20) MiB")
        // Do not wait for the rest of the body.
        problem.fields[.connection] = "close"
        return problem
    }

    /// Creates the problem for an error of any module.
    init(_ error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let error as AccountsError:
            self.init(
                status: error.isNotFound ? .notFound : .badRequest, code: error.code, detail: error.message)
        case let error as StorageError where error.category == .access:
            self = .forbidden(
                "access not granted; PUT /v1/access/{what} with {\"status\": \"authorized\"} grants it",
                code: error.code)
        case let error as StorageError: self.init(storage: error)
        default: self.init(SwitchboardError(error))
        }
    }

    /// Creates the problem for a storage error, with details only if the client can act on them.
    private init(storage error: StorageError) {
        if error.category == .locked {
            self.init(status: .serviceUnavailable, code: error.code, detail: "the database is busy; try again")
            fields[.retryAfter] = "1"
        } else {
            self.init(
                status: .internalServerError, code: "internal", detail: "internal error; see the server log"
            )
        }
    }

    /// Creates the problem for a fault, with the HTTP status that corresponds to its category.
    private init(_ fault: SwitchboardError) {
        let status: HTTPResponse.Status =
            switch fault.status {
            case .nothingFound: .notFound
            // The request is valid but conflicts with the state of the prospect.
            case .usage where fault.code == "contacted": .conflict
            case .usage: .badRequest
            case .malformed, .missing: .unprocessableContent
            case .accessNotGranted: .forbidden
            case .tryAgain: fault.code == "mismatchedClientState" ? .conflict : .serviceUnavailable
            case .unavailable, .interrupted: .serviceUnavailable
            case .done, .internalError, .inputOutput: .internalServerError
            }
        let isInternal = status == .internalServerError
        self.init(
            status: status, code: isInternal ? "internal" : fault.code,
            detail: isInternal ? "internal error; see the server log" : fault.message)
        line = fault.line
        column = fault.column
    }
}
