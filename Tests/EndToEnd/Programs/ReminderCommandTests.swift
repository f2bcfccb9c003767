import Foundation
import Glibc
import SwitchboardTestSupport
import Testing

@Suite("reminders", .timeLimit(.minutes(2)))
struct ReminderCommandTests {
    let bench: Bench

    init() throws {
        bench = try Bench()
    }

    private func add(_ name: String) throws -> String {
        let email = name.lowercased() + "@example.org"
        return try bench.run("prospects", "add", "--name", name, "--email", email, "--json").json().string("id")
    }

    private func allow() throws { #expect(try bench.run("access", "grant", "notifications").status == 0) }

    private func checked(_ reminder: JSONObject) throws -> JSONObject {
        try reminder.check(
            ["id", "prospect", "name", "title", "body", "dueAt", "timeZone", "state", "late"],
            optional: ["deliveredAt", "failure", "overdue"])
        return reminder
    }

    private func list(_ arguments: String...) throws -> [JSONObject] {
        try bench.run(["reminders", "list", "--json"] + arguments).json().objects("results").map(checked)
    }

    /// Waits until a number of reminders are due.
    private func awaitDue(_ count: Int = 1) throws {
        try eventually("\(count) reminders are due") { try list().count { $0.members["overdue"] != nil } == count }
    }

    @Test("Needs access to notifications")
    func consent() throws {
        let id = try add("Ana")
        let refused = try bench.run("prospects", "remind", id, "--json")
        #expect(refused.status == 77)
        #expect(try JSONObject(line: refused.errors).errorCode() == "accessNotGranted")
        #expect(try list().isEmpty)
        try allow()
        #expect(try bench.run("access", "deny", "notifications").status == 0)
        #expect(try bench.run("prospects", "remind", id).status == 77)
        #expect(try list().isEmpty)
    }

    @Test("Sets a reminder for the next 9:00, moves it and cancels it")
    func life() throws {
        try allow()
        let id = try add("Ana")
        let zone = ["TZ": "Asia/Kathmandu"]
        let first = try checked(bench.run(["prospects", "remind", id, "--json"], environment: zone).json())
        #expect(try first.string("title") == "Contact Ana")
        #expect(try first.string("body") == "ana@example.org")
        #expect(try first.string("timeZone") == "Asia/Kathmandu")
        #expect(try first.string("dueAt").hasSuffix("T03:15:00Z"))
        let again = try checked(
            bench.run(["prospects", "remind", id, "--at", "2099-01-01 12:00", "--json"], environment: zone).json())
        #expect(try again.string("id") == first.string("id"))
        #expect(try again.string("dueAt") == "2099-01-01T06:15:00Z")
        #expect(try list().count == 1)
        #expect(try bench.run("prospects", "edit", id, "--name", "Ana Li").status == 0)
        #expect(try list()[0].string("title") == "Contact Ana Li")
        let cancelled = try checked(bench.run("reminders", "cancel", first.string("id"), "--json").json())
        #expect(try cancelled.string("state") == "cancelled")
        #expect(try list().isEmpty)
        #expect(try list("--state", "cancelled").count == 1)
        #expect(try bench.run("reminders", "cancel", "nobody").status == 1)
    }

    @Test("A time in another time zone is followed by it, and remind tells how reminders are delivered")
    func zones() throws {
        try allow()
        let id = try add("Ana")
        func lines(_ zone: String, _ arguments: String...) throws -> RunResult {
            try bench.run(arguments, environment: ["TZ": zone])
        }
        let set = try lines("Asia/Kathmandu", "prospects", "remind", id, "--at", "2099-01-01 12:00")
        #expect(set.output == "Reminder for Ana: 1 January 2099, 12:00\n")
        #expect(set.errors.contains("'switchboard reminders run' delivers it"))
        #expect(try lines("Asia/Kathmandu", "reminders", "list").output.hasPrefix("2099-01-01 12:00:00  Contact"))
        let abroad = try lines("Europe/Berlin", "reminders", "list").output
        #expect(abroad.hasPrefix("2099-01-01 12:00:00 Asia/Kathmandu  Contact"))
    }

    @Test("Contacting or removing a prospect cancels the reminder")
    func tickedOff() throws {
        try allow()
        let (ana, bo) = (try add("Ana"), try add("Bo"))
        for id in [ana, bo] { #expect(try bench.run("prospects", "remind", id).status == 0) }
        #expect(try bench.run("prospects", "contacted", ana).status == 0)
        #expect(try list().map { try $0.string("name") } == ["Bo"])
        #expect(try bench.run("prospects", "remind", ana).status == 64)
        #expect(try bench.run("prospects", "remove", bo).status == 0)
        #expect(try list().isEmpty)
        #expect(try bench.run("prospects", "remind", bo).status == 1)
    }

    @Test(
        "Rejects unreadable and past times",
        arguments: [
            ["--at", "yesterday"], ["--at", "2020-01-01 10:00"], ["--in", "5x"], ["--in", "0s"], ["--in", ""],
            ["--at", "2099-02-30 10:00"], ["--in", "5s", "--at", "2099-01-01 10:00"],
        ])
    func badTimes(_ arguments: [String]) throws {
        try allow()
        let id = try add("Ana")
        #expect(try bench.run(["prospects", "remind", id] + arguments).status == 64)
        #expect(try list().isEmpty)
    }

    @Test("A reminder that was acted on leaves the list, but not JSON")
    func done() throws {
        try allow()
        let id = try add("Ana")
        #expect(try bench.run("prospects", "remind", id, "--in", "1s").status == 0)
        try awaitDue()
        #expect(try bench.run("reminders", "run", "--once", "--deliver-with", "true").status == 0)
        #expect(try bench.run("reminders", "list").output.contains("  delivered"))
        #expect(try bench.run("prospects", "contacted", id).status == 0)
        #expect(try !bench.run("reminders", "list").output.contains("Ana"))
        #expect(try list().count == 1)
    }

    @Test("Moves a time that the clocks skip and says so")
    func skipped() throws {
        try allow()
        let id = try add("Ana")
        let result = try bench.run(
            ["prospects", "remind", id, "--at", "2099-03-29 02:30"], environment: ["TZ": "Europe/Berlin"])
        #expect(result.status == 0)
        #expect(result.output == "Reminder for Ana: 29 March 2099, 03:00\n")
        #expect(result.errors.contains("the clocks skip"))
    }

    @Test("Several runners deliver each reminder once")
    func deliveredOnce() throws {
        try allow()
        let log = bench.path("log")
        for name in ["Ana", "Bo", "Cy", "Di"] {
            #expect(try bench.run("prospects", "remind", add(name), "--in", "1s").status == 0)
        }
        try awaitDue(4)
        let command = "echo \"$SWITCHBOARD_TITLE $SWITCHBOARD_BODY $SWITCHBOARD_LATE\" >> '\(log)'"
        let runners = try (0..<3).map { _ in
            try bench.start("reminders", "run", "--once", "--json", "--deliver-with", command)
        }
        var names: [String] = []
        for runner in runners {
            while let line = runner.readLine() { names.append(try checked(JSONObject(line: line)).string("name")) }
            #expect(runner.finish().status == 0)
        }
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(lines.sorted() == ["Ana", "Bo", "Cy", "Di"].map { "Contact \($0) \($0.lowercased())@example.org 0" })
        #expect(names.sorted() == ["Ana", "Bo", "Cy", "Di"])
        #expect(try list("--state", "delivered").count == 4)
    }

    @Test("Reports, records and retries a failed delivery")
    func failing() throws {
        try allow()
        #expect(try bench.run("prospects", "remind", add("Ana"), "--in", "1s").status == 0)
        try awaitDue()
        #expect(try bench.run("reminders", "run", "--once", "--deliver-with", "exit 3").status == 69)
        let failure = try list("--state", "pending")[0].string("failure")
        #expect(failure.contains("3") && !failure.contains("exited("))
        // A runner waits until the delivery is due again.
        let runner = try bench.start("reminders", "run", "--json", "--deliver-with", "cat >&2")
        let delivered = try #require(runner.readLine())
        #expect(try checked(JSONObject(line: delivered)).string("state") == "delivered")
        runner.child.send(SIGTERM)
        let result = runner.finish()
        #expect(result.status == 0)
        #expect(result.errors.contains("Contact Ana\n\nana@example.org\n"))
        #expect(!result.errors.contains(failure) && !delivered.contains(failure))
        #expect(try list().map { try $0.string("state") } == ["delivered"])
    }

    @Test("The runner delivers new reminders until it is terminated")
    func running() throws {
        try allow()
        let runner = try bench.start("reminders", "run", "--json", "--deliver-with", "true")
        #expect(try bench.run("prospects", "remind", add("Ana"), "--in", "2s").status == 0)
        let line = try #require(runner.readLine())
        let reminder = try checked(JSONObject(line: line))
        #expect(try reminder.string("state") == "delivered")
        #expect(try !reminder.boolean("late"))
        runner.child.send(SIGTERM)
        let result = runner.finish()
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test("Ctrl-C ends the runner with status 130")
    func interrupted() throws {
        try allow()
        let runner = try bench.start("reminders", "run", "--json", "--deliver-with", "true")
        #expect(try bench.run("prospects", "remind", add("Ana"), "--in", "1s").status == 0)
        // It is running once it has delivered.
        _ = try #require(runner.readLine())
        runner.child.send(SIGINT)
        #expect(runner.finish().status == 130)
    }

    @Test("Exits with 69 without a desktop and 77 without access, and loses no reminder")
    func unavailable() throws {
        try allow()
        #expect(try bench.run("prospects", "remind", add("Ana"), "--in", "1s").status == 0)
        try awaitDue()
        #expect(try bench.run("reminders", "run", "--once").status == 69)
        #expect(try bench.run("access", "deny", "notifications").status == 0)
        #expect(try bench.run("reminders", "run", "--once", "--deliver-with", "true").status == 77)
        try allow()
        let shown = try bench.run("reminders", "run", "--once", "--terminal")
        #expect(shown.status == 0)
        #expect(shown.output.contains("Contact Ana  ana@example.org"))
    }

    @Test("Exports a calendar and prints a unit that runs the program")
    func exportAndUnit() throws {
        try allow()
        let id = try add("Ana")
        #expect(try bench.run(["prospects", "remind", id], environment: ["TZ": "Europe/Berlin"]).status == 0)
        let calendar = try bench.run("reminders", "export").output
        #expect(calendar.hasPrefix("BEGIN:VCALENDAR\r\n"))
        #expect(calendar.contains("T090000\r\n") && calendar.contains("DTSTART;TZID=Europe/Berlin:"))
        let unit = try bench.run("reminders", "unit").output
        #expect(unit.contains("\"--database\" \"\(bench.database)\" \"reminders\" \"run\"\n"))
        let installed = try bench.run("reminders", "unit", "--install")
        #expect(installed.output == bench.path(".config/systemd/user/switchboard-reminders.service") + "\n")
        #expect(try String(contentsOfFile: String(installed.lines[0]), encoding: .utf8) == unit)
    }
}
