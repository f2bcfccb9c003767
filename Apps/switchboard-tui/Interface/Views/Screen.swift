import SwitchboardTerminalText

/// The contents of a terminal: cells and a cursor.
public struct Screen: Hashable, Sendable {
    /// The size in cells.
    public let size: Size
    /// The rows from the top, each with `size.columns` cells.
    public private(set) var rows: [[Glyph]]
    /// The position of the cursor.
    public var cursor = Position(row: 0, column: 0)
    /// True if the cursor is visible.
    public var isCursorVisible = true

    /// Creates an empty screen.
    public init(size: Size) {
        self.size = size
        rows = Array(repeating: Array(repeating: .blank, count: size.columns), count: size.rows)
    }

    /// Returns a row as text without trailing spaces.
    public func text(ofRow row: Int) -> String {
        guard rows.indices.contains(row) else { return "" }
        var text = rows[row].map(\.text).joined()
        while text.last == " " { text.removeLast() }
        return text
    }

    /// All rows as text.
    public var text: String { rows.indices.map(text(ofRow:)).joined(separator: "\n") }

    // MARK: - Writing

    /// Writes the glyphs that fit into `width` columns, by default the rest of the row, and fills the remaining columns
    /// if a style is given.
    ///
    /// - Returns: the column after the last glyph.
    @discardableResult
    mutating func write(_ glyphs: [Glyph], row: Int, column: Int, width: Int? = nil, fill: Style? = nil) -> Int {
        guard rows.indices.contains(row), column >= 0 else { return column }
        // Blank a wide character if only half of it would remain.
        if column > 0, column < size.columns, rows[row][column].width == 0 { rows[row][column - 1] = .blank }
        let end = min(column + max(0, width ?? size.columns - column), size.columns)
        var place = column
        for glyph in glyphs {
            guard place + glyph.width <= end else { break }
            rows[row][place] = glyph
            if glyph.width == 2 { rows[row][place + 1] = Glyph(text: "", width: 0, style: glyph.style) }
            place += glyph.width
        }
        var last = place
        if let fill {
            last = max(place, end)
            for blank in place..<last { rows[row][blank] = Glyph(text: " ", width: 1, style: fill) }
        }
        if last > 0, last < size.columns, rows[row][last].width == 0, rows[row][last - 1].width != 2 {
            rows[row][last] = .blank
        }
        return place
    }

    /// Writes a text, truncated with an ellipsis if necessary.
    @discardableResult
    mutating func write(
        _ text: String, row: Int, column: Int = 0, width: Int? = nil, style: Style = .plain, fill: Style? = nil
    ) -> Int {
        let width = width ?? size.columns - column
        let glyphs = Glyph.cut(Glyph.glyphs(of: text, style: style), to: width)
        return write(glyphs, row: row, column: column, width: width, fill: fill)
    }

    /// Highlights columns of the selected row.
    mutating func highlight(row: Int, columns: Range<Int>) {
        guard rows.indices.contains(row) else { return }
        for column in columns.clamped(to: 0..<size.columns) {
            rows[row][column].style = rows[row][column].style.highlighted
        }
    }

    /// Draws a horizontal rule over the whole row.
    mutating func rule(row: Int, title: String = "") {
        write(String(repeating: "─", count: size.columns), row: row, style: .faint)
        if !title.isEmpty, size.columns > 6 {
            write(" " + title + " ", row: row, column: 2, width: size.columns - 4, style: .faint)
        }
    }
}

/// A size in character cells.
public struct Size: Hashable, Sendable {
    /// The number of columns.
    public var columns: Int
    /// The number of rows.
    public var rows: Int

    /// Creates a size of at least one cell.
    public init(columns: Int, rows: Int) {
        self.columns = max(1, columns)
        self.rows = max(1, rows)
    }
}

/// A position on the screen.
public struct Position: Hashable, Sendable {
    /// The row, from 0.
    public var row: Int
    /// The column, from 0.
    public var column: Int
}

/// A rectangle of the screen.
struct Area: Hashable {
    var row: Int
    var column: Int
    var width: Int
    var height: Int

    /// The row after the last one.
    var end: Int { row + height }

    func contains(row: Int, column: Int) -> Bool {
        row >= self.row && row < end && column >= self.column && column < self.column + width
    }
}

/// The appearance of a cell.
public struct Style: Hashable, Sendable {
    /// The attributes, which do not need colors.
    public struct Attributes: OptionSet, Hashable, Sendable {
        /// The bits of the set.
        public let rawValue: UInt8
        /// Creates a set from its bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Bold text.
        public static let bold = Attributes(rawValue: 1)
        /// Faint text.
        public static let dim = Attributes(rawValue: 2)
        /// Exchanged foreground and background.
        public static let reverse = Attributes(rawValue: 4)
        /// Underlined text.
        public static let underline = Attributes(rawValue: 8)
    }

    /// The role of a cell, shown as a color if the terminal has colors.
    public enum Tone: Int, CaseIterable, Hashable, Sendable {
        case plain, faint, match, star, accent, good, warning, marker
        /// Black on white, for QR codes.
        case code

        /// The roles with configurable colors.
        static let configurable: [Tone] = [.faint, .match, .star, .accent, .good, .warning, .marker]
    }

    /// The attributes.
    public var attributes: Attributes
    /// The role.
    public var tone: Tone

    /// Creates a style.
    public init(_ tone: Tone = .plain, _ attributes: Attributes = []) {
        self.tone = tone
        self.attributes = attributes
    }

    static let plain = Style()
    static let strong = Style(.plain, .bold)
    static let faint = Style(.faint, .dim)
    static let match = Style(.match, [.bold, .underline])
    static let star = Style(.star)
    static let title = Style(.accent, .bold)
    static let warning = Style(.warning, .bold)
    static let good = Style(.good)
    static let code = Style(.code)

    /// The style on the selected row, which has a single color.
    var highlighted: Style { Style(.plain, attributes.subtracting(.dim).union(.reverse)) }
}

/// A character with its width in columns and its style; a cell of a screen.
public struct Glyph: Hashable, Sendable {
    /// The character; empty after a wide one.
    public var text: String
    /// The width in columns: 1 or 2, or 0 after a wide character.
    public var width: Int
    /// The style.
    public var style: Style

    static let blank = Glyph(text: " ", width: 1, style: .plain)

    /// The maximum number of combining marks; an ncurses cell holds five scalars.
    private static let mostMarks = 4

    /// Returns the glyphs of a sanitized text.
    ///
    /// An emoji sequence (a family, a skin tone, a variation selector) becomes its first scalar, since terminals, the C
    /// library and Unicode disagree on its width. A text with right-to-left letters ends with a left-to-right mark,
    /// which keeps bidirectional terminals from moving the next column.
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
            // Draw a flag as two letters of one column each.
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

    /// Wraps the glyphs into lines of at most `width` columns, at spaces if possible.
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
