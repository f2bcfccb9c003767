import Foundation
import HTTPTypes
import Hummingbird
import NIOPosix
import SwitchboardAccounts
import Synchronization

/// Authenticates the caller of a route and checks the scopes and the rate of requests.
struct AuthorizationMiddleware: ServerMiddleware {
    let route: Route

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.access = try access(for: request, context)
        context.query = try query(of: request)
        context.body = route.body
        guard let access = context.access, writesOnly(access.scopes) else { return try await next(request, context) }
        do {
            return try route.withoutStoredData(await next(request, context))
        } catch var problem as Problem {
            problem.current = nil
            throw problem
        }
    }

    /// Returns whether scopes permit writing, but not reading what is written.
    private func writesOnly(_ scopes: ScopeSet) -> Bool {
        guard case .domain(let domain) = route.access, route.method != .get else { return false }
        return !scopes.permits(.read, of: domain)
    }

    /// Returns the query parameters.
    ///
    /// - Throws: A ``Problem`` if the route does not have one of them, such as a misspelled name.
    private func query(of request: Request) throws -> QueryString {
        let query = try QueryString(request.uri.query ?? "")
        let known = route.parameters.map(\.name)
        guard !route.isPage, let name = query.names.first(where: { !known.contains($0) }) else { return query }
        throw Problem.badRequest(
            "unknown parameter “\(name)”; use \(known.isEmpty ? "none here" : known.joined(separator: ", "))",
            code: "unknownParameter")
    }

    /// Returns the caller; nil if the route needs no sign-in.
    ///
    /// - Throws: A ``Problem``: 401 without a valid token or session, 403 if its scope is too narrow or the request
    ///   comes from another site, 429 after too many requests.
    private func access(for request: Request, _ context: Context) throws -> Token? {
        let (client, rates) = (context.client, context.server.rates)
        switch route.access {
        case .open:
            try rates.take(of: client)
            return nil
        case .metrics where client.isLocal && request.headers[.authorization] == nil: return nil
        default: break
        }
        guard let access = try caller(of: request, context.server) else {
            try rates.takeFailure(of: client)
            throw Problem.unauthorized
        }
        try rates.take(of: access.id)
        guard permits(access.scopes) else {
            throw Problem.forbidden("the token has only the scopes \(access.scopes.text)", code: "scopeTooNarrow")
        }
        return access
    }

    private func permits(_ scopes: ScopeSet) -> Bool {
        switch route.access {
        case .open, .signedIn: true
        case .domain(let domain): scopes.permits(route.method == .get ? .read : .write, of: domain)
        case .any(let domains): domains.contains { scopes.permits(.read, of: $0) }
        case .all: scopes.isAll
        case .metrics: scopes.permitsMetrics
        }
    }

    private func caller(of request: Request, _ server: Server) throws -> Token? {
        let accounts = server.accounts
        guard let access = try server.token(of: request) else { return nil }
        if request.headers[.authorization] == nil, request.method != .get, request.method != .head,
            !request.isFromOurPage
        {
            throw Problem.wrongOrigin
        }
        // The time of the last use is accurate to an hour, and written in the background.
        if access.usedAt.map({ Date().timeIntervalSince($0) >= 3_600 }) ?? true {
            NIOThreadPool.singleton.submit { _ in try? accounts.recordUse(of: access) }
        }
        return access
    }
}

extension Route {
    /// The paths whose responses only tell what was done with the body.
    private static let reporting: Set = ["/v1/contacts/import", "/v1/contacts/import/undo", "/v1/index/items"]

    /// Returns a response to someone who may not read: of the stored data, it has at most the identifier of what was
    /// added.
    fileprivate func withoutStoredData(_ response: Response) throws -> Response {
        guard response.status.kind == .successful, !Self.reporting.contains(path), response.body.contentLength != 0
        else { return response }
        let place = response.headers[.location]
        var bare = Response.noContent
        if let place, let id = place.split(separator: "/").last {
            bare = try .json(["id": String(id)], status: response.status, fields: [.location: place])
        }
        bare.headers[.eTag] = response.headers[.eTag]
        return bare
    }
}

extension Problem {
    static let wrongOrigin = forbidden(
        "the request does not come from this server's page; a reverse proxy must pass the Host field on, and the server "
            + "must know the name (--public-host)", code: "wrongOrigin")
}

extension Server {
    /// Returns the token of a request, from its `Authorization` field or, without that field, from its session; nil if
    /// there is no valid token.
    func token(of request: Request) throws -> Token? {
        guard request.headers[.authorization] == nil else {
            return try request.bearerToken.flatMap { try accounts.access(token: $0) }
        }
        return try session(of: request).flatMap { try accounts.access(session: $0) }
    }

    /// The name of the session cookie. Over HTTPS, its prefix keeps other hosts and plain HTTP from setting it.
    var sessionCookie: String { (options.isSecure ? "__Host-" : "") + Request.sessionCookie }

    /// Returns the value of the session cookie.
    func session(of request: Request) -> String? { request.cookies[sessionCookie]?.value }
}

extension Request {
    static let sessionCookie = "switchboard_session"

    /// The token of an `Authorization: Bearer …` field.
    var bearerToken: String? {
        let words = headers[.authorization]?.split(separator: " ", maxSplits: 1) ?? []
        guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
        return String(words[1].drop(while: { $0 == " " }))
    }

    /// `true` if the request comes from a page of the same host. Browsers send `Origin` with unsafe requests.
    var isFromOurPage: Bool {
        guard let origin = headers[.origin]?.lowercased(), let host = head.authority?.lowercased() else { return false }
        return origin == "http://\(host)" || origin == "https://\(host)"
    }
}

/// Lets pages of allowed origins read the responses of shared routes (CORS).
///
/// Shared routes are public and ignore sessions, so responses never allow credentials. Errors are readable, too.
struct CrossOriginMiddleware: ServerMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let response = try await next(request, context)
        // A preflight request has its own fields.
        guard context.method != .options, context.endpointPath.map(Route.isShared) ?? false else { return response }
        return context.server.origins.allow(response, to: request)
    }
}

extension Route {
    /// `true` for the public routes that pages of other sites may use: airports, and the files for them.
    var isShared: Bool { Self.sharedPaths.contains(path) }

    /// Returns `true` for the path of a shared route.
    static func isShared(_ path: String) -> Bool { sharedPaths.contains(path) }

    private static let sharedPaths = Set(
        Server.routes.filter { $0.access == .open }.map(\.path)
            .filter { $0.hasPrefix("/v1/airports") || $0.hasPrefix("/embed/") })
}

/// The origin of a page: a scheme, a host and, unless it is the default, a port.
struct Origin: Hashable, Sendable {
    let text: String

    /// Parses an origin as browsers send it, ignoring case; nil for any other URL and for patterns.
    init?(_ text: String) {
        let text = text.lowercased()
        guard
            let match = text.wholeMatch(
                of: /(https?):\/\/[a-z0-9.-]+(:[0-9]{1,5})?|(https?):\/\/\[[0-9a-f:]+\](:[0-9]{1,5})?/)
        else { return nil }
        let scheme = match.1 ?? match.3 ?? ""
        let port = match.2 ?? match.4 ?? ""
        // Browsers omit the default port.
        self.text = port == (scheme == "https" ? ":443" : ":80") ? String(text.dropLast(port.count)) : text
    }
}

/// The origins whose pages may use shared routes.
final class AllowedOrigins: Sendable {
    private let origins: Mutex<Set<String>>

    init(_ origins: [Origin]) {
        self.origins = Mutex(Set(origins.map(\.text)))
    }

    /// Replaces the origins.
    func set(_ new: [Origin]) {
        origins.withLock { $0 = Set(new.map(\.text)) }
    }

    /// Returns a response that the requesting page may read if its origin is allowed.
    func allow(_ response: Response, to request: Request) -> Response {
        let origin = request.headers[.origin]
        let (isEmpty, isAllowed) = origins.withLock { ($0.isEmpty, origin.map($0.contains) ?? false) }
        guard !isEmpty else { return response }
        var response = response
        // A shared cache must not send the response for one origin to another.
        response.headers[.vary] = [response.headers[.vary], "Origin"].compactMap { $0 }.joined(separator: ", ")
        guard isAllowed, let origin else { return response }
        response.headers[.accessControlAllowOrigin] = origin
        response.headers[.accessControlExposeHeaders] = "ETag, Server-Timing"
        return response
    }

    /// Returns the response to a preflight request, which asks whether a request with additional header fields is
    /// allowed.
    func preflight(_ response: Response, to request: Request) -> Response {
        var response = allow(response, to: request)
        guard response.headers[.accessControlAllowOrigin] != nil else { return response }
        response.headers[.accessControlAllowMethods] = "GET, HEAD"
        response.headers[.accessControlAllowHeaders] = "If-None-Match, X-Request-ID"
        response.headers[.accessControlMaxAge] = "7200"
        return response
    }
}
