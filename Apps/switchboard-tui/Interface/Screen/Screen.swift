/// The contents of a terminal: cells and a cursor.
public struct Screen: Hashable, Sendable {
    /// One character and its style.
    public struct Cell: Hashable, Sendable {
        /// The character; empty after a wide one.
        public var text: String
        /// The width in columns: 1 or 2, or 0 after a wide character.
        public var width: Int
        /// The style.
        public var style: Style

        static let blank = Cell(text: " ", width: 1, style: .plain)
    }

    /// The size in cells.
    public let size: Size
    /// The rows from the top, each with `size.columns` cells.
    public private(set) var rows: [[Cell]]
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

    /// Writes the glyphs that fit into `width` columns, and fills the rest if a style is given.
    ///
    /// - Returns: the column after the last glyph.
    @discardableResult
    mutating func write(_ glyphs: [Glyph], row: Int, column: Int, width: Int, fill: Style? = nil) -> Int {
        guard rows.indices.contains(row), column >= 0 else { return column }
        let end = min(column + max(0, width), size.columns)
        var place = column
        for glyph in glyphs {
            guard place + glyph.width <= end else { break }
            rows[row][place] = Cell(text: glyph.text, width: glyph.width, style: glyph.style)
            if glyph.width == 2 { rows[row][place + 1] = Cell(text: "", width: 0, style: glyph.style) }
            place += glyph.width
        }
        if let fill {
            for blank in place..<max(place, end) { rows[row][blank] = Cell(text: " ", width: 1, style: fill) }
        }
        return place
    }

    /// Writes a text, truncated with an ellipsis if necessary.
    @discardableResult
    mutating func write(
        _ text: String, row: Int, column: Int, width: Int, style: Style = .plain, fill: Style? = nil
    ) -> Int {
        write(
            Glyph.cut(Glyph.glyphs(of: text, style: style), to: width), row: row, column: column, width: width,
            fill: fill)
    }

    /// Highlights columns of the selected row.
    mutating func highlight(row: Int, columns: Range<Int>) {
        guard rows.indices.contains(row) else { return }
        for column in columns.clamped(to: 0..<size.columns) {
            rows[row][column].style = rows[row][column].style.highlighted
        }
    }

    /// Draws a horizontal rule.
    mutating func rule(row: Int, column: Int, width: Int, title: String = "") {
        write(
            String(repeating: "─", count: max(0, width)), row: row, column: column, width: width, style: .faint)
        if !title.isEmpty, width > 6 {
            write(" " + title + " ", row: row, column: column + 2, width: width - 4, style: .faint)
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

    /// Creates a position.
    public init(row: Int, column: Int) {
        self.row = row
        self.column = column
    }
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
        (self.row..<max(self.row, end)).contains(row)
            && (self.column..<max(self.column, self.column + width)).contains(column)
    }
}
