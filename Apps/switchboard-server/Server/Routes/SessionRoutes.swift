import HTTPTypes
import SwitchboardAccounts
import SwitchboardKit

extension Route {
    /// Browsers that are signed in.
    static let session: [Route] = [
        Route(
            .post, "/v1/session", "Sign a browser in: by the token in the field Authorization, or by a one-time code.",
            door: .open,
            body: .json(
                ["type": "object", "additionalProperties": false, "properties": ["code": ["type": "string"]]],
                isRequired: false),
            answers: .empty, problems: [401]
        ) { call in
            // A page of a stranger must not sign people in as somebody else.
            guard call.fields[.origin] == nil || Authentication.isFromOurPage(call.request) else {
                throw Problem.forbidden("the request does not come from this server's own page", code: "wrongOrigin")
            }
            guard let session = try await call.beginSession() else {
                try call.server.authentication.rates.takeFailure(of: call.address)
                throw Problem.unauthorized
            }
            return Answer(
                .noContent, fields: [.setCookie: call.cookie(session, lifetime: Int(Accounts.sessionLifetime))])
        },
        Route(
            .get, "/v1/session", "Who is signed in.", door: .signedIn, answers: .json(Schema.ref("Session"))
        ) { call in
            guard let access = call.access else { throw Problem.unauthorized }
            return try .json(SessionResponse(access))
        },
        Route(.delete, "/v1/session", "Sign the browser out.", door: .signedIn, answers: .empty) { call in
            if let session = Authentication.session(of: call.request) {
                let people = call.server.people
                try await call.work { try people.endSession(session) }
            }
            return Answer(.noContent, fields: [.setCookie: call.cookie("", lifetime: 0)])
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

extension Call {
    /// Signs in whoever has a valid token or code; nil for anybody else.
    fileprivate func beginSession() async throws -> String? {
        let people = server.people
        if let field = fields[.authorization] {
            guard let token = Authentication.bearer(field) else { return nil }
            return try await work {
                guard let access = try people.access(token: token) else { return nil }
                try people.noteUse(of: access)
                return try people.beginSession(for: access)
            }
        }
        let object = try await object()
        try object.check(known: ["code"])
        guard let code = try object.text("code") else { return nil }
        return try await work { try people.redeem(code: code) }
    }

    /// The field that makes the browser keep the session, or forget it.
    fileprivate func cookie(_ value: String, lifetime seconds: Int) -> String {
        "\(Authentication.cookie)=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict"
            + (server.options.isSecure ? "; Secure" : "")
    }
}
