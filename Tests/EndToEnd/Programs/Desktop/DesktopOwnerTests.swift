import Foundation
import Glibc
import SwitchboardDBus
import SwitchboardTestFixtures
import SwitchboardTestSupport
import Testing

@Suite("Owners of items", .enabled(if: SessionBus.isInstalled), .timeLimit(.minutes(2)))
struct DesktopOwnerTests {
    private static let notes = "org.example.Notes"

    @Test("An application opens its items itself, as a URL or with an action, in every front end")
    func overDBus() throws {
        let bus = try SessionBus(try Bench())
        let notes = try bus.connection()
        #expect(try notes.requestName(Self.notes))
        let item = #"{"id": "a/1", "domain": "work", "title": "Zebra crossing", "url": "https://example.org/z"}"#
        try notes.index("Put", Self.notes, .string(item), .dictionary([:]))
        let shell = try bus.connection()
        let result = try #require(try shell.shellResults("zebra").first)

        // Without an owner, the page.
        try shell.post(choosing: result)
        #expect(try shell.nextReply() == .reply)
        #expect(try bus.opened() == ["https://example.org/z "])

        // As a URL of the template, with the identifier that the application gave.
        try notes.index("SetOwner", Self.notes, .dictionary(["url": .string("notes://open/{id}")]))
        try shell.post(choosing: result)
        let opened = try notes.nextCall()
        #expect(opened.path == "/org/example/Notes" && opened.interface == "org.freedesktop.Application")
        #expect(opened.member == "Open" && opened.arguments[0].texts == ["notes://open/a%2F1"])
        #expect(try shell.nextReply() == .reply)

        // As the URL of the item.
        try notes.index("SetOwner", Self.notes, .dictionary([:]))
        try shell.post(choosing: result)
        #expect(try notes.nextCall().arguments[0].texts == ["https://example.org/z"])
        #expect(try shell.nextReply() == .reply)

        // As an action, with the token of the desktop.
        try notes.index("SetOwner", Self.notes, .dictionary(["action": .string("open-note")]))
        _ = try shell.runner("SetActivationToken", .string("token-1"))
        try shell.post(
            SessionBus.name, path: "/org/switchboard/Runner", interface: "org.kde.krunner1", "Run",
            [.string(result), .string("")])
        let action = try notes.nextCall()
        #expect(action.member == "ActivateAction" && action.arguments[0].text == "open-note")
        #expect(action.arguments[2].members?["activation-token"] == .string("token-1"))
        let parameter = try #require(action.parameter)
        #expect(parameter["activityType"] == .string("switchboard.item"))
        #expect(parameter["identifier"] == .string("a/1"))
        #expect(parameter["userInfo"]?.members == ["identifier": .string("a/1")])
        #expect(try shell.nextReply() == .reply)

        // The command line opens the same.
        let run = try bus.start(["open", "switchboard://item/org.example.Notes%3Aa%2F1"])
        #expect(try notes.nextCall().parameter?["identifier"] == .string("a/1"))
        #expect(run.wait().status == 0)

        // So does the terminal interface.
        let terminal = try TmuxTerminal(
            bus.bench, environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address, "DISPLAY": ":99"])
        try terminal.start()
        try terminal.type("zebra")
        terminal.awaitText("Zebra crossing")
        try terminal.press("Enter")
        #expect(try notes.nextCall().parameter?["identifier"] == .string("a/1"))
        terminal.awaitText("opened in \(Self.notes)")
        #expect(try bus.opened().count == 1, "only the page was opened by a handler of URLs")

        try notes.index("RemoveOwner", Self.notes)
        try notes.index("RemoveOwner", Self.notes)
        try shell.post(choosing: result)
        #expect(try shell.nextReply() == .reply)
        #expect(try bus.opened().count == 2)
    }

    @Test("An activity comes back with its state")
    func activities() throws {
        let bus = try SessionBus(try Bench())
        let notes = try bus.connection()
        #expect(try notes.requestName(Self.notes))
        try notes.index("SetOwner", Self.notes, .dictionary(["action": .string("continue")]))
        let activity = """
            {"activityType": "org.example.Notes.writing", "title": "Draft about quince", "persistentIdentifier": "draft",
             "userInfo": {"line": 12, "isNew": true, "at": {"$date": "2026-12-01T14:30:00Z"}, "tags": ["a", 1]},
             "requiredUserInfoKeys": ["line"], "contentAttributeSet": {"relatedUniqueIdentifier": "n1"}}
            """
        #expect(try notes.index("BeginActivity", Self.notes, .string(activity)) == [.string("draft")])
        #expect(try bus.bench.run("activity", "current", "--json").json().string("id") == "org.example.Notes:draft")
        let shell = try bus.connection()
        let result = try #require(try shell.shellResults("quince").first)
        #expect(result.contains("draft"))
        try shell.post(choosing: result)
        let parameter = try #require(try notes.nextCall().parameter)
        #expect(parameter["activityType"] == .string("org.example.Notes.writing"))
        #expect(parameter["identifier"] == nil, "the item that it is about does not exist")
        #expect(
            parameter["userInfo"]?.members == [
                "line": .double(12), "isNew": .bool(true), "at": .string("2026-12-01T14:30:00Z"),
                "tags": .array([.variant(.string("a")), .variant(.double(1))], of: "v"),
            ])
        #expect(try shell.nextReply() == .reply)

        try notes.index("EndActivity", Self.notes)
        #expect(try bus.bench.run("activity", "current").status == 1)
        let error = #expect(throws: DBusError.self) {
            try notes.index("BeginActivity", Self.notes, .string(#"{"title": "x"}"#))
        }
        #expect(error?.name == "org.switchboard.Error.malformedInput")
        #expect(throws: DBusError.self) { try notes.index("DeleteActivities", Self.notes, .strings(["other"])) }
        try notes.index("DeleteActivities", Self.notes, .strings(["draft"]))
        #expect(try !shell.shellResults("quince").contains { $0.contains("draft") })
    }

    @Test("An owner that is not on the bus is started by its desktop entry, else its URL is opened, else the page")
    func fallbacks() throws {
        let bus = try SessionBus(try Bench())
        let bench = bus.bench
        let items = """
            {"id": "1", "domain": "notes.work", "title": "Zebra", "url": "https://example.org/z"}
            {"id": "2", "domain": "notes", "title": "Okapi"}
            """
        #expect(try bench.run("index", "put", "-", input: items).status == 0)
        func open(_ id: String) throws -> [String] {
            _ = try? FileManager.default.removeItem(atPath: bench.path("opened"))
            #expect(try bus.start(["open", "switchboard://item/\(id)"]).wait().status == 0)
            return try bus.opened()
        }
        #expect(try bench.run("index", "owners", "set", "notes", "org.example.Notes", "--action", "open").status == 0)
        #expect(try open("1") == ["https://example.org/z "])
        #expect(try open("2") == ["switchboard://item/2 "])

        #expect(try bench.run("index", "owners", "set", "notes", "notes", "--url", "notes://open?id={id}").status == 0)
        #expect(try open("1") == ["notes://open?id=1 "])
        let program = try bench.script("bin/notes", "echo \"notes $1\" >> \(bench.path("opened"))")
        try FileManager.default.createDirectory(
            atPath: bench.path(".local/share/applications"), withIntermediateDirectories: true)
        _ = try bench.file(
            ".local/share/applications/notes.desktop",
            "[Desktop Entry]\nType=Application\nName=Notes\nExec=\(program) %u\n")
        _ = try open("2")
        // The desktop starts the program, which may take a moment.
        try eventually("the program opens the URL") { try bus.opened().contains("notes notes://open?id=2") }

        // The nearest domain decides.
        #expect(try bench.run("index", "owners", "set", "notes.work", "work.desktop", "--url", "work:{id}").status == 0)
        #expect(try open("1") == ["work:1 "])
        #expect(
            try bench.run("index", "owners", "list", "--json").json().objects("results").map {
                [try $0.string("domain"), try $0.string("application"), try $0.string("url")]
            } == [["notes", "notes", "notes://open?id={id}"], ["notes.work", "work", "work:{id}"]])
        #expect(try bench.run("activity", "continue", "1").output == "work:1\n")
        #expect(try bench.run("index", "owners", "remove", "notes.work").status == 0)
        #expect(try bench.run("index", "owners", "remove", "notes.work").status == 1)
        // Without a desktop, the address is printed.
        #expect(try bench.run("open", "switchboard://item/1").output == "notes://open?id=1\n")
    }

    @Test("A malformed owner is refused with a reason, and only for the caller's application")
    func refusals() throws {
        let bus = try SessionBus(try Bench())
        let notes = try bus.connection()
        #expect(try notes.requestName(Self.notes))
        for (options, name) in [
            (["url": .string("notes://open/")], "org.switchboard.Error.invalidOwner"),
            (["url": .string("{id}:x")], "org.switchboard.Error.invalidOwner"),
            (["action": .string("open note")], "org.switchboard.Error.invalidOwner"),
            (["application": .string("org.example.Mail")], "org.freedesktop.DBus.Error.InvalidArgs"),
            (["url": .uint32(1)], "org.freedesktop.DBus.Error.InvalidArgs"),
        ] as [([String: DBusValue], String)] {
            let error = #expect(throws: DBusError.self) {
                try notes.index("SetOwner", Self.notes, .dictionary(options))
            }
            #expect(error?.name == name)
        }
        for application in ["org.example.Mail", ""] {
            let error = #expect(throws: DBusError.self, "\(application)") {
                try notes.index("SetOwner", application, .dictionary(["action": .string("open")]))
            }
            #expect(error?.name.isEmpty == false)
        }
        let refused = [
            ["notes", "org.example.Notes", "--url", "notes://open"], ["notes", "not a name"],
            ["", "org.example.Notes"],
            ["notes", "notes", "--action", "open"], ["notes", "org.example.Notes", "--url", "notes://{name}/{id}"],
        ]
        for arguments in refused {
            let run = try bus.bench.run(["index", "owners", "set"] + arguments)
            #expect(run.status == 64 && run.errorLines.count == 1, "\(arguments): \(run.errors)")
        }
        #expect(try bus.bench.run("index", "owners", "list").errors.contains("owners set"))
    }
}

extension DBusConnection {
    /// Calls the index for other programs.
    @discardableResult
    fileprivate func index(_ member: String, _ application: String, _ arguments: DBusValue...) throws -> [DBusValue] {
        try call(
            SessionBus.name, path: "/org/switchboard/Index", interface: "org.switchboard.Index1", member,
            [.string(application)] + arguments, timeout: .seconds(60))
    }

    /// Chooses a result in GNOME Shell without waiting for the reply.
    fileprivate func post(choosing result: String) throws {
        try post(
            SessionBus.name, path: "/org/switchboard/SearchProvider", interface: "org.gnome.Shell.SearchProvider2",
            "ActivateResult", [.string(result), .strings([]), .uint32(0)])
    }

    /// Waits for a call, accepts it and returns it.
    fileprivate func nextCall() throws -> DBusMessage {
        for _ in 0..<10 {
            guard let message = try next(waiting: .seconds(20)), let call = message.call else { continue }
            reply(to: call, [])
            return message
        }
        throw DBusError(name: "", text: "no call came")
    }

    /// Waits for the reply to a call that was posted, or its error.
    fileprivate func nextReply() throws -> DBusMessage.Kind? {
        for _ in 0..<10 {
            if let kind = try next(waiting: .seconds(20))?.kind, kind == .reply || kind == .error { return kind }
        }
        return nil
    }
}

extension DBusMessage {
    /// The parameter of an action.
    fileprivate var parameter: [String: DBusValue]? {
        guard member == "ActivateAction", case .array(let parameters, "v") = arguments[1], parameters.count == 1,
            case .variant(let parameter) = parameters[0]
        else { return nil }
        return parameter.members
    }
}

extension SessionBus {
    /// Starts the command line on the bus.
    fileprivate func start(_ arguments: [String]) throws -> ChildProcess {
        try ChildProcess(
            arguments, of: Bench.program, environment: environment,
            streams: [.path("/dev/null"), .path("/dev/null"), .path(log)])
    }
}
