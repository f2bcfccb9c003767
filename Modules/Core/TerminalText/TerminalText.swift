/// The width of text on a terminal, and text that is safe to print there.
///
/// The results depend neither on the locale nor on the C library.
public enum TerminalText {
    // MARK: - Width

    /// Returns the number of columns that a text occupies.
    ///
    /// Wide characters (Han, kana, Hangul, emoji) take two columns, combining marks and invisible characters none. An
    /// emoji sequence such as a flag or a family takes two.
    ///
    /// - Complexity: O(*n*) in the scalars.
    public static func width(of text: String) -> Int {
        // Fast path: ASCII needs no segmentation into characters.
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.utf8.count }
        return text.reduce(0) { $0 + width(of: $1) }
    }

    /// Returns the number of columns that a character occupies.
    public static func width(of character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        if scalars.count > 1, isEmoji(first, among: scalars) { return 2 }
        return scalars.reduce(0) { $0 + width(of: $1) }
    }

    /// Returns the number of columns that a single scalar occupies: 0, 1 or 2.
    public static func width(of scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case 0x20..<0x7F: return 1
        case 0..<0x20, 0x7F..<0xA0: return 0
        case 0xA0..<0x300: return scalar == "\u{AD}" ? 0 : 1
        // The vowels and finals of Hangul combine with the preceding letter.
        case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0
        default: break
        }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .lineSeparator, .paragraphSeparator, .surrogate: return 0
        default: break
        }
        return isWide(scalar) ? 2 : 1
    }

    /// Returns `true` if a character of several scalars is displayed as one emoji: a flag, or a sequence with emoji
    /// presentation.
    private static func isEmoji(_ first: Unicode.Scalar, among scalars: Character.UnicodeScalarView) -> Bool {
        if (0x1F1E6...0x1F1FF).contains(first.value) { return true }
        if first.properties.isEmojiPresentation { return true }
        return first.properties.isEmoji && scalars.contains("\u{FE0F}")
    }

    /// Returns `true` if a scalar is wide or fullwidth (UAX #11, East Asian Width W and F).
    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF, 0x4E00...0xA4CF,
            0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE1F, 0xFE30...0xFE6F, 0xFF01...0xFF60,
            0xFFE0...0xFFE6, 0x16FE0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x2FFFD, 0x30000...0x3FFFD:
            true
        default: scalar.properties.isEmojiPresentation
        }
    }

    // MARK: - Direction

    /// Returns `true` if a text contains letters of a right-to-left script.
    ///
    /// End a column that contains such letters with a left-to-right mark (U+200E). Otherwise a terminal that reorders
    /// text draws a number of the next column on the wrong side (UAX #9, rule W2).
    public static func hasRightToLeft(_ text: String) -> Bool {
        text.unicodeScalars.contains { scalar in
            switch scalar.value {
            case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
            default: false
            }
        }
    }

    // MARK: - Sanitizing

    /// Returns a text with control characters replaced by visible symbols: ESC by ␛, a line feed by ␊, a bidirectional
    /// control by �.
    ///
    /// Each scalar is replaced by one scalar, which keeps offsets in scalars valid.
    public static func sanitized(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { result.append(isControl(scalar) ? symbol(for: scalar) : scalar) }
        return String(result)
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    private static func symbol(for scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        // The block Control Pictures has a symbol for each control character of ASCII.
        case 0..<0x20: Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"
        case 0x7F: "\u{2421}"
        case 0x2028, 0x2029: "\u{2424}"
        default: "\u{FFFD}"
        }
    }
}
