import SwitchboardAlgorithms
import SwitchboardVCard

/// A date of birth with or without the year.
struct Birthday: Hashable, Sendable {
    let year: Int?
    let month: Int
    let day: Int

    /// Parses `1980-04-15` or `--04-15`; nil for any other text or an invalid date.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard [[4, 2, 2], [0, 0, 2, 2]].contains(parts.map(\.utf8.count)),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2D }),
            let month = Int(parts[parts.count - 2]), let day = Int(parts[parts.count - 1])
        else { return nil }
        year = Int(parts[0])
        guard (1...12).contains(month), day >= 1, day <= CivilDate.days(in: month, of: year ?? 2000) else { return nil }
        (self.month, self.day) = (month, day)
    }

    /// Returns a spreadsheet date in the model's format.
    ///
    /// Also accepts Outlook's date formats: `14.03.1975`, `14-3-1975`, `1975/3/14`, and `3/14/1975` or `14/3/1975`. If
    /// both numbers before the year can be months, the month comes first in the United States and without a region, and
    /// the day elsewhere. Two-digit years fall in 1930 to 2029. Outlook's "0/0/00" means "no date".
    static func ofTable(_ text: String, region: String?) -> String {
        let parts = text.split(omittingEmptySubsequences: false) { "/.-".contains($0) }
            .map { String($0).trimmingWhitespace }
        let numbers = parts.compactMap { $0.utf8.count <= 4 ? Int($0) : nil }
        guard parts.count == 3, numbers.count == 3 else { return normalised(text) }
        if numbers.allSatisfy({ $0 == 0 }) { return "" }
        if parts[0].utf8.count == 4 {
            return self.text(year: numbers[0], month: numbers[1], day: numbers[2]) ?? normalised(text)
        }
        var (day, month) = (numbers[0], numbers[1])
        if text.contains("/"), day <= 12, month > 12 || ["US", nil].contains(region) { (day, month) = (month, day) }
        var year = numbers[2]
        if parts[2].utf8.count == 2 { year += year < 30 ? 2000 : 1900 }
        return self.text(year: year, month: month, day: day) ?? normalised(text)
    }

    /// Returns a date in the model's format; nil if it is invalid.
    static func text(year: Int?, month: Int, day: Int) -> String? {
        func digits(_ number: Int, _ count: Int) -> String {
            String(repeating: "0", count: max(0, count - String(number).count)) + String(number)
        }
        let text = (year.map { digits($0, 4) } ?? "-") + "-" + digits(month, 2) + "-" + digits(day, 2)
        return Birthday(text) == nil ? nil : text
    }

    /// Returns a birthday from a card or CSV file in the model's format.
    ///
    /// `19800415` and `1980-04-15T00:00:00Z` become `1980-04-15`, `--0415` becomes `--04-15`. Other texts stay
    /// unchanged.
    static func normalised(_ text: String) -> String {
        let text = text.trimmingWhitespace
        let day = text.split(separator: "T", maxSplits: 1).first.map(String.init) ?? text
        let digits = day.filter { $0 != "-" }
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return text }
        if day.hasPrefix("--"), digits.count == 4 { return "--" + digits.prefix(2) + "-" + digits.suffix(2) }
        guard digits.count == 8, !day.hasPrefix("-") else { return text }
        return digits.prefix(4) + "-" + digits.dropFirst(4).prefix(2) + "-" + digits.suffix(2)
    }
}
