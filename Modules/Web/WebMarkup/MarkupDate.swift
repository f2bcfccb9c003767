import Foundation
import SwitchboardAlgorithms

/// An ISO 8601 date, as found on pages.
struct MarkupDate: Equatable {
    let date: Date
    /// Indicates that the date has no time.
    let isDay: Bool

    /// Parses a date like ``CivilDate``. Without an offset, the time is in `zone`; a day begins at midnight there.
    init?(_ text: String, zone: TimeZone) {
        guard let read = CivilDate(text.utf8.prefix(64)) else { return nil }
        let local = Date(timeIntervalSince1970: Double(read.days) * 86_400 + (read.seconds ?? 0))
        date = read.offset.map { local - $0 } ?? zone.instant(showing: local)
        isDay = read.seconds == nil
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
