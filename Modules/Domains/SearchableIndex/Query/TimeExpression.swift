import Foundation
import SwitchboardAlgorithms

/// A time in a query. Relative times such as `$time.now` are fixed when the query starts.
enum TimeExpression: Sendable, Hashable {
    /// A known time: seconds since 2001, or an ISO date with an offset.
    case instant(Date)
    /// An ISO date without an offset: seconds since 2001 as if in UTC, in the time zone of the calendar.
    case local(TimeInterval)
    /// `$time.now(±seconds)`
    case now(TimeInterval)
    /// The start of a day, week, month or year, shifted by a number of units.
    case start(Calendar.Component, Int)

    /// Returns the date.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - calendar: The calendar that provides the time zone; weeks always begin on Monday.
    func date(at now: Date, in calendar: Calendar) -> Date {
        let zone = calendar.timeZone
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        calendar.firstWeekday = 2
        switch self {
        case .instant(let date): return date
        case .now(let seconds): return now.addingTimeInterval(seconds)
        case .local(let seconds): return zone.instant(showing: Date(timeIntervalSinceReferenceDate: seconds))
        case .start(let unit, let count):
            let start = calendar.dateInterval(of: unit, for: now)?.start ?? now
            let moved = calendar.date(byAdding: unit, value: count, to: start) ?? start
            return calendar.dateInterval(of: unit, for: moved)?.start ?? moved
        }
    }

    /// The maximum shift of `$time.now` in seconds: about ten thousand years.
    static let maximumShift = 3.2e11

    /// Returns the maximum shift in days, weeks, months or years: about ten thousand years, which calendars can
    /// represent.
    static func maximumShift(of unit: Calendar.Component) -> Double {
        switch unit {
        case .day: 3_650_000
        case .weekOfYear: 520_000
        case .month: 120_000
        default: 10_000
        }
    }

    /// Parses `2026-11-20`, `2026-11-20T09:00`, `…:30` or `….25`, with `Z`, `+01:00` or no offset.
    init?(iso text: String) {
        let form =
            /[0-9]{4}-[0-9]{2}-[0-9]{2}([T ]([01][0-9]|2[0-3]):[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)?)?/
        guard text.wholeMatch(of: form) != nil, let date = CivilDate(text.utf8) else { return nil }
        // 2001-01-01 is 11,323 days after 1970-01-01.
        let total = Double(date.days - 11_323) * 86_400 + (date.seconds ?? 0)
        self = date.offset.map { .instant(Date(timeIntervalSinceReferenceDate: total - $0)) } ?? .local(total)
    }
}

extension Date {
    /// Parses an ISO 8601 date, in UTC unless it has an offset.
    init?(iso8601 text: String) {
        guard text.utf8.count <= 40, let time = TimeExpression(iso: text) else { return nil }
        switch time {
        case .instant(let date): self = date
        case .local(let seconds): self = Date(timeIntervalSinceReferenceDate: seconds)
        case .now, .start: return nil
        }
    }
}
