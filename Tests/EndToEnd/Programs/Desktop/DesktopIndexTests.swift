import Foundation
import Glibc
import SwitchboardDBus
import Testing

@Suite("Items over D-Bus", .enabled(if: SessionBus.isInstalled), .timeLimit(.minutes(2)))
struct DesktopIndexTests {
    private static let examples = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../../Examples/DesktopIndex").standardized.path

    @Test("An application has items of its own, which every front end finds")
    func confinement() throws {
        let bus = try SessionBus(try Bench())
        let (notes, mail) = (try bus.connection(), try bus.connection())
        #expect(try notes.requestName("org.example.Notes"))
        #expect(try mail.requestName("org.example.Mail"))
        let item = #"{"id": "1", "domain": "work", "title": "Zebra crossing"}"#
        #expect(try notes.index("Put", "org.example.Notes", .string(item), .dictionary([:])).first == .uint32(1))
        #expect(try mail.index("Put", "org.example.Mail", .string(item), .dictionary([:])).first == .uint32(1))
        let update = #"{"id": "1", "isUpdate": true, "title": "Zebra finch"}"#
        #expect(try mail.index("Put", "org.example.Mail", .string(update), .dictionary([:]))[1] == .uint32(1))

        #expect(try notes.indexTitles("org.example.Notes", "zebra") == ["1": "Zebra crossing"])
        #expect(try mail.indexTitles("org.example.Mail", "zebra") == ["1": "Zebra finch"])
        let rows = try bus.bench.run("find", "zebra", "--json").json().objects("results")
        #expect(Set(try rows.map { try $0.string("id") }) == ["org.example.Notes:1", "org.example.Mail:1"])
        #expect(
            Set(try rows.map { try $0.object("item").string("domain") }) == [
                "org.example.Notes.work", "org.example.Mail.work",
            ])
        #expect(try notes.shellResults("zebra crossing").first == "switchboard://item/org.example.Notes%3A1")

        // Neither can use the name of the other, nor one that nothing has.
        for name in ["org.example.Mail", "org.example.Absent", "org.example", "x", "not a name"] {
            for (member, arguments) in [
                ("Put", [.string(item), .dictionary([:])]), ("Delete", [.strings(["1"])]),
                ("DeleteDomain", [.string("")]), ("GetClientState", []), ("Search", [.string("zebra"), .uint32(0)]),
            ] as [(String, [DBusValue])] {
                #expect(throws: DBusError.self, "\(name) \(member)") {
                    try notes.index(member, name, arguments)
                }
            }
        }
        #expect(throws: DBusError.self) { try notes.index("Delete", "org.example.Notes", .strings(["1", "2"])) }
        #expect(try notes.index("DeleteDomain", "org.example.Notes", .string("play")) == [.uint32(0)])
        #expect(try notes.index("DeleteDomain", "org.example.Notes", .string("")) == [.uint32(1)])
        #expect(try notes.indexTitles("org.example.Notes", "zebra") == [:])
        #expect(try mail.indexTitles("org.example.Mail", "zebra") == ["1": "Zebra finch"])
        #expect(try mail.index("Delete", "org.example.Mail", .strings(["1"])) == [])
        #expect(try bus.bench.run("find", "zebra", "--kind", "item").status == 1)
    }

    @Test("A batch has a client state for each application; what is refused changes nothing")
    func batches() throws {
        let bus = try SessionBus(try Bench())
        let (notes, mail) = (try bus.connection(), try bus.connection())
        #expect(try notes.requestName("org.example.Notes"))
        #expect(try mail.requestName("org.example.Mail"))
        func put(_ items: String, _ options: [String: DBusValue]) throws -> [DBusValue] {
            try notes.index("Put", "org.example.Notes", .string(items), .dictionary(options))
        }
        let first = #"[{"id": "1", "title": "Quince"}, {"id": "2", "title": "Quince jam"}]"#
        #expect(
            try put(first, ["client-state": .string("v1"), "expected-state": .string("")])
                == [.uint32(2), .uint32(0), .string("v1")])
        #expect(try mail.index("GetClientState", "org.example.Mail") == [.string("")])
        #expect(try notes.index("GetClientState", "org.example.Notes") == [.string("v1")])

        let refused: [(String, [String: DBusValue], String)] = [
            (#"{"id": "3", "title": "Quince pie"}"#, ["expected-state": .string("v0")], "mismatchedClientState"),
            ("[{\"id\": \"3\", \"title\": \"Quince pie\"},\n{\"id\": \"4\", \"titel\": \"x\"}]", [:], "malformedInput"),
            (#"{"id": "9", "isUpdate": true, "title": "x"}"#, [:], "malformedInput"),
            ("not JSON", [:], "malformedInput"),
            (first, ["client-state": .string(String(repeating: "s", count: 251))], "invalidClientState"),
        ]
        for (items, options, code) in refused {
            #expect {
                try put(items, options)
            } throws: {
                ($0 as? DBusError)?.name == "org.switchboard.Error.\(code)"
            }
        }
        #expect {
            try put("[{\"id\": \"3\", \"title\": \"x\"},\n{\"id\": \"4\", \"titel\": \"x\"}]", [:])
        } throws: {
            let text = ($0 as? DBusError)?.text ?? ""
            return text.contains("“4”") && text.contains("titel")
        }
        for options in [["state": DBusValue.string("v2")], ["client-state": .uint32(2)]] {
            #expect {
                try put(first, options)
            } throws: {
                ($0 as? DBusError)?.name == "org.freedesktop.DBus.Error.InvalidArgs"
            }
        }
        #expect(try notes.index("GetClientState", "org.example.Notes") == [.string("v1")])
        #expect(try notes.indexTitles("org.example.Notes", "quince") == ["1": "Quince", "2": "Quince jam"])
        // Without items, the state would be wrong.
        #expect(try notes.index("DeleteDomain", "org.example.Notes", .string("")) == [.uint32(2)])
        #expect(try notes.index("GetClientState", "org.example.Notes") == [.string("")])
    }

    @Test("A program without a name shares the domain of scripts")
    func scripts() throws {
        let bus = try SessionBus(try Bench())
        let connection = try bus.connection()
        let item = #"{"id": "1", "title": "Walrus"}"#
        #expect(try connection.index("Put", "", .string(item), .dictionary([:])).first == .uint32(1))
        #expect(try bus.connection().indexTitles("", "walrus") == ["1": "Walrus"])
        #expect(try bus.bench.run("index", "get", "scripts:1").status == 0)
    }

    @Test(
        "The Python example puts, finds, follows and removes notes",
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/dbus")))
    func python() throws {
        let bus = try SessionBus(try Bench())
        func notes(_ arguments: String...) throws -> String {
            try bus.run("/usr/bin/python3", [Self.examples + "/notes.py"] + arguments)
        }
        #expect(try notes("add", "bread", "Buy", "bread") == "indexed 1, updated 0\n")
        #expect(try notes("find", "bred") == "bread Buy bread\n")
        #expect(try bus.bench.run("find", "buy bread").output.contains("Buy bread"))
        #expect(try notes("remove", "bread") == "")
        #expect(try notes("find", "bread") == "")
        let file = try bus.bench.file("notes.txt", "Water the ferns\nCall the bank\n")
        #expect(try notes("sync", file) == "indexed 2, updated 0\n")
        #expect(try notes("sync", file) == "unchanged\n")
        #expect(try notes("find", "ferns") == "line-0 Water the ferns\n")
    }

    @Test(
        "The shell example puts a page, which the desktop's search opens",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/jq")))
    func shell() throws {
        let bus = try SessionBus(try Bench())
        let address = "https://example.org/ferns?a=1&b=2"
        let output = try bus.run("/bin/sh", [Self.examples + "/bookmark.sh", address, "All about “ferns”"])
        #expect(output == "(uint32 1, uint32 0, '')\n")
        let connection = try bus.connection()
        let id = try #require(try connection.shellResults("about ferns").first)
        _ = try connection.shell("ActivateResult", .string(id), .strings(["ferns"]), .uint32(0))
        #expect(try bus.opened() == [address + " "])
    }

    @Test("The identifier of a Flatpak is read from its description")
    func flatpak() {
        let info =
            "[Application]\nname=org.example.Notes\nruntime=runtime/org.gnome.Platform\n\n[Instance]\nname=other\n"
        #expect(Flatpak.application(info: info) == "org.example.Notes")
        #expect(Flatpak.application(info: "[Instance]\nname=other\n") == "")
        #expect(Flatpak.application(info: "") == "")
        #expect(Flatpak.application(ofProcess: getpid()) == nil)
    }
}

extension DBusConnection {
    /// Calls the index for other programs.
    fileprivate func index(
        _ member: String, _ application: String, _ arguments: DBusValue...
    ) throws -> [DBusValue] {
        try index(member, application, arguments)
    }

    fileprivate func index(_ member: String, _ application: String, _ arguments: [DBusValue]) throws -> [DBusValue] {
        try call(
            SessionBus.name, path: "/org/switchboard/Index", interface: "org.switchboard.Index1", member,
            [.string(application)] + arguments, timeout: .seconds(60))
    }

    /// Returns the titles of the items that an application finds, by identifier.
    fileprivate func indexTitles(_ application: String, _ text: String) throws -> [String: String] {
        let json = try index("Search", application, .string(text), .uint32(0)).first?.text ?? ""
        let rows = try JSONObject(line: json).objects("results")
        return Dictionary(try rows.map { (try $0.string("id"), try $0.string("title")) }) { first, _ in first }
    }
}
