import Foundation
import GRDB
import SwitchboardStorage
import Testing

@testable import SwitchboardReminders

/// The runner with a clock whose pauses take no time.
@Suite("Running reminders while the clocks change", .timeLimit(.minutes(2)))
struct RunnerClockTests {
    /// A delivery at a time of the fake clock.
    private struct Delivery: Equatable {
        let subject: String
        let time: String
    }

    /// Runs a runner until a time, and returns the deliveries in order.
    ///
    /// - Parameters:
    ///   - jumps: The seconds by which the clock is set forward or back, or by which a suspended machine wakes up later,
    ///     and the number of the pause that they follow.
    private func deliveries(
        of reminders: Reminders, _ clock: TestClock, pauses: Int, jumps: [Int: TimeInterval] = [:],
        failing failures: Int = 0
    ) async throws -> [Delivery] {
        let (shown, attempts, done) = (Box<Delivery>(), Box<Int>(), Box<Int>())
        let delivery = ReminderDelivery("test") { reminder, note in
            attempts.append(0)
            if attempts.elements.count <= failures { throw DeliveryError.failed("no screen") }
            shown.append(Delivery(subject: reminder.subject, time: clock.now.formatted(.iso8601)))
            #expect(clock.now >= reminder.dueAt, "\(reminder.subject) is early")
            await note()
            return nil
        }
        let runner = ReminderRunner(
            reminders: reminders, delivery: delivery,
            sleep: { pause in
                // Deliveries take no time either.
                while try reminders.storage.read({ db in
                    try Bool.fetchOne(
                        db, sql: "SELECT EXISTS (SELECT 1 FROM reminder_delivery WHERE claim IS NOT NULL)") ?? false
                }) { await Task.yield() }
                done.append(0)
                clock.advance(pause / .seconds(1) + (jumps[done.elements.count] ?? 0))
                if done.elements.count >= pauses { throw CancellationError() }
            })
        try await runner.run { _ in }
        return shown.elements
    }

    private func set(_ text: String, _ reminders: Reminders) throws -> Reminder {
        try reminders.schedule(text, name: text, title: text, body: "", at: try ReminderTime(parsing: text)).reminder
    }

    @Test(
        "Local times are delivered once, also if the clocks skip or repeat them",
        arguments: [
            // Skipped: the next time that exists.
            (
                "Europe/Berlin", "2027-03-28T00:58:00Z", ["2027-03-28 01:59", "2027-03-28 02:30", "2027-03-28 03:01"],
                ["2027-03-28T00:59:00Z", "2027-03-28T01:00:00Z", "2027-03-28T01:01:00Z"]
            ),
            (
                "America/New_York", "2027-03-14T06:58:00Z", ["2027-03-14 02:00", "2027-03-14 02:59"],
                ["2027-03-14T07:00:00Z", "2027-03-14T07:00:00Z"]
            ),
            // A skipped half hour, and a skipped day.
            ("Australia/Lord_Howe", "2026-10-03T15:29:00Z", ["2026-10-04 02:15"], ["2026-10-03T15:30:00Z"]),
            ("Pacific/Apia", "2011-12-30T09:59:00Z", ["2011-12-30 12:00"], ["2011-12-30T10:00:00Z"]),
            // Doubled: the first of the two, and not again an hour later.
            (
                "Europe/Berlin", "2027-10-31T00:29:00Z", ["2027-10-31 02:30", "2027-10-31 03:00"],
                ["2027-10-31T00:30:00Z", "2027-10-31T02:00:00Z"]
            ),
            (
                "America/New_York", "2027-11-07T05:29:00Z", ["2027-11-07 01:30", "2027-11-07 02:00"],
                ["2027-11-07T05:30:00Z", "2027-11-07T07:00:00Z"]
            ),
        ])
    func localTimes(_ zone: String, _ start: String, _ times: [String], _ expected: [String]) async throws {
        let clock = TestClock(start)
        let reminders = try emptyReminders(clock: clock, zone: zone)
        for time in times { _ = try set(time, reminders) }
        let found = try await deliveries(of: reminders, clock, pauses: 7_300)
        #expect(found.map(\.time) == expected)
        #expect(Set(found.map(\.subject)) == Set(times))
        #expect(try reminders.list().allSatisfy { $0.state == .delivered && !$0.isLate })
    }

    @Test("After a suspended night, each reminder is delivered once at the next check, and marked late")
    func suspended() async throws {
        let clock = TestClock("2026-11-21T22:00:00Z")
        let reminders = try emptyReminders(clock: clock)
        let before = try reminders.set("before", in: 20)
        let night = try ["night": 3_600, "morning": 28_800].map { try reminders.set($0.key, in: $0.value) }
        let after = try reminders.set("after", in: 36_000)
        let found = try await deliveries(of: reminders, clock, pauses: 8_000, jumps: [60: 9 * 3_600])
        #expect(found.map(\.subject).sorted() == ["after", "before", "morning", "night"])
        #expect(found.dropFirst().prefix(2).allSatisfy { $0.time == "2026-11-22T07:01:00Z" })
        #expect(try night.allSatisfy { try reminders.reminder($0.id).isLate })
        #expect(try [before, after].allSatisfy { try !reminders.reminder($0.id).isLate })
    }

    @Test(
        "A clock that is set forward or back delivers nothing twice and nothing early",
        arguments: [
            // Back by an hour and by a year, also twice; forward and back; forward beyond the reminders.
            [10: -3_600], [10: -365 * 86_400], [10: -3_600, 20: -3_600], [10: 1_800, 20: -1_800], [10: 7_200],
            [10: 7_200, 20: -7_200], [5: 86_400 * 3, 6: -86_400 * 3],
        ] as [[Int: TimeInterval]])
    func jumps(_ jumps: [Int: TimeInterval]) async throws {
        let clock = TestClock()
        let reminders = try emptyReminders(clock: clock)
        for (subject, delay) in [("first", 3), ("second", 600), ("third", 3_000)] {
            try reminders.set(subject, in: delay)
        }
        var found = try await deliveries(of: reminders, clock, pauses: 40, jumps: jumps)
        // The delivery itself checks that it is not early.
        clock.advance(max(0, -jumps.values.reduce(0, +)) + 3_000)
        found += try await deliveries(of: reminders, clock, pauses: 5)
        #expect(found.map(\.subject).sorted() == ["first", "second", "third"])
    }

    @Test("A failed delivery is repeated soon after the clock was set back")
    func failedBefore() async throws {
        let clock = TestClock()
        let reminders = try emptyReminders(clock: clock)
        try reminders.set("ana", in: 3_600)
        clock.advance(86_400 * 30)
        // The first delivery fails with a clock that is a month fast.
        let found = try await deliveries(
            of: reminders, clock, pauses: 1_000, jumps: [1: -86_400 * 30 + 3_600], failing: 1)
        #expect(found.map(\.subject) == ["ana"])
        #expect(found.first?.time == "2026-11-21T09:00:01Z")
    }

    @Test("The delay of a failed delivery is kept while the clock only drifts")
    func failedAndDrifting() async throws {
        let clock = TestClock()
        let reminders = try emptyReminders(clock: clock)
        try reminders.set("ana", in: 1)
        let found = try await deliveries(of: reminders, clock, pauses: 60, jumps: [3: -2], failing: 2)
        #expect(found.map(\.subject) == ["ana"])
        // One second, and delays of 5 and 15 seconds.
        #expect(found.first?.time == "2026-11-21T08:00:21Z")
    }

    @Test(
        "A reminder for the next 9:00 is at nine on both sides of a transition",
        arguments: [
            ("2027-03-27T20:00:00Z", "2027-03-28T07:00:00Z"), ("2027-10-30T20:00:00Z", "2027-10-31T08:00:00Z"),
        ])
    func nine(_ now: String, _ expected: String) async throws {
        let clock = TestClock(now)
        let reminders = try emptyReminders(clock: clock)
        let due = try reminders.schedule("ana", name: "Ana", title: "Ana", body: "", at: .nextNine).reminder.dueAt
        clock.advance(due.timeIntervalSince(clock.now) - 30)
        let found = try await deliveries(of: reminders, clock, pauses: 60)
        #expect(found == [Delivery(subject: "ana", time: expected)])
    }

    @Test("A reminder that was acted on leaves the list of open ones, and stays in the complete list")
    func actedOn() async throws {
        let clock = TestClock()
        let reminders = try emptyReminders(clock: clock)
        for subject in ["contacted", "snoozed", "canceled", "unseen"] { try reminders.set(subject, in: 1) }
        try reminders.set("later", in: 7_200)
        _ = try await deliveries(of: reminders, clock, pauses: 3)
        #expect(try reminders.open().count == 5)
        func id(_ subject: String) throws -> String {
            try #require(try reminders.list().first { $0.subject == subject }).id
        }
        try reminders.cancel(subjects: ["contacted"])
        try reminders.snooze(try id("snoozed"), until: .after(ReminderDelay(seconds: 3_600)))
        try reminders.cancel(ids: [try id("canceled")])
        #expect(try reminders.open().map(\.subject) == ["unseen", "snoozed", "later"])
        #expect(try reminders.list([.pending, .delivered]).count == 4 && reminders.list().count == 5)
    }
}
