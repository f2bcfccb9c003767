extension Interface {
    /// Handles a mouse event: a press selects, a second one opens; the wheel moves the selection.
    mutating func handle(_ mouse: Mouse) -> [Request] {
        switch mouse.action {
        case .wheelUp: return handle(.up)
        case .wheelDown: return handle(.down)
        case .press, .doublePress: break
        }
        message = nil
        let layout = layout
        if mouse.row == layout.tabs {
            for (tab, columns) in tabColumns where columns.contains(mouse.column) { return perform(.tab(tab)) }
            return []
        }
        if mouse.row == layout.searchLine { return perform(.searchLine) }
        if let row = layout.reminder, mouse.row == row, !dueReminders.isEmpty { return perform(.answerReminder) }
        guard overlays.isEmpty else {
            return press(mouse, layout)
        }
        guard layout.list.contains(row: mouse.row, column: mouse.column) else { return [] }
        var listing = listing
        let line = listing.top + mouse.row - layout.list.row
        guard let row = listing.lines.ofRows.firstIndex(of: line) else { return [] }
        let isSecond = listing.selected == row && isListFocused
        listing.selected = row
        self.listing = listing
        focusOnList()
        return mouse.action == .doublePress || isSecond ? perform(.open) : []
    }

    /// Handles a press in the topmost overlay.
    private mutating func press(_ mouse: Mouse, _ layout: Layout) -> [Request] {
        let line = mouse.row - layout.body.row
        guard line >= 0 else { return [] }
        switch overlays.last {
        case .palette(var palette):
            let top = Interface.top(of: palette.selected, height: layout.body.height - 1)
            guard line >= 1, palette.entries.indices.contains(top + line - 1) else { return [] }
            palette.selected = top + line - 1
            overlays[overlays.count - 1] = .palette(palette)
            return handle(.enter)
        case .reminders(var listing):
            listing.scroll(height: layout.body.height)
            guard listing.rows.indices.contains(listing.top + line) else { return [] }
            listing.selected = listing.top + line
            overlays[overlays.count - 1] = .reminders(listing)
        case .choices(let reminder, _):
            guard (1...4).contains(line - 1) else { return [] }
            overlays[overlays.count - 1] = .choices(reminder, selected: line - 2)
            return handle(.enter)
        case .form(var form):
            let height = fieldsHeight(of: form, layout.body)
            let field = Interface.top(of: form.selected, height: height) + line
            guard line < height, form.fields.indices.contains(field) else { return [] }
            let requests = endKeypadSession()
            form.selected = field
            overlays[overlays.count - 1] = .form(form)
            return requests
        default: break
        }
        return []
    }
}
