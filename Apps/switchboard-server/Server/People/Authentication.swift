import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOPosix
import SwitchboardAccounts

/// Sees who asks and whether they may.
struct Authentication: Sendable {
    static let cookie = "switchboard_session"

    let people: Accounts
    let rates: RateLimiter
    let log: ServerLog

    /// Who asks for a route; nil where nobody has to sign in.
    ///
    /// - Throws: a ``Problem``: 401 without a valid token or session, 403 if it is too narrow or comes from another site, 429 if
    ///   there were too many requests.
    func access(for request: Request, _ route: Route, from address: ClientAddress) async throws -> Access? {
        switch route.door {
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
        guard permits(route.door, access.scopes) else {
            throw Problem.forbidden(
                "the token is for \(access.scopes.text), not for this", code: "scopeTooNarrow")
        }
        return access
    }

    private func permits(_ door: Route.AccessPolicy, _ scopes: ScopeSet) -> Bool {
        switch door {
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
            guard let access = try people.access(token: token) else { return nil }
            noteUse(access)
            return access
        }
        guard let session = Self.session(of: request) else { return nil }
        guard let access = try people.access(session: session) else { return nil }
        if request.method != .get, request.method != .head, !Self.isFromOurPage(request) {
            throw Problem.forbidden("the request does not come from this server's own page", code: "wrongOrigin")
        }
        return access
    }

    /// The token of a field `Authorization: Bearer …`.
    static func bearer(_ field: String) -> String? {
        let words = field.split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
        return String(words[1].drop(while: { $0 == " " }))
    }

    /// What the cookie says.
    static func session(of request: Request) -> String? {
        for field in request.headers[values: .cookie] {
            for pair in field.split(separator: ";") {
                let text = pair.drop(while: { $0 == " " })
                if text.hasPrefix(cookie + "=") { return String(text.dropFirst(cookie.utf8.count + 1)) }
            }
        }
        return nil
    }

    /// Whether a page of the same host asks. Browsers always say so when something is changed.
    static func isFromOurPage(_ request: Request) -> Bool {
        guard let origin = request.headers[.origin], let host = request.head.authority else { return false }
        return origin.lowercased() == "http://\(host.lowercased())"
            || origin.lowercased() == "https://\(host.lowercased())"
    }

    /// Noted on another thread: whoever asks does not wait for it.
    private func noteUse(_ access: Access) {
        if let usedAt = access.token.usedAt, Date().timeIntervalSince(usedAt) < 3_600 { return }
        let people = people
        NIOThreadPool.singleton.submit { _ in try? people.noteUse(of: access) }
    }
}
