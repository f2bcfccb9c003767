import Foundation
import Glibc
import SwitchboardDBus
import SwitchboardTestSupport
import Testing

@Suite("The desktop's search", .enabled(if: SessionBus.isInstalled), .timeLimit(.minutes(2)))
struct DesktopSearchTests {
    private static let queries = ["rio", "an", "groskruetz", "frankfrut", "ana sou", "zzzzqq", "+49 171", "Zoë"]

    @Test("GNOME Shell and KRunner find what the command line finds, in the same order")
    func order() throws {
        let bus = try SessionBus(try Bench.withSample())
        #expect(try bus.bench.run("index", "put", "-", input: Self.items).status == 0)
        let connection = try bus.connection()
        for query in Self.queries {
            let found = try bus.found(query)
            #expect(try connection.shellResults(query) == found, "\(query)")
            #expect(try connection.runnerMatches(query).map(\.id) == found, "\(query)")
            let terms = DBusValue.strings(query.split(separator: " ").map(String.init))
            #expect(
                try connection.shell("GetSubsearchResultSet", .strings([]), terms).first?.texts == found, "\(query)")
        }
        #expect(try connection.shellResults("") == [])
        #expect(try connection.shellResults("   ") == [])
    }

    private static let items = """
        [{"id": "river rio/1", "title": "Rio Negro", "url": "https://example.org/negro"},
         {"id": "diary", "title": "Diary of a river", "contentDescription": "From Rio to Manaus"}]
        """

    @Test("Results have a name, a description, a text to copy and a photo")
    func metas() throws {
        let bus = try SessionBus(try Bench())
        let bench = bus.bench
        let ana = try bench.run(
            "contacts", "add", "--name", "Ana Sousa", "--phone", "+351 910 000 111", "--email", "ana@example.org",
            "--organization", "Rivers", "--json"
        ).json().string("id")
        // One gray pixel.
        let picture = try #require(
            Data(
                base64Encoded: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNo"
                    + "AAAAggCBd81ytgAAAABJRU5ErkJggg=="))
        #expect(try bench.run("contacts", "photo", ana, try bench.file("ana.png", picture)).status == 0)
        #expect(try bench.run("index", "put", "-", input: Self.items).status == 0)
        let connection = try bus.connection()
        let ids = [
            "switchboard://contact/\(ana)", "switchboard://airport/LHR", "switchboard://item/river%20rio%2F1",
            "switchboard://contact/gone", "no link",
        ]
        guard case .array(let values, "a{sv}")? = try connection.shell("GetResultMetas", .strings(ids)).first else {
            Issue.record("no descriptions")
            return
        }
        let metas = values.compactMap(\.members)
        #expect(metas.map { $0["id"] } == ids.map { .string($0) })
        #expect(metas[0]["name"] == .string("Ana Sousa"))
        #expect(metas[0]["description"] == .string("Rivers"))
        #expect(metas[0]["clipboardText"] == .string("+351910000111"))
        #expect(metas[0]["icon"] == .structure([.string("bytes"), .variant(.bytes([UInt8](picture)))]))
        #expect(metas[1]["description"] == .string("LHR · London, United Kingdom"))
        #expect(metas[1]["clipboardText"] == .string("LHR"))
        #expect(metas[1]["icon"] == .structure([.string("themed"), .variant(.strings(["mark-location"]))]))
        #expect(metas[2]["clipboardText"] == .string("https://example.org/negro"))
        // The shell expects as many descriptions as identifiers.
        #expect(metas[3] == ["id": .string(ids[3]), "name": .string(ids[3])])
        #expect(metas[4]["name"] == .string("no link"))

        let match = try #require(try connection.runnerMatches("ana sousa").first)
        #expect(match.properties["actions"]?.texts == ["call", "mail"])
        #expect(match.properties["subtext"] == .string("Rivers"))
        // KRunner loads pictures from files.
        let icon = try #require(match.icon)
        #expect(try Data(contentsOf: URL(fileURLWithPath: icon)) == picture)
        #expect(try connection.runnerMatches("ana sousa").first?.icon == icon)
        #expect(try connection.runnerMatches("frankfurt").first?.icon == "mark-location")
    }

    @Test("Choosing a result opens it and is learnt; an item opens its page")
    func activation() throws {
        let bus = try SessionBus(try Bench.withSample())
        #expect(try bus.bench.run("index", "put", "-", input: Self.items).status == 0)
        let connection = try bus.connection()
        let results = try connection.shellResults("rio")
        let second = try #require(results.dropFirst().first)
        _ = try connection.shell("ActivateResult", .string(second), .strings(["rio"]), .uint32(7))
        _ = try connection.shell("LaunchSearch", .strings(["rio", "grande"]), .uint32(7))
        let item = "switchboard://item/river%20rio%2F1"
        _ = try connection.runner("Match", .string("negro"))
        _ = try connection.runner("SetActivationToken", .string("token-1"))
        _ = try connection.runner("Run", .string(item), .string(""))
        // A token is for one program only.
        let person = try #require(try bus.found("hugo castano").first)
        _ = try connection.runner("Run", .string(person), .string("call"))
        _ = try connection.runner("Run", .string(person), .string("mail"))
        let hugo = try bus.bench.run("find", "hugo castano", "--json").json().objects("results")[0].object("contact")
        let (phone, mail) = (try hugo.objects("phones")[0], try hugo.objects("emails")[0])
        #expect(
            try bus.opened() == [
                second + " ", "switchboard://find/rio%20grande ", "https://example.org/negro token-1",
                "tel:\(try phone.string("e164")) ", "mailto:\(try mail.string("address")) ",
            ])
        // Chosen results come first the next time, in every front end.
        #expect(try connection.shellResults("rio").first == second)
        #expect(try bus.found("rio").first == second)
        #expect(try bus.found("negro").first == item)
    }

    @Test("Hidden kinds are neither found nor described; a damaged settings file hides everything")
    func settings() throws {
        let bus = try SessionBus(try Bench.withSample())
        let connection = try bus.connection()
        let contact = try #require(try connection.shellResults("groskruetz").first { $0.contains("/contact/") })
        let hidden = try bus.bench.run("desktop", "disable", "--kinds", "contact,prospect", "--json").json()
        #expect(try hidden.objects("results").map { try $0.boolean("shown") } == [false, false, true, true])
        #expect(try !connection.shellResults("groskruetz").contains { $0.contains("/contact/") })
        #expect(try connection.runnerMatches("groskruetz").allSatisfy { !$0.id.contains("/contact/") })
        guard case .array(let metas, _)? = try connection.shell("GetResultMetas", .strings([contact])).first else {
            Issue.record("no description")
            return
        }
        #expect(metas.compactMap(\.members) == [["id": .string(contact), "name": .string(contact)]])
        #expect(throws: DBusError.self) { try connection.runner("Run", .string(contact), .string("")) }
        #expect(try bus.opened() == [])

        #expect(try bus.bench.run("desktop", "enable", "--kinds", "contacts").status == 0)
        #expect(try connection.shellResults("groskruetz").first == contact)
        #expect(try bus.bench.run("desktop", "disable").status == 0)
        #expect(try connection.shellResults("rio") == [])
        #expect(try bus.bench.run("desktop", "enable").status == 0)
        #expect(try connection.shellResults("groskruetz").first == contact)

        #expect(try bus.bench.run("desktop", "enable", "--kinds", "secrets").status == 64)
        _ = try bus.bench.file(".config/switchboard/desktop.conf", "# Shown\r\n\r\nshow = airport , item\r\n")
        #expect(try !connection.shellResults("groskruetz").contains { $0.contains("/contact/") })
        #expect(try connection.shellResults("heathrow") == ["switchboard://airport/LHR"])
        _ = try bus.bench.file(".config/switchboard/desktop.conf", "show = contact, secrets\n")
        #expect {
            try connection.shellResults("groskruetz")
        } throws: {
            ($0 as? DBusError)?.name == "org.switchboard.Error.malformedInput"
        }
        #expect(try bus.bench.run("desktop", "status").status == 65)
    }

    @Test("Malformed calls get an error, and the service lives on")
    func malformedCalls() throws {
        let bus = try SessionBus(try Bench())
        let connection = try bus.connection()
        let (path, interface) = ("/org/switchboard/SearchProvider", "org.gnome.Shell.SearchProvider2")
        let nested = (0..<30).reduce(DBusValue.int32(1)) { value, _ in .variant(value) }
        let calls: [(String, String, String, [DBusValue], String)] = [
            (path, interface, "GetInitialResultSet", [], "InvalidArgs"),
            (path, interface, "GetInitialResultSet", [.string("rio")], "InvalidArgs"),
            (path, interface, "GetInitialResultSet", [.strings(["rio"]), .strings([])], "InvalidArgs"),
            (path, interface, "GetInitialResultSet", [nested], "InvalidArgs"),
            (path, interface, "GetResultMetas", [.array([.bytes([0xFF])], of: "ay")], "InvalidArgs"),
            (path, interface, "ActivateResult", [.string("x"), .strings([]), .int32(-1)], "InvalidArgs"),
            (path, interface, "Explode", [], "UnknownMethod"),
            (path, "org.example.Other", "GetResultMetas", [.strings([])], "UnknownInterface"),
            ("/org/switchboard/Elsewhere", interface, "GetResultMetas", [.strings([])], "UnknownObject"),
            ("/org/switchboard/Runner", "org.kde.krunner1", "Match", [.uint32(7)], "InvalidArgs"),
            ("/org/switchboard/Runner", "org.kde.krunner1", "Run", [.string("x"), .string("explode")], "InvalidArgs"),
            (path, "org.freedesktop.DBus.Properties", "Get", [.string(interface), .string("X")], "UnknownProperty"),
        ]
        for (path, interface, member, arguments, name) in calls {
            #expect {
                try connection.call(SessionBus.name, path: path, interface: interface, member, arguments)
            } throws: {
                ($0 as? DBusError)?.name == "org.freedesktop.DBus.Error.\(name)"
            }
        }
        #expect {
            try connection.runner("Run", .string("switchboard://airport/NOPE"), .string(""))
        } throws: {
            ($0 as? DBusError)?.name == "org.switchboard.Error.notFound"
        }
        // Long and strange texts are searches like others, or have a clear error.
        let words = (0..<1_000).map { "word\($0)" }
        #expect {
            try connection.shell("GetInitialResultSet", .strings(words))
        } throws: {
            ($0 as? DBusError)?.name == "org.switchboard.Error.tooManyWords"
        }
        #expect(try connection.shellResults(String(repeating: "a", count: 100_000)) == [])
        #expect(try connection.shellResults("\u{1F9ED} \u{202E} \u{7}") == [])
        let ids = (0..<10_000).map { "switchboard://contact/\($0)" }
        guard case .array(let metas, _)? = try connection.shell("GetResultMetas", .strings(ids)).first else {
            Issue.record("no descriptions")
            return
        }
        #expect(metas.count == ids.count)
        #expect(try connection.shellResults("heathrow").first == "switchboard://airport/LHR")
    }

    @Test("A newer search cancels the ones before; each call gets one reply")
    func superseded() throws {
        let bus = try SessionBus(try Bench.withSample())
        let connection = try bus.connection()
        let letters = Array("rio grande do sul")
        let count = 200
        for number in 0..<count {
            try connection.post(
                SessionBus.name, path: "/org/switchboard/Runner", interface: "org.kde.krunner1", "Match",
                [.string(String(letters[0...number % letters.count]))])
        }
        var kinds: [DBusMessage.Kind] = []
        while kinds.count < count, let message = try connection.next(waiting: .seconds(60)) {
            if message.kind == .reply || message.kind == .error { kinds.append(message.kind) }
        }
        #expect(kinds.count == count)
        #expect(kinds.last == .reply, "the last search is answered")
        #expect(kinds.contains(.error), "earlier ones are cancelled")
        #expect(try connection.runnerMatches("rio").map(\.id) == bus.found("rio"))
    }

    @Test("The service ends when it is idle; the bus starts it again, also after it was killed")
    func lifetime() throws {
        let bus = try SessionBus(try Bench(), options: " --idle 1")
        let connection = try bus.connection()
        let heathrow = ["switchboard://airport/LHR"]
        #expect(try connection.shellResults("heathrow") == heathrow)
        let first = try connection.serviceProcess()
        try eventually("the service ends") { kill(pid_t(first), 0) != 0 }
        #expect(throws: DBusError.self) { try connection.serviceProcess() }
        #expect(try connection.shellResults("heathrow") == heathrow)
        let second = try connection.serviceProcess()
        #expect(second != first)

        // Calls in flight are lost with a killed service, but not later ones.
        for _ in 0..<50 {
            try connection.post(
                SessionBus.name, path: "/org/switchboard/Runner", interface: "org.kde.krunner1", "Match",
                [.string("rio")])
        }
        kill(pid_t(second), SIGKILL)
        try eventually("the bus knows that the service has ended") { (try? connection.serviceProcess()) != second }
        #expect(try bus.connection().shellResults("heathrow") == heathrow)
        #expect(try bus.bench.run("database", "check").status == 0)
    }

    @Test("A second process does not take the name; without a bus the program says so")
    func secondProcess() throws {
        let bus = try SessionBus(try Bench())
        _ = try bus.connection().shellResults("heathrow")
        let errors = try bus.bench.file("errors", "")
        func run(_ arguments: [String], address: String) throws -> (status: Int32?, errors: String) {
            var variables = bus.environment
            variables["DBUS_SESSION_BUS_ADDRESS"] = address
            let ending = try ChildProcess(
                arguments, of: SessionBus.program, environment: variables,
                streams: [.path("/dev/null"), .path("/dev/null"), .path(errors)]
            ).wait()
            return (ending.status, try String(contentsOfFile: errors, encoding: .utf8))
        }
        let second = try run([], address: bus.address)
        #expect(second.status == 75)
        #expect(second.errors.contains("another process already serves org.switchboard.Switchboard"))
        #expect(try run([], address: "unix:path=/nowhere").status == 69)
        #expect(try run(["--idle", "0"], address: bus.address).status == 64)
    }

    @Test("Two sessions share one database")
    func twoSessions() throws {
        let bench = try Bench.withSample()
        let buses = [try SessionBus(bench), try SessionBus(bench, socket: "other")]
        let connections = try buses.map { try $0.connection() }
        for number in 0..<10 {
            let added = try bench.run("contacts", "add", "--name", "Quentin Zweig \(number)", "--json")
            let id = "switchboard://contact/\(try added.json().string("id"))"
            for connection in connections {
                #expect(try connection.shellResults("quentin zweig \(number)").first == id)
            }
            _ = try connections[number % 2].shell(
                "ActivateResult", .string(id), .strings(["quentin"]), .uint32(0))
            #expect(try connections[(number + 1) % 2].shellResults("quentin").first == id)
        }
    }

    @Test("gdbus sees the interfaces and calls them")
    func introspection() throws {
        let bus = try SessionBus(try Bench())
        let seen = try bus.gdbus("introspect", "--session", "-d", SessionBus.name, "-o", "/", "--recurse").output
        for line in [
            "interface org.gnome.Shell.SearchProvider2 {", "GetInitialResultSet(in  as terms,",
            "interface org.kde.krunner1 {", "out a(sssuda{sv}) matches);",
        ] {
            #expect(seen.contains(line), "\(line)")
        }
        let called = try bus.gdbus(
            "call", "--session", "-d", SessionBus.name, "-o", "/org/switchboard/SearchProvider", "-m",
            "org.gnome.Shell.SearchProvider2.GetInitialResultSet", "['frankfrut']")
        #expect(called.output.hasPrefix("(['switchboard://airport/FRA'"), "\(called.errors)")
    }
}
