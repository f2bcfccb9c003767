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

    /// Returns a birthday of a card or a CSV file in the form of the model.
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
