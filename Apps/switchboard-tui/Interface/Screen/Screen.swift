/// What the terminal shows: cells, and where the cursor is. A plain value; nothing is drawn here.
public struct Screen: Hashable, Sendable {
    /// A cell: one character and how it looks.
    public struct Cell: Hashable, Sendable {
        /// The character; empty behind a wide one.
        public var text: String
        /// How many columns it takes: 1 or 2, 0 behind a wide one.
        public var width: Int
        /// How it looks.
        public var style: Style

        static let blank = Cell(text: " ", width: 1, style: .plain)
    }

    /// Columns and rows.
    public let size: Size
    /// The rows from the top, each with as many cells as there are columns.
    public private(set) var rows: [[Cell]]
    /// Where the cursor rests.
    public var cursor = Position(row: 0, column: 0)
    /// Whether the cursor is seen.
    public var isCursorVisible = true

    /// An empty screen.
    public init(size: Size) {
        self.size = size
        rows = Array(repeating: Array(repeating: .blank, count: size.columns), count: size.rows)
    }

    /// A row as text, blanks at its end left out.
    public func text(ofRow row: Int) -> String {
        guard rows.indices.contains(row) else { return "" }
        var text = rows[row].map(\.text).joined()
        while text.last == " " { text.removeLast() }
        return text
    }

    /// All rows as text.
    public var text: String { rows.indices.map(text(ofRow:)).joined(separator: "\n") }

    // MARK: - Writing

    /// Writes glyphs into an area of one row, as far as they fit, and blanks behind them.
    ///
    /// - Returns: the column behind the last glyph.
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

    /// Writes a text, cut with an ellipsis if it does not fit.
    @discardableResult
    mutating func write(
        _ text: String, row: Int, column: Int, width: Int, style: Style = .plain, fill: Style? = nil
    ) -> Int {
        write(
            Glyph.cut(Glyph.glyphs(of: text, style: style), to: width), row: row, column: column, width: width,
            fill: fill)
    }

    /// Turns a row's cells of some columns into those of the chosen row.
    mutating func choose(row: Int, columns: Range<Int>) {
        guard rows.indices.contains(row) else { return }
        for column in columns.clamped(to: 0..<size.columns) { rows[row][column].style = rows[row][column].style.chosen }
    }

    /// Draws a line across.
    mutating func rule(row: Int, column: Int, width: Int, title: String = "") {
        write(
            String(repeating: "─", count: max(0, width)), row: row, column: column, width: width, style: .faint)
        if !title.isEmpty, width > 6 {
            write(" " + title + " ", row: row, column: column + 2, width: width - 4, style: .faint)
        }
    }
}

/// Columns and rows.
public struct Size: Hashable, Sendable {
    /// Columns.
    public var columns: Int
    /// Rows.
    public var rows: Int

    /// A size; what is less than one is one.
    public init(columns: Int, rows: Int) {
        self.columns = max(1, columns)
        self.rows = max(1, rows)
    }
}

/// A row and a column, from 0.
public struct Position: Hashable, Sendable {
    /// From the top.
    public var row: Int
    /// From the left.
    public var column: Int

    /// A place on the screen.
    public init(row: Int, column: Int) {
        self.row = row
        self.column = column
    }
}

/// A part of the screen.
struct Area: Hashable {
    var row: Int
    var column: Int
    var width: Int
    var height: Int

    /// The row behind its last one.
    var end: Int { row + height }

    func contains(row: Int, column: Int) -> Bool {
        (self.row..<max(self.row, end)).contains(row)
            && (self.column..<max(self.column, self.column + width)).contains(column)
    }
}
