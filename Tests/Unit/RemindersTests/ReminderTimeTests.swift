import Foundation
import Testing

@testable import SwitchboardReminders

@Suite("Parsing the time of a reminder")
struct ReminderTimeTests {
    private func moment(_ text: String, now: String = "2026-01-01T00:00:00Z") throws -> (date: Date, isSkipped: Bool) {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        return try ReminderTime(parsing: text).moment(after: Date(now, strategy: .iso8601), in: zone)
    }

    @Test(
        "A date and time is parsed as local time unless it has an offset",
        arguments: [
            ("2026-11-21 14:30", "2026-11-21T13:30:00Z", false),
            ("2026-7-1T09:05:30", "2026-07-01T07:05:30Z", false),
            ("2026-11-21 14:30Z", "2026-11-21T14:30:00Z", false),
            ("2026-11-21T14:30:00-05:00", "2026-11-21T19:30:00Z", false),
            // Skipped: the clocks go from 2:00 to 3:00.
            ("2026-03-29 02:30", "2026-03-29T01:00:00Z", true),
            // Ambiguous: the first of the two.
            ("2026-10-25 02:30", "2026-10-25T00:30:00Z", false),
        ])
    func wallClock(_ text: String, _ expected: String, _ isSkipped: Bool) throws {
        let moment = try moment(text)
        #expect(moment.date == (try Date(expected, strategy: .iso8601)))
        #expect(moment.isSkipped == isSkipped)
    }

    @Test(
        "An invalid date or time is refused",
        arguments: [
            "", "tomorrow", "14:30", "2026-11-21", "2026-13-01 10:00", "2026-02-30 10:00", "2026-11-21 24:00",
            "2026-11-21 10:60", "2026-11-21 10:00+99:00", "99999-01-01 10:00", "-2026-01-01 10:00",
        ])
    func refused(_ text: String) {
        #expect(throws: RemindersError.self) { try moment(text) }
    }

    @Test(
        "A typed time may be a time of day, a day, both or a delay",
        arguments: [
            ("14:30", "2026-03-28T13:30:00Z"), ("9:05", "2026-03-29T07:05:00Z"), ("tomorrow", "2026-03-29T07:00:00Z"),
            ("Tomorrow 14:30", "2026-03-29T12:30:00Z"), ("2026-12-01", "2026-12-01T08:00:00Z"),
            ("2026-12-01 14:30", "2026-12-01T13:30:00Z"), ("tomorrow 02:30", "2026-03-29T01:00:00Z"),
            ("tomorrow at nine", "2026-03-29T07:00:00Z"), ("9am", "2026-03-29T07:00:00Z"),
            ("monday 9:00", "2026-03-30T07:00:00Z"), ("fri", "2026-04-03T07:00:00Z"), ("noon", "2026-03-29T10:00:00Z"),
            ("tonight", "2026-03-28T19:00:00Z"), ("next week", "2026-03-30T07:00:00Z"),
            ("today 23:00", "2026-03-28T22:00:00Z"), ("in 2 hours", "2026-03-28T13:00:00Z"),
            ("2h", "2026-03-28T13:00:00Z"), ("1 w", "2026-04-04T10:00:00Z"), ("tomorrow 14", "2026-03-29T12:00:00Z"),
        ])
    func typed(_ text: String, _ expected: String) throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let now = try Date("2026-03-28T11:00:00Z", strategy: .iso8601)
        let time = try ReminderTime(typed: text, after: now, in: zone)
        #expect(try time.moment(after: now, in: zone).date == Date(expected, strategy: .iso8601))
    }

    @Test("A typed time that cannot be read is refused", arguments: ["25:00", "soon", "14:60", "9", "", "9999 days"])
    func unreadable(_ text: String) {
        #expect(throws: RemindersError.unreadableTime(text)) { try ReminderTime(typed: text) }
    }

    @Test("A typed delay has units in letters or words")
    func typedDelay() throws {
        #expect(try ReminderDelay(typed: "2 hours") == ReminderDelay(seconds: 7200))
        #expect(try ReminderDelay(typed: "5s") == ReminderDelay(seconds: 5))
        #expect(try ReminderDelay(typed: "in a week and 2 days") == ReminderDelay(days: 9))
        for text in ["tomorrow", "5", "5x", "9999d"] {
            #expect(throws: RemindersError.unreadableTime(text)) { try ReminderDelay(typed: text) }
        }
    }

    @Test("A delay is parsed, and its days are calendar days")
    func delays() throws {
        #expect(try ReminderDelay(parsing: "5s") == ReminderDelay(seconds: 5))
        #expect(try ReminderDelay(parsing: "1h30m") == ReminderDelay(seconds: 5400))
        #expect(try ReminderDelay(parsing: "2d12h") == ReminderDelay(seconds: 43_200, days: 2))
        for text in ["", "5", "s", "5x", "-5s", "5 s", "99999999999999999999s", "1.5h", "9999d", "٣s"] {
            #expect(throws: RemindersError.unreadableTime(text)) { try ReminderDelay(parsing: text) }
        }
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let now = try Date("2026-03-28T11:00:00Z", strategy: .iso8601)
        let tomorrow = try ReminderTime.after(ReminderDelay(days: 1)).moment(after: now, in: zone).date
        #expect(tomorrow.timeIntervalSince(now) == 23 * 3600)
    }
}
