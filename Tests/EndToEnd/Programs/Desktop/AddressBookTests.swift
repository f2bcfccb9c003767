import Foundation
import Glibc
import SwitchboardDBus
import SwitchboardTestFixtures
import SwitchboardTestSupport
import Testing

@Suite(
    "The address books of the desktop",
    .enabled(if: AddressBook.isInstalled, "needs evolution-data-server; run Scripts/prepare --optional"),
    .timeLimit(.minutes(3)))
struct AddressBookTests {
    private let bench: Bench
    private let bus: SessionBus
    private let book: AddressBook

    init() throws {
        bench = try Bench()
        bus = try SessionBus(bench)
        book = try AddressBook(on: bus)
    }

    private func run(_ arguments: String...) throws -> RunResult {
        try bench.run(arguments, environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
    }

    private func allow() throws { #expect(try run("access", "grant", "contacts").status == 0) }

    private func id(of name: String) throws -> String {
        try #require(try run("contacts", "find", name, "--json").json().objects("results").ids().first)
    }

    @Test("Exits with 77 without access")
    func consent() throws {
        try book.create("UID:u1", "FN:Ana Smith")
        let refused = try run("contacts", "link", "gnome")
        #expect(refused.status == 77 && refused.errors.contains("access grant contacts"))
        #expect(try run("access", "deny", "contacts").status == 0)
        #expect(try run("contacts", "link", "gnome").status == 77)
        #expect(try run("contacts", "links", "--json").output == "{\"results\": []}\n")
        try allow()
        #expect(try run("contacts", "link", "gnome").status == 0)
        #expect(try run("contacts", "count").output == "1\n")
        #expect(try run("access", "deny", "contacts").status == 0)
        #expect(try run("contacts", "sync", "gnome").status == 77)
        #expect(try run("contacts", "unlink", "gnome").output.contains("gnome:system-address-book"))
        #expect(try run("contacts", "count").output == "1\n")
    }

    @Test("Reads the cards, follows their changes and writes edits back")
    func bothWays() throws {
        try allow()
        try book.create("UID:u1", "FN:Ana Smith", "N:Smith;Ana;;;", "TEL;TYPE=CELL:+447700900123", "X-KEPT;A=b:c")
        try book.create(
            "UID:l1", "FN:Friends", "X-EVOLUTION-LIST:TRUE", "EMAIL;X-EVOLUTION-DEST-NAME=Ana:a@example.org")
        let linked = try run("contacts", "link", "gnome", "--json").json()
        #expect(try linked.integer("added") == 1, "a list is no contact")
        let links = try run("contacts", "links", "--json").json().objects("results")
        #expect(try links.map { try $0.string("path") } == ["gnome:system-address-book"])

        let ana = try id(of: "ana")
        #expect(try run("contacts", "edit", ana, "--organization", "Initech").status == 0)
        #expect(try run("contacts", "add", "--name", "Bo Jones").status == 0)
        #expect(try run("contacts", "sync", "gnome", "--json").json().integer("written") == 2)
        var cards = try book.cards()
        #expect(cards.count == 3)
        #expect(cards["u1"]?.contains("\r\nORG:Initech\r\n") == true)
        #expect(cards["u1"]?.contains("\r\nX-KEPT;A=b:c\r\n") == true)
        #expect(cards.values.contains { $0.contains("\r\nFN:Bo Jones\r\n") })
        let idle = try run("contacts", "sync", "--json").json()
        for count in ["added", "updated", "removed", "written", "deleted"] { #expect(try idle.integer(count) == 0) }
        #expect(try idle.integer("unchanged") == 2)
        #expect(try book.cards() == cards)

        try book.modify("UID:u1", "FN:Ana Smith", "N:Smith;Ana;;;", "ORG:Umbrella", "X-KEPT;A=b:c")
        #expect(try run("contacts", "sync", "--json").json().integer("updated") == 1)
        #expect(try run("contacts", "show", ana).output.contains("Umbrella"))

        #expect(try run("contacts", "edit", ana, "--organization", "Globex").status == 0)
        try book.modify("UID:u1", "FN:Ana Smith", "N:Smith;Ana;;;", "ORG:Hooli", "X-KEPT;A=b:c")
        #expect(try run("contacts", "sync", "--json").json().objects("conflicts").ids() == [ana])
        let merged = try #require(try book.cards()["u1"])
        #expect(merged.contains("ORG:Hooli") && merged.contains("Globex"))

        #expect(try run("contacts", "remove", ana).status == 0)
        #expect(try run("contacts", "sync", "--json").json().integer("deleted") == 1)
        cards = try book.cards()
        #expect(cards.count == 2 && cards["u1"] == nil)
        try book.remove(try #require(cards.keys.first { $0 != "l1" }))
        #expect(try run("contacts", "sync", "--json").json().integer("removed") == 1)
        #expect(try run("contacts", "count").output == "0\n")
    }

    @Test("A sync that was killed before it recorded its changes is repeated without duplicates")
    func killed() throws {
        try allow()
        for number in 1...3 { try book.create("UID:u\(number)", "FN:Person \(number)", "EMAIL:p\(number)@example.org") }
        #expect(try run("contacts", "link", "gnome").status == 0)
        #expect(try run("contacts", "edit", try id(of: "p1@example.org"), "--nickname", "One").status == 0)
        #expect(try run("contacts", "remove", try id(of: "p2@example.org")).status == 0)
        #expect(try run("contacts", "add", "--name", "Bo Jones").status == 0)
        try execute(
            """
            CREATE TRIGGER killed BEFORE INSERT ON contact_file
            WHEN EXISTS (SELECT 1 FROM contact_file_announced) BEGIN SELECT RAISE(ABORT, 'killed'); END
            """)
        #expect(try run("contacts", "sync").status != 0)
        let cards = try book.cards()
        #expect(cards.count == 3 && cards["u1"]?.contains("NICKNAME:One") == true && cards["u2"] == nil)
        try execute("DROP TRIGGER killed")
        let report = try run("contacts", "sync", "--json").json()
        #expect(try report.integer("added") == 0 && report.integer("deleted") == 0)
        #expect(try report.objects("conflicts").isEmpty)
        #expect(try run("contacts", "count").output == "3\n")
        #expect(try book.cards() == cards)
        #expect(try run("contacts", "sync", "--json").json().integer("unchanged") == 3)
    }

    /// Changes the database as no program of ours does.
    private func execute(_ statement: String) throws {
        let script = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute(sys.argv[2]); c.commit()"
        _ = try bus.run("/usr/bin/python3", ["-c", script, bench.database, statement])
    }

    @Test("--watch follows changes, also after the service was killed")
    func watching() throws {
        try allow()
        #expect(try run("contacts", "link", "gnome").status == 0)
        let watcher = try bench.start(
            "contacts", "sync", "--watch", "--json", environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
        func next() throws -> JSONObject { try JSONObject(line: #require(watcher.readLine())) }
        try book.create("UID:u1", "FN:Ana Smith", "EMAIL:ana@example.org")
        #expect(try next().integer("added") == 1)
        #expect(try run("contacts", "edit", try id(of: "ana"), "--nickname", "Annie").status == 0)
        #expect(try next().integer("written") == 1)
        #expect(try book.cards()["u1"]?.contains("NICKNAME:Annie") == true)

        try book.killService()
        let restarted = try AddressBook(on: bus)
        try restarted.create("UID:u2", "FN:Bo Jones")
        #expect(try next().integer("added") == 1)
        watcher.child.send(SIGTERM)
        let result = watcher.finish()
        #expect(result.status == 0, "\(result.errors)")
    }
}

@Suite("Without the address books of the desktop", .enabled(if: SessionBus.isInstalled))
struct MissingAddressBookTests {
    @Test("One line names what is missing and the remedy", arguments: [true, false])
    func missing(hasBus: Bool) throws {
        let bench = try Bench()
        let bus = try SessionBus(bench)
        #expect(try bench.run("access", "grant", "contacts").status == 0)
        let environment = hasBus ? ["DBUS_SESSION_BUS_ADDRESS": bus.address] : [:]
        let run = try bench.run("contacts", "link", "gnome", environment: environment)
        #expect(run.status == 69 && run.errorLines.count == 1, "\(run.errors)")
        #expect(run.errors.contains(hasBus ? "evolution-data-server" : "desktop session"))
        #expect(try bench.run("contacts", "links", "--json").output == "{\"results\": []}\n")
    }
}

/// The local address book of the real service, as GNOME Contacts uses it.
private final class AddressBook {
    private static let services = [
        "org.gnome.evolution.dataserver.Sources5", "org.gnome.evolution.dataserver.AddressBook10",
    ].map { "/usr/share/dbus-1/services/\($0).service" }

    static var isInstalled: Bool {
        SessionBus.isInstalled && services.allSatisfy { FileManager.default.fileExists(atPath: $0) }
    }

    private let bus: DBusConnection
    private let path: String

    init(on session: SessionBus) throws {
        bus = try session.connection()
        for service in Self.services {
            _ = try session.bench.file(
                ".local/share/dbus-1/services/\(service.split(separator: "/").last ?? "")",
                try String(contentsOfFile: service, encoding: .utf8))
        }
        try bus.call(
            "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", "ReloadConfig")
        let opened = try bus.call(
            "org.gnome.evolution.dataserver.AddressBook10", path: "/org/gnome/evolution/dataserver/AddressBookFactory",
            interface: "org.gnome.evolution.dataserver.AddressBookFactory", "OpenAddressBook",
            [.string("system-address-book")], timeout: .seconds(60))
        path = try #require(opened.first?.text)
        try call("Open")
    }

    @discardableResult
    private func call(_ member: String, _ arguments: DBusValue...) throws -> [DBusValue] {
        try bus.call(
            "org.gnome.evolution.dataserver.AddressBook10", path: path,
            interface: "org.gnome.evolution.dataserver.AddressBook", member, arguments, timeout: .seconds(60))
    }

    private func card(_ lines: [String]) -> DBusValue {
        .strings([(["BEGIN:VCARD", "VERSION:3.0"] + lines + ["END:VCARD"]).joined(separator: "\r\n")])
    }

    func create(_ lines: String...) throws { try call("CreateContacts", card(lines), .uint32(0)) }

    func modify(_ lines: String...) throws { try call("ModifyContacts", card(lines), .uint32(0)) }

    func remove(_ id: String) throws { try call("RemoveContacts", .strings([id]), .uint32(0)) }

    /// The cards by UID.
    func cards() throws -> [String: String] {
        let all = try #require(
            try call("GetContactList", .string("(contains \"x-evolution-any-field\" \"\")")).first?.texts)
        return Dictionary(
            uniqueKeysWithValues: try all.map { card in
                (String(try #require(card.firstMatch(of: /\r\nUID:(.*?)\r\n/)).1), card)
            })
    }

    /// Kills the service, and waits until the bus delivers no more calls to it.
    func killService() throws {
        let killed = try process()
        kill(killed, SIGKILL)
        // The program under test may start the next one at once.
        try eventually("the bus knows that the service has ended") { (try? process()) != killed }
    }

    private func process() throws -> pid_t {
        pid_t(try bus.process(of: "org.gnome.evolution.dataserver.AddressBook10"))
    }
}
