package import Foundation

extension Date {
    /// The time in UTC in ISO 8601 format, to the second: `2026-11-21T08:00:00Z`.
    ///
    /// Equal to `formatted(.iso8601)`, whose first call takes a millisecond to set up.
    package var iso8601: String {
        let seconds = timeIntervalSince1970.rounded(.down)
        // From the first day of the Gregorian calendar (Foundation uses the Julian one before it) to the year 9999.
        guard seconds >= -12_219_292_800, seconds < 253_402_300_800 else { return formatted(.iso8601) }
        let (days, secondOfDay) = Int(seconds).flooredDivision(by: 86_400)
        let (year, month, day) = civilDate(daysSince1970: days)
        var text = InlineArray<20, UInt8>(repeating: UInt8(ascii: "Z"))
        // The divisors are constants, which lets the compiler replace the divisions.
        func write(_ number: Int, at position: Int, then separator: Unicode.Scalar? = nil) {
            text[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10)
            text[position + 1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10)
            if let separator { text[position + 2] = UInt8(ascii: separator) }
        }
        write(year / 100, at: 0)
        write(year % 100, at: 2, then: "-")
        write(month, at: 5, then: "-")
        write(day, at: 8, then: "T")
        write(secondOfDay / 3600, at: 11, then: ":")
        write(secondOfDay / 60 % 60, at: 14, then: ":")
        write(secondOfDay % 60, at: 17)
        guard let ascii = try? UTF8Span(validating: text.span) else { return formatted(.iso8601) }
        return String(copying: ascii)
    }
}

/// Returns the Gregorian date a number of days after 1 January 1970.
///
/// Source: H. Hinnant, *chrono-compatible low-level date algorithms*. Years begin in March.
private func civilDate(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
    // Eras of 400 years, counted from 1 March of the year 0.
    let (era, dayOfEra) = (days + 719_468).flooredDivision(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    return (era * 400 + yearOfEra + (month >= 10 ? 1 : 0), month < 10 ? month + 3 : month - 9, day)
}

extension Int {
    fileprivate func flooredDivision(by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
