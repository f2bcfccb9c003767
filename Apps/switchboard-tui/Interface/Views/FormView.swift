import SwitchboardKeypad

extension Interface {
    /// Draws the fields, and below them what is typed with nine keys.
    func draw(_ form: Form, on screen: inout Screen, _ body: Area) {
        let height = fieldsHeight(of: form, body)
        let top = Interface.top(of: form.chosen, height: height)
        for (index, field) in form.fields.enumerated().dropFirst(top).prefix(height) {
            let row = body.row + index - top
            let isChosen = index == form.chosen
            screen.write(field.label, row: row, column: 0, width: 13, style: isChosen ? .title : .faint)
            let column = draw(field.field, on: &screen, row: row, column: 14, isChosen: isChosen)
            if isChosen { screen.cursor = Position(row: row, column: column) }
        }
        if isNineKeys { drawNineKeys(form, on: &screen, body) }
    }

    /// How many rows fields have: with nine keys the candidates have one of their own, and the pad has its where there is room.
    func fieldsHeight(of form: Form, _ body: Area) -> Int {
        guard isNineKeys else { return body.height }
        return max(1, body.height - 1 - (hasRoomForPad(form, body) ? Layout.padHeight + 2 : 0))
    }

    private func hasRoomForPad(_ form: Form, _ body: Area) -> Bool {
        body.height >= form.fields.count + Layout.padHeight + 3
    }

    private func drawNineKeys(_ form: Form, on screen: inout Screen, _ body: Area) {
        let row = body.end - 1
        guard row > body.row else { return }
        if hasRoomForPad(form, body) {
            let pad = Area(row: row - Layout.padHeight - 1, column: 14, width: Pad.width, height: Layout.padHeight)
            drawPad(on: &screen, pad, keys: form.takesWords ? run?.typed.keys ?? "" : "")
        }
        guard form.takesWords else {
            screen.write("in numbers digits are digits", row: row, column: 0, width: body.width, style: .faint)
            return
        }
        drawCandidates(on: &screen, row: row, width: body.width)
    }

    /// Draws what NEXT walks, from such a one on that the one in the text is seen.
    private func drawCandidates(on screen: inout Screen, row: Int, width: Int) {
        let candidates = run?.typed.candidates ?? []
        guard !candidates.isEmpty else {
            screen.write("2–9 type a word", row: row, column: 0, width: width, style: .faint)
            return
        }
        let choice = run?.typed.choice
        var glyphs: [Glyph] = []
        for (index, candidate) in candidates.enumerated() {
            let style: Style = index == choice ? Style(.match, [.bold, .reverse]) : .plain
            let own = Glyph.glyphs(of: candidate, style: style)
            // Two columns apart, and two for what may follow.
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
