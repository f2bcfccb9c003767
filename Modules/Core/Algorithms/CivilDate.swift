package import Foundation

/// A date of the Gregorian calendar (ISO 8601), with or without a time and an offset from UTC.
package struct CivilDate: Hashable, Sendable {
    /// The number of days since 1 January 1970.
    package let days: Int
    /// The seconds since midnight; nil without a time.
    package let seconds: Double?
    /// The offset from UTC in seconds; nil without one.
    package let offset: Double?

    /// Parses `2026`, `2026-11`, `2026-11-20` or `2026-11-20T09:00`, with seconds and a fraction, a space for the T,
    /// and `Z` or an offset, or the same without hyphens and colons. Returns nil for any other text or an invalid date.
    package init?(_ text: some Sequence<UInt8>) {
        var scanner = DigitScanner(rest: Array(text)[...])
        scanner.skipBlanks()
        guard let year = scanner.number(digits: 4) else { return nil }
        var (month, day) = (1, 1)
        let isExtended = scanner.skip("-")
        if let given = scanner.number(digits: 2) {
            month = given
            let isFollowed = scanner.skip("-")
            if isFollowed || !isExtended {
                guard let given = scanner.number(digits: 2) else { return nil }
                day = given
            }
        } else if isExtended {
            return nil
        }
        guard (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day) else { return nil }
        days = Self.daysSince1970(year, month, day)

        let hasBlank = scanner.skipBlanks()
        guard scanner.skip("T") || scanner.skip("t") || (hasBlank && scanner.isAtDigit) else {
            guard scanner.isAtEnd else { return nil }
            (seconds, offset) = (nil, nil)
            return
        }
        guard let time = Self.time(&scanner) else { return nil }
        seconds = time
        scanner.skipBlanks()
        if scanner.skip("Z") || scanner.skip("z") {
            offset = 0
        } else if let sign = scanner.skip("+") ? 1 : scanner.skip("-") ? -1 : nil {
            guard let hours = scanner.number(digits: 2), hours < 24 else { return nil }
            _ = scanner.skip(":")
            let minutes = scanner.number(digits: 2) ?? 0
            guard minutes < 60 else { return nil }
            offset = Double(sign * (hours * 3600 + minutes * 60))
        } else {
            offset = nil
        }
        guard scanner.isAtEnd else { return nil }
    }

    private static func time(_ scanner: inout DigitScanner) -> Double? {
        guard let hour = scanner.number(digits: 2), hour <= 24 else { return nil }
        _ = scanner.skip(":")
        let minute = scanner.number(digits: 2) ?? 0
        var seconds = 0.0
        if scanner.skip(":") || scanner.isAtDigit {
            guard let given = scanner.number(digits: 2) else { return nil }
            seconds = Double(given)
            if scanner.skip(".") || scanner.skip(",") { seconds += scanner.fraction() }
        }
        guard minute < 60, seconds < 61, hour < 24 || (minute == 0 && seconds == 0) else { return nil }
        return Double(hour * 3600 + minute * 60) + seconds
    }

    package static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Returns the number of days from 1970-01-01 to a date in the year -399 or later.
    package static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        // Years begin in March, and are counted from 400 years earlier to avoid negative ones.
        let year = (month > 2 ? year : year - 1) + 400
        let monthFromMarch = (month + 9) % 12
        return 365 * year + year / 4 - year / 100 + year / 400 + (153 * monthFromMarch + 2) / 5 + day - 865_566
    }
}

extension TimeZone {
    /// Returns the time at which clocks in this zone show what `local` shows in UTC.
    package func instant(showing local: Date) -> Date {
        // The offset at the local time, not at the same time in UTC.
        let guess = local.addingTimeInterval(-Double(secondsFromGMT(for: local)))
        return local.addingTimeInterval(-Double(secondsFromGMT(for: guess)))
    }
}

private struct DigitScanner {
    var rest: ArraySlice<UInt8>

    var isAtEnd: Bool { rest.allSatisfy { $0 <= 0x20 } }
    var isAtDigit: Bool { rest.first.map(Self.isDigit) ?? false }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    mutating func number(digits: Int) -> Int? {
        let found = rest.prefix(digits)
        guard found.count == digits, found.allSatisfy(Self.isDigit) else { return nil }
        rest = rest.dropFirst(digits)
        return found.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    mutating func fraction() -> Double {
        var (value, unit) = (0.0, 0.1)
        while let digit = number(digits: 1) {
            value += Double(digit) * unit
            unit /= 10
        }
        return value
    }

    mutating func skip(_ sign: Unicode.Scalar) -> Bool {
        guard let first = rest.first, UInt32(first) == sign.value else { return false }
        rest = rest.dropFirst()
        return true
    }

    @discardableResult
    mutating func skipBlanks() -> Bool {
        let before = rest.count
        rest = rest.drop { $0 <= 0x20 }
        return rest.count < before
    }
}

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
