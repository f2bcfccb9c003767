import Foundation
import SwitchboardTestFixtures
import SwitchboardTestSupport
import Testing

/// Reverse proxies, configuration files, certificates and probes.
@Suite("Deployment") struct DeploymentTests {
    private func failSignIn(_ server: LiveServer, _ count: Int, _ headers: (Int) -> [String]) throws -> [Int] {
        try (0..<count).map { turn in
            try server.ask(
                "POST", "/v1/session", token: "sb_" + String(repeating: "A", count: 43), headers: headers(turn)
            ).status
        }
    }

    @Test(
        "The address of a client is that of the last untrusted proxy, whatever the client claims",
        arguments: [
            ("X-Forwarded-For", "10.9.9.%d, 203.0.113.7", "203.0.113.8"),
            ("X-Forwarded-For", "10.9.9.%d, 203.0.113.7, 192.0.2.1", "203.0.113.8"),
            ("Forwarded", "for=10.9.9.%d, for=\"203.0.113.7:4711\";proto=https", "for=203.0.113.8"),
            ("forwarded", "for=\"[2001:db8::%d]\", for=\"[2001:db8:1::7]:80\"", "for=203.0.113.8"),
            ("X-Real-IP", "203.0.113.7", "203.0.113.8"),
        ])
    func forwarded(header: String, client: String, other: String) throws {
        let server = try LiveServer(["--trusted-proxy", "192.0.2.0/24", "--forwarded-header", header])
        let statuses = try failSignIn(server, 25) { turn in
            ["\(header): \(client.replacingOccurrences(of: "%d", with: "\(turn)"))"]
        }
        #expect(statuses.prefix(20).allSatisfy { $0 == 401 } && statuses.suffix(2) == [429, 429], "\(statuses)")
        // Another client is not affected.
        #expect(try failSignIn(server, 1) { _ in ["\(header): \(other)"] } == [401])
    }

    @Test(
        "A client that adds another header than the proxy's neither evades the limit nor turns it on others",
        arguments: [
            ("X-Forwarded-For", "%@", ["Forwarded: for=%@"]),
            ("X-Forwarded-For", "%@", ["X-Real-IP: %@"]),
            ("Forwarded", "for=%@", ["X-Forwarded-For: %@"]),
            ("Forwarded", "for=%@", ["X-Real-IP: %@", "X-Forwarded-For: %@"]),
            ("X-Real-IP", "%@", ["Forwarded: for=%@", "X-Forwarded-For: %@"]),
        ])
    func forging(header: String, form: String, forged: [String]) throws {
        let server = try LiveServer([], environment: ["SWITCHBOARD_SERVER_FORWARDED_HEADER": header])
        /// Returns the fields of a client behind the proxy.
        func fields(_ address: String, claiming claimed: String? = nil) -> [String] {
            let own = "\(header): \(form.replacingOccurrences(of: "%@", with: address))"
            return claimed.map { claimed in forged.map { $0.replacingOccurrences(of: "%@", with: claimed) } + [own] }
                ?? [own]
        }
        let statuses = try failSignIn(server, 25) { fields("203.0.113.7", claiming: "198.51.100.\($0)") }
        #expect(statuses.contains(401) && statuses.suffix(2) == [429, 429], "\(statuses)")
        let others = try failSignIn(server, 25) { _ in fields("203.0.113.9", claiming: "198.51.100.77") }
        #expect(others.last == 429, "\(others)")
        #expect(try failSignIn(server, 1) { _ in fields("198.51.100.77") } == [401])
        #expect(try failSignIn(server, 1) { _ in fields("203.0.113.8") } == [401])
    }

    @Test("An unknown forwarded header is refused")
    func unknownHeader() throws {
        let ending = try LiveServer.command(
            "serve", "--data", NSTemporaryDirectory() + UUID().uuidString, "--forwarded-header", "X-Client-IP")
        #expect(ending.status == 64 && ending.errors.contains("use one of X-Forwarded-For"), "\(ending.errors)")
    }

    @Test("Behind a proxy, metrics need a token even from this machine")
    func metrics() throws {
        let local = try LiveServer()
        #expect(try local.ask("GET", "/metrics").status == 200)
        #expect(try local.ask("GET", "/metrics", headers: ["Forwarded: for=203.0.113.7"]).status == 401)
        let proxied = try LiveServer(["--public-host", "people.example.org"])
        #expect(try proxied.ask("GET", "/metrics").status == 401)
        #expect(try proxied.ask("GET", "/metrics", token: try proxied.token("ana", "metrics")).status == 200)
    }

    @Test("Requests that a proxy may understand differently are rejected")
    func ambiguous() throws {
        let server = try LiveServer()
        let host = "Host: 127.0.0.1:\(server.port)"
        #expect(try server.ask("GET", "/openapi.json", headers: [host]).status == 400)
        // The host of a target in absolute form counts.
        for (target, status) in [("http://people.example.org", 421), ("http://127.0.0.1:\(server.port)", 200)] {
            let client = try HTTPClient(port: server.port)
            client.send("GET \(target)/openapi.json HTTP/1.1\r\n\(host)\r\n\r\n")
            #expect(try client.readReply().status == status, "\(target)")
        }
        #expect(try server.ask("GET", "/openapi.json").status == 200)
    }

    @Test("Probes need neither a known host nor HTTP/1.1")
    func probes() throws {
        let server = try LiveServer()
        try eventually("the airports are loaded") { try server.ask("GET", "/readyz").status == 200 }
        for path in ["/healthz", "/readyz"] {
            #expect(try server.ask("GET", path, host: "10.1.2.3:8080").status == 200)
            let client = try HTTPClient(port: server.port)
            client.send("GET \(path) HTTP/1.0\r\n\r\n")
            #expect(try client.readReply().status == 200)
        }
        #expect(try server.ask("GET", "/openapi.json", host: "10.1.2.3:8080").status == 421)
    }

    @Test(
        "A configuration file may have numbers, flags and lists, and is checked",
        arguments: [
            (#"{"requestsPerSecond": 1, "behindTLS": true, "publicHost": ["a.example", "b.example"]}"#, true),
            (#"{"prot": 8080}"#, false), (#"{"port": {"number": 1}}"#, false), (#"{"behindTLS": "perhaps"}"#, false),
            (#"["port"]"#, false),
        ])
    func configuration(text: String, isValid: Bool) throws {
        let file = NSTemporaryDirectory() + UUID().uuidString + ".json"
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: file) }
        guard isValid else {
            let ending = try LiveServer.start([
                "serve", "--data", NSTemporaryDirectory() + UUID().uuidString, "--config", file,
            ])
            #expect([64, 65].contains(ending.status), "\(ending.errors)")
            #expect(ending.errors.split(separator: "\n").count == 1)
            return
        }
        let server = try LiveServer(["--config", file])
        #expect(try server.ask("GET", "/openapi.json", host: "b.example").status == 200)
        let signedIn = try server.ask("POST", "/v1/session", token: try server.token())
        #expect(signedIn.headers["set-cookie"]?.hasPrefix("__Host-switchboard_session=") == true)
        #expect(signedIn.headers["set-cookie"]?.contains("; Secure") == true)
        #expect(signedIn.headers["strict-transport-security"]?.hasPrefix("max-age=") == true)
    }

    @Test("A flag in the environment may be 1")
    func environment() throws {
        let server = try LiveServer([], environment: ["SWITCHBOARD_SERVER_BEHIND_TLS": "1"])
        let signedIn = try server.ask("POST", "/v1/session", token: try server.token())
        #expect(signedIn.headers["set-cookie"]?.contains("; Secure") == true)
    }

    @Test("SIGHUP reloads the configuration and the certificate, and keeps connections")
    func reload() throws {
        let folder = NSTemporaryDirectory() + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func makeCertificate(_ name: String) throws {
            let made = try LiveServer.command(
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=\(name)", "-addext", "subjectAltName=DNS:localhost", "-keyout", folder + "/key.pem",
                "-out",
                folder + "/certificate.pem", program: "/usr/bin/openssl")
            #expect(made.status == 0, "\(made.errors)")
        }
        func subject(_ server: LiveServer) throws -> String {
            try LiveServer.command(
                "-sSkv", "https://localhost:\(server.port)/healthz", program: "/usr/bin/curl"
            ).errors
        }
        try makeCertificate("first")
        let configuration = folder + "/server.json"
        func configure(_ host: String) throws {
            let text =
                #"{"publicHost": "\#(host)", "tlsCertificate": "\#(folder)/certificate.pem", "tlsKey": "\#(folder)/key.pem"}"#
            try text.write(toFile: configuration, atomically: true, encoding: .utf8)
        }
        try configure("one.example")
        let server = try LiveServer(["--config", configuration])
        #expect(try subject(server).contains("CN=first"))
        try makeCertificate("second")
        try configure("two.example")
        kill(server.processID, SIGHUP)
        try eventually("the certificate is replaced") { try subject(server).contains("CN=second") }
        let asked = try LiveServer.command(
            "-sSk", "-o", "/dev/null", "-w", "%{http_code}", "-H", "Host: two.example",
            "https://localhost:\(server.port)/openapi.json", program: "/usr/bin/curl")
        #expect(asked.output == "200")
        // A broken configuration changes nothing.
        try "{".write(toFile: configuration, atomically: true, encoding: .utf8)
        kill(server.processID, SIGHUP)
        try eventually("the error is logged") { server.logText.contains("cannot reload") }
        #expect(try subject(server).contains("CN=second"))
        #expect(server.stop() == 0)
    }

    @Test("A public address without TLS is warned of")
    func warning() throws {
        let server = try LiveServer(["--host", "0.0.0.0"])
        try eventually("the warning") { server.logText.contains("not encrypted") }
        #expect(!(try LiveServer()).logText.contains("not encrypted"))
    }

    @Test("An aborted search is neither an error nor counted as one")
    func aborted() throws {
        let server = try LiveServer()
        let token = try server.token()
        var cards = ""
        for index in 0..<20_000 {
            cards += "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Person \(index) of the crowd\r\nEND:VCARD\r\n"
        }
        #expect(try server.ask("POST", "/v1/contacts/import", token: token, body: Array(cards.utf8)).status == 200)
        for turn in 0..<100 {
            let client = try HTTPClient(port: server.port)
            client.send(
                "GET /v1/find?q=prsn+\(turn)+crwd HTTP/1.1\r\nHost: localhost:\(server.port)\r\nAuthorization: Bearer \(token)\r\n\r\n"
            )
            usleep(useconds_t(turn * 20))
        }
        #expect(try server.ask("GET", "/v1/find?q=person+7", token: token).status == 200)
        #expect(!(try server.ask("GET", "/metrics").text.contains(#"status="5"#)))
        #expect(server.stop() == 0)
        #expect(!server.logText.contains(#""level": "error""#), "\(server.logText.suffix(2000))")
    }
}

/// Pages of other sites.
@Suite("Other origins") struct OriginTests {
    @Test("Only allowed origins may read airports, without credentials")
    func allowed() throws {
        let server = try LiveServer([
            "--allow-origin", "https://www.example.org", "--allow-origin", "HTTP://localhost:80",
        ])
        func fields(_ method: String = "GET", _ path: String, _ origin: String) throws -> [String: String] {
            try server.ask(method, path, headers: ["Origin: \(origin)", "Access-Control-Request-Method: GET"]).headers
        }
        for path in ["/v1/airports?q=rome", "/v1/airports/list", "/v1/airports?limit=0", "/embed/airports.js"] {
            for origin in ["https://www.example.org", "http://localhost"] {
                let fields = try fields("GET", path, origin)
                #expect(fields["access-control-allow-origin"] == origin, "\(path) for \(origin)")
                #expect(fields["access-control-allow-credentials"] == nil)
                #expect(fields["vary"]?.contains("Origin") == true)
            }
            for origin in ["https://example.org", "http://www.example.org", "https://www.example.org:8443", "null"] {
                let fields = try fields("GET", path, origin)
                #expect(fields["access-control-allow-origin"] == nil, "\(path) for \(origin)")
                #expect(fields["vary"]?.contains("Origin") == true)
            }
        }
        #expect(
            try fields("OPTIONS", "/v1/airports", "https://www.example.org")["access-control-allow-methods"]
                == "GET, HEAD")
        for path in ["/v1/airports/recent", "/v1/contacts", "/v1/session", "/", "/openapi.json"] {
            for method in ["GET", "OPTIONS"] {
                #expect(
                    try fields(method, path, "https://www.example.org")["access-control-allow-origin"] == nil, "\(path)"
                )
            }
        }
        // Without the option, no origin is allowed.
        let other = try LiveServer()
        let answer = try other.ask("GET", "/v1/airports?q=rome", headers: ["Origin: https://www.example.org"])
        #expect(answer.status == 200 && answer.headers["access-control-allow-origin"] == nil)
    }

    @Test(
        "Patterns, paths and other addresses are not accepted as origins",
        arguments: [
            "*", "https://*.example.org", "www.example.org", "https://www.example.org/", "null", "ftp://example.org",
        ])
    func invalid(origin: String) throws {
        let ending = try LiveServer.start([
            "serve", "--data", NSTemporaryDirectory() + UUID().uuidString, "--allow-origin", origin,
        ])
        #expect(ending.status == 64 && ending.errors.contains("use a scheme and a host"), "\(ending.errors)")
    }
}
