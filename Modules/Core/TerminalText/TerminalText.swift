/// Text as a terminal shows it: how many columns it takes, and that it cannot command the terminal.
///
/// Pure: neither the locale nor the C library is asked, so it is the same with `LANG=C`.
public enum TerminalText {
    // MARK: - Width

    /// How many columns a text takes on a terminal.
    ///
    /// Wide letters (han, kana, hangul, emoji) take two, combining marks and invisible signs none; what the terminal composes
    /// into one picture (a flag, a family of emoji) takes two.
    ///
    /// - Complexity: linear in the scalars.
    public static func width(of text: String) -> Int {
        // ASCII, as most text, needs no look at its characters.
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.utf8.count }
        return text.reduce(0) { $0 + width(of: $1) }
    }

    /// How many columns a character takes.
    public static func width(of character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        if scalars.count > 1, isEmoji(first, among: scalars) { return 2 }
        return scalars.reduce(0) { $0 + width(of: $1) }
    }

    /// How many columns a scalar takes that stands alone: 0, 1 or 2.
    public static func width(of scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case 0x20..<0x7F: return 1
        case 0..<0x20, 0x7F..<0xA0: return 0
        case 0xA0..<0x300: return scalar == "\u{AD}" ? 0 : 1
        // The vowels and finals of hangul join the letter before.
        case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0
        default: break
        }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .lineSeparator, .paragraphSeparator, .surrogate: return 0
        default: break
        }
        return isWide(scalar) ? 2 : 1
    }

    /// Whether a character of several scalars is one picture: a flag, or signs joined or asked for as emoji.
    private static func isEmoji(_ first: Unicode.Scalar, among scalars: Character.UnicodeScalarView) -> Bool {
        if (0x1F1E6...0x1F1FF).contains(first.value) { return true }
        if first.properties.isEmojiPresentation { return true }
        return first.properties.isEmoji && scalars.contains("\u{FE0F}")
    }

    /// Whether a scalar is wide or fullwidth (UAX #11, East Asian Width W and F).
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

    /// Whether a text has letters that are written from right to left.
    ///
    /// A column that holds any ends best with a left-to-right mark (U+200E), or a terminal that reorders text draws the next
    /// column's number on its other side (UAX #9, rule W2).
    public static func hasRightToLeft(_ text: String) -> Bool {
        text.unicodeScalars.contains { scalar in
            switch scalar.value {
            case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
            default: false
            }
        }
    }

    // MARK: - Harmlessness

    /// The text with everything that could command a terminal made visible: ESC as ␛, a line feed as ␊, a mark that turns
    /// the direction as �.
    ///
    /// One scalar stays one scalar, so ranges of scalars still point at the same letters.
    public static func harmless(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isHarmful) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { result.append(isHarmful(scalar) ? picture(of: scalar) : scalar) }
        return String(result)
    }

    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    private static func picture(of scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        // The block of control pictures has one for each control character of ASCII.
        case 0..<0x20: Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"
        case 0x7F: "\u{2421}"
        case 0x2028, 0x2029: "\u{2424}"
        default: "\u{FFFD}"
        }
    }
}
