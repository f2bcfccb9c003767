import Foundation

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
