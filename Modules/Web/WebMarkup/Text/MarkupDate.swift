import Foundation

/// An ISO 8601 date, as found on pages.
struct MarkupDate: Equatable {
    let date: Date
    /// Indicates that the date has no time.
    let isDay: Bool

    /// Parses `2026`, `2026-11`, `2026-11-20` or `2026-11-20T09:00`, with seconds and a fraction, a space for the T,
    /// and `Z` or an offset. Without an offset, the time is in `zone`; a day begins at midnight there.
    init?(_ text: String, zone: TimeZone) {
        var scanner = DigitScanner(Array(text.utf8.prefix(64)))
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
        guard (1...12).contains(month), (1...Self.days(inMonth: month, of: year)).contains(day) else { return nil }
        let seconds = Double(Self.days(year, month, day)) * 86400

        let hasBlank = scanner.skipBlanks()
        guard scanner.skip("T") || scanner.skip("t") || (hasBlank && scanner.isAtDigit) else {
            guard scanner.isAtEnd else { return nil }
            self.init(local: seconds, zone: zone, isDay: true)
            return
        }
        guard let time = Self.time(&scanner) else { return nil }
        scanner.skipBlanks()
        if scanner.skip("Z") || scanner.skip("z") {
            guard scanner.isAtEnd else { return nil }
            self.init(date: Date(timeIntervalSince1970: seconds + time), isDay: false)
        } else if let sign = scanner.sign() {
            guard let hours = scanner.number(digits: 2), hours < 24 else { return nil }
            _ = scanner.skip(":")
            let minutes = scanner.number(digits: 2) ?? 0
            guard minutes < 60, scanner.isAtEnd else { return nil }
            let offset = Double(sign * (hours * 3600 + minutes * 60))
            self.init(date: Date(timeIntervalSince1970: seconds + time - offset), isDay: false)
        } else {
            guard scanner.isAtEnd else { return nil }
            self.init(local: seconds + time, zone: zone, isDay: false)
        }
    }

    private init(date: Date, isDay: Bool) {
        self.date = date
        self.isDay = isDay
    }

    private init(local: Double, zone: TimeZone, isDay: Bool) {
        // Use the offset at the local time, not at the same time in UTC.
        let guess = Date(
            timeIntervalSince1970: local - Double(zone.secondsFromGMT(for: Date(timeIntervalSince1970: local))))
        self.init(date: Date(timeIntervalSince1970: local - Double(zone.secondsFromGMT(for: guess))), isDay: isDay)
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

    private static func days(inMonth month: Int, of year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// Returns the days since 1970-01-01 in the Gregorian calendar, with years that begin in March.
    static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let monthFromMarch = (month + 9) % 12
        return 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + (153 * monthFromMarch + 2) / 5 + day
            - 719_469
    }
}

/// An ISO 8601 duration, as found on pages.
enum MarkupDuration {
    /// The seconds of each unit.
    private static let dateUnits: [Unicode.Scalar: Double] = [
        "y": 365 * 86_400, "m": 30 * 86_400, "w": 7 * 86_400, "d": 86_400,
    ]
    private static let timeUnits: [Unicode.Scalar: Double] = ["h": 3_600, "m": 60, "s": 1]

    /// Returns the seconds of `PT1H30M`, `P1DT2H`, `P2W` or `90`. Months have 30 days, years 365.
    static func seconds(_ text: String) -> Double? {
        var rest = Array(text.utf8.prefix(64)).filter { $0 > 0x20 }[...]
        guard rest.first == UInt8(ascii: "P") || rest.first == UInt8(ascii: "p") else {
            return Double(String(decoding: rest, as: UTF8.self)).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
        }
        rest = rest.dropFirst()
        var total = 0.0
        var isTime = false
        var hasPart = false
        while let first = rest.first {
            if first | 0x20 == UInt8(ascii: "t") {
                isTime = true
                rest = rest.dropFirst()
                continue
            }
            let digits = rest.prefix { $0.isASCIIDigit || $0 == 0x2E || $0 == 0x2C }
            let number = String(decoding: digits.map { $0 == 0x2C ? 0x2E : $0 }, as: UTF8.self)
            rest = rest.dropFirst(digits.count)
            guard let amount = Double(number), let unit = rest.popFirst(),
                let seconds = (isTime ? timeUnits : dateUnits)[Unicode.Scalar(unit | 0x20)]
            else { return nil }
            total += amount * seconds
            hasPart = true
        }
        return hasPart && total.isFinite ? total : nil
    }
}

/// A scanner for the digits of a short text.
struct DigitScanner {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    var isAtEnd: Bool { rest.allSatisfy { $0 <= 0x20 } }
    var isAtDigit: Bool { rest.first?.isASCIIDigit ?? false }

    /// Scans a number with a fixed number of digits.
    mutating func number(digits: Int) -> Int? {
        let found = rest.prefix(digits)
        guard found.count == digits, found.allSatisfy(\.isASCIIDigit) else { return nil }
        rest = rest.dropFirst(digits)
        return found.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// Scans the digits of a fraction.
    mutating func fraction() -> Double {
        var (value, unit) = (0.0, 0.1)
        while let digit = rest.first, digit.isASCIIDigit {
            value += Double(digit - 0x30) * unit
            unit /= 10
            rest = rest.dropFirst()
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

    mutating func sign() -> Int? { skip("+") ? 1 : skip("-") ? -1 : nil }
}
