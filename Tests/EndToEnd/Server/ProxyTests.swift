import Foundation
import SwitchboardTestFixtures
import SwitchboardTestSupport
import Testing

/// The recipes for reverse proxies in `docs/server.md`, run with the real programs. A program that is not installed is
/// not tested.
@Suite("Behind a reverse proxy", .serialized) struct ProxyTests {
    struct Recipe: Sendable, CustomTestStringConvertible {
        /// The language of the recipe's code block.
        let language: String
        let program: String
        /// Returns the configuration of a recipe for a port, a certificate and its key.
        let configuration: @Sendable (_ recipe: String, _ port: Int, _ folder: String) -> String
        /// Returns the arguments to run the program in the foreground.
        let arguments: @Sendable (_ file: String) -> [String]

        var testDescription: String { language }
    }

    static let recipes = [
        Recipe(language: "nginx", program: "/usr/sbin/nginx") { recipe, port, folder in
            let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(folder)/\($0);" }
            let server = recipe.replacing("listen 443", with: "listen 127.0.0.1:\(port)")
                .replacing("/etc/ssl/people.pem", with: "\(folder)/certificate.pem")
                .replacing("/etc/ssl/people.key", with: "\(folder)/key.pem")
            return "pid \(folder)/pid;\nerror_log stderr;\ndaemon off;\nmaster_process off;\nevents {}\n"
                + "http {\naccess_log off;\n" + paths.joined(separator: "\n") + "\n\(server)}\n"
        } arguments: {
            ["-c", $0]
        },
        Recipe(language: "haproxy", program: "/usr/sbin/haproxy") { recipe, port, folder in
            recipe.replacing("bind :443", with: "bind 127.0.0.1:\(port)")
                .replacing("/etc/ssl/people-with-key.pem", with: "\(folder)/both.pem")
        } arguments: {
            ["-db", "-f", $0]
        },
        Recipe(language: "caddy", program: "/usr/bin/caddy") { recipe, port, folder in
            "{\nadmin off\nauto_https disable_redirects\n}\n"
                + recipe.replacing(
                    "people.example.org {",
                    with:
                        "https://people.example.org:\(port) {\nbind 127.0.0.1\ntls \(folder)/certificate.pem \(folder)/key.pem"
                )
        } arguments: {
            ["run", "--adapter", "caddyfile", "--config", $0]
        },
    ].filter { FileManager.default.isExecutableFile(atPath: $0.program) }

    @Test("A recipe passes on sign-in, events and large bodies", arguments: recipes)
    func recipe(recipe: Recipe) throws {
        let server = try LiveServer(["--behind-tls", "--public-host", "people.example.org"])
        let proxy = try RunningProxy(recipe, of: server)
        let (folder, base) = (proxy.folder, proxy.base)
        func ask(_ arguments: String...) throws -> (status: String, text: String) { try proxy.ask(arguments) }
        #expect(try ask(base + "/").status == "200")
        #expect(try ask(base + "/metrics").status == "401")

        let token = try server.token()
        let signedIn = try ask("-X", "POST", "-H", "Authorization: Bearer \(token)", base + "/v1/session")
        #expect(signedIn.status == "204")
        let cookie = try #require(signedIn.text.firstMatch(of: /(?i)set-cookie: (__Host-[^;]+);[^\r\n]*Secure/)?.1)

        // The server compares the origin of the page with the host that the proxy passes on.
        let events = try RunningProxy.run(
            "/usr/bin/curl", proxy.common + ["-N", "-m", "60", "-H", "Cookie: \(cookie)", base + "/v1/events"],
            output: folder + "/events", home: folder)
        defer { RunningProxy.end(events) }
        var change = ["-X", "PUT", "-H", "Cookie: \(cookie)", "-H", "Origin: \(base)"]
        change += ["-H", "Content-Type: application/json", "-d", #"{"name": "Ana"}"#]
        let changed = try LiveServer.start(
            proxy.common + ["-o", "/dev/null", "-w", "%{http_code}"] + change + [base + "/v1/me"],
            program: "/usr/bin/curl")
        #expect(changed.output == "200")

        // More than the megabyte that nginx permits by default.
        let card = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Person\r\nNOTE:" + String(repeating: "x", count: 60_000)
        let cards = (0..<40).map { _ in card + "\r\nEND:VCARD\r\n" }.joined()
        try cards.write(toFile: folder + "/cards.vcf", atomically: true, encoding: .utf8)
        #expect(
            try ask(
                "-X", "POST", "-H", "Authorization: Bearer \(token)", "-H", "Content-Type: text/vcard", "--data-binary",
                "@" + folder + "/cards.vcf", base + "/v1/contacts/import"
            ).status == "200")
        try eventually("an event arrives while the stream is open", timeout: .seconds(10)) {
            try String(contentsOfFile: folder + "/events", encoding: .utf8).contains("contacts")
        }
        #expect(events.isRunning)
    }

    @Test("A recipe hides the address that a client claims", arguments: recipes)
    func claimedAddress(recipe: Recipe) throws {
        let server = try LiveServer(["--behind-tls", "--public-host", "people.example.org"])
        let proxy = try RunningProxy(recipe, of: server)
        func statuses(_ count: Int, _ fields: (Int) -> [String]) throws -> [String] {
            try (0..<count).map { turn in
                let token = "Authorization: Bearer sb_" + String(repeating: "A", count: 43)
                let headers = (fields(turn) + [token]).flatMap { ["-H", $0] }
                return try proxy.ask(["-X", "POST"] + headers + [proxy.base + "/v1/session"]).status
            }
        }
        let claimed = try statuses(25) { ["Forwarded: for=198.51.100.\($0)"] }
        #expect(claimed.first == "401" && claimed.last == "429", "\(claimed)")
        // The claim made no difference: they count as requests from the address of the client.
        #expect(try statuses(1) { _ in [] } == ["429"])
    }
}

/// A proxy that runs a recipe with the real program.
private final class RunningProxy {
    let folder: String
    let base: String
    /// The arguments of curl for each request.
    let common: [String]
    private let process: Process

    init(_ recipe: ProxyTests.Recipe, of server: LiveServer) throws {
        folder = server.folder + "/proxy"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let made = try LiveServer.command(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj", "/CN=people.example.org", "-addext", "subjectAltName=DNS:people.example.org", "-keyout",
            folder + "/key.pem", "-out", folder + "/certificate.pem", program: "/usr/bin/openssl")
        #expect(made.status == 0, "\(made.errors)")
        let both = try ["certificate", "key"].map { [folder] in
            try String(contentsOfFile: "\(folder)/\($0).pem", encoding: .utf8)
        }
        try both.joined().write(toFile: folder + "/both.pem", atomically: true, encoding: .utf8)
        let port = try LiveServer.freePort()
        let file = folder + "/proxy.conf"
        try recipe.configuration(try Self.text(of: recipe.language, port: server.port), port, folder)
            .write(toFile: file, atomically: true, encoding: .utf8)
        base = "https://people.example.org:\(port)"
        common = [
            "-sS", "--cacert", folder + "/certificate.pem", "--resolve", "people.example.org:\(port):127.0.0.1", "-m",
            "20",
        ]
        process = try Self.run(recipe.program, recipe.arguments(file), output: folder + "/proxy.log", home: folder)
        try eventually("the proxy listens") { try ask([base + "/readyz"]).status == "200" }
    }

    deinit { Self.end(process) }

    func ask(_ arguments: [String]) throws -> (status: String, text: String) {
        let ending = try LiveServer.start(
            common + ["-o", folder + "/body", "-D", folder + "/fields", "-w", "%{http_code}"] + arguments,
            program: "/usr/bin/curl")
        return (ending.output, (try? String(contentsOfFile: folder + "/fields", encoding: .utf8)) ?? "")
    }

    /// Returns the recipe of the documentation in a language.
    private static func text(of language: String, port: Int) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "docs/server.md"), encoding: .utf8)
        let block = try #require(page.components(separatedBy: "```\(language)\n").dropFirst().first)
        let recipe = try #require(block.components(separatedBy: "```").first)
        #expect(recipe.contains("127.0.0.1:8080"))
        return recipe.replacing("127.0.0.1:8080", with: "127.0.0.1:\(port)")
    }

    static func run(_ program: String, _ arguments: [String], output: String, home: String) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = ["HOME": home, "PATH": "/usr/bin:/bin"]
        _ = FileManager.default.createFile(atPath: output, contents: nil)
        let file = FileHandle(forWritingAtPath: output)
        process.standardOutput = file
        process.standardError = file
        process.standardInput = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// Kills a process, which may have inherited a blocked SIGTERM.
    static func end(_ process: Process) {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
