import SwitchboardBadges
import SwitchboardKit
import SwitchboardProspects
import SwitchboardReminders
import SwitchboardTerminalText

extension Interface {
    /// Draws an overlay, over the whole body unless it is a box.
    func draw(_ overlay: Overlay, on screen: inout Screen, _ layout: Layout) {
        let body = layout.body
        func name(_ text: String) {
            screen.rule(row: layout.heading)
            screen.write(" \(text) ", row: layout.heading, column: 2, width: size.columns - 4, style: .title)
        }
        screen.cursor = Position(row: layout.body.row, column: 0)
        switch overlay {
        case .detail(let row, let top, let field):
            name(row.title)
            screen.cursor = Position(row: layout.searchLine, column: searchColumn)
            let details = row.details(language: language)
            let first = min(top, maximumTop(of: overlay))
            Interface.draw(details, from: first, in: body, on: &screen)
            let places = Interface.lines(of: details, width: body.width)
            for (detail, lines) in zip(details, places) {
                guard let action = detail.action, lines.lowerBound >= first, lines.lowerBound < first + body.height
                else { continue }
                let width = TerminalText.width(of: action)
                let line = body.row + lines.lowerBound - first
                // Only beside the text, never over it.
                if screen.rows[line].dropFirst(max(0, body.width - width - 2)).allSatisfy({ $0.text == " " }) {
                    screen.write(action, row: line, column: body.width - width, style: .faint)
                }
            }
            if let field, let lines = places[safe: field] {
                for line in lines where (first..<first + body.height).contains(line) {
                    screen.highlight(row: body.row + line - first, columns: 0..<body.width)
                }
                screen.cursor = Position(row: body.row + max(0, lines.lowerBound - first), column: 0)
            }
        case .help(let top):
            name("Keys")
            for (index, line) in helpLines.dropFirst(min(top, maximumTop(of: overlay))).prefix(body.height).enumerated()
            {
                screen.write(line.keys, row: body.row + index, style: .strong)
                screen.write(line.title, row: body.row + index, column: helpKeyWidth + 1)
            }
        case .palette(let palette):
            name("Commands")
            drawPalette(palette, on: &screen, body)
        case .form(let form):
            name(form.title)
            draw(form, on: &screen, body)
        case .question(let question):
            let (lines, inner) = Interface.contents(of: question, in: body)
            _ = Interface.drawBox(question.title, height: inner.height, in: body, on: &screen)
            Interface.draw(lines, in: inner, on: &screen)
            for (index, answer) in question.answers.enumerated() {
                let row = inner.end - question.answers.count + index
                guard row >= inner.row else { continue }
                screen.write(answer.label, row: row, column: inner.column, width: inner.width, fill: .plain)
                if index == question.selected {
                    screen.highlight(row: row, columns: inner.column..<inner.column + inner.width)
                    screen.cursor = Position(row: row, column: inner.column)
                }
            }
        case .prompt(let prompt): draw(prompt, on: &screen, body)
        case .badge(let badge):
            name("My badge")
            draw(badge, on: &screen, body)
        case .reminders(var listing):
            name("Reminders")
            listing.scroll(height: body.height)
            if listing.rows.isEmpty {
                screen.write(
                    "No reminders; \(keyName(of: .remind)) on a prospect sets one", row: body.row, style: .faint)
            }
            let row = Interface.draw(listing, in: body, on: &screen, isMixed: false)
            if let row { screen.cursor = Position(row: row, column: 0) }
        case .menu(let menu):
            name(menu.kind.title)
            draw(menu, on: &screen, body)
        case .map(let zoom):
            name("Map of matching airports")
            drawMap(zoom: zoom, on: &screen, body)
        }
    }

    /// Returns the lines of a wrapped text.
    private static func lines(of text: String, style: Style, width: Int) -> [[Glyph]] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap {
            Glyph.wrapped(Glyph.glyphs(of: String($0), style: style), width: width)
        }
    }

    /// Draws the lines that fit into an area.
    private static func draw(_ lines: [[Glyph]], in area: Area, on screen: inout Screen) {
        for (index, glyphs) in lines.prefix(area.height).enumerated() {
            screen.write(glyphs, row: area.row + index, column: area.column, width: area.width)
        }
    }

    // MARK: - Boxes

    /// The width of a box without its border and margin.
    private static func boxWidth(in body: Area) -> Int { max(1, min(body.width - 4, 72)) }

    /// Returns the inner area of a box in the middle of the body.
    private static func boxArea(height: Int, in body: Area) -> Area {
        let width = boxWidth(in: body)
        let inner = max(1, min(height, body.height - 2))
        return Area(
            row: body.row + 1 + max(0, body.height - 2 - inner) / 3, column: body.column + (body.width - width) / 2,
            width: width, height: inner)
    }

    /// Draws an empty box with a border.
    ///
    /// - Returns: its inner area.
    private static func drawBox(_ title: String, height: Int, in body: Area, on screen: inout Screen) -> Area {
        let inner = boxArea(height: height, in: body)
        let (left, width) = (inner.column - 2, inner.width + 4)
        let edge = String(repeating: "─", count: width - 2)
        screen.write("╭" + edge + "╮", row: inner.row - 1, column: left, width: width, style: .title)
        screen.write(" \(title) ", row: inner.row - 1, column: left + 2, width: width - 4, style: .title)
        for row in inner.row..<inner.end {
            screen.write("", row: row, column: left, width: width, fill: .plain)
            screen.write("│", row: row, column: left, style: .title)
            screen.write("│", row: row, column: left + width - 1, style: .title)
        }
        if inner.end < body.end {
            screen.write("╰" + edge + "╯", row: inner.end, column: left, width: width, style: .title)
        }
        return inner
    }

    /// Returns the lines of the text of a question, and the inner area of its box.
    private static func contents(of question: Overlay.Question, in body: Area) -> (lines: [[Glyph]], area: Area) {
        let lines = question.text.isEmpty ? [] : lines(of: question.text, style: .strong, width: boxWidth(in: body))
        let gap = lines.isEmpty ? 0 : 1
        return (lines, boxArea(height: lines.count + gap + question.answers.count, in: body))
    }

    /// Returns the answer at a screen row; nil for another row.
    func answer(at row: Int, _ question: Overlay.Question) -> Int? {
        let area = Interface.contents(of: question, in: layout.body).area
        let index = row - (area.end - question.answers.count)
        return question.answers.indices.contains(index) && row >= area.row ? index : nil
    }

    // MARK: - Help and palette

    /// Returns the maximum value of the first visible line of an overlay.
    func maximumTop(of overlay: Overlay?) -> Int {
        let body = layout.body
        switch overlay {
        case .detail(let row, _, _):
            let lines = Interface.lines(of: row.details(language: language), width: body.width)
            return max(0, (lines.last?.upperBound ?? 0) - body.height)
        case .help: return max(0, helpLines.count - body.height)
        default: return 0
        }
    }

    private var helpKeyWidth: Int { size.columns < 60 ? 14 : 22 }

    /// The lines of help: all keys with their wrapped titles.
    private var helpLines: [(keys: String, title: [Glyph])] {
        let keys = helpKeyWidth
        return keyTable.entries.flatMap { entry in
            // Long key names get a line of their own.
            let isLong = TerminalText.width(of: entry.keyNames) > keys
            let titles = Glyph.wrapped(
                Glyph.glyphs(of: entry.title, style: .plain), width: max(1, size.columns - keys - 1))
            return (isLong ? [(entry.keyNames, [])] : [])
                + titles.enumerated().map { ($0 == 0 && !isLong ? entry.keyNames : "", $1) }
        }
    }

    private func drawPalette(_ palette: Overlay.Palette, on screen: inout Screen, _ body: Area) {
        let column = screen.write(": " + palette.field.text, row: body.row, style: .strong)
        screen.cursor = Position(row: body.row, column: min(column, size.columns - 1))
        let entries = entries(of: palette)
        let top = Interface.top(of: palette.selected, height: body.height - 1)
        let keys = size.columns < 60 ? 12 : 20
        for (index, entry) in entries.enumerated().dropFirst(top).prefix(max(0, body.height - 1)) {
            let row = body.row + 1 + index - top
            // Show only the first key rather than a truncated list.
            let name = TerminalText.width(of: entry.keyNames) > keys ? entry.firstKeyName : entry.keyNames
            screen.write(name, row: row, column: 1, width: keys, style: .strong)
            drawTitle(of: entry, on: &screen, row: row, column: keys + 2)
            if index == palette.selected { screen.highlight(row: row, columns: 0..<size.columns) }
        }
        if entries.isEmpty {
            screen.write("No matching command", row: body.row + 1, column: 1, style: .faint)
        }
    }

    /// Draws the title of a command and the reason if it is unavailable.
    private func drawTitle(of entry: KeyTable.Entry, on screen: inout Screen, row: Int, column: Int) {
        let reason = unavailabilityReason(for: entry.command)
        let text = entry.title + (reason.map { " (\($0))" } ?? "")
        screen.write(text, row: row, column: column, style: reason == nil ? .plain : .faint)
    }

    // MARK: - Prompts

    private func draw(_ prompt: Overlay.Prompt, on screen: inout Screen, _ body: Area) {
        let hint = prompt.completions.isEmpty && !prompt.hint.isEmpty
        let lines = hint ? Interface.lines(of: prompt.hint, style: .faint, width: Interface.boxWidth(in: body)) : []
        let height = 1 + max(prompt.completions.count, lines.isEmpty ? 0 : lines.count + 1)
        let inner = Interface.drawBox(prompt.title, height: height, in: body, on: &screen)
        screen.write("> ", row: inner.row, column: inner.column, width: 2, style: .title)
        let column = draw(
            prompt.field, on: &screen, row: inner.row, column: inner.column + 2, width: inner.width - 2,
            style: Style(.plain, [.bold, .underline]))
        screen.cursor = Position(row: inner.row, column: min(column, inner.column + inner.width))
        // If there is no room, drop the gap above the hint first.
        let gap = inner.height > lines.count + 1 ? 2 : 1
        Interface.draw(
            lines, in: Area(row: inner.row + gap, column: inner.column, width: inner.width, height: inner.height - gap),
            on: &screen)
        let top = Interface.top(of: prompt.selectedCompletion ?? 0, height: inner.height - 1)
        let shown = prompt.completions.enumerated().dropFirst(top).prefix(max(0, inner.height - 1))
        for (index, completion) in shown {
            let row = inner.row + 1 + index - top
            screen.write(completion, row: row, column: inner.column, width: inner.width)
            if index == prompt.selectedCompletion {
                screen.highlight(row: row, columns: inner.column..<inner.column + inner.width)
            }
        }
    }

    /// Draws a field of a form or prompt.
    ///
    /// - Returns: the column of the cursor.
    func draw(_ field: TextField, on screen: inout Screen, row: Int, column: Int, isSelected: Bool) -> Int {
        let room = max(1, size.columns - column)
        guard isSelected else {
            let start = Glyph.glyphs(of: String(field.text.prefix(room + 1)), style: .plain)
            return screen.write(Glyph.cut(start, to: room), row: row, column: column, width: room)
        }
        return draw(
            field, on: &screen, row: row, column: column, width: room, style: Style(.plain, [.bold, .underline]))
    }

    /// Draws a text field, or the part around the cursor if its text is too long.
    ///
    /// - Returns: the column of the cursor.
    func draw(
        _ field: TextField, on screen: inout Screen, row: Int, column: Int, width: Int, style: Style
    ) -> Int {
        let room = max(1, width)
        // Pasted text may be long; measure only as many characters as columns.
        var before = Glyph.glyphs(of: String(field.before.suffix(room)), style: style)
        while Glyph.width(of: before) > room - 1, !before.isEmpty { before.removeFirst() }
        let place = screen.write(before, row: row, column: column, width: room)
        let after = Glyph.glyphs(of: String(field.after.prefix(room)), style: style)
        screen.write(after, row: row, column: place)
        return min(place, size.columns - 1)
    }

    // MARK: - Badge

    private func draw(_ badge: BadgeState?, on screen: inout Screen, _ body: Area) {
        switch badge {
        case nil, .empty: break
        case .failed(_, let reason): screen.write(reason, row: body.row, style: .warning)
        case .code(let me, let codes):
            screen.isCursorVisible = false
            // Prefer a smaller code that fits to a complete one that does not.
            let fitting = codes.first { $0.textSize.columns <= size.columns && $0.textSize.rows <= size.rows - 1 }
            guard let code = fitting ?? codes.last else { return }
            let (columns, rows) = code.textSize
            guard fitting != nil else {
                let text =
                    "The code needs \(columns) columns and \(rows + 1) rows; this terminal has \(size.columns) and "
                    + "\(size.rows). Enlarge the terminal to show it."
                Interface.draw(
                    Interface.lines(of: text, style: .warning, width: body.width), in: body, on: &screen)
                return
            }
            draw(code, on: &screen)
            let right = columns + 2
            let texts = [me.name, me.organization, me.email, me.phone]
            for (index, text) in texts.filter({ !$0.isEmpty }).enumerated() {
                screen.write(text, row: body.row + index, column: right, style: index == 0 ? .strong : .plain)
            }
        }
    }

    /// Draws a code over the whole screen except the status line, two modules per character.
    private func draw(_ code: QRCode, on screen: inout Screen) {
        // Black on white. Without colors, reversed, since most terminals have light text on a dark background.
        let style = hasColours ? Style.code : Style(.plain, .reverse)
        for (row, line) in code.text(.darkOnLight).split(separator: "\n").prefix(size.rows - 1).enumerated() {
            let glyphs = line.map { Glyph(text: String($0), width: 1, style: style) }
            let end = screen.write(glyphs, row: row, column: 0, width: glyphs.count)
            // Clear the area beside the code.
            screen.write("", row: row, column: end, fill: .plain)
        }
    }

    /// Draws the fields and, below them, keypad typing.
    func draw(_ form: Form, on screen: inout Screen, _ body: Area) {
        let height = fieldsHeight(of: form, body)
        let top = Interface.top(of: form.selected, height: height)
        for (index, field) in form.fields.enumerated().dropFirst(top).prefix(height) {
            let row = body.row + index - top
            let isSelected = index == form.selected
            screen.write(field.label, row: row, column: 0, width: 13, style: isSelected ? .title : .faint)
            let column = draw(field.field, on: &screen, row: row, column: 14, isSelected: isSelected)
            if isSelected { screen.cursor = Position(row: row, column: column) }
            if let echo = form.echo(of: field, region: region) {
                let end = 14 + TerminalText.width(of: field.field.text) + 2
                screen.write(echo, row: row, column: min(end, max(14, size.columns - echo.count)), style: .faint)
            }
        }
        if isKeypadTyping { drawKeypadTyping(form, on: &screen, body) }
    }

    /// Returns the height of the fields. Keypad typing takes a row for the candidates and, if there is room, the
    /// keypad.
    func fieldsHeight(of form: Form, _ body: Area) -> Int {
        guard isKeypadTyping else { return body.height }
        return max(1, body.height - 1 - (hasRoomForKeypad(form, body) ? Layout.keypadHeight + 2 : 0))
    }

    private func hasRoomForKeypad(_ form: Form, _ body: Area) -> Bool {
        body.height >= form.fields.count + Layout.keypadHeight + 3
    }

    private func drawKeypadTyping(_ form: Form, on screen: inout Screen, _ body: Area) {
        let row = body.end - 1
        guard row > body.row else { return }
        if hasRoomForKeypad(form, body) {
            let keypad = Area(
                row: row - Layout.keypadHeight - 1, column: 14, width: KeypadView.width, height: Layout.keypadHeight)
            drawKeypad(on: &screen, keypad, keys: form.takesWords ? keypadSession?.lastUpdate.keys ?? "" : "")
        }
        guard form.takesWords else {
            screen.write("digits stay digits in phone numbers", row: row, style: .faint)
            return
        }
        drawCandidates(on: &screen, row: row, width: body.width)
    }

    /// Draws the candidates, scrolled to show the one in the text.
    private func drawCandidates(on screen: inout Screen, row: Int, width: Int) {
        let candidates = keypadSession?.lastUpdate.candidates ?? []
        guard !candidates.isEmpty else {
            screen.write("2–9 type a word", row: row, column: 0, width: width, style: .faint)
            return
        }
        let choice = keypadSession?.lastUpdate.choice
        var glyphs: [Glyph] = []
        for (index, candidate) in candidates.enumerated() {
            let style: Style = index == choice ? Style(.match, [.bold, .reverse]) : .plain
            let own = Glyph.glyphs(of: candidate, style: style)
            // Two columns between candidates, and two for the ellipsis.
            if Glyph.width(of: glyphs) + Glyph.width(of: own) + 4 > width, !glyphs.isEmpty {
                guard let choice, index <= choice else {
                    glyphs += Glyph.glyphs(of: " …", style: .faint)
                    break
                }
                glyphs = []
            }
            if !glyphs.isEmpty { glyphs += Glyph.glyphs(of: "  ", style: .plain) }
            glyphs += own
        }
        screen.write(Glyph.cut(glyphs, to: width), row: row, column: 0, width: width)
    }
}

extension Detail {
    /// The effect of Enter on the selected detail, in words; nil if it has none.
    fileprivate var action: String? {
        guard let link else { return nil }
        if link.hasPrefix("tel:") { return "Enter calls" }
        return link.hasPrefix("mailto:") ? "Enter writes" : "Enter opens"
    }
}
