import Crypto
import Foundation
import SwitchboardTestFixtures
import SwitchboardTestSupport
import Synchronization
import Testing

/// Reminders through the push services of browsers.
@Suite("Web Push") struct PushTests {
    /// A browser with its keys, which decrypts messages as RFC 8291 says, and not with the code of the server.
    private struct Browser {
        let key = P256.KeyAgreement.PrivateKey()
        let secret = Data((0..<16).map { _ in UInt8.random(in: 0...255) })
        let endpoint: String

        var json: String {
            #"{"endpoint": "\#(endpoint)", "expirationTime": null, "keys": {"p256dh": "\#(PushTests.base64URL(key.publicKey.x963Representation))", "auth": "\#(PushTests.base64URL(secret))"}}"#
        }

        func decrypt(_ body: [UInt8]) throws -> [String: Any] {
            let (salt, sender) = (Data(body[..<16]), Data(body[21..<86]))
            #expect(body[16..<21] == [0, 0, 16, 0, 65])
            let shared = try key.sharedSecretFromKeyAgreement(
                with: P256.KeyAgreement.PublicKey(x963Representation: sender))
            let information = Data("WebPush: info\0".utf8) + key.publicKey.x963Representation + sender
            let input = shared.hkdfDerivedSymmetricKey(
                using: SHA256.self, salt: secret, sharedInfo: information, outputByteCount: 32)
            let content = HKDF<SHA256>.deriveKey(
                inputKeyMaterial: input, salt: salt, info: Data("Content-Encoding: aes128gcm\0".utf8),
                outputByteCount: 16)
            let nonce = HKDF<SHA256>.deriveKey(
                inputKeyMaterial: input, salt: salt, info: Data("Content-Encoding: nonce\0".utf8), outputByteCount: 12)
            let box = try AES.GCM.SealedBox(
                nonce: AES.GCM.Nonce(data: nonce.withUnsafeBytes { Data($0) }),
                ciphertext: body[86..<(body.count - 16)],
                tag: body.suffix(16))
            let padded = try AES.GCM.open(box, using: content)
            #expect(padded.last == 2)
            return try #require(JSONSerialization.jsonObject(with: padded.dropLast()) as? [String: Any])
        }
    }

    private static func base64URL(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// A push service whose response to all browsers but the tablet the test chooses, and a server that knows it.
    private final class Bench: Sendable {
        let service: LocalServer
        let server: LiveServer
        let token: String
        private let status: Statuses

        private final class Statuses: Sendable {
            let value = Mutex(201)
        }

        init() throws {
            let status = Statuses()
            self.status = status
            service = try LocalServer { .answer($0.path == "/tablet" ? 201 : status.value.withLock { $0 }) }
            server = try LiveServer(["--push-service", service.url])
            token = try server.token()
        }

        func reply(with new: Int) { status.value.withLock { $0 = new } }

        func browser(_ name: String) -> Browser { Browser(endpoint: service.url + "/" + name) }

        /// Adds a prospect with a reminder in a second, with the first token of the person or another.
        func remind(_ name: String, as token: String? = nil) throws {
            let token = token ?? self.token
            let added = try server.ask("POST", "/v1/prospects", token: token, json: #"{"name": "\#(name)"}"#)
            let id = try #require(try added.json["id"] as? String)
            let put = try server.ask("PUT", "/v1/prospects/\(id)/reminder", token: token, json: #"{"in": 1}"#)
            #expect(put.status == 200, "\(put.text)")
        }

        func requests(to browser: Browser) -> [LocalServer.Request] {
            service.requests.filter { browser.endpoint.hasSuffix($0.path) }
        }

        func titles(to browser: Browser) throws -> [String?] {
            try requests(to: browser).map { try browser.decrypt($0.body)["title"] as? String }
        }

        /// Sends two more reminders, and returns when the person's tablet has both.
        ///
        /// The deliveries to a person follow each other, so by then the first reminder has been sent to all browsers.
        func remindTablet(as token: String? = nil) throws {
            let tablet = browser("tablet")
            let put = try server.ask("PUT", "/v1/push", token: token ?? self.token, json: tablet.json)
            #expect(put.status == 204, "\(put.text)")
            for name in ["Cy", "Dee"] {
                try remind(name, as: token)
                try eventually("the tablet has the reminder of \(name)") {
                    try titles(to: tablet).contains("Contact \(name)")
                }
            }
        }
    }

    @Test("Each browser gets a reminder once, encrypted and signed, however the page and other browsers get theirs")
    func delivery() throws {
        let bench = try Bench()
        let (phone, tablet) = (bench.browser("phone"), bench.browser("tablet"))
        for browser in [phone, tablet, phone] {
            let put = try bench.server.ask("PUT", "/v1/push", token: bench.token, json: browser.json)
            #expect(put.status == 204, "\(put.text)")
        }
        try bench.remind("Ana Ríos")
        try eventually("both browsers have the reminder") {
            [phone, tablet].allSatisfy { bench.requests(to: $0).count == 1 }
        }
        let request = try #require(bench.requests(to: phone).first)
        #expect(request.method == "POST" && request.headers["content-encoding"] == "aes128gcm")
        #expect(request.headers["ttl"] == "86400" && request.headers["urgency"] == "high")
        let message = try phone.decrypt(request.body)
        #expect(message["title"] as? String == "Contact Ana Ríos" && message["prospect"] is String)
        #expect(throws: (any Error).self) { try tablet.decrypt(request.body) }
        // The signature is of the key with which browsers subscribe, and for this service.
        let key = try #require(try bench.server.ask("GET", "/v1/push", token: bench.token).json["publicKey"] as? String)
        let field = try #require(request.headers["authorization"])
        let parts = try #require(field.wholeMatch(of: /vapid t=[\w-]+\.([\w-]+)\.[\w-]+, k=([\w-]+)/))
        #expect(parts.2 == key)
        let claims = Data(base64Encoded: padded(String(parts.1))).map { String(decoding: $0, as: UTF8.self) } ?? ""
        #expect(
            claims.contains(#""aud": "\#(bench.service.url)""#) || claims.contains(#""aud":"\#(bench.service.url)""#),
            "\(claims)")
        // A second reminder is one more message, not the first one again.
        try bench.remind("Bo")
        try eventually("both browsers have the second reminder") {
            [phone, tablet].allSatisfy { bench.requests(to: $0).count >= 2 }
        }
        try bench.remind("Cy")
        try eventually("both browsers have the third reminder") {
            [phone, tablet].allSatisfy { bench.requests(to: $0).count >= 3 }
        }
        for browser in [phone, tablet] {
            #expect(try bench.titles(to: browser) == ["Contact Ana Ríos", "Contact Bo", "Contact Cy"])
        }
    }

    private func padded(_ text: String) -> String {
        text.replacing("-", with: "+").replacing("_", with: "/")
            + String(repeating: "=", count: (4 - text.count % 4) % 4)
    }

    @Test("A service that fails is asked again; one that no longer knows the browser is not")
    func failures() throws {
        let bench = try Bench()
        let phone = bench.browser("phone")
        bench.reply(with: 503)
        #expect(try bench.server.ask("PUT", "/v1/push", token: bench.token, json: phone.json).status == 204)
        try bench.remind("Ana")
        try eventually("the service has failed") { !bench.requests(to: phone).isEmpty }
        bench.reply(with: 201)
        let failed = bench.requests(to: phone).count
        try eventually("the reminder is sent again") { bench.requests(to: phone).count > failed }
        bench.reply(with: 410)
        let sent = bench.requests(to: phone).count
        try bench.remind("Bo")
        try eventually("the service has said that the browser is gone") { bench.requests(to: phone).count > sent }
        let gone = bench.requests(to: phone).count
        try bench.remindTablet()
        #expect(bench.requests(to: phone).count == gone)
    }

    @Test(
        "Messages end with the session, the token, or the request of the browser",
        arguments: ["session", "token", "browser"])
    func ends(with what: String) throws {
        let bench = try Bench()
        let phone = bench.browser("phone")
        let origin = "Origin: http://127.0.0.1:\(bench.server.port)"
        let signedIn = try bench.server.ask("POST", "/v1/session", token: bench.token)
        let cookie = "Cookie: " + String(try #require(signedIn.headers["set-cookie"]).prefix { $0 != ";" })
        let put = try bench.server.ask("PUT", "/v1/push", json: phone.json, headers: [cookie, origin])
        #expect(put.status == 204, "\(put.text)")
        try bench.remind("Ana")
        try eventually("the reminder is sent") { bench.requests(to: phone).count == 1 }
        let other = try bench.server.token()
        switch what {
        case "session": #expect(try bench.server.ask("DELETE", "/v1/session", headers: [cookie, origin]).status == 204)
        case "token":
            let id = try #require(
                try bench.server.ask("GET", "/v1/tokens", token: bench.token).results.first {
                    $0["current"] as? Bool == true
                }?["id"])
            #expect(try bench.server.ask("DELETE", "/v1/tokens/\(id)", token: other).status == 204)
        default:
            let endpoint = phone.endpoint.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            // Another person cannot end them.
            let stranger = try bench.server.token("bo")
            #expect(try bench.server.ask("DELETE", "/v1/push?endpoint=\(endpoint)", token: stranger).status == 204)
            try bench.remind("Bo", as: other)
            try eventually("the reminder is sent all the same") { bench.requests(to: phone).count == 2 }
            #expect(try bench.server.ask("DELETE", "/v1/push?endpoint=\(endpoint)", token: other).status == 204)
        }
        let sent = bench.requests(to: phone).count
        try bench.remindTablet(as: other)
        #expect(bench.requests(to: phone).count == sent)
    }

    @Test("Services that hang delay only the messages to the people who chose them")
    func hangingServices() throws {
        // The same origin hangs for some and answers others.
        let service = try LocalServer { $0.path.hasPrefix("/slow") ? .silence : .answer(201) }
        let others = try (0..<3).map { _ in try LocalServer { _ in .silence } }
        let all = [service] + others
        let server = try LiveServer(all.flatMap { ["--push-service", $0.url] })
        // More people than the server has threads of any other kind, the first one with several services.
        let hostile = try (0..<20).map { try server.token("hostile\($0)") }
        for (number, token) in hostile.enumerated() {
            let services = number == 0 ? all : [service]
            for endpoint in services.flatMap({ [$0.url + "/slow/\(number)", $0.url + "/slow/\(number)/again"] }) {
                let json = Browser(endpoint: endpoint).json
                #expect(try server.ask("PUT", "/v1/push", token: token, json: json).status == 204)
            }
        }
        let ana = try server.token()
        let json = Browser(endpoint: service.url + "/fast").json
        #expect(try server.ask("PUT", "/v1/push", token: ana, json: json).status == 204)
        func remind(_ name: String, _ token: String) throws {
            let added = try server.ask("POST", "/v1/prospects", token: token, json: #"{"name": "\#(name)"}"#)
            let id = try #require(try added.json["id"] as? String)
            let put = try server.ask("PUT", "/v1/prospects/\(id)/reminder", token: token, json: #"{"in": 1}"#)
            #expect(put.status == 200, "\(put.text)")
        }
        for token in hostile { try remind("Bo", token) }
        try eventually("each hostile person has a message under way") {
            Set(service.requests.map { $0.path.split(separator: "/")[1] }).count
                + others.count(where: { !$0.requests.isEmpty }) >= 20
        }
        try remind("Ana", ana)
        try eventually("the message to the other person has arrived") {
            service.requests.contains { $0.path == "/fast" }
        }
        // The failures are logged with the service, and without the endpoint, which is a secret.
        try eventually("the failure is logged") {
            server.logText.split(separator: "\n")
                .contains { $0.contains("cannot send reminders") && $0.contains(service.url + "\"") }
        }
        let lines = server.logText.split(separator: "\n").filter { $0.contains("cannot send reminders") }
        #expect(lines.allSatisfy { $0.contains("timedOut") && !$0.contains("slow") }, "\(lines)")
        #expect(lines.count { $0.contains(service.url + "\"") } == 1, "\(lines)")
        #expect(server.stop() == 0)
    }

    @Test("A subscription that is not one, or that leads into the network of the server, is refused")
    func refused() throws {
        let server = try LiveServer()
        let token = try server.token()
        let valid = Browser(endpoint: "https://push.example.org/a").json
        #expect(try server.ask("PUT", "/v1/push", token: token, json: valid).status == 204)
        #expect(try server.ask("PUT", "/v1/push", json: valid).status == 401)
        #expect(try server.ask("PUT", "/v1/push", token: server.token("ana", "contacts"), json: valid).status == 403)
        let plain = try server.ask(
            "PUT", "/v1/push", token: token, json: Browser(endpoint: "http://127.0.0.1:1/a").json)
        #expect(plain.status == 400 && plain.text.contains("--push-service"), "\(plain.text)")
        for json in [
            "{}", #"{"endpoint": "https://push.example.org/a"}"#, valid.replacing("https", with: "ftp"),
            valid.replacing("p256dh", with: "p256"), #"{"endpoint": "https://push.example.org/a", "keys": []}"#,
            #"{"endpoint": "https://push.example.org/a", "keys": {"p256dh": "AAAA", "auth": "AAAA"}}"#,
        ] {
            let reply = try server.ask("PUT", "/v1/push", token: token, json: json)
            #expect(reply.status == 400, "\(json): \(reply.text)")
        }
        #expect(try server.ask("DELETE", "/v1/push", token: token).status == 400)
    }

    @Test(
        "A public service with a private address is not asked",
        arguments: ["localhost", "127.0.0.1", "[::1]", "2130706433", "0.0.0.0"])
    func privateAddress(host: String) throws {
        let service = try LocalServer { _ in .answer(201) }
        let server = try LiveServer()
        let token = try server.token()
        let browser = Browser(endpoint: "https://\(host):\(service.port)/phone")
        #expect(try server.ask("PUT", "/v1/push", token: token, json: browser.json).status == 204)
        let added = try server.ask("POST", "/v1/prospects", token: token, json: #"{"name": "Ana"}"#)
        let id = try #require(try added.json["id"] as? String)
        #expect(try server.ask("PUT", "/v1/prospects/\(id)/reminder", token: token, json: #"{"in": 1}"#).status == 200)
        try eventually("the failure is recorded") {
            let reminder = try server.ask("GET", "/v1/reminders", token: token).results.first
            return (reminder?["failure"] as? String)?.contains("private") ?? false
        }
        #expect(service.requests.isEmpty)
    }
}
