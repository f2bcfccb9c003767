import SwitchboardKeypad

extension Interface {
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
        }
        if isKeypadTyping { drawKeypadTyping(form, on: &screen, body) }
    }

    /// Returns the height of the fields. Keypad typing takes a row for the candidates and, if there is room, the keypad.
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
            screen.write(
                "digits stay digits in phone numbers", row: row, column: 0, width: body.width, style: .faint)
            return
        }
        drawCandidates(on: &screen, row: row, width: body.width)
    }

    /// Draws the candidates, starting so that the one in the text is visible.
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
