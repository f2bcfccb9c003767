import Foundation
import Testing

@testable import SwitchboardAlgorithms

@Suite("Times as people type them")
struct TypedTimeTests {
    /// Noon on a Saturday in Berlin.
    private static let now = Date(timeIntervalSince1970: 1_774_695_600)
    private static let zone = TimeZone(identifier: "Europe/Berlin") ?? .gmt

    private func moment(_ text: String) -> String? {
        TypedTime(text)?.moment(after: Self.now, in: Self.zone).map { moment in
            func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
            return "\(moment.year)-\(two(moment.month))-\(two(moment.day)) \(two(moment.hour)):\(two(moment.minute))"
        }
    }

    @Test(
        "A time of day is its next occurrence",
        arguments: [
            ("9am", "2026-03-29 09:00"), ("9 am", "2026-03-29 09:00"), ("9:30pm", "2026-03-28 21:30"),
            ("14:30", "2026-03-28 14:30"), ("9.30", "2026-03-29 09:30"), ("noon", "2026-03-29 12:00"),
            ("midnight", "2026-03-29 00:00"), ("12am", "2026-03-29 00:00"), ("12pm", "2026-03-29 12:00"),
            ("half past nine", "2026-03-29 09:30"), ("quarter to five", "2026-03-28 16:45"),
            ("nine o\u{2019}clock", "2026-03-29 09:00"), ("at nine", "2026-03-29 09:00"),
            ("at nine in the evening", "2026-03-28 21:00"), ("three in the morning", "2026-03-29 03:00"),
        ])
    func times(text: String, expected: String) {
        #expect(moment(text) == expected)
    }

    @Test(
        "A day alone means nine o'clock, and takes a time before or after it",
        arguments: [
            ("tomorrow", "2026-03-29 09:00"), ("Tomorrow at Nine", "2026-03-29 09:00"),
            ("tomorrow 9", "2026-03-29 09:00"), ("tomorrow 14", "2026-03-29 14:00"),
            ("tomorrow at three", "2026-03-29 15:00"), ("9am tomorrow", "2026-03-29 09:00"),
            ("at noon tomorrow", "2026-03-29 12:00"), ("tomorrow morning", "2026-03-29 09:00"),
            ("today 23:00", "2026-03-28 23:00"), ("tonight", "2026-03-28 20:00"), ("tonight at 11", "2026-03-28 23:00"),
            ("this evening", "2026-03-28 19:00"), ("the day after tomorrow at 8", "2026-03-30 08:00"),
            ("midnight tomorrow", "2026-03-30 00:00"), ("monday 9:00", "2026-03-30 09:00"),
            ("fri", "2026-04-03 09:00"), ("Fri at 3pm", "2026-04-03 15:00"), ("on friday evening", "2026-04-03 19:00"),
            // Today is a Saturday, and nine o'clock is over.
            ("saturday", "2026-04-04 09:00"), ("saturday 14:00", "2026-03-28 14:00"),
            ("next week", "2026-03-30 09:00"), ("next friday", "2026-04-03 09:00"),
            ("1 December", "2026-12-01 09:00"), ("December 1, 2026", "2026-12-01 09:00"),
            ("1 dec 14:00", "2026-12-01 14:00"), ("may 3rd", "2026-05-03 09:00"), ("24.12.", "2026-12-24 09:00"),
            ("24.12.2026 9am", "2026-12-24 09:00"), ("2026-12-01 14:30", "2026-12-01 14:30"),
            ("28 March", "2027-03-28 09:00"), ("29 feb", "2028-02-29 09:00"),
        ])
    func days(text: String, expected: String) {
        #expect(moment(text) == expected)
    }

    @Test(
        "A delay has units",
        arguments: [
            ("in 2 hours", 7200, 0), ("2 hours", 7200, 0), ("2h", 7200, 0), ("1h30m", 5400, 0), ("5 s", 5, 0),
            ("half an hour", 1800, 0), ("an hour and 5 minutes", 3900, 0), ("in a week", 0, 7), ("two weeks", 0, 14),
            ("in 3 days", 0, 3),
        ])
    func delays(text: String, seconds: Int, days: Int) {
        #expect(TypedTime(text)?.delay == TypedTime.Delay(seconds: seconds, days: days))
        #expect(moment(text) == nil)
    }

    @Test(
        "Everything else is refused",
        arguments: [
            "", "9", "25:00", "14:60", "9am 10am", "tomorrow tomorrow", "mon tue", "at", "in", "in 2", "tomorrow at",
            "next", "half", "soon", "yesterday", "may", "31.2.", "2026-02-30", "march 99", "1.5h", "-1 hours",
            "99999999999h", "\u{0663}s", "in 2 hours tomorrow", String(repeating: "tomorrow ", count: 10_000),
        ])
    func unreadable(text: String) {
        #expect(TypedTime(text) == nil)
    }

    @Test(
        "A point in time is named by its distance",
        arguments: [
            (3600, "today, 13:00"), (75_600, "tomorrow, 10:00"), (6 * 86_400, "Friday, 13:00"),
            (7 * 86_400, "4 April, 13:00"), (5, "today, 12:00:05"), (300 * 86_400, "22 January 2027, 12:00"),
        ])
    func words(seconds: Int, expected: String) {
        #expect(TypedTime.text(of: Self.now + Double(seconds), after: Self.now, in: Self.zone) == expected)
    }

    @Test("Each day has its date, over 800 years")
    func dates() {
        for number in -150_000...150_000 {
            let (year, month, day) = CivilDate.date(daysSince1970: number)
            if CivilDate.daysSince1970(year, month, day) != number { Issue.record("\(number)") }
        }
    }
}
