import Foundation
import Glibc
import Synchronization
import Testing

@testable import SwitchboardCluster

/// A PostgreSQL server of its own in a temporary folder, reached through a Unix socket.
final class TestPostgres: Sendable {
    /// The folder of Debian's programs, or nil if PostgreSQL is not installed.
    static let programs: String? = {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        return versions.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }
            .map { "/usr/lib/postgresql/\($0)/bin" }
            .first { FileManager.default.isExecutableFile(atPath: $0 + "/postgres") }
    }()

    static let missing: Comment = "PostgreSQL is not installed; run Scripts/prepare --optional"

    struct Failure: Error { let problem: String }

    let folder: String
    /// The running server, which ends when its input does, even if this process is killed.
    private let running = Mutex<(process: Process, input: Pipe)?>(nil)

    /// Creates and starts a server.
    init() throws {
        var template = Array("/tmp/cluster-tests-XXXXXX".utf8CString)
        guard let path = mkdtemp(&template) else { throw Failure(problem: "no temporary folder") }
        folder = String(cString: path)
        // PostgreSQL refuses to run as root.
        if geteuid() == 0 {
            guard let user = getpwnam("postgres"), chown(folder, user.pointee.pw_uid, user.pointee.pw_gid) == 0 else {
                throw Failure(problem: "there is no user postgres")
            }
        }
        let initdb = try Self.run(
            ["initdb", "-D", folder + "/data", "-A", "trust", "-U", "switchboard", "-E", "UTF8", "--no-sync"],
            input: Pipe())
        initdb.waitUntilExit()
        guard initdb.terminationStatus == 0 else { throw Failure(problem: "initdb failed") }
        try start()
    }

    /// The connection string of the server.
    var parameters: String { "host=\(folder) user=switchboard dbname=postgres connect_timeout=5" }

    func pool(timeout: Duration = .seconds(30)) -> PostgresPool { PostgresPool(parameters, timeout: timeout) }

    /// Starts the server, which accepts connections a little later; a pool waits for that.
    func start() throws {
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
        let server = ["-D", folder + "/data", "-k", folder, "-c", "listen_addresses="]
        let process = try Self.run(["/bin/sh", "-c", script, "sh", Self.path("postgres")] + server, input: input)
        running.withLock { $0 = (process, input) }
    }

    /// Ends the server at once, as a crash does.
    func crash() throws {
        try running.withLock { running in
            try running?.input.fileHandleForWriting.write(contentsOf: Data("crash\n".utf8))
            running?.process.waitUntilExit()
            running = nil
        }
    }

    /// Executes SQL and returns the first value of the first row.
    @discardableResult
    func sql(_ statement: String) throws -> String? {
        try pool().run { connection throws(PostgresFailure) in
            let rows = try connection.execute(statement, [])
            return rows.text(0, 0)
        }
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
