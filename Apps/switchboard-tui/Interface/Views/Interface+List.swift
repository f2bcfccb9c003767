import SwitchboardTerminalText

extension Interface {
    func drawList(on screen: inout Screen, _ layout: Layout) {
        var shown = listing
        shown.scroll(height: layout.list.height)
        if shown.rows.isEmpty {
            screen.write(
                emptyText(shown), row: layout.list.row, column: 0, width: layout.list.width,
                style: shown.failure == nil ? .faint : .warning)
            return
        }
        let row = Interface.draw(shown, in: layout.list, on: &screen, isMixed: tab == .find, isFocused: isListFocused)
        if let row, isListFocused || isCursorOnRow { screen.cursor = Position(row: row, column: layout.list.column) }
    }

    /// Returns the text of an empty list.
    private func emptyText(_ listing: Listing) -> String {
        if let failure = listing.failure { return failure }
        if listing.isSearching { return "" }
        if !searchLine.isEmpty { return "No matches" }
        switch tab {
        case .prospects: return "No prospects yet; press s to scan a badge or a to add one"
        case .contacts: return "No contacts yet; press a to add one"
        case .activity: return "No activity yet"
        default: return "The list is empty"
        }
    }

    /// Draws the visible rows of a list.
    ///
    /// - Returns: the screen row of the selection; nil if the list is empty.
    static func draw(
        _ listing: Listing, in area: Area, on screen: inout Screen, isMixed: Bool, isFocused: Bool
    ) -> Int? {
        let lines = listing.lines.ofRows
        let last = listing.top + area.height
        let visible = listing.rows.indices.filter { (listing.top..<last).contains(lines[$0]) }
        let cells = visible.map { listing.rows[$0].cells(isMixed: isMixed) }
        let widths = columnWidths(of: cells, room: area.width)
        var selectedRow: Int?
        for (index, cells) in zip(visible, cells) {
            let row = area.row + lines[index] - listing.top
            if let section = listing.rows[index].section, index == 0 || listing.rows[index - 1].section != section,
                row > area.row
            {
                screen.write(section, row: row - 1, column: area.column, width: area.width, style: .title)
            }
            var column = area.column
            for (width, cell) in zip(widths, cells) where width > 0 {
                let glyphs = Glyph.glyphs(of: cell.text, style: cell.style, matches: cell.matches)
                screen.write(Glyph.cut(glyphs, to: width), row: row, column: column, width: width)
                column += width + 1
            }
            if index == listing.selected {
                screen.highlight(row: row, columns: area.column..<area.column + area.width)
                selectedRow = row
            }
        }
        return selectedRow
    }

    /// The maximum width of a column.
    private static let widestColumn = 44

    /// Returns the width of each column: that of its widest text, reduced to the available room.
    static func columnWidths(of rows: [[RowCell]], room: Int) -> [Int] {
        var widths: [Int] = []
        for row in rows {
            for (column, cell) in row.enumerated() {
                let width = min(TerminalText.width(of: cell.text), widestColumn)
                if column < widths.count { widths[column] = max(widths[column], width) } else { widths.append(width) }
            }
        }
        func total() -> Int { widths.reduce(0) { $0 + ($1 > 0 ? $1 + 1 : 0) } - 1 }
        // A narrow screen drops the last columns first.
        if room < 60, widths.count > 3 {
            for column in widths.indices.dropFirst(3).reversed() where total() > room { widths[column] = 0 }
        }
        while total() > room, let widest = widths.max(), widest > 3,
            let column = widths.lastIndex(of: widest)
        {
            widths[column] -= 1
        }
        return widths
    }
}
