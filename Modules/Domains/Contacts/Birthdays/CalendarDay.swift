public import Foundation
import SwitchboardAlgorithms

/// A day of the Gregorian calendar without a time zone.
public struct CalendarDay: Hashable, Sendable {
    /// The year, 0 to 9999.
    public let year: Int
    /// The month, from 1.
    public let month: Int
    /// The day of the month, from 1.
    public let day: Int

    init(year: Int, month: Int, day: Int) {
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Parses `2026-11-21`; nil for any other text or an invalid date.
    public init?(_ text: String) {
        guard let date = Birthday(text), let year = date.year else { return nil }
        self.init(year: year, month: date.month, day: date.day)
    }

    /// Creates the day of a point in time in a time zone.
    public init(_ moment: Date, in timeZone: TimeZone = .current) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let parts = calendar.dateComponents([.year, .month, .day], from: moment)
        self.init(year: parts.year ?? 1970, month: parts.month ?? 1, day: parts.day ?? 1)
    }

    /// The number of days since a fixed day.
    var number: Int { CivilDate.daysSince1970(year, month, day) }

    /// The day as `2026-11-21`.
    public var text: String {
        func digits(_ number: Int, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        return digits(year, 4) + "-" + digits(month, 2) + "-" + digits(day, 2)
    }
}
