import SwitchboardContacts
import HTTPTypes
import SwitchboardAccounts
import SwitchboardStorage
import SwitchboardKit

/// What went wrong, as problem details (RFC 9457).
///
/// It says nothing of files, folders and how the program is made: who asks over the network is told what to do about the request.
struct Problem: Error, Sendable {
    static let contentType = "application/problem+json"

    var status: HTTPResponse.Status
    /// A stable name for programs, that of the command line where it has one.
    var code: String
    /// One line for a person.
    var detail: String
    var line: Int?
    var column: Int?
    /// Of an import that was refused: what is wrong with it, and where.
    var skipped: [ImportReport.Skipped]?
    /// Further header fields of the answer.
    var fields: HTTPFields = [:]

    init(status: HTTPResponse.Status, code: String, detail: String) {
        self.status = status
        self.code = code
        self.detail = detail
    }

    /// The bytes of the document.
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

// MARK: - The usual ones

extension Problem {
    static func badRequest(_ detail: String, code: String = "badRequest") -> Problem {
        Problem(status: .badRequest, code: code, detail: detail)
    }

    static let notFound = Problem(status: .notFound, code: "notFound", detail: "there is nothing at this address")

    static var unauthorized: Problem {
        var problem = Problem(
            status: .unauthorized, code: "unauthorized",
            detail: "sign in: send a valid token as 'Authorization: Bearer sb_…'")
        problem.fields[.wwwAuthenticate] = "Bearer realm=\"switchboard\""
        return problem
    }

    static func forbidden(_ detail: String, code: String = "forbidden") -> Problem {
        Problem(status: .forbidden, code: code, detail: detail)
    }

    static func tooLarge(_ limit: Int) -> Problem {
        var problem = Problem(
            status: .contentTooLarge, code: "tooLarge", detail: "the body is larger than \(limit >> 20) MiB")
        // What is left of the body is not waited for.
        problem.fields[.connection] = "close"
        return problem
    }

    /// The problem that an error of any module is.
    init(_ error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let error as AccountsError:
            self.init(
                status: error.isNotFound ? .notFound : .badRequest, code: error.code, detail: error.message)
        case let error as StorageError where error.category == .access:
            self = .forbidden(
                "the person has not agreed to this; PUT /v1/access/{what} with {\"status\": \"authorized\"} once they have",
                code: error.code)
        case let error as StorageError: self.init(storage: error)
        default: self.init(Fault(error))
        }
    }

    /// Of the storage, only what the person who asks can do something about.
    private init(storage error: StorageError) {
        if error.category == .locked {
            self.init(status: .serviceUnavailable, code: error.code, detail: "the database is busy; try again")
            fields[.retryAfter] = "1"
        } else {
            self.init(
                status: .internalServerError, code: "internal", detail: "the server could not do this; its log says why"
            )
        }
    }

    /// The categories of the command line as HTTP has them.
    private init(_ fault: Fault) {
        let status: HTTPResponse.Status =
            switch fault.status {
            case .nothingFound: .notFound
            // What stands in the way is the state of things, not how they were asked for.
            case .usage where fault.code == "contacted": .conflict
            case .usage: .badRequest
            case .malformed, .missing: .unprocessableContent
            case .accessNotGranted: .forbidden
            case .tryAgain: fault.code == "mismatchedClientState" ? .conflict : .serviceUnavailable
            case .unavailable, .interrupted: .serviceUnavailable
            case .done, .internalError, .inputOutput: .internalServerError
            }
        let isOurs = status == .internalServerError
        self.init(
            status: status, code: isOurs ? "internal" : fault.code,
            detail: isOurs ? "the server could not do this; its log says why" : fault.message)
        line = fault.line
        column = fault.column
    }
}
