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

        #expect(try reminders.cancel(ids: [bo.id]).map(\.state) == [.cancelled])
        #expect(throws: RemindersError.notFound(id: "x")) { try reminders.cancel(ids: [ana.id, "x"]) }
        #expect(try reminders.list([.pending]).map(\.id) == [ana.id])
        try reminders.cancel(subjects: ["ana", "nobody"])
        #expect(try reminders.list([.pending]).isEmpty)
        #expect(try reminders.set("bo").id != bo.id)
    }

    @Test("A reminder is overdue from its time until someone acts on it, whether it was delivered or not")
    func overdue() async throws {
        let clock = TestClock()
        let reminders = try emptyReminders(clock: clock)
        var ids: [String: String] = [:]
        for name in ["contacted", "later", "dismissed", "again", "ignored"] {
            ids[name] = try reminders.set(name, in: 1).id
        }
        #expect(try reminders.overdue().isEmpty)
        clock.advance(2)
        #expect(try reminders.overdue().count == 5)
        let runner = ReminderRunner(reminders: reminders, delivery: ReminderDelivery("test") { _, _ in nil })
        try await runner.runOnce { _ in }
        #expect(try reminders.list([.delivered]).count == 5)
        #expect(try reminders.overdue().count == 5)
        clock.advance(86_400 * 30)
        #expect(try reminders.overdue().count == 5)
        try reminders.cancel(subjects: ["contacted"])
        try reminders.snooze(try #require(ids["later"]), until: .after(ReminderDelay(seconds: 60)))
        try reminders.cancel(ids: [try #require(ids["dismissed"])])
        try reminders.set("again", in: 60)
        #expect(try reminders.overdue().map(\.subject) == ["ignored"])
        #expect(try reminders.reminder(try #require(ids["contacted"])).state == .delivered)
        clock.advance(61)
        #expect(try reminders.overdue().map(\.subject).sorted() == ["again", "ignored", "later"])
    }

    @Test("A restored reminder is delivered")
    func restored() async throws {
        let clock = TestClock()
        let reminders = try emptyReminders(clock: clock)
        let ana = try reminders.set("ana", in: 60)
        try reminders.cancel(subjects: ["ana"])
        try reminders.restore(of: "ana", cancelledSince: clock.now)
        #expect(try reminders.open().map(\.id) == [ana.id])
        clock.advance(61)
        try await ReminderRunner(reminders: reminders, delivery: ReminderDelivery("test") { _, _ in nil }).runOnce {
            _ in
        }
        #expect(try reminders.reminder(ana.id).state == .delivered)
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
