import SwitchboardTerminalText

/// A character as a terminal shows it: its scalars, its width, its style.
struct Glyph: Hashable {
    var text: String
    var width: Int
    var style: Style

    /// How many marks a letter keeps: ncurses has room for five scalars.
    private static let mostMarks = 4

    /// The glyphs of a text, made harmless.
    ///
    /// A picture of several scalars (a family, a skin tone, a letter asked for as emoji) becomes its first one, since terminals, the
    /// C library and Unicode do not agree how wide such are. A text with letters from right to left ends with a left-to-right
    /// mark, so that a terminal that turns text leaves the next column where it is.
    ///
    /// - Parameters:
    ///   - matches: ranges of scalars that are shown as what matched.
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
            // A flag is two letters of one column each.
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

    /// How many columns glyphs take.
    static func width(of glyphs: [Glyph]) -> Int { glyphs.reduce(0) { $0 + $1.width } }

    /// The glyphs, cut with an ellipsis where they take more than so many columns.
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

    /// The glyphs in lines of at most so many columns, broken at spaces where there are any.
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
