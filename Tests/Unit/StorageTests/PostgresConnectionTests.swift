import Foundation
import Glibc
import SwitchboardStorage
import SwitchboardTestFixtures
import Testing

@testable import SwitchboardCluster

/// A socket on a port of 127.0.0.1. Clients can connect, and get no response.
private final class SilentServer {
    let port: Int
    private let socket: Int32

    init() throws {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutableBytes(of: &address) { bytes in
            let address = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
            return bind(socket, address, size) == 0 && listen(socket, 8) == 0
                && getsockname(socket, address, &size) == 0
        }
        try #require(isBound)
        self.socket = socket
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit { close(socket) }

    /// Returns a port that is free now.
    static func freePort() throws -> Int { try SilentServer().port }
}

@Suite(
    "Connections to PostgreSQL",
    .enabled(if: LocalPostgres.programs != nil, Comment(rawValue: LocalPostgres.missing)))
struct PostgresConnectionTests {
    private func problem(_ parameters: String) -> String? {
        do throws(PostgresFailure) {
            _ = try PostgresConnection(parameters)
            return nil
        } catch {
            return error.message
        }
    }

    @Test("A server that does not respond delays the connection to another one only briefly", .timeLimit(.minutes(5)))
    func silentServer() throws {
        let postgres = try LocalPostgres.shared.get()
        let silent = try SilentServer()
        _ = try postgres.sql("SELECT 1::text")
        // libpq would wait for ten minutes.
        let hosts = "host=127.0.0.1,\(postgres.folder) port=\(silent.port),5432"
        let parameters = "\(hosts) user=switchboard dbname=postgres connect_timeout=600 target_session_attrs=read-write"
        #expect(try PostgresConnection(parameters).server == 1)
        // The server that was found last is tried first.
        #expect(try PostgresConnection(parameters, preferredServer: 1).server == 1)
    }

    @Test("A server that refuses connections, and a URI")
    func refusingServer() throws {
        let postgres = try LocalPostgres.shared.get()
        _ = try postgres.sql("SELECT 1::text")
        let folder = postgres.folder.replacing("/", with: "%2F")
        let uri = "postgresql://switchboard@127.0.0.1:\(try SilentServer.freePort()),\(folder):5432/postgres"
        #expect(try PostgresConnection(uri + "?connect_timeout=600").server == 1)
    }

    @Test(
        "A connection string that cannot be used is reported",
        arguments: [
            ("nonsense", "missing \"=\""), ("host=a,b port=1,2,3", "the numbers of hosts and ports differ"),
            ("host=1,2,3,4,5,6,7,8,9", "more than 8 hosts"), ("hots=a", "invalid connection option"),
            ("host=/nowhere,/nowhere/else", "No such file"), ("host=/nowhere sslmode=some", "invalid sslmode"),
        ])
    func mistakes(parameters: String, message: String) {
        #expect(problem(parameters)?.contains(message) == true, "\(problem(parameters) ?? "connected")")
    }

    @Test("A server on another machine must prove who it is, unless the connection string says otherwise")
    func verification() throws {
        let folder = NSTemporaryDirectory() + "switchboard-tls-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for name in ["server", "other"] {
            let openssl = Process()
            openssl.executableURL = URL(filePath: "/usr/bin/openssl")
            openssl.arguments = [
                "req", "-x509", "-newkey", "rsa:2048", "-noenc", "-days", "2", "-subj", "/CN=Test", "-addext",
                "subjectAltName=IP:127.0.0.1", "-keyout", "\(folder)/\(name).key", "-out", "\(folder)/\(name).pem",
            ]
            openssl.standardError = FileHandle.nullDevice
            try openssl.run()
            openssl.waitUntilExit()
            try #require(openssl.terminationStatus == 0)
        }
        let port = try SilentServer.freePort()
        let postgres = try LocalPostgres(
            port: port, certificate: .init(certificate: folder + "/server.pem", key: folder + "/server.key"))
        let local = PostgresPool("host=\(postgres.folder) port=\(port) user=switchboard dbname=postgres")
        _ = try PostgresDatabase(local).reading { db in try db.row("SELECT 1::text", []) }

        let rest = "port=\(port) user=switchboard dbname=postgres"
        let root = "sslrootcert=\(folder)/server.pem"
        #expect(problem("host=127.0.0.1 sslmode=verify-full \(root) \(rest)") == nil)
        let other = problem("host=127.0.0.1 sslmode=verify-full sslrootcert=\(folder)/other.pem \(rest)")
        #expect(other?.contains("certificate verify failed") == true, "\(other ?? "connected")")
        // This address leads to the same server, but is not in its certificate.
        let unnamed = problem("host=0.0.0.0 \(root) \(rest)")
        #expect(unnamed?.contains("does not match host name") == true, "\(unnamed ?? "connected")")
        let rootless = problem("host=0.0.0.0 sslrootcert=\(folder)/missing \(rest)")
        #expect(rootless?.contains("root certificate file") == true, "\(rootless ?? "connected")")
        #expect(problem("host=0.0.0.0 sslmode=require \(rest)") == nil)
    }
}
