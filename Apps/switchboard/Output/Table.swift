/// Rows of cells in aligned columns, measured in terminal columns for any script.
struct Table {
    private var rows: [[Cell]] = []

    /// The maximum width of a column. A longer cell shifts the rest of its row.
    private static let maximumWidth = 44

    mutating func add(_ cells: [Cell]) { rows.append(cells) }

    /// Writes the rows with two spaces between columns and no trailing spaces.
    func write(to output: StandardOutput, style: Style, indent: Int = 0) {
        var widths: [Int] = []
        for row in rows {
            for (column, cell) in row.enumerated() {
                let width = min(cell.width, Self.maximumWidth)
                if column < widths.count { widths[column] = max(widths[column], width) } else { widths.append(width) }
            }
        }
        for row in rows {
            let last = row.lastIndex { !$0.text.isEmpty } ?? -1
            var line = String(repeating: " ", count: indent)
            var gap = ""
            for (column, cell) in row.enumerated() where column <= last {
                // Empty columns are omitted.
                if widths[column] == 0 { continue }
                let padding = String(repeating: " ", count: max(0, widths[column] - cell.width))
                line += gap + (cell.isRightAligned ? padding + cell.styled(style) : cell.styled(style))
                gap = cell.isRightAligned ? "  " : padding + "  "
            }
            output.write(line + "\n")
        }
    }
}
