import Foundation
import SwitchboardTestFixtures
import SwitchboardTestSupport
import Testing

/// HTTP/2 over TLS, with curl as the client.
@Suite("HTTP/2") struct HTTP2Tests {
    /// A server with a certificate of its own for `localhost`.
    private struct Bench {
        let folder: String
        let server: LiveServer
        let token: String

        init() throws {
            folder = NSTemporaryDirectory() + UUID().uuidString
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let made = try LiveServer.command(
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=localhost", "-keyout", folder + "/key.pem", "-out", folder + "/certificate.pem",
                program: "/usr/bin/openssl")
            #expect(made.status == 0, "\(made.errors)")
            server = try LiveServer([
                "--tls-certificate", folder + "/certificate.pem", "--tls-key", folder + "/key.pem",
            ])
            token = try server.token()
        }

        func url(_ path: String) -> String { "https://localhost:\(server.port)\(path)" }

        func curl(_ arguments: String...) throws -> CommandEnding {
            try LiveServer.start(
                ["-sS", "--cacert", folder + "/certificate.pem", "-H", "Authorization: Bearer \(token)"] + arguments,
                program: "/usr/bin/curl")
        }
    }

    @Test("A client gets HTTP/2 if it offers it, and else HTTP/1.1, with the same responses")
    func negotiation() throws {
        let bench = try Bench()
        let version = "\n%{http_version} %{http_code}"
        for path in ["/healthz", "/v1/airports?q=rio", "/v1/contacts", "/v1/none"] {
            let new = try bench.curl("--http2", "-w", version, bench.url(path))
            let old = try bench.curl("--http1.1", "-w", version, bench.url(path))
            let (newLines, oldLines) = (new.output.split(separator: "\n"), old.output.split(separator: "\n"))
            #expect(newLines.last?.hasPrefix("2 ") == true && oldLines.last?.hasPrefix("1.1 ") == true, "\(new) \(old)")
            #expect(newLines.dropLast().elementsEqual(oldLines.dropLast()))
            #expect(newLines.last?.split(separator: " ").last == oldLines.last?.split(separator: " ").last)
        }
        let written = try bench.curl(
            "--http2", "-w", version, "-H", "Content-Type: application/json", "-d", #"{"name": "Ana"}"#,
            bench.url("/v1/contacts"))
        #expect(written.output.hasSuffix("\n2 201"), "\(written)")
    }

    @Test("One connection carries event streams and requests side by side")
    func sharedConnection() throws {
        let bench = try Bench()
        // Ten streams that never end by themselves would block any request behind them with HTTP/1.1.
        let streams = (0..<10).flatMap { _ in [bench.url("/v1/events"), "-o", "/dev/null"] }
        let requests = (0..<20).flatMap { [bench.url("/v1/airports?q=\($0)"), "-o", "/dev/null"] }
        let ended = try LiveServer.start(
            [
                "-sS", "--cacert", bench.folder + "/certificate.pem", "-H", "Authorization: Bearer \(bench.token)",
                "--http2", "--parallel", "--parallel-max", "50", "--max-time", "5",
                "-w", "%{http_version} %{http_code} %{num_connects} %{url}\n",
            ] + streams + requests, program: "/usr/bin/curl")
        let lines = ended.output.split(separator: "\n").map { $0.split(separator: " ") }
        #expect(lines.count == 30, "\(ended)")
        #expect(lines.allSatisfy { $0[0] == "2" && $0[1] == "200" }, "\(ended.output)")
        let connections = lines.compactMap { Int($0[2]) }
        #expect(connections.reduce(0, +) == 1, "\(ended.output)")
        // A stream that the client has reset ends at the server, too.
        try eventually("the streams have ended") {
            try bench.curl("--http2", bench.url("/metrics")).output.contains("switchboard_event_streams 0.0\n")
        }
    }

    @Test("Limits hold, and their responses have no field that HTTP/2 forbids")
    func limits() throws {
        let bench = try Bench()
        let large = bench.folder + "/large"
        try Data(repeating: 0x20, count: 3 << 20).write(to: URL(fileURLWithPath: large))
        let sent = try bench.curl(
            "--http2", "-i", "-H", "Content-Type: application/json", "--data-binary", "@" + large,
            bench.url("/v1/contacts"))
        #expect(sent.output.hasPrefix("HTTP/2 413"), "\(sent)")
        #expect(
            !sent.output.lowercased().contains("\nconnection:") && sent.output.contains("tooLarge"), "\(sent.output)")
        let long = try bench.curl("--http2", "-i", bench.url("/v1/airports?q=" + String(repeating: "a", count: 9000)))
        #expect(long.output.hasPrefix("HTTP/2 414"), "\(long)")
        #expect(!long.output.lowercased().contains("\nconnection:"))
        let unknown = try bench.curl("--http2", "-i", "-H", "Host: other.example.org", bench.url("/v1/contacts"))
        #expect(unknown.output.hasPrefix("HTTP/2 421"), "\(unknown)")
        #expect(try bench.curl("--http2", bench.url("/healthz")).output == #"{"status": "ok"}"#)
    }

    @Test("A client that does not finish the handshake is disconnected")
    func handshake() throws {
        let bench = try Bench()
        let script = """
            import socket, sys, time
            begin = time.monotonic()
            client = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
            client.settimeout(60)
            data = client.recv(1)
            print(data == b"", time.monotonic() - begin < 30)
            """
        let ended = try LiveServer.command("-c", script, String(bench.server.port), program: "/usr/bin/python3")
        #expect(ended.output == "True True\n", "\(ended)")
    }
}
