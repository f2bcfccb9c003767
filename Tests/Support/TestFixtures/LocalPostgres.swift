import Foundation
import Glibc
package import SwitchboardCluster
import SwitchboardStorage
import Synchronization

/// A PostgreSQL server of its own in a temporary folder, reached through a Unix socket.
package final class LocalPostgres: Sendable {
    /// The folder of Debian's programs, or nil if PostgreSQL is not installed.
    package static let programs: String? = {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        return versions.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }
            .map { "/usr/lib/postgresql/\($0)/bin" }
            .first { FileManager.default.isExecutableFile(atPath: $0 + "/postgres") }
    }()

    package static let missing = "PostgreSQL is not installed; run Scripts/prepare"

    struct Failure: Error { let problem: String }

    /// One server for all tests of a program, which use databases or journals of different names.
    package static let shared = Result { try LocalPostgres() }

    /// A certificate for 127.0.0.1 that the server proves itself with, and its key.
    package struct Certificate: Sendable {
        let certificate: String
        let key: String

        package init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    /// The folder of the server's socket.
    package let folder: String
    /// The options that let the server listen on 127.0.0.1, if it does.
    private let network: [String]
    /// The running server, which ends when its input does, even if this process is killed.
    private let running = Mutex<(process: Process, input: Pipe)?>(nil)

    /// Creates and starts a server.
    ///
    /// - Parameters:
    ///   - port: A port of 127.0.0.1, on which the server listens, too.
    ///   - certificate: The certificate for TLS on that port.
    package init(port: Int? = nil, certificate: Certificate? = nil) throws {
        var template = Array("/tmp/switchboard-postgres-XXXXXX".utf8CString)
        guard let path = mkdtemp(&template) else { throw Failure(problem: "no temporary folder") }
        folder = String(cString: path)
        var network = ["-c", "listen_addresses=\(port == nil ? "" : "127.0.0.1")"]
        if let port { network += ["-p", String(port)] }
        if let certificate {
            let files = ["ssl_cert_file=\(folder)/certificate", "-c", "ssl_key_file=\(folder)/key"]
            network += ["-c", "ssl=on", "-c"] + files
            try FileManager.default.copyItem(atPath: certificate.certificate, toPath: folder + "/certificate")
            try FileManager.default.copyItem(atPath: certificate.key, toPath: folder + "/key")
        }
        self.network = network
        // PostgreSQL refuses to run as root.
        if geteuid() == 0 {
            let files = [folder] + (certificate == nil ? [] : [folder + "/certificate", folder + "/key"])
            guard let user = getpwnam("postgres"),
                files.allSatisfy({ chown($0, user.pointee.pw_uid, user.pointee.pw_gid) == 0 })
            else { throw Failure(problem: "there is no user postgres") }
        }
        let initdb = try Self.run(
            ["initdb", "-D", folder + "/data", "-A", "trust", "-U", "switchboard", "-E", "UTF8", "--no-sync"],
            input: Pipe())
        initdb.waitUntilExit()
        guard initdb.terminationStatus == 0 else { throw Failure(problem: "initdb failed") }
        try start()
    }

    /// Returns the connection string of a database.
    package func parameters(database: String = "postgres") -> String {
        "host=\(folder) user=switchboard dbname=\(database) connect_timeout=5"
    }

    /// Returns connections to a database.
    package func pool(database: String = "postgres", timeout: Duration = .seconds(30)) -> PostgresPool {
        PostgresPool(parameters(database: database), timeout: timeout)
    }

    /// Creates an empty database and returns its name.
    package func makeDatabase() throws -> String {
        let name = "d" + UUID().uuidString.lowercased().filter { $0 != "-" }
        try sql("CREATE DATABASE \(name)")
        return name
    }

    /// Starts the server, which accepts connections a little later; a pool waits for that.
    package func start() throws {
        let input = Pipe()
        // The process becomes the server, which a child ends with the input.
        let script = """
            exec 3<&0
            (
                read -r command <&3
                kill -QUIT $$
                [ "$command" = crash ] && exit
                while kill -0 $$; do sleep 0.1; done
                rm -rf '\(folder)'
            ) &
            exec "$@" 3<&-
            """
        let server = ["-D", folder + "/data", "-k", folder] + network
        let process = try Self.run(["/bin/sh", "-c", script, "sh", Self.path("postgres")] + server, input: input)
        running.withLock { $0 = (process, input) }
    }

    /// Ends the server at once, as a crash does.
    package func crash() throws {
        try running.withLock { running in
            try running?.input.fileHandleForWriting.write(contentsOf: Data("crash\n".utf8))
            running?.process.waitUntilExit()
            running = nil
        }
    }

    /// Executes SQL and returns the first value of the first row.
    @discardableResult
    package func sql(_ statement: String, database: String = "postgres") throws -> String? {
        try PostgresDatabase(pool(database: database)).reading { db in try db.row(statement, [])?.optionalText(0) }
    }

    private static func path(_ program: String) -> String { (programs ?? "") + "/" + program }

    /// Starts a program of PostgreSQL, or another one by its path, as a user that PostgreSQL accepts.
    private static func run(_ command: [String], input: Pipe) throws -> Process {
        let process = Process()
        let program = command[0].hasPrefix("/") ? command[0] : path(command[0])
        let user = geteuid() == 0 ? ["--reuid=postgres", "--regid=postgres", "--clear-groups"] : []
        process.executableURL = URL(filePath: user.isEmpty ? program : "/usr/bin/setpriv")
        process.arguments = (user.isEmpty ? [] : user + [program]) + command.dropFirst()
        process.currentDirectoryURL = URL(filePath: "/tmp")
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }
}
