public import Foundation
import SwitchboardVCard

/// Reminders as an iCalendar file (RFC 5545).
///
/// A reminder is an event of 15 minutes with an alarm at its start. Its identifier does not change when the reminder is
/// rescheduled, so calendars move the event. Times are local times with a VTIMEZONE.
public enum ReminderCalendar {
    /// Returns a calendar of the given reminders.
    ///
    /// - Parameters:
    ///   - reminders: The reminders to include.
    ///   - now: The time of creation.
    public static func text(of reminders: [Reminder], now: Date) -> String {
        var lines = VCardLines()
        lines.add("BEGIN:VCALENDAR")
        lines.add("VERSION:2.0")
        lines.add("PRODID:-//Switchboard//Reminders//EN")
        lines.add("CALSCALE:GREGORIAN")
        let zones = Dictionary(grouping: reminders, by: \.timeZone.identifier).sorted { $0.key < $1.key }
        for (_, reminders) in zones {
            if let zone = reminders.first?.timeZone, !isUTC(zone) {
                CalendarZone(zone, covering: reminders.map(\.dueAt)).write(to: &lines)
            }
        }
        for reminder in reminders { write(reminder, to: &lines, now: now) }
        lines.add("END:VCALENDAR")
        return lines.text
    }

    private static func write(_ reminder: Reminder, to lines: inout VCardLines, now: Date) {
        let title = VCardText.escaped(reminder.title)
        lines.add("BEGIN:VEVENT")
        lines.add("UID:\(reminder.id)@switchboard")
        lines.add("DTSTAMP:" + now.basicISO8601)
        lines.add("LAST-MODIFIED:" + reminder.modifiedAt.basicISO8601)
        lines.add("SEQUENCE:\(reminder.sequence)")
        if isUTC(reminder.timeZone) {
            lines.add("DTSTART:" + reminder.dueAt.basicISO8601)
        } else {
            let local = CalendarTime.local(reminder.dueAt, in: reminder.timeZone)
            lines.add("DTSTART;TZID=\(reminder.timeZone.identifier):\(local)")
        }
        lines.add("DURATION:PT15M")
        lines.add("SUMMARY:" + title)
        if !reminder.body.isEmpty { lines.add("DESCRIPTION:" + VCardText.escaped(reminder.body)) }
        lines.add("STATUS:" + (reminder.state == .cancelled ? "CANCELLED" : "CONFIRMED"))
        lines.add("TRANSP:TRANSPARENT")
        if reminder.state == .pending {
            lines.add("BEGIN:VALARM")
            lines.add("ACTION:DISPLAY")
            lines.add("DESCRIPTION:" + title)
            lines.add("TRIGGER:PT0S")
            lines.add("END:VALARM")
        }
        lines.add("END:VEVENT")
    }

    private static func isUTC(_ zone: TimeZone) -> Bool {
        ["GMT", "UTC", "Etc/UTC", "Etc/GMT", "Etc/UCT", "UCT", "Zulu"].contains(zone.identifier)
    }
}

/// Times in the formats of iCalendar.
private enum CalendarTime {
    /// Returns the local time in a zone, such as `20261121T090000`.
    static func local(_ date: Date, in timeZone: TimeZone) -> String {
        local(date, offset: timeZone.secondsFromGMT(for: date))
    }

    /// Returns the local time at an offset in seconds.
    static func local(_ date: Date, offset: Int) -> String { (date + TimeInterval(offset)).formatted(format) }

    private static let format = Date.ISO8601FormatStyle(
        dateSeparator: .omitted, timeSeparator: .omitted, timeZone: .gmt
    ).year().month().day().time(includingFractionalSeconds: false)

    /// Returns an offset such as `+0100`, with seconds if they are not zero.
    static func offset(_ seconds: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let size = abs(seconds)
        let rest = size % 60 == 0 ? "" : two(size % 60)
        return (seconds < 0 ? "-" : "+") + two(size / 3600) + two(size / 60 % 60) + rest
    }
}

// MARK: - Time zones

/// The VTIMEZONE component of a time zone around some dates (RFC 5545, section 3.6.5). It lists each transition,
/// because recurrence rules only hold until a parliament changes them.
private struct CalendarZone {
    private let zone: TimeZone
    private let start: Date
    private let changes: [Date]

    private static let year: TimeInterval = 366 * 86_400

    init(_ zone: TimeZone, covering dates: [Date]) {
        self.zone = zone
        start = (dates.min() ?? Date(timeIntervalSince1970: 0)) - CalendarZone.year
        changes = TimeZoneTransitions.all(from: start, to: (dates.max() ?? start) + CalendarZone.year, in: zone)
    }

    func write(to lines: inout VCardLines) {
        lines.add("BEGIN:VTIMEZONE")
        lines.add("TZID:" + zone.identifier)
        let first = zone.secondsFromGMT(for: start)
        write(from: start, before: first, to: &lines)
        var before = first
        for change in changes {
            write(from: change, before: before, to: &lines)
            before = zone.secondsFromGMT(for: change)
        }
        lines.add("END:VTIMEZONE")
    }

    /// Writes the rule from one transition to the next. Its start is given in the previous offset.
    private func write(from date: Date, before: Int, to lines: inout VCardLines) {
        let kind = zone.isDaylightSavingTime(for: date) ? "DAYLIGHT" : "STANDARD"
        lines.add("BEGIN:" + kind)
        lines.add("DTSTART:" + CalendarTime.local(date, offset: before))
        lines.add("TZOFFSETFROM:" + CalendarTime.offset(before))
        lines.add("TZOFFSETTO:" + CalendarTime.offset(zone.secondsFromGMT(for: date)))
        lines.add("TZNAME:" + (zone.abbreviation(for: date) ?? CalendarTime.offset(zone.secondsFromGMT(for: date))))
        lines.add("END:" + kind)
    }
}
