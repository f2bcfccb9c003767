import HTTPTypes
import SwitchboardAccounts

/// One thing that can be asked of the server: what the router, the guard at the door and the description of the API are made of.
struct Route: Sendable {
    /// Who may ask.
    enum AccessPolicy: Sendable, Hashable {
        /// Anybody.
        case open
        /// Whoever is signed in.
        case signedIn
        /// Whoever may use a domain in a way.
        case scope(ScopeSet.Use, ScopeSet.Domain)
        /// Whoever may read one of several domains; the handler leaves out the others.
        case any([ScopeSet.Domain])
        /// Whoever may do everything.
        case all
        /// This machine, or whoever may see the figures.
        case metrics
    }

    /// A parameter of the address.
    struct Parameter: Sendable {
        let name: String
        let schema: JSONValue
        let note: String
        var isRequired = false
    }

    /// What the body of a request is.
    struct Body: Sendable {
        let types: [String]
        let schema: JSONValue
        var isRequired = true
        /// The most bytes.
        var limit = 1 << 20
    }

    /// What the answer of success is.
    struct Success: Sendable {
        let status: HTTPResponse.Status
        let type: String?
        let schema: JSONValue?

        static func json(_ schema: JSONValue, _ status: HTTPResponse.Status = .ok) -> Success {
            Success(status: status, type: "application/json", schema: schema)
        }
        static func file(_ type: String) -> Success { Success(status: .ok, type: type, schema: ["type": "string"]) }
        static let empty = Success(status: .noContent, type: nil, schema: nil)
    }

    typealias Handler = @Sendable (Call) async throws -> Answer

    let method: HTTPRequest.Method
    /// The path with its parameters in braces: `/v1/contacts/{id}`.
    let path: String
    let summary: String
    let door: AccessPolicy
    let parameters: [Parameter]
    let body: Body?
    let success: Success
    /// Problems that it may answer beside those of all routes.
    let problems: [Int]
    let handle: Handler

    init(
        _ method: HTTPRequest.Method, _ path: String, _ summary: String, door: AccessPolicy,
        parameters: [Parameter] = [],
        body: Body? = nil, answers success: Success, problems: [Int] = [], _ handle: @escaping Handler
    ) {
        self.method = method
        self.path = path
        self.summary = summary
        self.door = door
        self.parameters = parameters
        self.body = body
        self.success = success
        self.problems = problems
        self.handle = handle
    }

    /// The most bytes of a body.
    var bodyLimit: Int { body?.limit ?? 1 << 20 }
}

// MARK: - Parameters that many have

extension Route.Parameter {
    static func text(_ name: String, _ note: String, isRequired: Bool = false) -> Route.Parameter {
        Route.Parameter(name: name, schema: ["type": "string"], note: note, isRequired: isRequired)
    }

    static func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, _ choice: Choice.Type, _ note: String
    ) -> Route.Parameter where Choice.RawValue == String {
        Route.Parameter(
            name: name, schema: ["type": "string", "enum": .array(Choice.allCases.map { .string($0.rawValue) })],
            note: note)
    }

    static func limit(usual: Int = 10) -> Route.Parameter {
        Route.Parameter(
            name: "limit",
            schema: ["type": "integer", "minimum": 1, "maximum": 100, "default": .number(Double(usual))],
            note: "How many rows at most.")
    }

    static let cursor = Route.Parameter(
        name: "cursor", schema: ["type": "string", "pattern": .string(Cursor.pattern)],
        note: "The nextCursor of the page before.")
    static let keypad = Route.Parameter(
        name: "keypad", schema: ["type": "string"],
        note: "Digits of a keypad instead of q; spaces and other signs between them are passed over.")
    static let region = Route.Parameter(
        name: "region", schema: ["type": "string", "pattern": "^[A-Z]{2}$"],
        note: "The territory of numbers without a country code, such as TR.")
    static let language = Route.Parameter(
        name: "language", schema: ["type": "string", "pattern": "^[A-Za-z0-9_-]{2,35}$"],
        note: "The language of titles, such as ru.")
}

// MARK: - Bodies that many have

extension Route.Body {
    static func json(_ schema: JSONValue, isRequired: Bool = true) -> Route.Body {
        Route.Body(types: ["application/json"], schema: schema, isRequired: isRequired)
    }
}
