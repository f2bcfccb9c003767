/// Keeps a spreadsheet from taking a text for a formula, which may call the network or other programs.
///
/// Such a text gets an apostrophe before it, by which spreadsheets know a text as one, and which this book's own reader takes off
/// again. Numbers of telephones and dates begin with signs, too, and stay as they are: no formula without a letter does harm.
enum FormulaGuard {
    /// A text as it may stand in a table.
    static func guarded(_ text: String) -> String { mayBeFormula(text) ? "'" + text : text }

    /// A text as it was before it was guarded.
    static func unguarded(_ text: String) -> String {
        guard text.utf8.first == apostrophe, mayBeFormula(text) else { return text }
        return String(text.unicodeScalars.dropFirst())
    }

    private static let apostrophe = UInt8(ascii: "'")

    /// Apostrophes that stand there already do not count, so that each guarding has its undoing.
    private static func mayBeFormula(_ text: String) -> Bool {
        let rest = text.utf8.drop { $0 == apostrophe }
        switch rest.first {
        case UInt8(ascii: "="), UInt8(ascii: "@"), UInt8(ascii: "\t"), UInt8(ascii: "\r"): return true
        case UInt8(ascii: "+"), UInt8(ascii: "-"): return rest.contains { (0x41...0x5A).contains($0 & 0xDF) }
        default: return false
        }
    }
}
