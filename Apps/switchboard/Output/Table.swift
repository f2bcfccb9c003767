/// Rows whose columns stand below each other, whatever the letters in them.
struct Table {
    private var rows: [[Cell]] = []

    /// A column grows no wider than this; what is longer pushes the rest of its own row aside.
    private static let widestColumn = 44

    mutating func add(_ cells: [Cell]) { rows.append(cells) }

    /// Writes the rows, two spaces between the columns, none at the end of a line.
    func write(to output: StandardOutput, style: Style, indent: Int = 0) {
        var widths: [Int] = []
        for row in rows {
            for (column, cell) in row.enumerated() {
                let width = min(cell.width, Self.widestColumn)
                if column < widths.count { widths[column] = max(widths[column], width) } else { widths.append(width) }
            }
        }
        for row in rows {
            let last = row.lastIndex { !$0.text.isEmpty } ?? -1
            var line = String(repeating: " ", count: indent)
            var gap = ""
            for (column, cell) in row.enumerated() where column <= last {
                // A column that no row fills takes no room.
                if widths[column] == 0 { continue }
                let padding = String(repeating: " ", count: max(0, widths[column] - cell.width))
                line += gap + (cell.isRightAligned ? padding + cell.dressed(style) : cell.dressed(style))
                gap = cell.isRightAligned ? "  " : padding + "  "
            }
            output.write(line + "\n")
        }
    }
}
