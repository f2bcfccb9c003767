import Foundation

/// The VTIMEZONE component of a time zone around some dates (RFC 5545, section 3.6.5). It lists each transition,
/// because recurrence rules only hold until a parliament changes them.
struct CalendarZone {
    private let zone: TimeZone
    private let start: Date
    private let changes: [Date]

    private static let year: TimeInterval = 366 * 86_400

    init(_ zone: TimeZone, covering dates: [Date]) {
        self.zone = zone
        start = (dates.min() ?? Date(timeIntervalSince1970: 0)) - CalendarZone.year
        changes = TimeZoneTransitions.all(from: start, to: (dates.max() ?? start) + CalendarZone.year, in: zone)
    }

    func write(to lines: inout CalendarLines) {
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
    private func write(from date: Date, before: Int, to lines: inout CalendarLines) {
        let kind = zone.isDaylightSavingTime(for: date) ? "DAYLIGHT" : "STANDARD"
        lines.add("BEGIN:" + kind)
        lines.add("DTSTART:" + CalendarTime.local(date, offset: before))
        lines.add("TZOFFSETFROM:" + CalendarTime.offset(before))
        lines.add("TZOFFSETTO:" + CalendarTime.offset(zone.secondsFromGMT(for: date)))
        lines.add("TZNAME:" + (zone.abbreviation(for: date) ?? CalendarTime.offset(zone.secondsFromGMT(for: date))))
        lines.add("END:" + kind)
    }
}
