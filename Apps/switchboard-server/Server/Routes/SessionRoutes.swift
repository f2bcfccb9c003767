import HTTPTypes
import SwitchboardAccounts
import SwitchboardJSON
import SwitchboardKit

extension Route {
    /// Browser sessions.
    static let session: [Route] = [
        Route(
            .post, "/v1/session", "Sign a browser in with a bearer token or a pairing code.",
            access: .open,
            body: .json(
                ["type": "object", "additionalProperties": false, "properties": ["code": ["type": "string"]]],
                isRequired: false),
            response: .empty, problems: [401]
        ) { context in
            // Another site must not be able to sign a browser in (login CSRF).
            guard context.fields[.origin] == nil || Authentication.isFromOurPage(context.request) else {
                throw Problem.forbidden("the request does not come from this server's page", code: "wrongOrigin")
            }
            guard let session = try await context.beginSession() else {
                try context.server.authentication.rates.takeFailure(of: context.address)
                throw Problem.unauthorized
            }
            return EndpointResponse(
                .noContent, fields: [.setCookie: context.cookie(session, lifetime: Int(Accounts.sessionLifetime))])
        },
        Route(
            .get, "/v1/session", "Get the person and scopes of the session or token.", access: .signedIn,
            response: .json(Schema.ref("Session"))
        ) { context in
            guard let access = context.access else { throw Problem.unauthorized }
            return try .json(SessionResponse(access))
        },
        Route(.delete, "/v1/session", "Sign the browser out.", access: .signedIn, response: .empty) { context in
            if let session = Authentication.session(of: context.request) {
                let accounts = context.server.accounts
                try await context.runBlocking { try accounts.endSession(session) }
            }
            return EndpointResponse(.noContent, fields: [.setCookie: context.cookie("", lifetime: 0)])
        },
    ]
}

/// `{"person": "…", "scopes": ["…"]}`
private struct SessionResponse: Encodable {
    let person: String
    let scopes: [String]

    init(_ access: Access) {
        person = access.person.name
        scopes = access.scopes.words
    }
}

extension RouteContext {
    /// Begins a session with a token or pairing code; nil if it is invalid.
    fileprivate func beginSession() async throws -> String? {
        let accounts = server.accounts
        if let field = fields[.authorization] {
            guard let token = Authentication.bearer(field) else { return nil }
            return try await runBlocking {
                guard let access = try accounts.access(token: token) else { return nil }
                try accounts.recordUse(of: access)
                return try accounts.beginSession(for: access)
            }
        }
        let object = try await jsonObject()
        try object.check(known: ["code"])
        guard let code = try object.text("code") else { return nil }
        return try await runBlocking { try accounts.redeem(code: code) }
    }

    /// Returns the `Set-Cookie` field that stores or deletes the session.
    fileprivate func cookie(_ value: String, lifetime seconds: Int) -> String {
        "\(Authentication.cookie)=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict"
            + (server.options.isSecure ? "; Secure" : "")
    }
}
