import SwitchboardTerminalText

/// A cell of a table: text and the ranges of it that matched.
struct Cell {
    var text: String
    var tone = Style.Tone.plain
    /// The matched ranges in Unicode scalars of `text`, sorted and disjoint.
    var matches: [Range<Int>] = []
    /// Aligns the text to the right edge of its column.
    var isRightAligned = false

    init(_ text: String, _ tone: Style.Tone = .plain, matches: [Range<Int>] = [], isRightAligned: Bool = false) {
        self.text = TerminalText.sanitized(text)
        self.tone = tone
        self.matches = matches
        self.isRightAligned = isRightAligned
    }

    var width: Int { TerminalText.width(of: text) }

    /// Returns the text with colour codes. Right-to-left text is followed by a left-to-right mark, which keeps the next
    /// column in place.
    func styled(_ style: Style) -> String {
        let mark = style.isTerminal && TerminalText.hasRightToLeft(text) ? "\u{200E}" : ""
        guard !matches.isEmpty else { return style.styled(text, tone) + mark }
        let scalars = Array(text.unicodeScalars)
        var result = ""
        var position = 0
        func put(_ range: Range<Int>, _ tone: Style.Tone) {
            let range = range.clamped(to: position..<scalars.count)
            guard !range.isEmpty else { return }
            result += style.styled(String(String.UnicodeScalarView(scalars[range])), tone)
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
