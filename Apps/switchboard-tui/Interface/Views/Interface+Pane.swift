import SwitchboardKit

extension Interface {
    /// Draws the pane: the keypad during a keypad search, the map of airports, and the details of the selected row.
    func drawPane(on screen: inout Screen, _ layout: Layout) {
        guard var pane = layout.pane else { return }
        if let rule = layout.rule {
            screen.rule(row: rule, column: 0, width: size.columns, title: listing.row?.title ?? "")
        } else {
            for row in pane.row..<pane.end {
                screen.write("│", row: row, column: pane.column - 1, width: 1, style: .faint)
            }
        }
        if isKeypad {
            drawKeypad(on: &screen, pane, keys: searchLine.text)
            if layout.rule == nil {
                pane.row += Layout.keypadHeight + 1
                pane.height -= Layout.keypadHeight + 1
            } else {
                pane.column += KeypadView.width + 2
                pane.width -= KeypadView.width + 2
            }
        } else if tab == .airports, !searchLine.isEmpty || layout.rule == nil {
            var map = pane
            if layout.rule == nil {
                map.height = min(pane.height / 2, pane.width / 4)
                pane.row += map.height + 1
                pane.height -= map.height + 1
            } else {
                map.width = pane.width / 2
                map.column = pane.column + pane.width - map.width
                pane.width -= map.width + 1
            }
            drawMap(on: &screen, map)
        }
        guard pane.width > 10, pane.height > 0, let row = listing.row else { return }
        _ = Interface.draw(row.details(language: language), from: 0, in: pane, on: &screen)
    }

    /// Draws details from a line on, each beside its name and wrapped.
    ///
    /// - Returns: the number of lines.
    @discardableResult
    static func draw(_ details: [Detail], from top: Int, in area: Area, on screen: inout Screen) -> Int {
        let names = min(details.map { $0.name.count }.max() ?? 0, max(6, area.width / 3))
        var line = 0
        for detail in details {
            let style: Style =
                switch detail.tone {
                case .plain: .plain
                case .strong: .strong
                case .faint: .faint
                }
            let texts = detail.text.split(whereSeparator: \.isNewline)
            let lines = texts.flatMap { text in
                Glyph.wrapped(Glyph.glyphs(of: String(text), style: style), width: area.width - names - 2)
            }
            for (index, glyphs) in lines.enumerated() {
                defer { line += 1 }
                let row = area.row + line - top
                guard line >= top, row < area.end else { continue }
                if index == 0 {
                    screen.write(detail.name, row: row, column: area.column, width: names, style: .faint)
                }
                screen.write(
                    glyphs, row: row, column: area.column + names + 2, width: area.width - names - 2)
            }
        }
        return line
    }
}
