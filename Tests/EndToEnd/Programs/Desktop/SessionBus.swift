import Foundation
import Glibc
import SwitchboardDBus
import SwitchboardTestFixtures
import SwitchboardTestSupport
import Testing

/// A private session bus that starts switchboard-desktop when it is called, as the bus of a desktop does.
final class SessionBus {
    static var isInstalled: Bool {
        ["/usr/bin/dbus-daemon", "/usr/bin/gdbus"].allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }
    }
    static let program = BuiltProgram.path(of: "switchboard-desktop", unless: "SWITCHBOARD_DESKTOP_PROGRAM")
    static let name = "org.switchboard.Switchboard"

    let bench: Bench
    let address: String
    /// The output of the programs that the bus started.
    let log: String
    /// The environment of programs on the bus.
    let environment: [String: String]
    private let daemon: ChildProcess

    /// - Parameters:
    ///   - bench: The bench with the database.
    ///   - options: The options of the service, each after a space.
    ///   - socket: The name of the socket in the folder of the bench.
    init(_ bench: Bench, options: String = "", socket: String = "bus") throws {
        self.bench = bench
        address = "unix:path=" + bench.path(socket)
        let services = bench.path("\(socket)-services")
        try FileManager.default.createDirectory(atPath: services, withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: bench.path("bin"), withIntermediateDirectories: true)
        _ = try bench.file(
            "\(socket)-services/\(Self.name).service",
            "[D-BUS Service]\nName=\(Self.name)\nExec=\(Self.program)\(options)\n")
        // Where tests install programs, as in the home folder of a user.
        try FileManager.default.createDirectory(
            atPath: bench.path(".local/share/dbus-1/services"), withIntermediateDirectories: true)
        let configuration = try bench.file(
            "\(socket).conf",
            """
            <busconfig><type>session</type><listen>\(address)</listen><servicedir>\(services)</servicedir>
            <servicedir>\(bench.path(".local/share/dbus-1/services"))</servicedir>
            <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
            <allow own="*"/></policy></busconfig>
            """)
        // Programs that open an address write it and the token to a file.
        _ = try bench.script("bin/xdg-open", "echo \"$1 $XDG_ACTIVATION_TOKEN\" >> \(bench.path("opened"))")
        environment = [
            "DBUS_SESSION_BUS_ADDRESS": address, "PATH": bench.path("bin") + ":/usr/bin:/bin", "HOME": bench.folder,
            "SWITCHBOARD_DATABASE": bench.database, "LANG": "C", "DISPLAY": ":99",
            "XDG_RUNTIME_DIR": bench.folder,
        ]
        log = try bench.file("\(socket).log", "")
        daemon = try ChildProcess(
            ["--config-file=\(configuration)", "--nofork", "--nopidfile"], of: "/usr/bin/dbus-daemon",
            environment: environment, streams: [.path("/dev/null"), .path(log), .path(log)])
        // The socket exists a moment before the daemon accepts connections.
        try eventually("the bus accepts connections") { (try? DBusConnection(address: address)) != nil }
    }

    deinit {
        daemon.send(SIGTERM)
        _ = daemon.wait()
    }

    /// Returns a new connection to the bus.
    func connection() throws -> DBusConnection { try DBusConnection(address: address) }

    /// The addresses that were opened, with the token after a space.
    func opened() throws -> [String] {
        guard FileManager.default.fileExists(atPath: bench.path("opened")) else { return [] }
        return try String(contentsOfFile: bench.path("opened"), encoding: .utf8).split(separator: "\n").map(String.init)
    }

    /// Runs gdbus and returns its output and errors.
    func gdbus(_ arguments: String...) throws -> (output: String, errors: String) {
        try start("/usr/bin/gdbus", arguments)
    }

    /// Runs a program on the bus and returns its output. Errors are an issue.
    func run(_ program: String, _ arguments: [String]) throws -> String {
        let (output, errors) = try start(program, arguments)
        #expect(errors == "")
        return output
    }

    private func start(_ program: String, _ arguments: [String]) throws -> (output: String, errors: String) {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.environment = environment
        let (output, errors) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (output, errors)
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        let message = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (String(decoding: data, as: UTF8.self), String(decoding: message, as: UTF8.self))
    }

    /// The identifiers of results of the command line, as the service has them.
    func found(_ query: String) throws -> [String] {
        try bench.run("find", query, "--json").json().objects("results").map { row in
            let id = try row.string("id").addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            return "switchboard://\(try row.string("kind"))/\(id)"
        }
    }
}

extension DBusConnection {
    /// Calls the search of GNOME Shell.
    func shell(_ member: String, _ arguments: DBusValue...) throws -> [DBusValue] {
        try call(
            SessionBus.name, path: "/org/switchboard/SearchProvider", interface: "org.gnome.Shell.SearchProvider2",
            member, arguments, timeout: .seconds(60))
    }

    /// Returns the identifiers that GNOME Shell gets for a query.
    func shellResults(_ query: String) throws -> [String] {
        let terms = query.split(separator: " ").map(String.init)
        return try #require(try shell("GetInitialResultSet", .strings(terms)).first?.texts)
    }

    /// Calls the search of KRunner.
    func runner(_ member: String, _ arguments: DBusValue...) throws -> [DBusValue] {
        try call(
            SessionBus.name, path: "/org/switchboard/Runner", interface: "org.kde.krunner1", member, arguments,
            timeout: .seconds(60))
    }

    /// Returns the matches of a query as KRunner sorts them: by type, then by relevance.
    func runnerMatches(_ query: String) throws -> [(id: String, icon: String?, properties: [String: DBusValue])] {
        guard case .array(let matches, _)? = try runner("Match", .string(query)).first else { return [] }
        let parts = matches.compactMap { match -> (String, String?, UInt32, Double, [String: DBusValue])? in
            guard case .structure(let parts) = match, parts.count == 6, let id = parts[0].text,
                let type = parts[3].number, case .double(let relevance) = parts[4], let properties = parts[5].members
            else { return nil }
            return (id, parts[2].text, type, relevance, properties)
        }
        #expect(parts.count == matches.count)
        return parts.sorted { ($0.2, $0.3) > ($1.2, $1.3) }.map { ($0.0, $0.1, $0.4) }
    }

    /// The process that serves the desktop's search.
    func serviceProcess() throws -> UInt32 { try process(of: SessionBus.name) }

    /// The process that has a name on the bus.
    func process(of name: String) throws -> UInt32 {
        try #require(
            try call(
                "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
                "GetConnectionUnixProcessID", [.string(name)]
            ).first?.number)
    }
}
