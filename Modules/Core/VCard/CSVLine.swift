/// Protection against CSV injection: spreadsheets evaluate fields that look like formulas.
///
/// Such a field gets a leading apostrophe. Spreadsheets then read the field as text, and the CSV reader removes the
/// apostrophe. Phone numbers and dates may start with a sign and stay unchanged because a formula without letters is
/// harmless.
package enum FormulaGuard {
    /// Returns a text that is safe in a CSV file.
    package static func guarded(_ text: String) -> String { mayBeFormula(text) ? "'" + text : text }

    package static func unguarded(_ text: String) -> String {
        guard text.utf8.first == apostrophe, mayBeFormula(text) else { return text }
        return String(text.unicodeScalars.dropFirst())
    }

    private static let apostrophe = UInt8(ascii: "'")

    /// Ignores existing apostrophes, so that guarding is reversible.
    private static func mayBeFormula(_ text: String) -> Bool {
        let rest = text.utf8.drop { $0 == apostrophe }
        switch rest.first {
        case UInt8(ascii: "="), UInt8(ascii: "@"), UInt8(ascii: "\t"), UInt8(ascii: "\r"): return true
        case UInt8(ascii: "+"), UInt8(ascii: "-"): return rest.contains { (0x41...0x5A).contains($0 & 0xDF) }
        default: return false
        }
    }
}

/// Writing of comma-separated values (RFC 4180).
package enum CSVLine {
    /// Returns a line with the given fields, which spreadsheets read as text.
    package static func text(_ fields: [String]) -> String {
        fields.map { field in
            let text = FormulaGuard.guarded(field)
            let mustQuote =
                text.utf8.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D || $0 == 0x3B }
                || text.utf8.first == 0x20 || text.utf8.last == 0x20
            return mustQuote ? "\"" + text.components(splitBy: "\"").joined(separator: "\"\"") + "\"" : text
        }.joined(separator: ",") + "\r\n"
    }
}
