import Foundation
import HTTPTypes
import Hummingbird
import NIOPosix
import SwitchboardAccounts

/// Authenticates the caller of a route and checks the access and the rate of requests.
struct AuthorizationMiddleware: ServerMiddleware {
    let route: Route

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.access = try access(for: request, context)
        context.query = try QueryString(request.uri.query ?? "")
        context.body = route.body
        return try await next(request, context)
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
        guard let access = try caller(of: request, context.server.accounts) else {
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

    private func caller(of request: Request, _ accounts: Accounts) throws -> Token? {
        if request.headers[.authorization] != nil {
            guard let token = request.bearerToken, let access = try accounts.access(token: token) else { return nil }
            // The time of the last use is accurate to an hour, and written in the background.
            if access.usedAt.map({ Date().timeIntervalSince($0) >= 3_600 }) ?? true {
                NIOThreadPool.singleton.submit { _ in try? accounts.recordUse(of: access) }
            }
            return access
        }
        guard let session = request.session, let access = try accounts.access(session: session) else { return nil }
        if request.method != .get, request.method != .head, !request.isFromOurPage { throw Problem.wrongOrigin }
        return access
    }
}

extension Problem {
    static let wrongOrigin = forbidden("the request does not come from this server's page", code: "wrongOrigin")
}

extension Request {
    static let sessionCookie = "switchboard_session"

    /// The token of an `Authorization: Bearer …` field.
    var bearerToken: String? {
        let words = headers[.authorization]?.split(separator: " ", maxSplits: 1) ?? []
        guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
        return String(words[1].drop(while: { $0 == " " }))
    }

    /// The value of the session cookie.
    var session: String? { cookies[Self.sessionCookie]?.value }

    /// `true` if the request comes from a page of the same host. Browsers send `Origin` with unsafe requests.
    var isFromOurPage: Bool {
        guard let origin = headers[.origin]?.lowercased(), let host = head.authority?.lowercased() else { return false }
        return origin == "http://\(host)" || origin == "https://\(host)"
    }
}
