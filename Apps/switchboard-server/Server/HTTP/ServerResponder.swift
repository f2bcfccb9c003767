import HTTPTypes
import Hummingbird
import NIOCore

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
        router.middlewares.add(RequestLogMiddleware())
        router.middlewares.add(ProblemMiddleware())
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
                    if context.method == .options {
                        let response = Response(status: .noContent, headers: field)
                        return isShared ? server.origins.preflight(response, to: request) : response
                    }
                    throw Problem.methodNotAllowed(field)
                }
            }
        }
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
        guard !Self.methods.contains(request.method) else {
            return try await router.respond(to: request, context: context)
        }
        var head = request.head
        head.method = .trace
        return try await router.respond(to: Request(head: head, body: request.body), context: context)
    }
}

extension Route {
    /// The middleware of this route, outermost first.
    ///
    /// Everything from the work lane on may block. Only steps that need no database come before it: the rate limit of
    /// open routes and the cache.
    fileprivate var middleware: [any MiddlewareProtocol<Request, Response, ServerRequestContext>] {
        isShared ? [CrossOriginMiddleware(), ProblemMiddleware()] + ownMiddleware : ownMiddleware
    }

    private var ownMiddleware: [any MiddlewareProtocol<Request, Response, ServerRequestContext>] {
        let authorization = AuthorizationMiddleware(route: self)
        guard let lane else { return [authorization] }
        let blocking: [any MiddlewareProtocol<Request, Response, ServerRequestContext>] = [
            WorkLaneMiddleware(lane: lane), CompressionMiddleware(), ProblemMiddleware(),
        ]
        guard access == .open else {
            return blocking + [EntityTagMiddleware(route: self), authorization]
                + (method == .get ? [EventPositionMiddleware()] : [])
                + (isRepeatable ? [IdempotencyMiddleware()] : [])
        }
        if isCached { return [authorization, CacheMiddleware()] + blocking + [EntityTagMiddleware(route: self)] }
        return [authorization] + blocking
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
