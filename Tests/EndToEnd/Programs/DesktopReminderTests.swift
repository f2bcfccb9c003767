import Foundation
import Glibc
import SwitchboardTestSupport
import Synchronization
import Testing

/// A private desktop: an X server without a screen, a session bus, and dunst for notifications.
final class Desktop {
    private static let programs = ["/usr/bin/Xvfb", "/usr/bin/dbus-daemon", "/usr/bin/dunst", "/usr/bin/notify-send"]
    static var isInstalled: Bool { programs.allSatisfy { FileManager.default.isExecutableFile(atPath: $0) } }

    struct NotStarted: Error {
        let what: String
    }

    let environment: [String: String]
    private let log: String
    private var processes: [ChildProcess] = []

    /// - Parameter choice: The label of the button to press in the menu of a notification.
    init(in bench: Bench, choosing choice: String) throws {
        let bus = "unix:path=" + bench.path("bus")
        let configuration = try bench.file(
            "bus.conf",
            """
            <busconfig><type>session</type><listen>\(bus)</listen><policy context="default">
            <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
            """)
        let menu = try bench.script("menu", "grep -F -- '\(choice)'")
        let settings = try bench.file(
            "dunstrc",
            """
            [global]
                dmenu = \(menu)
                idle_threshold = 0
            [urgency_normal]
                timeout = 0
            """)
        var variables = ["DBUS_SESSION_BUS_ADDRESS": bus, "PATH": "/usr/bin:/bin", "HOME": bench.folder]
        environment = variables
        log = try bench.file("log", "")
        try start(
            "/usr/bin/dbus-daemon", ["--config-file=\(configuration)", "--nofork", "--nopidfile", "--print-address"],
            variables)
        let display = try start("/usr/bin/Xvfb", ["-displayfd", "1", "-screen", "0", "640x480x24"], variables)
        variables["DISPLAY"] = ":" + display.trimmingCharacters(in: .whitespacesAndNewlines)
        try start("/usr/bin/dunst", ["-conf", settings], variables, waitsForOutput: false)
        // dunst owns its bus name once it answers.
        guard becomesTrue(within: .seconds(10), { (try? ctl("count")) != nil }) else {
            throw NotStarted(what: "dunst: " + ((try? String(contentsOfFile: log, encoding: .utf8)) ?? ""))
        }
    }

    /// Starts a program and returns the first line of its output.
    ///
    /// `Process` is not used because its children inherit the blocked signals of the calling thread; dunst then hangs.
    @discardableResult
    private func start(
        _ program: String, _ arguments: [String], _ variables: [String: String], waitsForOutput: Bool = true
    ) throws -> String {
        let pipe = ChildProcess.spawning.withLock { _ in ChildProcess.pipe() }
        defer { close(pipe[0]) }
        processes.append(
            try ChildProcess(
                arguments, of: program, environment: variables,
                streams: [
                    .path("/dev/null"), waitsForOutput ? .descriptor(pipe[1]) : .path("/dev/null"), .path(log),
                ]))
        close(pipe[1])
        guard waitsForOutput else { return "" }
        // Reads the whole line because a program that writes it in pieces would get SIGPIPE.
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while line.last != 0x0A, read(pipe[0], &byte, 1) == 1 { line.append(byte) }
        if line.isEmpty { throw NotStarted(what: program) }
        return String(decoding: line, as: UTF8.self)
    }

    /// Runs dunstctl and returns its output.
    @discardableResult
    func ctl(_ arguments: String...) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/dunstctl")
        process.arguments = arguments
        process.environment = environment
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        let message = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        if process.terminationStatus != 0 {
            throw NotStarted(what: "dunst: " + String(decoding: message, as: UTF8.self))
        }
        return String(decoding: data, as: UTF8.self)
    }

    /// Waits until a number of notifications are displayed.
    func waitForNotifications(_ count: Int) throws {
        try eventually("\(count) notifications are displayed") {
            try ctl("count", "displayed").trimmingCharacters(in: .whitespacesAndNewlines) == String(count)
        }
    }

    /// Returns the fields of the closed notifications.
    func closed() throws -> [[String: String]] {
        let history = try JSONSerialization.jsonObject(with: Data(ctl("history").utf8)) as? [String: Any]
        let entries = (history?["data"] as? [[[String: Any]]])?.first ?? []
        return entries.map { entry in
            entry.compactMapValues { ($0 as? [String: Any])?["data"] as? String }
        }
    }

    deinit {
        for process in processes.reversed() {
            process.send(SIGTERM)
            _ = process.wait()
        }
    }
}

@Suite("Reminders on a desktop", .enabled(if: Desktop.isInstalled), .serialized, .timeLimit(.minutes(1)))
struct DesktopReminderTests {
    /// Adds a prospect with a reminder, and returns its identifier once the reminder is due.
    private func reminder(
        of name: String = "Đặng <b>&\\n", _ email: String = "a&b@example.org", in bench: Bench
    ) throws -> String {
        #expect(try bench.run("access", "grant", "notifications").status == 0)
        let id = try bench.run("prospects", "add", "--name", name, "--email", email, "--json").json().string("id")
        #expect(try bench.run("prospects", "remind", id, "--in", "1s").status == 0)
        try eventually("the reminder is due") {
            try bench.run("reminders", "list", "--json").json().objects("results")
                .contains { try $0.string("prospect") == id && $0.members["overdue"] != nil }
        }
        return id
    }

    @Test(
        "Shows a reminder verbatim and performs the chosen action",
        arguments: [("Contacted", "delivered"), ("In an hour", "pending"), ("Tomorrow at nine", "pending")])
    func answers(_ choice: String, _ state: String) throws {
        let bench = try Bench()
        let desktop = try Desktop(in: bench, choosing: choice)
        let prospect = try reminder(in: bench)
        let runner = try InteractiveProcess(
            ["reminders", "run", "--once", "--json", "--wait", "30"],
            environment: desktop.environment.merging(["SWITCHBOARD_DATABASE": bench.database]) { $1 })
        let delivered = try JSONObject(line: try #require(runner.readLine()))
        #expect(try delivered.string("state") == "delivered")
        try desktop.waitForNotifications(1)
        try desktop.ctl("context")
        let result = runner.finish()
        #expect(result.status == 0, "\(result.errors)")

        let shown = try #require(try desktop.closed().first)
        #expect(shown["summary"] == "Contact Đặng <b>&\\n")
        #expect(shown["body"]?.replacingOccurrences(of: "&amp;", with: "&") == "a&b@example.org")
        #expect(shown["appname"] == "Switchboard")
        let after = try bench.run("reminders", "list", "--json").json().objects("results")[0]
        #expect(try after.string("state") == state)
        let isContacted = try bench.run("prospects", "show", prospect, "--json").json().object("prospect").boolean(
            "contacted")
        #expect(isContacted == (choice == "Contacted"))
    }

    @Test(
        "The service of the desktop shows a reminder once and performs the chosen action, also beside a runner",
        arguments: [false, true])
    func service(isBesideRunner: Bool) throws {
        let bench = try Bench()
        let desktop = try Desktop(in: bench, choosing: "In an hour (Contact Đặng")
        let variables = desktop.environment.merging(["SWITCHBOARD_DATABASE": bench.database]) { $1 }
        // The service waits for the first use of the database.
        let log = try bench.file("service.log", "")
        let service = try ChildProcess(
            ["--reminders"], of: SessionBus.program, environment: variables,
            streams: [.path("/dev/null"), .path(log), .path(log)])
        defer {
            service.send(SIGTERM)
            _ = service.wait()
        }
        #expect(try bench.run("access", "grant", "notifications").status == 0)
        let runner = isBesideRunner ? try InteractiveProcess(["reminders", "run"], environment: variables) : nil
        defer {
            runner?.child.send(SIGTERM)
            _ = runner?.finish()
        }
        let first = try reminder(in: bench)
        try desktop.waitForNotifications(1)
        func state(of prospect: String) throws -> String? {
            try bench.run("reminders", "list", "--json").json().objects("results")
                .first { try $0.string("prospect") == prospect }?.string("state")
        }
        // Both look for reminders every second, so a second one is shown after the first would be shown again.
        let second = try reminder(of: "Bo", "bo@example.org", in: bench)
        try eventually("the second reminder is shown") { try state(of: second) == "delivered" }
        try desktop.waitForNotifications(2)
        try desktop.ctl("context")
        try eventually("the first reminder is put off") { try state(of: first) == "pending" }
        try desktop.waitForNotifications(1)
        let shown = try desktop.closed()
        #expect(shown.map { $0["summary"] } == ["Contact Đặng <b>&\\n"])
        #expect(shown.first?["body"]?.replacingOccurrences(of: "&amp;", with: "&") == "a&b@example.org")
        #expect(shown.first?["appname"] == "Switchboard")
        #expect(try String(contentsOfFile: log, encoding: .utf8) == "")
    }

    @Test("Several runners show a reminder once; it stays delivered without an action")
    func once() throws {
        let bench = try Bench()
        let desktop = try Desktop(in: bench, choosing: "nothing")
        _ = try reminder(in: bench)
        let variables = desktop.environment.merging(["SWITCHBOARD_DATABASE": bench.database]) { $1 }
        let runners = try (0..<3).map { _ in
            try InteractiveProcess(["reminders", "run", "--once", "--wait", "0"], environment: variables)
        }
        for runner in runners { #expect(runner.finish().status == 0) }
        try desktop.waitForNotifications(1)
        #expect(
            try bench.run("reminders", "list", "--state", "delivered", "--json").json().objects("results").count == 1)
    }
}
