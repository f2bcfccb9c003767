import SwitchboardTerminalText

/// One field of a row: text, and the part of it that matched.
struct Cell {
    var text: String
    var tone = Style.Tone.plain
    /// The ranges that matched, in Unicode scalars of `text`, sorted and apart.
    var matches: [Range<Int>] = []
    /// Whether it stands on the right of its column.
    var isRightAligned = false

    init(_ text: String, _ tone: Style.Tone = .plain, matches: [Range<Int>] = [], isRightAligned: Bool = false) {
        self.text = TerminalText.harmless(text)
        self.tone = tone
        self.matches = matches
        self.isRightAligned = isRightAligned
    }

    var width: Int { TerminalText.width(of: text) }

    /// The text with its colours, and after letters that run from right to left what keeps the next column in its place.
    func dressed(_ style: Style) -> String {
        let mark = style.isTerminal && TerminalText.hasRightToLeft(text) ? "\u{200E}" : ""
        guard !matches.isEmpty else { return style.dressed(text, tone) + mark }
        let scalars = Array(text.unicodeScalars)
        var result = ""
        var position = 0
        func put(_ range: Range<Int>, _ tone: Style.Tone) {
            let range = range.clamped(to: position..<scalars.count)
            guard !range.isEmpty else { return }
            result += style.dressed(String(String.UnicodeScalarView(scalars[range])), tone)
            position = range.upperBound
        }
        for range in matches where range.lowerBound >= position {
            put(position..<range.lowerBound, tone)
            put(range, .match)
        }
        put(position..<scalars.count, tone)
        return result + mark
    }
}
