import SwitchboardTerminalText

/// A character with its width in columns and its style.
struct Glyph: Hashable {
    var text: String
    var width: Int
    var style: Style

    /// The maximum number of combining marks; an ncurses cell holds five scalars.
    private static let mostMarks = 4

    /// Returns the glyphs of a sanitized text.
    ///
    /// An emoji sequence (a family, a skin tone, a variation selector) becomes its first scalar, since terminals, the C
    /// library and Unicode disagree on its width. A text with right-to-left letters ends with a left-to-right mark, which
    /// keeps bidirectional terminals from moving the next column.
    ///
    /// - Parameters:
    ///   - matches: the ranges of scalars to highlight, in ascending order.
    static func glyphs(of text: String, style: Style, matches: [Range<Int>] = []) -> [Glyph] {
        var glyphs: [Glyph] = []
        glyphs.reserveCapacity(text.utf8.count)
        var position = 0
        var ranges = matches[...]
        for character in TerminalText.sanitized(text) {
            let scalars = character.unicodeScalars
            while let range = ranges.first, range.upperBound <= position { ranges.removeFirst() }
            let isMatch = ranges.first.map { $0.lowerBound < position + scalars.count } ?? false
            append(scalars, isMatch ? matched(style) : style, to: &glyphs)
            position += scalars.count
        }
        if TerminalText.hasRightToLeft(text), !glyphs.isEmpty { glyphs[glyphs.count - 1].text += "\u{200E}" }
        return glyphs
    }

    private static func matched(_ style: Style) -> Style {
        Style(.match, style.attributes.union([.bold, .underline]).subtracting(.dim))
    }

    private static func append(_ scalars: Character.UnicodeScalarView, _ style: Style, to glyphs: inout [Glyph]) {
        var isPicture = false
        var marks = 0
        for scalar in scalars {
            // A flag is drawn as two letters of one column each.
            let isFlag = (0x1F1E6...0x1F1FF).contains(scalar.value)
            let width = isFlag ? 1 : TerminalText.width(of: scalar)
            if width > 0 {
                if isPicture { break }
                glyphs.append(Glyph(text: String(scalar), width: width, style: style))
                isPicture = scalar.properties.isEmojiPresentation && !isFlag
                marks = 0
            } else if case .nonspacingMark = scalar.properties.generalCategory, !isVariation(scalar) {
                if glyphs.isEmpty { glyphs.append(Glyph(text: "◌", width: 1, style: style)) }
                marks += 1
                if marks <= mostMarks { glyphs[glyphs.count - 1].text.unicodeScalars.append(scalar) }
            } else if (0x1160...0x11FF).contains(scalar.value), !glyphs.isEmpty {
                glyphs[glyphs.count - 1].text.unicodeScalars.append(scalar)
            }
        }
    }

    private static func isVariation(_ scalar: Unicode.Scalar) -> Bool {
        (0xFE00...0xFE0F).contains(scalar.value) || (0xE0100...0xE01EF).contains(scalar.value)
    }

    /// Returns the width of glyphs in columns.
    static func width(of glyphs: [Glyph]) -> Int { glyphs.reduce(0) { $0 + $1.width } }

    /// Returns the glyphs, truncated with an ellipsis if they are wider than `width`.
    static func cut(_ glyphs: [Glyph], to width: Int) -> [Glyph] {
        guard width > 0 else { return [] }
        if Glyph.width(of: glyphs) <= width { return glyphs }
        var result: [Glyph] = []
        var taken = 0
        for glyph in glyphs {
            if taken + glyph.width > width - 1 { break }
            result.append(glyph)
            taken += glyph.width
        }
        result.append(Glyph(text: "…", width: 1, style: result.last?.style ?? .plain))
        return result
    }

    /// Returns the glyphs in lines of at most `width` columns, broken at spaces if possible.
    static func wrapped(_ glyphs: [Glyph], width: Int) -> [[Glyph]] {
        guard width > 1 else { return [glyphs] }
        var lines: [[Glyph]] = []
        var line: [Glyph] = []
        var taken = 0
        for glyph in glyphs {
            if taken + glyph.width > width {
                if let space = line.lastIndex(where: { $0.text == " " }), space > 0 {
                    let rest = Array(line[(space + 1)...])
                    lines.append(Array(line[..<space]))
                    line = rest
                } else {
                    lines.append(line)
                    line = []
                }
                taken = Glyph.width(of: line)
            }
            line.append(glyph)
            taken += glyph.width
        }
        lines.append(line)
        return lines
    }
}
