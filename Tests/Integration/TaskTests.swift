import Foundation
import SwitchboardKit
import SwitchboardProspects
import SwitchboardReminders
import SwitchboardStorage
import SwitchboardTesting
import Testing

@Suite("Tasks of prospects") struct TaskTests {
    private let store: TemporaryStore
    private let switchboard: Switchboard
    private let prospect: String
    private let reminder: Reminder

    init() throws {
        store = try TemporaryStore()
        switchboard = Switchboard(Settings(database: store.database))
        try switchboard.storage.setStatus(.authorized, of: .notifications)
        prospect = try switchboard.prospects.add(Prospect(name: "Ana")).prospect.id
        reminder = try switchboard.remind(of: prospect, at: .after(ReminderDelay(days: 2))).reminder
    }

    private var name: String { reminder.id + ".ics" }

    private func object(_ lines: String...) -> [UInt8] {
        let all = ["BEGIN:VCALENDAR", "BEGIN:VTODO", "UID:\(reminder.id)@switchboard"] + lines
        return Array((all + ["END:VTODO", "END:VCALENDAR", ""]).joined(separator: "\r\n").utf8)
    }

    private func isContacted() throws -> Bool { try switchboard.prospects.prospect(prospect).isContacted }

    @Test("Completing a task marks its prospect as contacted, and reopening it as uncontacted")
    func completed() throws {
        let done = try switchboard.writeTask(object("STATUS:COMPLETED", "X-A:1"), as: name) { $0 != nil }
        #expect(try isContacted())
        #expect(try switchboard.tasks.list() == [done])
        #expect(try switchboard.tasks.task(name)?.bytes == object("STATUS:COMPLETED", "X-A:1"))
        _ = try switchboard.writeTask(object("STATUS:NEEDS-ACTION"), as: name) { $0 == done.tag }
        #expect(try !isContacted())
        let open = try #require(try switchboard.reminders.pending(of: prospect))
        #expect(open.id == reminder.id && open.dueAt == reminder.dueAt)
    }

    @Test("A prospect that was contacted has a completed task, until it is uncontacted")
    func contacted() throws {
        try switchboard.setContacted([prospect])
        let done = try #require(try switchboard.tasks.task(name))
        #expect(String(decoding: done.bytes, as: UTF8.self).contains("\r\nSTATUS:COMPLETED\r\n"))
        try switchboard.setContacted([prospect], to: false)
        #expect(try switchboard.reminders.pending(of: prospect)?.id == reminder.id)
        let edit = try switchboard.perform(.setContacted(prospect, to: true, reminder: nil))
        _ = try switchboard.perform(#require(edit.undo))
        let pending = try #require(try switchboard.reminders.pending(of: prospect))
        #expect(pending.id == reminder.id && pending.dueAt == reminder.dueAt)
    }

    @Test("A removed task leaves its prospect, and a removed prospect has no open task")
    func removed() throws {
        try switchboard.removeProspects([prospect])
        #expect(try switchboard.tasks.list().isEmpty)
        _ = try switchboard.restoreProspects([prospect])
        let task = try #require(try switchboard.tasks.list().first)
        #expect(task.name == name)
        try switchboard.removeTask(name) { $0 == task.tag }
        #expect(try !isContacted() && switchboard.reminders.open().isEmpty)
    }

    @Test("Reopening the task of a removed prospect is refused and changes nothing")
    func reopenedWithoutProspect() throws {
        try switchboard.setContacted([prospect])
        try switchboard.removeProspects([prospect])
        let before = try switchboard.tasks.list()
        #expect(throws: ProspectsError.notFound(id: prospect)) {
            _ = try switchboard.writeTask(object(), as: name) { _ in true }
        }
        #expect(try switchboard.tasks.list() == before && before.count == 1)
    }
}
