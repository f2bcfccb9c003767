public import Foundation

/// When to remind.
public enum ReminderTime: Hashable, Sendable {
    /// The next nine o'clock in the morning that lies ahead.
    case nextNine
    /// Nine o'clock in the morning of the day after today.
    case tomorrowAtNine
    /// A moment.
    case moment(Date)
    /// A time from now.
    case after(ReminderDelay)
    /// A time of the day on a day, as clocks on the wall show it.
    case wallClock(WallClockTime)
}

/// A time from now: minutes and the like by the clock, days by the calendar.
public struct ReminderDelay: Hashable, Sendable {
    /// Seconds.
    public var seconds: Int
    /// Days, at the same time of the day.
    public var days: Int

    /// A delay.
    public init(seconds: Int = 0, days: Int = 0) {
        self.seconds = seconds
        self.days = days
    }

    /// The longest one: ten years.
    private static let longest = 3660 * 86_400

    /// Reads `5s`, `90m`, `2h`, `1d` or several of them after each other, as `1h30m`.
    ///
    /// - Throws: ``RemindersError/unreadableTime(_:)``.
    public init(parsing text: String) throws(RemindersError) {
        self.init()
        var number: Int?
        for character in text {
            if let digit = character.wholeNumberValue, character.isASCII {
                number = (number ?? 0) * 10 + digit
                if (number ?? 0) > ReminderDelay.longest { throw .unreadableTime(text) }
                continue
            }
            guard let value = number else { throw .unreadableTime(text) }
            switch character {
            case "s": seconds += value
            case "m": seconds += value * 60
            case "h": seconds += value * 3600
            case "d": days += value
            default: throw .unreadableTime(text)
            }
            number = nil
            guard seconds <= ReminderDelay.longest, days <= 3660 else { throw .unreadableTime(text) }
        }
        guard number == nil, !text.isEmpty else { throw .unreadableTime(text) }
    }
}

/// A time as clocks on the wall show it, maybe one that the clocks skip.
public struct WallClockTime: Hashable, Sendable {
    /// The year, the month from 1 and the day from 1.
    public var year: Int, month: Int, day: Int
    /// The hour of 24, the minute and the second.
    public var hour: Int, minute: Int, second: Int

    /// A time; see the properties.
    public init(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int = 0) {
        (self.year, self.month, self.day) = (year, month, day)
        (self.hour, self.minute, self.second) = (hour, minute, second)
    }

    /// The moment in a zone: of two the first, and for one that the clocks skip the next that exists.
    ///
    /// - Returns: the moment, and whether the clocks skip the time; nil if there is no such day or time in any year.
    public func moment(in timeZone: TimeZone) -> (date: Date, isSkipped: Bool)? {
        guard (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second),
            (1...12).contains(month), (1...31).contains(day), (1...9999).contains(year)
        else { return nil }
        // As if there were no zones first; then what the zone's clocks are off by around that time.
        let utc = Calendar.gregorian(in: .gmt)
        let components = DateComponents(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        guard let wanted = utc.date(from: components), utc.component(.day, from: wanted) == day else { return nil }
        let (before, after) = (
            timeZone.secondsFromGMT(for: wanted - 86_400), timeZone.secondsFromGMT(for: wanted + 86_400)
        )
        let candidates = [before, after].map { wanted - TimeInterval($0) }.filter { candidate in
            candidate + TimeInterval(timeZone.secondsFromGMT(for: candidate)) == wanted
        }
        if let first = candidates.min() { return (first, false) }
        // Skipped: the moment at which the clocks are put forward, when the first time after it begins.
        return (ZoneChanges.first(after: wanted - TimeInterval(after) - 1, in: timeZone) ?? wanted, true)
    }
}

extension Calendar {
    /// The calendar that times are counted in, whatever the person's own is.
    static func gregorian(in timeZone: TimeZone) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        return calendar
    }
}

// MARK: - Nine o'clock

extension ReminderTime {
    /// The next time the clocks on the wall show nine in the morning.
    ///
    /// It is looked up day by day in the calendar, never computed by adding seconds: days have 23 or 25 hours where the clocks
    /// change, and a zone may skip a day. Where the clocks skip nine o'clock itself, it is the next moment that exists.
    public static func nextNine(after now: Date, in timeZone: TimeZone) -> Date {
        nine(after: now, in: timeZone, days: 0...3)
    }

    /// The first nine o'clock after a moment, of days counted from its own.
    private static func nine(after now: Date, in timeZone: TimeZone, days: ClosedRange<Int>) -> Date {
        let utc = Calendar.gregorian(in: .gmt)
        let shown = now + TimeInterval(timeZone.secondsFromGMT(for: now))
        for days in days {
            guard let day = utc.date(byAdding: .day, value: days, to: shown) else { continue }
            let parts = utc.dateComponents([.year, .month, .day], from: day)
            let nine = WallClockTime(
                year: parts.year ?? 0, month: parts.month ?? 0, day: parts.day ?? 0, hour: 9, minute: 0)
            guard let moment = nine.moment(in: timeZone), moment.date > now else { continue }
            // Where the clocks skip the whole day, nine is to be had on the next one.
            let shown = moment.date + TimeInterval(timeZone.secondsFromGMT(for: moment.date))
            if !moment.isSkipped || utc.component(.day, from: shown) == nine.day { return moment.date }
        }
        return now + 86_400
    }

    /// The moment, and whether it is another one than was asked for because the clocks skip that.
    ///
    /// - Throws: ``RemindersError/noSuchTime(_:)``.
    public func moment(after now: Date, in timeZone: TimeZone) throws(RemindersError) -> (date: Date, isSkipped: Bool) {
        switch self {
        case .nextNine: return (ReminderTime.nextNine(after: now, in: timeZone), false)
        case .tomorrowAtNine: return (ReminderTime.nine(after: now, in: timeZone, days: 1...3), false)
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

    /// Reads `2026-11-21 14:30`, with seconds or a `T` if wanted, as a time of the clocks on the wall; with `Z` or an offset such
    /// as `+01:00` as a moment.
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

extension WallClockTime: CustomStringConvertible {
    /// `2026-11-21 14:30`
    public var description: String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(year)-\(two(month))-\(two(day)) \(two(hour)):\(two(minute))"
    }
}
