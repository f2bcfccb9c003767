import Foundation
import SwitchboardStorage
import SwitchboardTestSupport
import Testing

@testable import SwitchboardReminders

/// Returns an object with a VTODO, as a client writes it.
private func object(_ uid: String, _ lines: [String], around outer: [String] = []) -> [UInt8] {
    let head = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Client//EN"] + outer
    let all = head + ["BEGIN:VTODO", "UID:" + uid] + lines + ["END:VTODO", "END:VCALENDAR"]
    return Array((all.joined(separator: "\r\n") + "\r\n").utf8)
}

private func time(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

extension ReminderTasks {
    fileprivate func text(_ name: String) throws -> String {
        String(decoding: try #require(try task(name)).bytes, as: UTF8.self)
    }

    @discardableResult
    fileprivate func write(_ reminder: Reminder, _ lines: [String], around outer: [String] = []) throws -> Effect {
        try write(object(reminder.id + "@switchboard", lines, around: outer), as: reminder.id + ".ics") { _ in true }
            .effect
    }
}

@Suite("Reminders as tasks") struct ReminderTasksTests {
    private let clock = TestClock()
    private let reminders: Reminders
    private let tasks: ReminderTasks

    init() throws {
        reminders = try emptyReminders(clock: clock)
        tasks = ReminderTasks(reminders: reminders)
    }

    private func deliver() async throws {
        let runner = ReminderRunner(reminders: reminders, delivery: ReminderDelivery("test") { _, _ in nil })
        try await runner.runOnce { _ in }
    }

    @Test("A task follows from its reminder, and delivering it does not change it")
    func generated() async throws {
        let ana = try reminders.set("ana", in: 3600)
        let expected = """
            BEGIN:VCALENDAR
            VERSION:2.0
            PRODID:-//Switchboard//Reminders//EN
            BEGIN:VTODO
            UID:\(ana.id)@switchboard
            DTSTAMP:20261121T080000Z
            LAST-MODIFIED:20261121T080000Z
            SEQUENCE:0
            SUMMARY:Contact Ana
            DESCRIPTION:ana@example.org
            DUE:20261121T090000Z
            STATUS:NEEDS-ACTION
            BEGIN:VALARM
            ACTION:DISPLAY
            DESCRIPTION:Contact Ana
            TRIGGER;RELATED=END:PT0S
            END:VALARM
            END:VTODO
            END:VCALENDAR

            """.replacing("\n", with: "\r\n")
        let listed = try tasks.list()
        #expect(try tasks.text(ana.id + ".ics") == expected)
        #expect(listed.map(\.name) == [ana.id + ".ics"] && listed.first?.size == expected.utf8.count)
        clock.advance(7200)
        try await deliver()
        #expect(try reminders.reminder(ana.id).state == .delivered)
        #expect(try tasks.list() == listed)
        try reminders.complete(subjects: ["ana"])
        let done = try tasks.text(ana.id + ".ics")
        #expect(done.contains("STATUS:COMPLETED\r\nCOMPLETED:20261121T100000Z\r\nPERCENT-COMPLETE:100\r\n"))
        #expect(done.contains("SEQUENCE:1\r\n") && done.contains("LAST-MODIFIED:20261121T100000Z\r\n"))
        #expect(try tasks.list() != listed)
    }

    @Test("Tasks are the open reminders and those whose subject was contacted")
    func listed() async throws {
        func names() throws -> Set<String> {
            let subjects = try tasks.list().map { try reminders.reminder(String($0.name.dropLast(4))).subject }
            return Set(subjects)
        }
        for name in ["pending", "delivered", "contacted", "cancelled", "removed", "later"] {
            try reminders.set(name, in: name == "delivered" || name == "later" ? 60 : 3600)
        }
        clock.advance(120)
        try await deliver()
        try reminders.complete(subjects: ["contacted"])
        try reminders.cancel(ids: [try #require(try reminders.pending(of: "cancelled")).id])
        try reminders.cancel(subjects: ["removed"])
        #expect(try names() == ["pending", "delivered", "contacted", "later"])
        // Its first reminder was delivered and replaced.
        try reminders.set("later", in: 3600)
        #expect(try tasks.list().count == 4)
        #expect(try reminders.list([.cancelled]).filter { $0.completedAt != nil }.map(\.subject) == ["contacted"])
    }

    @Test(
        "A task is done by its status, its time of completion or its percentage",
        arguments: ["STATUS:COMPLETED", "COMPLETED:20261121T080000Z", "PERCENT-COMPLETE:100", "status:completed"])
    func done(by line: String) throws {
        let ana = try reminders.set("ana", in: 3600)
        try reminders.set("bo", in: 3600)
        let lines = ["SUMMARY:Mine", "DUE:20261121T090000Z", line]
        #expect(try tasks.write(ana, lines) == .completed(subject: "ana"))
        let stored = try reminders.reminder(ana.id)
        #expect(stored.state == .cancelled && stored.completedAt == clock.now && !stored.isOpen)
        #expect(try tasks.list().count == 2)
        #expect(try tasks.task(ana.id + ".ics")?.bytes == object(ana.id + "@switchboard", lines))
        #expect(try tasks.write(ana, lines + ["PRIORITY:1"]) == .unchanged)
        #expect(try tasks.write(ana, ["SUMMARY:Mine", "PERCENT-COMPLETE:90"]) == .reopened(subject: "ana"))
        let open = try reminders.reminder(ana.id)
        #expect(open.state == .pending && open.completedAt == nil && open.isOpen && open.dueAt == ana.dueAt)
    }

    @Test("A reopened reminder is pending before its time, and overdue after it")
    func reopened() async throws {
        let (ana, bo) = (try reminders.set("ana", in: 60), try reminders.set("bo", in: 3600))
        try reminders.complete(subjects: ["ana", "bo"])
        clock.advance(120)
        try reminders.reopen(of: ["ana", "bo", "nobody"])
        #expect(try reminders.reminder(ana.id).state == .delivered)
        #expect(try reminders.overdue().map(\.id) == [ana.id])
        #expect(try reminders.reminder(bo.id).state == .pending)
        clock.advance(3600)
        try await deliver()
        #expect(try reminders.reminder(bo.id).state == .delivered)
        #expect(try reminders.overdue().map(\.id) == [ana.id, bo.id])
        // An open reminder stays the only one.
        try reminders.complete(subjects: ["bo"])
        let later = try reminders.set("bo", in: 60)
        try reminders.reopen(of: ["bo"])
        #expect(try reminders.open().map(\.id) == [ana.id, later.id])
    }

    @Test(
        "A task is due at a time in UTC, in a zone, in the zone of its reminder, or at nine",
        arguments: [
            ("DUE:20270401T120000Z", "2027-04-01T12:00:00Z"),
            ("DUE;TZID=Europe/Berlin:20270327T090000", "2027-03-27T08:00:00Z"),
            ("DUE;TZID=Europe/Berlin:20270329T090000", "2027-03-29T07:00:00Z"),
            // Skipped by the clocks, and there twice.
            ("DUE;TZID=Europe/Berlin:20270328T023000", "2027-03-28T01:30:00Z"),
            ("DUE;TZID=Europe/Berlin:20271031T023000", "2027-10-31T00:30:00Z"),
            ("DUE;TZID=America/New_York:20270327T090000", "2027-03-27T13:00:00Z"),
            ("DUE;TZID=/freeassociation.sourceforge.net/Asia/Tokyo:20270327T090000", "2027-03-27T00:00:00Z"),
            ("DUE;TZID=Tokyo Standard Time:20270327T090000", "2027-03-27T00:00:00Z"),
            ("DUE:20270327T090000", "2027-03-27T08:00:00Z"), ("DUE;VALUE=DATE:20270329", "2027-03-29T07:00:00Z"),
            ("DTSTART:20270401T120000Z\r\nDURATION:P1DT1H", "2027-04-02T13:00:00Z"),
            ("DUE:20200101T000000Z", "2020-01-01T00:00:00Z"),
        ])
    func due(line: String, expected: String) throws {
        let zone = [
            "BEGIN:VTIMEZONE", "TZID:Tokyo Standard Time", "X-LIC-LOCATION:Asia/Tokyo", "BEGIN:STANDARD",
            "DTSTART:19700101T000000", "TZOFFSETFROM:+0900", "TZOFFSETTO:+0900", "END:STANDARD", "END:VTIMEZONE",
        ]
        let ana = try reminders.set("ana", in: 3600)
        #expect(try tasks.write(ana, [line], around: zone) == .moved)
        let moved = try reminders.reminder(ana.id)
        #expect(try moved.dueAt == time(expected))
        #expect(moved.state == .pending && moved.timeZone == ana.timeZone)
        #expect(try reminders.overdue().isEmpty == (moved.dueAt > clock.now))
        #expect(try tasks.write(ana, [line, "SUMMARY:Other"], around: zone) == .unchanged)
        #expect(try reminders.reminder(ana.id).title == "Contact Ana")
    }

    @Test("Moving a delivered task makes it pending, and the only pending one of its subject")
    func movedAfterDelivery() async throws {
        let first = try reminders.set("ana", in: 60)
        clock.advance(120)
        try await deliver()
        #expect(try tasks.write(first, []) == .unchanged)
        #expect(try tasks.write(first, ["DUE:20261122T080000Z"]) == .moved)
        clock.advance(86_400)
        try await deliver()
        #expect(try reminders.reminder(first.id).state == .delivered)
        #expect(try tasks.write(first, ["STATUS:COMPLETED"]) == .completed(subject: "ana"))
        let second = try reminders.set("ana", in: 3600)
        #expect(try tasks.write(first, ["DUE:20261130T080000Z"]) == .reopened(subject: "ana"))
        #expect(try reminders.open().map(\.id) == [first.id])
        #expect(try reminders.reminder(second.id).state == .cancelled)
        #expect(try reminders.pending(of: "ana")?.dueAt == time("2026-11-30T08:00:00Z"))
    }

    @Test("A change elsewhere changes only its properties in the bytes of a client")
    func patched() throws {
        let ana = try reminders.set("ana", in: 3600)
        let lines = [
            "DTSTAMP:20261121T075900Z", "SUMMARY;LANGUAGE=en:Call Ana", "DTSTART;VALUE=DATE:20261121", "SEQUENCE:7",
            "DUE:20261121T090000Z", "X-SORT:1", "DESCRIPTION:mine", "BEGIN:VALARM", "DESCRIPTION:Alarm",
            "DUE:20200101T000000Z", "END:VALARM", "X-LAST:1",
        ]
        #expect(try tasks.write(ana, lines) == .unchanged)
        clock.advance(60)
        try reminders.snooze(ana.id, until: .moment(try time("2026-11-25T10:00:00Z")))
        let changed = [
            "SUMMARY;LANGUAGE=en:Call Ana", "DTSTART:20261125T100000Z", "SEQUENCE:8", "DUE:20261125T100000Z",
            "X-SORT:1",
            "DESCRIPTION:mine", "LAST-MODIFIED:20261121T080100Z", "BEGIN:VALARM",
        ]
        let expected = [lines[0]] + changed + lines[8...]
        #expect(
            try tasks.text(ana.id + ".ics")
                == String(decoding: object(ana.id + "@switchboard", expected), as: UTF8.self))
        try reminders.retitle("ana", name: "Ana", title: "Contact Ana B", body: "")
        try reminders.complete(subjects: ["ana"])
        let text = try tasks.text(ana.id + ".ics")
        #expect(text.contains("SUMMARY:Contact Ana B\r\n") && !text.contains("DESCRIPTION:mine"))
        #expect(text.contains("SEQUENCE:10\r\n") && text.contains("DESCRIPTION:Alarm\r\n"))
        for line in ["STATUS:COMPLETED", "COMPLETED:20261121T080100Z", "PERCENT-COMPLETE:100"] {
            #expect(text.contains("\r\n\(line)\r\n"))
        }
        try reminders.reopen(of: ["ana"])
        let open = try tasks.text(ana.id + ".ics")
        #expect(open.contains("SUMMARY:Contact Ana B\r\n") && open.contains("SEQUENCE:11\r\n"))
        #expect(!open.contains("COMPLETE"))
    }

    @Test("A file with line feeds keeps them")
    func lineFeeds() throws {
        let ana = try reminders.set("ana", in: 3600)
        let bytes = object(ana.id + "@switchboard", ["SUMMARY:a", "DUE:20261121T090000Z"]).filter { $0 != 0x0D }
        _ = try tasks.write(bytes, as: ana.id + ".ics") { _ in true }
        #expect(try tasks.task(ana.id + ".ics")?.bytes == bytes)
        try reminders.complete(subjects: ["ana"])
        let text = try tasks.text(ana.id + ".ics")
        #expect(text.contains("\nSTATUS:COMPLETED\n") && !text.utf8.contains(0x0D))
    }

    @Test("Removing a task cancels its reminder, whether it is open or done")
    func removed() throws {
        let (ana, bo) = (try reminders.set("ana", in: 3600), try reminders.set("bo", in: 3600))
        try reminders.complete(subjects: ["bo"])
        let token = try tasks.token()
        #expect(throws: ReminderTasksError.taskChanged(ana.id + ".ics")) {
            try tasks.remove(ana.id + ".ics") { $0 == "old" }
        }
        for (reminder, resource) in zip([ana, bo].sorted { $0.id < $1.id }, try tasks.list()) {
            try tasks.remove(resource.name) { $0 == resource.tag }
            #expect(try reminders.reminder(reminder.id).state == .cancelled)
            #expect(throws: ReminderTasksError.noSuchReminder(name: resource.name)) {
                try tasks.remove(resource.name) { _ in true }
            }
        }
        #expect(try tasks.list().isEmpty)
        let changes = try #require(try tasks.changes(since: token))
        #expect(changes.changed.isEmpty && changes.removed.count == 2)
    }

    @Test("A task is refused without a reminder, with another UID, an old tag or malformed iCalendar")
    func refused() throws {
        let (ana, bo) = (try reminders.set("ana", in: 3600), try reminders.set("bo", in: 3600))
        let before = try tasks.list()
        func error(_ bytes: [UInt8], as name: String, if permits: (String?) -> Bool = { _ in true }) throws
            -> ReminderTasksError
        {
            try #require(throws: ReminderTasksError.self) { try tasks.write(bytes, as: name, if: permits) }
        }
        let (name, uid) = (ana.id + ".ics", ana.id + "@switchboard")
        #expect(try error(object("new", []), as: "new.ics") == .noSuchReminder(name: "new.ics"))
        #expect(try error(object(uid, []), as: "new.ics") == .uidConflict(name: name))
        #expect(try error(object("new", []), as: name) == .uidConflict(name: name))
        #expect(try error(object(bo.id + "@switchboard", []), as: name) == .uidConflict(name: name))
        #expect(try error(object(uid, []), as: name, if: { $0 == nil }) == .taskChanged(name))
        #expect(try error(object("new", []), as: "new.ics", if: { $0 != nil }) == .taskChanged("new.ics"))
        let malformed: [String] = [
            "", "nothing", "BEGIN:VCALENDAR\r\n", "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n",
            "BEGIN:VTODO\r\nEND:VTODO\r\n",
            "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:\(uid)\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
            "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:\(uid)\r\nEND:VCALENDAR\r\nEND:VTODO\r\n",
            "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nSUMMARY:a\r\nEND:VTODO\r\nEND:VCALENDAR\r\n",
            String(decoding: object(uid, ["no property"]), as: UTF8.self),
            String(decoding: object(uid, ["DUE:tomorrow"]), as: UTF8.self),
            String(decoding: object(uid, ["DUE:20270230T000000Z"]), as: UTF8.self),
            String(decoding: object(uid, ["DUE:19691231T000000Z"]), as: UTF8.self),
            String(decoding: object(uid, ["END:VTODO", "BEGIN:VTODO", "UID:\(uid)"]), as: UTF8.self),
            String(decoding: object(uid, []) + object(uid, []), as: UTF8.self),
            String(repeating: "BEGIN:VCALENDAR\r\n", count: 100_000),
        ]
        for text in malformed {
            guard case .invalidTask(let reason) = try error(Array(text.utf8), as: name) else {
                Issue.record("\(text.prefix(80)) was not malformed")
                continue
            }
            #expect(!reason.isEmpty)
        }
        var latin = object(uid, ["SUMMARY:x"])
        latin[try #require(latin.lastIndex(of: UInt8(ascii: "x")))] = 0xE9
        guard case .invalidTask = try error(latin, as: name) else {
            Issue.record("Latin-1 was accepted")
            return
        }
        #expect(try tasks.list() == before)
    }

    @Test("A listing in parts, and a token after it, miss no task")
    func parts() throws {
        for number in 0..<20 { try reminders.set("a\(number)", in: 60 + number) }
        try reminders.cancel(subjects: ["a3", "a4"])
        var (known, token, rounds): (Set<String>, ChangeToken?, Int) = ([], nil, 0)
        while true {
            let changes = try #require(try tasks.changes(since: token, limit: 3))
            #expect(changes.changed.count + changes.removed.count <= 3)
            known.formUnion(changes.changed.map(\.name))
            known.subtract(changes.removed)
            token = ChangeToken(changes.token.description)
            #expect(token == changes.token)
            rounds += 1
            if rounds == 2 {
                try reminders.set("new", in: 5)
                try reminders.cancel(subjects: ["a7"])
            }
            // The end of the first listing has a complete answer, and the changes during it follow.
            if changes.isComplete, changes.changed.isEmpty, changes.removed.isEmpty { break }
            #expect(rounds < 40)
            if rounds >= 40 { break }
        }
        #expect(try known == Set(tasks.list().map(\.name)) && known.count == 18)
        #expect(try tasks.changes(since: ChangeToken("zz-1")) == nil)
    }

    @Test("Tasks and tokens survive a restart")
    func restart() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        func open() throws -> Reminders {
            let storage = try Storage(at: directory.appending(path: "a.db").path, migrations: [Reminders.migrations])
            try storage.setStatus(.authorized, of: .notifications)
            return Reminders(storage: storage, timeZone: .gmt) { [clock] in clock.now }
        }
        var first: Reminders? = try open()
        let ana = try #require(try first?.set("ana", in: 3600))
        let bytes = object(ana.id + "@switchboard", ["X-A:1", "SUMMARY:mine"])
        var old: ReminderTasks? = first.map { ReminderTasks(reminders: $0) }
        let token = try #require(try old?.token())
        _ = try old?.write(bytes, as: ana.id + ".ics") { _ in true }
        let listed = try old?.list()
        (first, old) = (nil, nil)
        let tasks = ReminderTasks(reminders: try open())
        #expect(try tasks.list() == listed)
        #expect(try tasks.task(ana.id + ".ics")?.bytes == bytes)
        #expect(try tasks.changes(since: token)?.changed == listed)
    }
}

@Suite("Laws of tasks") struct ReminderTaskLawTests {
    private static let unknown = [
        "X-APPLE-SORT-ORDER:42", "CATEGORIES:Work,Friends\\, old", "PRIORITY:5", "X-MOZ-LASTACK:20261121T070000Z",
        "RELATED-TO;RELTYPE=PARENT:other", "X-LONG:\(String(repeating: "é", count: 30))\r\n continued\r\n\t here",
        "GEO:1;2", "x-lower;A=\"b:c;d\":e", "ATTENDEE;CN=\"B: C\":mailto:b@example.org",
        "BEGIN:VALARM\r\nACTION:DISPLAY\r\nDESCRIPTION:Mine\r\nTRIGGER:-PT15M\r\nX-IN:1\r\nEND:VALARM",
        "BEGIN:X-OTHER\r\nSUMMARY:Inner\r\nSTATUS:COMPLETED\r\nDUE:20260101T000000Z\r\nEND:X-OTHER",
    ]
    private static let known = [
        "SUMMARY:Mine", "SUMMARY;LANGUAGE=de:Meins", "DESCRIPTION:text", "DUE:20261224T180000Z",
        "DUE;TZID=Europe/Berlin:20261224T180000", "DUE;VALUE=DATE:20261224", "STATUS:NEEDS-ACTION", "STATUS:COMPLETED",
        "COMPLETED:20261120T100000Z", "PERCENT-COMPLETE:100", "PERCENT-COMPLETE:20", "SEQUENCE:3",
        "SEQUENCE:2147483647",
        "LAST-MODIFIED:20261101T000000Z", "DTSTAMP:20261101T000000Z", "DTSTART:20261224T180000Z",
    ]

    /// Changes a random reminder, as a client or elsewhere.
    private static func change(_ reminders: Reminders, _ clock: TestClock, _ random: inout SplitMix) throws {
        let tasks = ReminderTasks(reminders: reminders)
        clock.advance(TimeInterval(Int.random(in: 0..<90_000, using: &random)))
        let subject = "s\(Int.random(in: 0..<6, using: &random))"
        let some = try reminders.list().randomElement(using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1: try reminders.set(subject, in: Int.random(in: 1..<200_000, using: &random))
        case 2: try reminders.complete(subjects: [subject])
        case 3: try reminders.reopen(of: [subject])
        case 4: try reminders.cancel(subjects: [subject])
        case 5: if let some { try reminders.cancel(ids: [some.id]) }
        case 6: if let some { try reminders.snooze(some.id, until: .tomorrowAtNine) }
        case 7:
            try reminders.retitle(subject, name: "n", title: "T \(Int.random(in: 0..<99, using: &random))", body: "")
        case 8:
            if let some = try tasks.list().randomElement(using: &random) { try tasks.remove(some.name) { _ in true } }
        default:
            guard let some = try tasks.list().randomElement(using: &random) else { return }
            let lines = (unknown + known).filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
            let bytes = object(some.name.dropLast(4) + "@switchboard", lines.shuffled(using: &random))
            let (resource, _) = try tasks.write(bytes, as: some.name) { $0 == some.tag }
            let stored = try #require(try tasks.task(some.name))
            #expect(stored.bytes == bytes && stored.resource == resource)
        }
    }

    @Test("The changes since any earlier token lead to the list", arguments: 0..<20)
    func changes(seed: Int) throws {
        let clock = TestClock()
        let reminders = try emptyReminders(clock: clock)
        let tasks = ReminderTasks(reminders: reminders)
        var random = SplitMix(seed: UInt64(seed))
        var states: [(token: ChangeToken, resources: [String: String])] = []
        for _ in 0..<60 {
            let listed = try tasks.list()
            states.append((try tasks.token(), Dictionary(uniqueKeysWithValues: listed.map { ($0.name, $0.tag) })))
            #expect(try tasks.list() == listed)
            try Self.change(reminders, clock, &random)
        }
        let last = Dictionary(uniqueKeysWithValues: try tasks.list().map { ($0.name, $0.tag) })
        for (token, resources) in states {
            var known = resources
            var next = token
            let limit = Int.random(in: 1..<20, using: &random)
            while true {
                let changes = try #require(try tasks.changes(since: next, limit: limit))
                for resource in changes.changed { known[resource.name] = resource.tag }
                for name in changes.removed { known[name] = nil }
                next = changes.token
                if changes.isComplete { break }
            }
            #expect(known == last)
        }
    }

    @Test("What a client wrote and we do not know stays in order after any change elsewhere", arguments: 0..<200)
    func unknownLines(seed: Int) throws {
        let clock = TestClock()
        let reminders = try emptyReminders(clock: clock)
        let tasks = ReminderTasks(reminders: reminders)
        var random = SplitMix(seed: UInt64(seed))
        let ana = try reminders.set("ana", in: 3600)
        let others = Self.unknown.filter { _ in Bool.random(using: &random) }.shuffled(using: &random)
        // Properties come before components, as the RFC has it.
        var lines = others.filter { !$0.hasPrefix("BEGIN") } + others.filter { $0.hasPrefix("BEGIN") }
        var names: Set<Substring> = []
        // A property occurs once.
        let known = Self.known.shuffled(using: &random).filter { line in
            names.insert(line.prefix { $0 != ":" && $0 != ";" }).inserted
        }
        for line in known.prefix(6) {
            lines.insert(line, at: Int.random(in: 0...lines.count, using: &random))
        }
        let outer = ["X-WR-CALNAME:Mine", "BEGIN:VTIMEZONE", "TZID:X", "X-SUMMARY:1", "END:VTIMEZONE"]
        try tasks.write(ana, lines, around: outer)
        for _ in 0..<5 {
            clock.advance(10)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: try reminders.complete(subjects: ["ana"])
            case 1: try reminders.reopen(of: ["ana"])
            case 2: try reminders.snooze(ana.id, until: .tomorrowAtNine)
            default: try reminders.retitle("ana", name: "A", title: "T\(seed)", body: "b")
            }
            guard let task = try tasks.task(ana.id + ".ics") else { continue }
            let text = String(decoding: task.bytes, as: UTF8.self)
            var rest = text.utf8[...]
            for line in outer + lines.filter({ others.contains($0) }) + ["END:VTODO", "END:VCALENDAR"] {
                let found = try #require(
                    rest.firstRange(of: ("\r\n" + line + "\r\n").utf8), "\(line) is missing: \(text)")
                rest = rest[rest.index(found.upperBound, offsetBy: -2)...]
            }
            let reminder = try reminders.reminder(ana.id)
            let isDone = ["STATUS:COMPLETED", "COMPLETED:", "PERCENT-COMPLETE:100"].contains { mark in
                text.split(separator: "BEGIN:X-OTHER").first?.contains("\r\n" + mark) ?? false
            }
            if !lines.contains(where: { $0.hasPrefix("BEGIN:X-OTHER") }) {
                #expect(isDone == (reminder.completedAt != nil), "\(text)")
            }
            // Writing what was read changes nothing.
            let (resource, effect) = try tasks.write(task.bytes, as: ana.id + ".ics") { $0 == task.resource.tag }
            #expect(effect == .unchanged && resource.tag == task.resource.tag, "\(text)")
        }
    }
}
