import HTTPTypes
import Hummingbird
import SwitchboardAccounts
import SwitchboardJSON

/// An operation of the API. The router, the access checks and the OpenAPI document are all derived from it.
struct Route: Sendable {
    enum AccessPolicy: Sendable, Hashable {
        /// Open to anyone.
        case open
        /// Any signed-in caller.
        case signedIn
        /// A caller who may read a domain with GET, or write it with another method.
        case domain(ScopeSet.Domain)
        /// A caller who may read at least one of the domains; the handler omits the others.
        case any([ScopeSet.Domain])
        /// A caller with full access.
        case all
        /// A local client, or a caller who may read metrics.
        case metrics
    }

    /// A query parameter.
    struct Parameter: Sendable {
        let name: String
        let schema: JSONValue
        let note: String
        var isRequired = false
    }

    struct Body: Sendable {
        let types: [String]
        let schema: JSONValue
        var isRequired = true
        /// The maximum size in bytes.
        var limit = defaultLimit

        static let defaultLimit = 1 << 20

        static func json(_ schema: JSONValue, isRequired: Bool = true) -> Body {
            Body(types: ["application/json"], schema: schema, isRequired: isRequired)
        }
        static func json(_ schema: String, isRequired: Bool = true) -> Body {
            json(Schema.ref(schema), isRequired: isRequired)
        }
    }

    struct SuccessResponse: Sendable {
        let status: HTTPResponse.Status
        let type: String?
        let schema: JSONValue?

        static func json(_ schema: JSONValue, _ status: HTTPResponse.Status = .ok) -> SuccessResponse {
            SuccessResponse(status: status, type: "application/json", schema: schema)
        }
        static func json(_ schema: String, _ status: HTTPResponse.Status = .ok) -> SuccessResponse {
            json(Schema.ref(schema), status)
        }
        static func file(_ type: String) -> SuccessResponse {
            SuccessResponse(status: .ok, type: type, schema: ["type": "string"])
        }
        static let empty = SuccessResponse(status: .noContent, type: nil, schema: nil)
    }

    typealias Handler = @Sendable (Request, ServerRequestContext) async throws -> Response

    let method: HTTPRequest.Method
    /// The path with its parameters in braces, such as `/v1/contacts/{id}`.
    let path: String
    let summary: String
    let access: AccessPolicy
    let parameters: [Parameter]
    let body: Body?
    let response: SuccessResponse
    /// The statuses of problems, except for the ones common to all routes and 404 for a path with a parameter.
    let problems: [Int]
    /// `true` if the handler may block, for example on a database.
    let blocks: Bool
    /// `true` if responses are valid for anyone until the popular airports change.
    let isCached: Bool
    let handle: Handler

    init(
        _ method: HTTPRequest.Method, _ path: String, _ summary: String, access: AccessPolicy,
        parameters: [Parameter] = [], body: Body? = nil, response: SuccessResponse, problems: [Int] = [],
        blocks: Bool = true, isCached: Bool = false, _ handle: @escaping Handler
    ) {
        self.method = method
        self.path = path
        self.summary = summary
        self.access = access
        self.parameters = parameters
        self.body = body
        self.response = response
        self.problems = problems
        self.blocks = blocks
        self.isCached = isCached
        self.handle = handle
    }
}

// MARK: - Common parameters

extension Route.Parameter {
    static func text(_ name: String, _ note: String, isRequired: Bool = false) -> Route.Parameter {
        Route.Parameter(name: name, schema: ["type": "string"], note: note, isRequired: isRequired)
    }

    static func number(
        _ name: String, _ range: ClosedRange<Int>, _ note: String, type: String = "number", isRequired: Bool = false
    ) -> Route.Parameter {
        Route.Parameter(
            name: name,
            schema: [
                "type": .string(type), "minimum": .number(Double(range.lowerBound)),
                "maximum": .number(Double(range.upperBound)),
            ], note: note, isRequired: isRequired)
    }

    static func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, _ choice: Choice.Type, _ note: String
    ) -> Route.Parameter where Choice.RawValue == String {
        Route.Parameter(
            name: name, schema: ["type": "string", "enum": JSONValue(Choice.allCases.map { .string($0.rawValue) })],
            note: note)
    }

    static func limit(default defaultLimit: Int = 10) -> Route.Parameter {
        Route.Parameter(
            name: "limit",
            schema: ["type": "integer", "minimum": 1, "maximum": 100, "default": .number(Double(defaultLimit))],
            note: "The maximum number of rows.")
    }

    static func flag(_ name: String, _ note: String) -> Route.Parameter {
        Route.Parameter(name: name, schema: ["type": "string", "enum": ["true", "false"]], note: note)
    }

    static let cursor = Route.Parameter(
        name: "cursor", schema: ["type": "string", "pattern": "^[0-9]{1,9}$"],
        note: "nextCursor of the previous page.")
    static let listCursor = Route.Parameter(
        name: "cursor", schema: ["type": "string", "pattern": "^([0-9]{1,9}|k[A-Za-z0-9_-]+)$"],
        note: "nextCursor of the previous page, or the number of rows to skip.")
    static let version = Route.Parameter.text(
        "v", "Any text; another one makes a browser load the picture again.")
    static let keypad = Route.Parameter(
        name: "keypad", schema: ["type": "string"],
        note: "Keypad digits instead of q; spaces and punctuation are ignored.")
    static let region = Route.Parameter(
        name: "region", schema: ["type": "string", "pattern": "^[A-Z]{2}$"],
        note: "The territory of phone numbers without a country code, such as TR.")
    static let language = Route.Parameter(
        name: "language", schema: ["type": "string", "pattern": "^[A-Za-z0-9_-]{2,35}$"],
        note: "The language of titles, such as ru.")
}
