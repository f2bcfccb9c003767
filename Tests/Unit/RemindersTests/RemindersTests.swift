import Foundation
import SwitchboardStorage
import Testing

@testable import SwitchboardReminders

@Suite("Scheduling reminders")
struct RemindersTests {
    @Test("Reminders are scheduled, rescheduled, cancelled, and listed next due first")
    func life() throws {
        let clock = TestClock()
        let reminders = try emptyReminders(clock: clock)
        let ana = try reminders.set("ana", in: 7200)
        let bo = try reminders.set("bo", in: 60)
        #expect(try reminders.list().map(\.id) == [bo.id, ana.id])
        #expect(ana.state == .pending && !ana.isLate && ana.timeZone.identifier == "Europe/Berlin")

        let moved = try reminders.set("ana", in: 30)
        #expect(moved.id == ana.id)
        #expect(moved.sequence == 1)
        #expect(try reminders.list().map(\.id) == [ana.id, bo.id])

        #expect(try reminders.cancel([bo.id]).map(\.state) == [.cancelled])
        #expect(throws: RemindersError.notFound(id: "x")) { try reminders.cancel([ana.id, "x"]) }
        #expect(try reminders.list([.pending]).map(\.id) == [ana.id])
        try reminders.cancel(of: ["ana", "nobody"])
        #expect(try reminders.list([.pending]).isEmpty)
        #expect(try reminders.set("bo").id != bo.id)
    }

    @Test("Scheduling requires consent and a future time")
    func refused() throws {
        let reminders = try emptyReminders(allowed: false)
        for status in [AccessStatus.notDetermined, .denied] {
            try reminders.storage.setStatus(status, of: .notifications)
            let error = try #require(throws: StorageError.self) { try reminders.set("ana") }
            #expect(error.category == .access)
        }
        try reminders.storage.setStatus(.authorized, of: .notifications)
        #expect(throws: RemindersError.self) { try reminders.set("ana", in: 0) }
        #expect(throws: RemindersError.self) {
            try reminders.schedule("ana", name: "", title: "", body: "", at: .moment(.distantPast))
        }
        #expect(try reminders.list().isEmpty)
    }

    @Test("Changing the texts of a reminder updates it once")
    func retitled() throws {
        let reminders = try emptyReminders()
        let id = try reminders.set("ana").id
        try reminders.retitle("ana", name: "Ana Li", title: "Contact Ana Li", body: "li@example.org")
        let reminder = try reminders.reminder(id)
        #expect(reminder.title == "Contact Ana Li" && reminder.body == "li@example.org" && reminder.sequence == 1)
        try reminders.retitle("ana", name: "Ana Li", title: "Contact Ana Li", body: "li@example.org")
        #expect(try reminders.reminder(id).sequence == 1)
    }

    @Test("The systemd unit quotes arguments")
    func unit() {
        let text = RunnerUnit.text(running: ["/opt/my apps/switchboard", "--database", "/home/a/50% \"x\" $HOME"])
        #expect(
            text.contains("ExecStart=\"/opt/my apps/switchboard\" \"--database\" \"/home/a/50%% \\\"x\\\" $$HOME\"\n"))
    }
}
