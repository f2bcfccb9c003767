import Foundation

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
        case .local(let seconds):
            let approximate = Date(timeIntervalSinceReferenceDate: seconds)
            let first = approximate.addingTimeInterval(-Double(calendar.timeZone.secondsFromGMT(for: approximate)))
            return approximate.addingTimeInterval(-Double(calendar.timeZone.secondsFromGMT(for: first)))
        case .start(let unit, let count):
            let start = calendar.dateInterval(of: unit, for: now)?.start ?? now
            let moved = calendar.date(byAdding: unit, value: count, to: start) ?? start
            return calendar.dateInterval(of: unit, for: moved)?.start ?? moved
        }
    }
}

extension TimeExpression {
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
        var reader = DigitReader(scalars: Array(text.unicodeScalars)[...])
        guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2), reader.skip("-"),
            let day = reader.number(2), (1...12).contains(month), day >= 1, day <= Self.days(in: month, of: year)
        else { return nil }
        var seconds = 0.0
        var offset: Double?
        if reader.skip("T") || reader.skip(" ") {
            guard let hour = reader.number(2), reader.skip(":"), let minute = reader.number(2), hour < 24, minute < 60
            else { return nil }
            seconds = Double(hour * 3600 + minute * 60)
            if reader.skip(":") {
                guard let second = reader.number(2), second < 61 else { return nil }
                seconds += Double(second)
                if reader.skip(".") {
                    guard let fraction = reader.fraction() else { return nil }
                    seconds += fraction
                }
            }
            if reader.skip("Z") {
                offset = 0
            } else if let sign = reader.skip("+") ? 1.0 : reader.skip("-") ? -1.0 : nil {
                guard let hours = reader.number(2), hours < 24 else { return nil }
                let hasColon = reader.skip(":")
                let minutes = reader.number(2)
                guard minutes != nil || !hasColon, (minutes ?? 0) < 60 else { return nil }
                offset = sign * Double(hours * 3600 + (minutes ?? 0) * 60)
            }
        }
        guard reader.isAtEnd else { return nil }
        let total = Double(Self.daysSince2001(year, month, day)) * 86_400 + seconds
        self = offset.map { .instant(Date(timeIntervalSinceReferenceDate: total - $0)) } ?? .local(total)
    }

    private static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    private static func days(in month: Int, of year: Int) -> Int {
        month == 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// Returns the days since 2001-01-01, by Howard Hinnant's "days from civil" algorithm.
    private static func daysSince2001(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = (month <= 2 ? year - 1 : year) + 400
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return (era - 1) * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468 - 11_323
    }
}

/// A scanner of the numbers in a date.
private struct DigitReader {
    var scalars: ArraySlice<Unicode.Scalar>

    var isAtEnd: Bool { scalars.isEmpty }

    mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard scalars.first == scalar else { return false }
        scalars.removeFirst()
        return true
    }

    mutating func number(_ digits: Int) -> Int? {
        guard scalars.count >= digits else { return nil }
        var value = 0
        for scalar in scalars.prefix(digits) {
            guard ("0"..."9").contains(scalar) else { return nil }
            value = value * 10 + Int(scalar.value - 0x30)
        }
        scalars = scalars.dropFirst(digits)
        return value
    }

    mutating func fraction() -> Double? {
        var value = 0.0
        var unit = 0.1
        let before = scalars.count
        while let digit = number(1) {
            value += Double(digit) * unit
            unit /= 10
        }
        return scalars.count < before ? value : nil
    }
}
