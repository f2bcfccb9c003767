import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOPosix
import SwitchboardAccounts

/// Authenticates and authorizes requests.
struct Authentication: Sendable {
    static let cookie = "switchboard_session"

    let accounts: Accounts
    let rates: RateLimiter
    let log: ServerLog

    /// Returns the caller; nil if the route needs no sign-in.
    ///
    /// - Throws: A ``Problem``: 401 without a valid token or session, 403 if its scope is too narrow or the request
    ///   comes from another site, 429 after too many requests.
    func access(for request: Request, _ route: Route, from address: ClientAddress) async throws -> Access? {
        switch route.access {
        case .open:
            try rates.take(of: address)
            return nil
        case .metrics where address.isLocal && request.headers[.authorization] == nil: return nil
        default: break
        }
        guard let access = try await self.access(request) else {
            try rates.takeFailure(of: address)
            throw Problem.unauthorized
        }
        try rates.take(of: access.token.id)
        guard permits(route.access, access.scopes) else {
            throw Problem.forbidden(
                "the token has only the scopes \(access.scopes.text)", code: "scopeTooNarrow")
        }
        return access
    }

    private func permits(_ policy: Route.AccessPolicy, _ scopes: ScopeSet) -> Bool {
        switch policy {
        case .open, .signedIn: true
        case .scope(let use, let domain): scopes.permits(use, of: domain)
        case .any(let domains): domains.contains { scopes.permits(.read, of: $0) }
        case .all: scopes.isAll
        case .metrics: scopes.permitsMetrics
        }
    }

    private func access(_ request: Request) async throws -> Access? {
        if let field = request.headers[.authorization] {
            guard let token = Self.bearer(field) else { return nil }
            guard let access = try accounts.access(token: token) else { return nil }
            recordUse(access)
            return access
        }
        guard let session = Self.session(of: request) else { return nil }
        guard let access = try accounts.access(session: session) else { return nil }
        if request.method != .get, request.method != .head, !Self.isFromOurPage(request) {
            throw Problem.forbidden("the request does not come from this server's page", code: "wrongOrigin")
        }
        return access
    }

    /// Returns the token of an `Authorization: Bearer …` field.
    static func bearer(_ field: String) -> String? {
        let words = field.split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
        return String(words[1].drop(while: { $0 == " " }))
    }

    /// Returns the value of the session cookie.
    static func session(of request: Request) -> String? {
        for field in request.headers[values: .cookie] {
            for pair in field.split(separator: ";") {
                let text = pair.drop(while: { $0 == " " })
                if text.hasPrefix(cookie + "=") { return String(text.dropFirst(cookie.utf8.count + 1)) }
            }
        }
        return nil
    }

    /// Returns whether the request comes from a page of the same host. Browsers send `Origin` with unsafe requests.
    static func isFromOurPage(_ request: Request) -> Bool {
        guard let origin = request.headers[.origin], let host = request.head.authority else { return false }
        return origin.lowercased() == "http://\(host.lowercased())"
            || origin.lowercased() == "https://\(host.lowercased())"
    }

    /// Records the use of a token in the background.
    private func recordUse(_ access: Access) {
        if let usedAt = access.token.usedAt, Date().timeIntervalSince(usedAt) < 3_600 { return }
        let accounts = accounts
        NIOThreadPool.singleton.submit { _ in try? accounts.recordUse(of: access) }
    }
}
