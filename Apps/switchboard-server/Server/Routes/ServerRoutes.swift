import Foundation
import HTTPTypes
import Hummingbird
import SwitchboardAccounts
import SwitchboardBadges
import SwitchboardJSON
import SwitchboardKit
import SwitchboardStorage
import SwitchboardWebPage

extension Route {
    /// Access grants and tokens.
    static let settings: [Route] = [
        Route(
            .get, "/v1/access", "List access grants.", access: .domain(.me), response: .json("List")
        ) { _, context in
            try context.json { switchboard in
                let storage = try switchboard.storage
                return ListResponse(try AccessSubject.allCases.map { try AccessRow(of: $0, in: storage) })
            }
        },
        Route(
            .put, "/v1/access/{what}", "Grant, deny or reset access.", access: .domain(.me),
            body: .json([
                "type": "object", "required": ["status"], "additionalProperties": false,
                "properties": [
                    "status": [
                        "type": "string", "enum": JSONValue(AccessStatus.allCases.map { .string($0.rawValue) }),
                    ]
                ],
            ]),
            response: .json("Access")
        ) { request, context in
            guard let subject = AccessSubject(rawValue: try context.pathParameter("what")) else {
                throw Problem.notFound
            }
            let object = try await context.object(of: request, known: ["status"])
            guard let status = AccessStatus(rawValue: try object.text("status") ?? "") else {
                let known = AccessStatus.allCases.map(\.rawValue).joined(separator: ", ")
                throw Problem.malformed("status: missing or unknown; use one of \(known)")
            }
            return try context.json { switchboard in
                let storage = try switchboard.storage
                try storage.setStatus(status, of: subject)
                return try AccessRow(of: subject, in: storage)
            }
        },
        Route(
            .get, "/v1/tokens", "List your tokens, newest first, without their secrets.", access: .all,
            response: .json("List")
        ) { _, context in
            let current = context.access?.id
            let tokens = try context.server.accounts.tokens(of: context.person.id)
            return try .json(ListResponse(tokens.map { TokenRow($0, isCurrent: $0.id == current) }))
        },
        Route(
            .post, "/v1/tokens", "Create a token for a telephone or mail program, which is shown only once.",
            access: .all,
            body: .json([
                "type": "object", "required": ["device"], "additionalProperties": false,
                "properties": [
                    "device": [
                        "type": "string", "minLength": 1, "maxLength": 200,
                        "description": "The name of the device, by which you recognize the token.",
                    ]
                ],
            ]),
            response: .json("Device")
        ) { request, context in
            let device = try await context.object(of: request, known: ["device"]).text("device") ?? ""
            guard (1...200).contains(device.unicodeScalars.count) else {
                throw Problem.badRequest("device: use a name of 1 to 200 letters", field: "device")
            }
            let accounts = context.server.accounts
            try context.requireLastingToken()
            guard try accounts.tokens(of: context.person.id).count < Accounts.maximumTokens else {
                throw Problem.tooManyTokens
            }
            let issued = try accounts.issueToken(
                to: context.person.name, scopes: .device, label: device, creatingPerson: false)
            return try .json(
                DeviceAccountRow(
                    DeviceAccount(
                        url: context.server.url(of: request), user: issued.token.person.name, password: issued.secret,
                        device: device), issued.token))
        },
        Route(
            .delete, "/v1/tokens/{id}", "Revoke a token and its browser sessions.", access: .all, response: .empty
        ) { _, context in
            try context.server.accounts.revoke(context.pathID, of: context.person.id)
            context.server.events.endInvalidStreams()
            return .noContent
        },
        Route(
            .get, "/v1/sessions", "List the browsers that are signed in as you, the last used first.", access: .all,
            response: .json("List")
        ) { request, context in
            let current = context.server.session(of: request)
            let sessions = try context.server.accounts.sessions(of: context.person.id)
            return try .json(ListResponse(sessions.map { SessionRow($0, isCurrent: $0.isSession(current)) }))
        },
        Route(
            .delete, "/v1/sessions/{id}", "Sign a browser out.", access: .all, response: .empty
        ) { _, context in
            try context.server.accounts.endSession(id: context.pathID, of: context.person.id)
            context.server.events.endInvalidStreams()
            return .noContent
        },
        Route(
            .get, "/v1/usage", "Tell how much of each budget you use.", access: .signedIn, response: .json("List")
        ) { _, context in try .json(ListResponse(context.server.usage(of: context.person))) },
        Route(
            .get, "/v1/export",
            "Get everything of yours in one ZIP archive: contacts, prospects, reminders, items and history.",
            access: .all, response: .file("application/zip")
        ) { _, context in
            .bytes(
                try context.withDatabase { try $0.exportArchive() }, type: "application/zip",
                fields: [.contentDisposition: "attachment; filename=switchboard.zip"])
        },
        Route(
            .delete, "/v1/account", "Delete your data, tokens and sessions for good.", access: .all,
            body: .json([
                "type": "object", "required": ["name"], "additionalProperties": false,
                "properties": ["name": ["type": "string", "description": "Your name, as a confirmation."]],
            ]), response: .empty
        ) { request, context in
            let (person, server) = (try context.person, context.server)
            guard try await context.object(of: request, known: ["name"]).text("name") == person.name else {
                throw Problem.badRequest(
                    "name: this would delete everything for good; confirm it with your name", code: "notConfirmed",
                    field: "name")
            }
            try server.accounts.delete(person.id)
            server.events.end(of: person.id)
            server.databases.close(person)
            try server.store.remove(person.id)
            return context.response(settingCookie: "", lifetime: 0)
        },
        Route(
            .post, "/v1/pairing", "Create a link that signs another browser in as you, once and within ten minutes.",
            access: .all, response: .json("Pairing")
        ) { request, context in
            try context.requireLastingToken()
            let code = try context.server.accounts.issueCode(
                to: context.person.name, scopes: .all, creatingPerson: false)
            let url = context.server.url(of: request).absoluteString + "/#pair=" + code
            return try .json(["url": url, "picture": try QRCode(url).dataURL])
        },
    ]

    static let session: [Route] = [
        Route(
            .post, "/v1/session", "Sign a browser in with a bearer token or a pairing code.",
            access: .open,
            body: .json(
                ["type": "object", "additionalProperties": false, "properties": ["code": ["type": "string"]]],
                isRequired: false),
            response: .empty, problems: [401]
        ) { request, context in
            // Another site must not be able to sign a browser in (login CSRF).
            guard request.headers[.origin] == nil || request.isFromOurPage else { throw Problem.wrongOrigin }
            guard let session = try await context.beginSession(for: request) else {
                try context.server.rates.takeFailure(of: context.client)
                throw Problem.unauthorized
            }
            // The browser forgets its previous session.
            if let old = context.server.session(of: request) { try context.server.endSession(old) }
            return context.response(settingCookie: session, lifetime: Int(Accounts.sessionLifetime))
        },
        Route(
            .get, "/v1/session", "Get the person and scopes of the session or token.", access: .signedIn,
            response: .json("Session")
        ) { _, context in
            let scopes = JSONValue(context.access?.scopes.words.map { .string($0) } ?? [])
            return try .json(["person": .string(context.person.name), "scopes": scopes] as JSONValue)
        },
        Route(
            .delete, "/v1/session", "Sign the browser out.", access: .signedIn, response: .empty
        ) { request, context in
            if let session = context.server.session(of: request) { try context.server.endSession(session) }
            return context.response(settingCookie: "", lifetime: 0)
        },
    ]
}

/// A browser that is signed in: `{"id", "device", "token", "createdAt", "lastUsedAt", "current"}`.
private struct SessionRow: Encodable, Sendable {
    let id, device, token: String
    let createdAt, lastUsedAt: String?
    let current: Bool

    init(_ session: Session, isCurrent: Bool) {
        (id, device, token, current) = (session.id, session.device, session.token, isCurrent)
        createdAt = session.createdAt?.formatted(.iso8601)
        lastUsedAt = session.usedAt?.formatted(.iso8601)
    }
}

/// What a device needs to synchronize, once:
/// `{"id", "address", "user", "password", "picture", "profile"}`.
private struct DeviceAccountRow: Encodable, Sendable {
    let id, address, user, password: String
    /// The QR code that DAVx⁵ reads, and the profile for iOS and macOS, as URLs with data.
    let picture, profile: String

    init(_ account: DeviceAccount, _ token: Token) throws {
        (id, address, user, password) = (token.id, account.url.absoluteString, account.user, account.password)
        picture = try QRCode(account.loginAddress ?? address).dataURL
        profile = "data:application/x-apple-aspen-config;base64," + (try account.profile()).base64EncodedString()
    }
}

extension QRCode {
    fileprivate var dataURL: String {
        get throws { "data:image/png;base64," + Data(try png()).base64EncodedString() }
    }
}

extension Server {
    /// The URL of the server as the client reaches it.
    fileprivate func url(of request: Request) -> URL {
        var parts = URLComponents(string: "http://" + (request.head.authority ?? ""))
        parts?.scheme = options.isSecure ? "https" : "http"
        return parts?.url ?? URL(filePath: "/")
    }

    /// Ends a session and its event streams.
    fileprivate func endSession(_ session: String) throws {
        try accounts.endSession(session)
        events.endInvalidStreams()
    }
}

extension ServerRequestContext {
    /// Rejects a token that expires: it must not create one that does not.
    fileprivate func requireLastingToken() throws {
        guard try token.expiresAt == nil else {
            throw Problem.forbidden("the token expires; use one that does not", code: "expiringToken")
        }
    }

    /// Begins a session with a token or pairing code; nil if it is invalid.
    fileprivate func beginSession(for request: Request) async throws -> String? {
        let accounts = server.accounts
        if request.headers[.authorization] != nil {
            guard let token = request.bearerToken, let access = try accounts.access(token: token) else { return nil }
            try accounts.recordUse(of: access)
            return try accounts.beginSession(for: access, device: request.device)
        }
        return try await object(of: request, known: ["code"]).text("code").flatMap {
            try accounts.redeem(code: $0, device: request.device)
        }
    }

    /// Returns a response that stores or deletes the session cookie.
    fileprivate func response(settingCookie value: String, lifetime seconds: Int) -> Response {
        let cookie =
            "\(server.sessionCookie)=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict"
            + (server.options.isSecure ? "; Secure" : "")
        return Response(status: .noContent, headers: [.setCookie: cookie])
    }
}

/// A token without its secret:
/// `{"id", "person", "scopes", "label", "createdAt", "lastUsedAt", "expiresAt", "current"}`.
struct TokenRow: Encodable, Sendable {
    let id: String
    let person: String
    let scopes: [String]
    let label: String
    let createdAt: String
    let lastUsedAt: String?
    let expiresAt: String?
    let current: Bool?

    init(_ token: Token, isCurrent: Bool? = nil) {
        id = token.id
        person = token.person.name
        scopes = token.scopes.words
        label = token.label
        createdAt = token.createdAt.formatted(.iso8601)
        lastUsedAt = token.usedAt?.formatted(.iso8601)
        expiresAt = token.expiresAt?.formatted(.iso8601)
        current = isCurrent
    }
}

extension Request {
    /// A name of the client for lists of sessions, such as `Firefox on Android`.
    fileprivate var device: String {
        let agent = headers[.userAgent] ?? ""
        func first(_ names: [(sign: String, name: String)]) -> String? {
            names.first { agent.contains($0.sign) }?.name
        }
        // Each of them also has the signs of those that follow.
        let browser = first([
            ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("Firefox", "Firefox"),
            ("FxiOS", "Firefox"), ("CriOS", "Chrome"), ("Chrome", "Chrome"), ("Safari", "Safari"),
        ])
        let system = first([
            ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"),
            ("Mac OS X", "macOS"), ("CrOS", "ChromeOS"), ("Linux", "Linux"),
        ])
        if let browser, let system { return "\(browser) on \(system)" }
        return browser ?? system ?? String(agent.prefix { $0 != "/" && $0 != " " }.prefix(40))
    }
}

extension Route {
    /// The paths of health checks, which are served for any host.
    static let probes: Set<String> = ["/healthz", "/readyz"]

    /// Health, metrics and the API description.
    static let operation: [Route] = [
        Route(
            .get, "/healthz", "Check that the process is alive.", access: .open, response: .json("Health"),
            blocks: false
        ) { _, _ in try .json(["status": "ok"]) },
        Route(
            .get, "/readyz", "Check that the databases can be used and the airports are loaded.",
            access: .open, response: .json("Health"), problems: [503]
        ) { _, context in
            let server = context.server
            if let cluster = server.store.cluster, !cluster.isAvailable { throw Problem.unavailable }
            guard server.store.hasRoom else { throw Problem.diskFull }
            guard server.isReady, (try? server.accounts.generation()) != nil else {
                throw Problem(
                    status: .serviceUnavailable, code: "notReady", detail: "the server is still starting; try again")
            }
            guard try server.store.isAvailable(server.accounts) else { throw Problem.dataMissing }
            return try .json(["status": "ok"])
        },
        Route(
            .get, "/metrics",
            "Get Prometheus metrics, with the scope metrics, or from this machine if the server has no proxy.",
            access: .metrics,
            response: .file("text/plain")
        ) { _, context in
            let server = context.server
            let text = server.log.metrics.text(
                gauges: server.gauges, counters: server.store.cluster?.counters ?? [])
            return .bytes(Array(text.utf8), type: "text/plain; version=0.0.4; charset=utf-8")
        },
        Route(
            .get, "/openapi.json", "Get this API description.", access: .open, response: .json(["type": "object"])
        ) { request, context in
            let description = context.server.description
            return request.response(tagged: description.tag, maxAge: 300) {
                .bytes(description.bytes, type: "application/json")
            }
        },
    ]

    static let page: [Route] = WebPage.files.map { file in
        let tag = EntityTag.of(file.bytes)
        let fields: HTTPFields = [
            .cacheControl: file.cacheControl, .contentSecurityPolicy: WebPage.contentSecurityPolicy,
            .permissionsPolicy: WebPage.permissionsPolicy,
            .crossOriginResourcePolicy: file.isForOtherSites ? "cross-origin" : "same-origin",
        ]
        return Route(
            .get, file.path, "Get a file of the web page.", access: .open,
            response: .file(String(file.contentType.prefix { $0 != ";" }))
        ) { request, _ in
            request.response(tagged: tag, fields: fields) { .bytes(file.bytes, type: file.contentType) }
        }
    }
}

extension HTTPField.Name {
    fileprivate static let crossOriginResourcePolicy = Self("Cross-Origin-Resource-Policy")!
    fileprivate static let permissionsPolicy = Self("Permissions-Policy")!
}
