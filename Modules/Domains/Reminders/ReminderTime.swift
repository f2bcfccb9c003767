public import Foundation
import SwitchboardAlgorithms

/// The time of a reminder.
public enum ReminderTime: Hashable, Sendable {
    /// The next 9:00 in the morning.
    case nextNine
    /// Tomorrow at 9:00 in the morning.
    case tomorrowAtNine
    /// A point in time.
    case moment(Date)
    /// A delay from now.
    case after(ReminderDelay)
    /// A local date and time.
    case wallClock(WallClockTime)
}

/// A delay from now. Seconds are elapsed time; days are calendar days.
public struct ReminderDelay: Hashable, Sendable {
    /// The number of seconds.
    public var seconds: Int
    /// The number of days, at the same time of day.
    public var days: Int

    /// Creates a delay.
    public init(seconds: Int = 0, days: Int = 0) {
        self.seconds = seconds
        self.days = days
    }

    /// The maximum, ten years.
    private static let longest = 3660 * 86_400

    /// Parses `5s`, `90m`, `2h`, `1d`, `1w` or a sequence such as `1h30m`.
    ///
    /// - Throws: ``RemindersError/unreadableTime(_:)``.
    public init(parsing text: String) throws(RemindersError) {
        self.init()
        let parts = text.matches(of: /([0-9]+)([smhdw])/).map(\.output)
        guard !parts.isEmpty, parts.map(\.0).joined() == text else { throw .unreadableTime(text) }
        for (_, number, unit) in parts {
            guard let value = Int(number), value <= ReminderDelay.longest else { throw .unreadableTime(text) }
            switch unit {
            case "s": seconds += value
            case "m": seconds += value * 60
            case "h": seconds += value * 3600
            case "d": days += value
            default: days += value * 7
            }
            guard seconds <= ReminderDelay.longest, days <= 3660 else { throw .unreadableTime(text) }
        }
    }
}

/// A local date and time, possibly one that does not exist because the clocks move forward.
public struct WallClockTime: Hashable, Sendable {
    /// The year, the month (1 to 12) and the day (1 to 31).
    public var year: Int, month: Int, day: Int
    /// The hour (0 to 23), the minute and the second.
    public var hour: Int, minute: Int, second: Int

    /// Creates a local time.
    public init(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int = 0) {
        (self.year, self.month, self.day) = (year, month, day)
        (self.hour, self.minute, self.second) = (hour, minute, second)
    }

    /// Returns the point in time in a time zone. An ambiguous time is the first of the two; a skipped time becomes the
    /// next one that exists.
    ///
    /// - Returns: The point in time and `true` if the local time is skipped; nil if the date or time is not valid.
    public func moment(in timeZone: TimeZone) -> (date: Date, isSkipped: Bool)? {
        guard (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second),
            (1...12).contains(month), (1...31).contains(day), (1...9999).contains(year)
        else { return nil }
        // Interpreted as UTC first, then corrected by the zone's offsets before and after.
        let utc = Calendar.gregorian(in: .gmt)
        let components = DateComponents(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        guard let wanted = utc.date(from: components), utc.component(.day, from: wanted) == day else { return nil }
        func offset(at date: Date) -> TimeInterval { TimeInterval(timeZone.secondsFromGMT(for: date)) }
        let (before, after) = (offset(at: wanted - 86_400), offset(at: wanted + 86_400))
        let candidates = [wanted - before, wanted - after].filter { $0 + offset(at: $0) == wanted }
        if let first = candidates.min() { return (first, false) }
        // Skipped: the transition itself, when the first existing time begins.
        return (TimeZoneTransitions.first(after: wanted - after - 1, in: timeZone) ?? wanted, true)
    }
}

extension Calendar {
    /// Returns the calendar used for calculations, independent of the user's calendar.
    static func gregorian(in timeZone: TimeZone) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        return calendar
    }
}

// MARK: - Nine o'clock

extension ReminderTime {
    /// Returns the next 9:00 in the morning.
    ///
    /// The search goes from day to day in the calendar instead of adding seconds: days have 23 or 25 hours at
    /// transitions, and a zone may skip a day. If 9:00 itself is skipped, the result is the next time that exists.
    public static func nextNine(after now: Date, in timeZone: TimeZone) -> Date {
        next(hour: 9, minute: 0, after: now, in: timeZone, days: 0...3).date
    }

    /// Returns the first occurrence of a time of day after a point in time, and `true` if it is skipped. The days to
    /// search are counted from the day of that point in time.
    private static func next(
        hour: Int, minute: Int, after now: Date, in timeZone: TimeZone, days: ClosedRange<Int>
    ) -> (date: Date, isSkipped: Bool) {
        let utc = Calendar.gregorian(in: .gmt)
        let shown = now + TimeInterval(timeZone.secondsFromGMT(for: now))
        for days in days {
            guard let day = utc.date(byAdding: .day, value: days, to: shown) else { continue }
            let parts = utc.dateComponents([.year, .month, .day], from: day)
            let wanted = WallClockTime(
                year: parts.year ?? 0, month: parts.month ?? 0, day: parts.day ?? 0, hour: hour, minute: minute)
            guard let moment = wanted.moment(in: timeZone), moment.date > now else { continue }
            // If the zone skips the whole day, the next day has the next such time.
            let shown = moment.date + TimeInterval(timeZone.secondsFromGMT(for: moment.date))
            if !moment.isSkipped || utc.component(.day, from: shown) == wanted.day { return moment }
        }
        return (now + 86_400, false)
    }

    /// Returns the point in time, and `true` if it differs from the requested local time because the clocks skip that
    /// time.
    ///
    /// - Throws: ``RemindersError/noSuchTime(_:)``.
    public func moment(after now: Date, in timeZone: TimeZone) throws(RemindersError) -> (date: Date, isSkipped: Bool) {
        switch self {
        case .nextNine: return (ReminderTime.nextNine(after: now, in: timeZone), false)
        case .tomorrowAtNine:
            return (ReminderTime.next(hour: 9, minute: 0, after: now, in: timeZone, days: 1...3).date, false)
        case .moment(let date): return (date, false)
        case .after(let delay):
            guard delay.days != 0 else { return (now + TimeInterval(delay.seconds), false) }
            let later = Calendar.gregorian(in: timeZone).date(byAdding: .day, value: delay.days, to: now)
            return ((later ?? now + Double(delay.days) * 86_400) + TimeInterval(delay.seconds), false)
        case .wallClock(let time):
            guard let moment = time.moment(in: timeZone) else { throw .noSuchTime("\(time)") }
            return moment
        }
    }

    /// Parses `2026-11-21 14:30`, optionally with seconds or a `T`, as a local time, or with `Z` or an offset such as
    /// `+01:00` as a point in time. ``init(typed:after:in:)`` also parses shorter forms.
    ///
    /// - Throws: ``RemindersError/unreadableTime(_:)``.
    public init(parsing text: String) throws(RemindersError) {
        let pattern = /(\d{4})-(\d{1,2})-(\d{1,2})[ T](\d{1,2}):(\d{2})(?::(\d{2}))?(Z|[+-]\d{2}:?\d{2})?/
        guard let match = text.wholeMatch(of: pattern) else { throw .unreadableTime(text) }
        let (_, year, month, day, hour, minute, second, zone) = match.output
        func number(_ text: Substring?) -> Int { text.flatMap { Int($0) } ?? 0 }
        let time = WallClockTime(
            year: number(year), month: number(month), day: number(day), hour: number(hour), minute: number(minute),
            second: number(second))
        guard let zone else {
            guard time.moment(in: .gmt) != nil else { throw .unreadableTime(text) }
            self = .wallClock(time)
            return
        }
        let digits = zone.filter(\.isNumber)
        let offset = zone == "Z" ? 0 : number(digits.prefix(2)) * 3600 + number(digits.suffix(2)) * 60
        guard let moment = time.moment(in: .gmt), offset <= 18 * 3600 else { throw .unreadableTime(text) }
        self = .moment(moment.date - TimeInterval(zone.hasPrefix("-") ? -offset : offset))
    }
}

extension ReminderTime {
    /// Parses what people type: `9am`, `tomorrow at nine`, `fri`, `next week`, `in 2 hours`, `2h`, or a time as
    /// ``init(parsing:)`` does. A day alone means 9:00 in the morning.
    ///
    /// - Parameters:
    ///   - text: The text to parse.
    ///   - now: The current time, from which days are counted.
    ///   - timeZone: The time zone of days and times of day.
    /// - Throws: ``RemindersError/unreadableTime(_:)``.
    public init(typed text: String, after now: Date = Date(), in timeZone: TimeZone = .current) throws(RemindersError) {
        if let typed = TypedTime(text) {
            if let delay = typed.delay {
                self = .after(try ReminderDelay(delay, typed: text))
                return
            }
            if let moment = typed.moment(after: now, in: timeZone) {
                self = .wallClock(
                    WallClockTime(
                        year: moment.year, month: moment.month, day: moment.day, hour: moment.hour,
                        minute: moment.minute))
                return
            }
        }
        try self.init(parsing: text.trimmingCharacters(in: .whitespaces))
    }
}

extension ReminderDelay {
    /// Parses what people type: `2 hours`, `in a week`, `half an hour` or `1h30m`.
    ///
    /// - Throws: ``RemindersError/unreadableTime(_:)``.
    public init(typed text: String) throws(RemindersError) {
        guard let delay = TypedTime(text)?.delay else { throw .unreadableTime(text) }
        try self.init(delay, typed: text)
    }

    fileprivate init(_ delay: TypedTime.Delay, typed text: String) throws(RemindersError) {
        guard delay.seconds <= ReminderDelay.longest, delay.days <= 3660 else { throw .unreadableTime(text) }
        self.init(seconds: delay.seconds, days: delay.days)
    }
}

extension WallClockTime: CustomStringConvertible {
    /// `2026-11-21 14:30`
    public var description: String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(year)-\(two(month))-\(two(day)) \(two(hour)):\(two(minute))"
    }
}

// MARK: - Time zones

/// The transitions of a time zone.
///
/// Foundation reports only daylight saving transitions, but a zone may also change its standard time. This type
/// compares the offsets instead.
enum TimeZoneTransitions {
    /// The step of the search in seconds. No two transitions of a zone have ever been closer.
    private static let step: TimeInterval = 86_400 * 2

    /// Returns the first transition after `date`, or nil if there is none within two years.
    static func first(after date: Date, in timeZone: TimeZone) -> Date? {
        all(from: date, to: date + 86_400 * 731, in: timeZone).first
    }

    /// Returns the transitions after `start`, up to `end`.
    static func all(from start: Date, to end: Date, in timeZone: TimeZone) -> [Date] {
        stride(from: start, to: end, by: step).compactMap { change(from: $0, to: $0 + step, in: timeZone) }
            .filter { $0 <= end }
    }

    /// Finds a transition between two points in time to the second by bisection.
    private static func change(from early: Date, to late: Date, in timeZone: TimeZone) -> Date? {
        var low = early.timeIntervalSince1970.rounded(.down)
        var high = late.timeIntervalSince1970.rounded(.down)
        func offset(_ seconds: TimeInterval) -> Int {
            timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds))
        }
        let before = offset(low)
        guard offset(high) != before else { return nil }
        while high - low > 1 {
            let middle = ((low + high) / 2).rounded(.down)
            if offset(middle) == before { low = middle } else { high = middle }
        }
        return Date(timeIntervalSince1970: high)
    }
}
