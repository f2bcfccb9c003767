public import Foundation

/// A DATE or DATE-TIME of iCalendar (RFC 5545, sections 3.3.4 and 3.3.5).
public struct CalendarDateTime: Sendable, Hashable {
    /// `true` for a date without a time of day.
    public let isDate: Bool
    /// The date and time of day as if they were in UTC.
    private let local: Date
    /// The zone of the time; nil for a floating time, which is in any zone.
    private let zone: TimeZone?

    /// Parses the value of a property; nil if it is not a date or time.
    ///
    /// A time zone is known by its IANA name, which some programs extend with a prefix, or by `X-LIC-LOCATION` of its
    /// VTIMEZONE in `calendar`. A time in an unknown zone is floating.
    public init?(_ property: VCardProperty, in calendar: CalendarComponent? = nil) {
        let text = property.value.trimmingWhitespace.uppercased()
        let isUTC = text.hasSuffix("Z")
        let parts = (isUTC ? text.dropLast() : text[...]).split(separator: "T", omittingEmptySubsequences: false)
        func numbers(_ part: Substring, _ widths: [Int]) -> [Int]? {
            guard part.utf8.count == widths.reduce(0, +), part.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                return nil
            }
            var rest = part
            return widths.map { width in
                defer { rest = rest.dropFirst(width) }
                return Int(rest.prefix(width)) ?? 0
            }
        }
        guard let day = numbers(parts[0], [4, 2, 2]), parts.count == 2 || parts.count == 1 && !isUTC else { return nil }
        isDate = parts.count == 1
        guard let time = isDate ? [0, 0, 0] : numbers(parts[1], [2, 2, 2]) else { return nil }
        // A leap second is the last second of its minute.
        guard (1...9999).contains(day[0]), (1...12).contains(day[1]), time[0] < 24, time[1] < 60, time[2] <= 60
        else {
            return nil
        }
        var utc = Calendar(identifier: .gregorian)
        utc.timeZone = .gmt
        let components = DateComponents(
            year: day[0], month: day[1], day: day[2], hour: time[0], minute: time[1], second: min(time[2], 59))
        guard let local = utc.date(from: components), utc.component(.day, from: local) == day[2] else { return nil }
        self.local = local
        zone =
            isUTC ? .gmt : property.values(of: "TZID").first.flatMap { CalendarDateTime.timeZone($0, in: calendar) }
    }

    /// Returns the point in time. An ambiguous time is the first of the two; a skipped time has the offset before the
    /// gap (RFC 5545, section 3.3.5).
    ///
    /// - Parameters:
    ///   - floating: The zone of dates and floating times.
    ///   - hour: The hour at which a date begins.
    public func moment(inFloating floating: TimeZone, hour: Int = 0) -> Date {
        let zone = zone ?? floating
        let wanted = local + (isDate ? TimeInterval(hour * 3600) : 0)
        func offset(at date: Date) -> TimeInterval { TimeInterval(zone.secondsFromGMT(for: date)) }
        let before = wanted - offset(at: wanted - 86_400)
        let after = wanted - offset(at: wanted + 86_400)
        return [before, after].filter { $0 + offset(at: $0) == wanted }.min() ?? before
    }

    package static func timeZone(_ identifier: String, in calendar: CalendarComponent?) -> TimeZone? {
        let definition = calendar?.components.first {
            $0.name == "VTIMEZONE" && $0.property("TZID")?.text == identifier
        }
        let parts = identifier.split(separator: "/")
        let names =
            [identifier] + [3, 2].filter { $0 < parts.count }.map { parts.suffix($0).joined(separator: "/") }
            + [definition?.property("X-LIC-LOCATION")?.text ?? ""]
        return names.lazy.filter { !$0.isEmpty }.compactMap { TimeZone(identifier: $0) }.first
    }
}

/// The parsing of durations.
public enum CalendarDuration {
    /// Returns the seconds of a duration such as `P1DT2H` or `-PT15M` (RFC 5545, section 3.3.6); nil if it is
    /// malformed. Days have 24 hours.
    public static func seconds(of text: String) -> TimeInterval? {
        let pattern = /([+-]?)P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?/
        guard let match = text.trimmingWhitespace.uppercased().wholeMatch(of: pattern) else { return nil }
        let (_, sign, weeks, days, hours, minutes, seconds) = match.output
        let parts = [weeks, days, hours, minutes, seconds]
        guard parts.contains(where: { $0 != nil }) else { return nil }
        let total = zip(parts, [604_800, 86_400, 3600, 60, 1]).reduce(0) { $0 + (Int($1.0 ?? "") ?? 0) * $1.1 }
        return TimeInterval(sign == "-" ? -total : total)
    }
}
