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

    let folder: String
    /// The running server, which ends when its input does, even if this process is killed.
    private let running = Mutex<(process: Process, input: Pipe)?>(nil)

    /// Creates and starts a server.
    package init() throws {
        var template = Array("/tmp/switchboard-postgres-XXXXXX".utf8CString)
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
        let server = ["-D", folder + "/data", "-k", folder, "-c", "listen_addresses="]
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
