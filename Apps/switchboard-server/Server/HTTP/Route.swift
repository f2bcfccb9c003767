import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
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

        /// Returns whether the route reads a body with a `Content-Type`. Files are recognized by their content; JSON is
        /// not, because a form that looks like JSON is a mistake.
        func accepts(_ contentType: String) -> Bool {
            let type = contentType.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
            return types.contains(type) || types.contains("application/octet-stream")
                || (type.hasSuffix("+json") && types.contains("application/json"))
        }

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
            let isBinary = (type.hasPrefix("image/") && !type.hasSuffix("+xml")) || type == "application/zip"
            return SuccessResponse(
                status: .ok, type: type, schema: isBinary ? Schema.binary : ["type": "string"])
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

    static let rowCursor = Route.Parameter(
        name: "cursor", schema: ["type": "string", "pattern": "^[0-9]{1,9}$"],
        note: "nextCursor of the previous page.")
    static let cursor = Route.Parameter(
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

/// Passes requests to the router with a context that has the server, and maps unknown methods to TRACE.
///
/// Hummingbird looks up routes before it runs middleware, and treats a method that no route has as an unknown path. No
/// route supports TRACE, so the response to an unknown method is 405 with `Allow`.
struct ServerResponder: HTTPResponder {
    /// The context that the application creates for a request.
    struct Context: RequestContext {
        var coreContext: CoreRequestContextStorage
        let channel: any Channel

        init(source: ApplicationRequestContextSource) {
            coreContext = CoreRequestContextStorage(source: source)
            channel = source.channel
        }
    }

    let router: RouterResponder<ServerRequestContext>
    let server: Server

    /// The methods that the router knows for every path.
    private static let methods: [HTTPRequest.Method] = [.get, .post, .put, .patch, .delete, .options, .trace, .head]

    init(_ server: Server) {
        self.server = server
        let router = Router(context: ServerRequestContext.self, options: .autoGenerateHeadEndpoints)
        // Outermost: counts and logs every response.
        router.middlewares.add(RequestLogMiddleware())
        // Outside the problems: other sites may read the errors of shared routes.
        router.middlewares.add(CrossOriginMiddleware())
        // Outside the problems: those of a large batch are long.
        router.middlewares.add(CompressionMiddleware(types: CompressionMiddleware.problems))
        // The only place where an error becomes a response.
        router.middlewares.add(ProblemMiddleware())
        // Before anything that costs more.
        router.middlewares.add(LimitsMiddleware(hosts: server.hosts))
        for route in Server.routes {
            let group = router.group()
            for middleware in route.middleware { group.add(middleware: middleware) }
            group.on(RouterPath(route.path), method: route.method) { request, context in
                try await route.handle(request, context)
            }
        }
        for (path, routes) in Dictionary(grouping: Server.routes, by: \.path) {
            let isShared = routes.contains(where: \.isShared)
            let found = routes.map(\.method)
            let allowed = found.contains(.get) ? found + [.head] : found
            for method in Self.methods where !allowed.contains(method) {
                router.on(RouterPath(path), method: method) { request, context in
                    let field: HTTPFields = [.allow: allowed.map(\.rawValue).joined(separator: ", ")]
                    if context.method == .options, path == "/" { return DAV.capabilities }
                    if context.method == .options {
                        let response = Response(status: .noContent, headers: field)
                        return isShared ? server.origins.preflight(response, to: request) : response
                    }
                    throw Problem.methodNotAllowed(field)
                }
            }
        }
        DAV.add(to: router)
        self.router = router.buildResponder()
    }

    func respond(to request: Request, context: Context) async throws -> Response {
        // The parent of an HTTP/2 stream is its connection, whose parent is the listening socket. For HTTP/1.1, the
        // channel of the connection cancels the work.
        guard context.channel.parent?.parent != nil else { return try await route(request, context) }
        let disconnection = try await context.channel.pipeline.handler(type: RequestGuard.self).map(\.disconnection)
            .get()
        return try await withThrowingTaskGroup(of: Response?.self) { group in
            group.addTask { try await route(request, context) }
            group.addTask {
                for await _ in disconnection {}
                return nil
            }
            defer { group.cancelAll() }
            guard let response = try await group.next() ?? nil else { throw CancellationError() }
            return response
        }
    }

    private func route(_ request: Request, _ context: Context) async throws -> Response {
        let context = ServerRequestContext(
            source: .init(server: server, request: request, channel: context.channel, logger: context.logger))
        guard !Self.methods.contains(request.method), !DAV.accepts(request) else {
            return try await router.respond(to: request, context: context)
        }
        var head = request.head
        head.method = .trace
        return try await router.respond(to: Request(head: head, body: request.body), context: context)
    }
}

extension Route {
    /// The middleware of this route, outermost first, and the routes that need each.
    fileprivate var middleware: [any MiddlewareProtocol<Request, Response, ServerRequestContext>] {
        let (isOpen, blocks) = (access == .open, lane != nil)
        let authorization = AuthorizationMiddleware(route: self)
        let all: [(isNeeded: Bool, middleware: any MiddlewareProtocol<Request, Response, ServerRequestContext>)] = [
            // Needs no database for open routes: a client that asks too often costs no thread.
            (isOpen || !blocks, authorization),
            // Before compression: responses are kept as they are sent.
            (isCached, CacheMiddleware()),
            // Everything from here on may block.
            (blocks, WorkLaneMiddleware(lane: lane ?? .open)),
            // Outside the tags: gives what it compresses another tag.
            (blocks, CompressionMiddleware()),
            // Tags the responses of the steps below.
            (blocks && (!isOpen || isCached), EntityTagMiddleware(route: self)),
            // Reads the account from the database.
            (blocks && !isOpen, authorization),
            // Inside the authorization: reads the caller's database.
            (blocks && !isOpen && method == .get, EventPositionMiddleware()),
            // Next to the handler: a repeated request gets the response of the first.
            (blocks && !isOpen && isRepeatable, IdempotencyMiddleware()),
        ]
        return all.filter(\.isNeeded).map(\.middleware)
    }

    /// The threads that handle this route; nil for the event loop.
    private var lane: WorkLane? {
        switch access {
        case .open where !blocks: nil
        case .open, .metrics: .open
        case .signedIn, .domain, .any, .all: method == .get ? .reading : .writing
        }
    }
}
