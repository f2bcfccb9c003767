import SwitchboardTerminalText

extension Interface {
    func drawList(on screen: inout Screen, _ layout: Layout) {
        var shown = listing
        shown.scroll(height: layout.list.height)
        if shown.rows.isEmpty {
            screen.write(
                emptiness(shown), row: layout.list.row, column: 0, width: layout.list.width,
                style: shown.failure == nil ? .faint : .warning)
            return
        }
        let row = Interface.draw(shown, in: layout.list, on: &screen, isMixed: tab == .find, isFocused: isInList)
        if let row, isInList || isCursorOnRow { screen.cursor = Position(row: row, column: layout.list.column) }
    }

    /// What is said where there are no rows.
    private func emptiness(_ listing: Listing) -> String {
        if let failure = listing.failure { return failure }
        if listing.isSearching { return "" }
        if !line.isEmpty { return "nothing found" }
        switch tab {
        case .prospects: return "nobody here yet: s scans a badge, a adds somebody"
        case .contacts: return "no contacts yet: a adds one, 'switchboard contacts import' reads many"
        case .activity: return "nothing was done yet"
        default: return "nothing here yet"
        }
    }

    /// Draws the rows of a list that fit into an area.
    ///
    /// - Returns: the row of the screen that has the chosen one.
    static func draw(
        _ listing: Listing, in area: Area, on screen: inout Screen, isMixed: Bool, isFocused: Bool
    ) -> Int? {
        let places = listing.lines.ofRows
        let last = listing.top + area.height
        let visible = listing.rows.indices.filter { (listing.top..<last).contains(places[$0]) }
        let pieces = visible.map { listing.rows[$0].pieces(isMixed: isMixed) }
        let widths = columnWidths(of: pieces, room: area.width)
        var chosenRow: Int?
        for (index, pieces) in zip(visible, pieces) {
            let row = area.row + places[index] - listing.top
            if let section = listing.rows[index].section, index == 0 || listing.rows[index - 1].section != section,
                row > area.row
            {
                screen.write(section, row: row - 1, column: area.column, width: area.width, style: .title)
            }
            var column = area.column
            for (width, piece) in zip(widths, pieces) where width > 0 {
                let glyphs = Glyph.glyphs(of: piece.text, style: piece.style, matches: piece.matches)
                screen.write(Glyph.cut(glyphs, to: width), row: row, column: column, width: width)
                column += width + 1
            }
            if index == listing.chosen {
                screen.choose(row: row, columns: area.column..<area.column + area.width)
                chosenRow = row
            }
        }
        return chosenRow
    }

    /// A column grows no wider than this while others want room.
    private static let widestColumn = 44

    /// How wide each column is: as wide as its widest text, less where that is more than there is room for.
    static func columnWidths(of rows: [[Piece]], room: Int) -> [Int] {
        var widths: [Int] = []
        for row in rows {
            for (column, piece) in row.enumerated() {
                let width = min(TerminalText.width(of: piece.text), widestColumn)
                if column < widths.count { widths[column] = max(widths[column], width) } else { widths.append(width) }
            }
        }
        func total() -> Int { widths.reduce(0) { $0 + ($1 > 0 ? $1 + 1 : 0) } - 1 }
        // On a narrow screen what stands last goes first.
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
