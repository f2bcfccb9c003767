import Foundation

/// When the clocks of a zone are put forward or back.
///
/// Foundation tells of daylight saving only; a zone may also change for good. So the offsets themselves are compared.
enum ZoneChanges {
    /// No two changes of a zone have been closer than this, so none is overlooked, in seconds.
    private static let step: TimeInterval = 86_400 * 2

    /// The first moment after `date`, within two years, from which on the clocks show another time; nil if there is none.
    static func first(after date: Date, in timeZone: TimeZone) -> Date? {
        var early = date
        let end = date + 86_400 * 731
        while early < end {
            let late = early + step
            if let change = change(from: early, to: late, in: timeZone) { return change }
            early = late
        }
        return nil
    }

    /// The changes after one moment, up to another one.
    static func all(from start: Date, to end: Date, in timeZone: TimeZone) -> [Date] {
        var changes: [Date] = []
        var early = start
        while early < end {
            let late = early + step
            if let change = change(from: early, to: late, in: timeZone) { changes.append(change) }
            early = late
        }
        return changes.filter { $0 <= end }
    }

    /// Halves the time between two moments of different offsets down to a second.
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
