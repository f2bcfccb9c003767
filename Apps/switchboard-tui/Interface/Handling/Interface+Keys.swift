extension Interface {
    /// Handles a key in the topmost overlay, else as a command of the key table, else as input to the search line.
    mutating func handle(_ key: Key) -> [Request] {
        message = nil
        switch key {
        case .control("q"), .control("c"): return [.quit]
        case .control("z"): return [.suspend]
        case .control("l"): return [.redraw]
        default: break
        }
        if let overlay = overlays.last { return handle(key, on: overlay) }
        if isListFocused {
            guard let command = KeyTable.command(of: key, isListFocused: true) else {
                if case .character(let letter) = key {
                    warn("\(letter) has no command; / focuses the search line, ? shows the keys")
                }
                return []
            }
            return perform(command)
        }
        if searchLine.isEmpty {
            if key == .character("?") { return perform(.help) }
            // A leading space finds nothing, but is a command in the list.
            if key == .character(" ") {
                warn("Space works in the list; Esc focuses it")
                return []
            }
        }
        if key == .right, !searchLine.after.isEmpty { return edit(key) }
        if let command = KeyTable.command(of: key, isListFocused: false) { return perform(command) }
        return edit(key)
    }

    /// Inserts pasted text into the focused field; its newlines never act as Enter.
    mutating func paste(_ text: String) -> [Request] {
        message = nil
        guard let overlay = overlays.last else {
            isListFocused = false
            searchLine.insert(text)
            return [search()]
        }
        switch overlay {
        case .form(var form):
            let requests = endKeypadSession()
            form.insert(text)
            overlays[overlays.count - 1] = .form(form)
            return requests
        case .prompt(var prompt):
            prompt.field.insert(text)
            prompt.completions = []
            overlays[overlays.count - 1] = .prompt(prompt)
        case .palette(var palette):
            palette.field.insert(text)
            palette.selected = 0
            overlays[overlays.count - 1] = .palette(palette)
        default: break
        }
        return []
    }

    /// Edits the search line and searches if the text changed.
    private mutating func edit(_ key: Key) -> [Request] {
        let text = searchLine.text
        guard searchLine.edit(key) else { return [] }
        isCursorOnRow = false
        return searchLine.text == text ? [] : [search()]
    }

    // MARK: - Overlays

    private mutating func handle(_ key: Key, on overlay: Overlay) -> [Request] {
        switch overlay {
        case .detail(let row, let top): return handle(key, detail: row, top: top)
        case .help(let top): return scroll(key, top: top) { .help(top: $0) }
        case .palette(let palette): return handle(key, palette)
        case .form(let form): return handle(key, form)
        case .question(let question): return handle(key, question)
        case .prompt(let prompt): return handle(key, prompt)
        case .badge:
            switch key {
            case .escape, .enter, .character("b"), .character("q"), .left: overlays.removeLast()
            case .character("e"), .character("B"): return perform(.editBadge)
            case .character("u"): return perform(.undo)
            default: break
            }
        case .reminders(let listing): return handle(key, reminders: listing)
        case .choices(let reminder, let selected): return handle(key, reminder, selected: selected)
        case .map:
            if [.escape, .enter, .left, .character("m"), .character("q")].contains(key) { overlays.removeLast() }
        }
        return []
    }

    private mutating func handle(_ key: Key, detail row: Row, top: Int) -> [Request] {
        switch key {
        case .escape, .left: return perform(.leave)
        case .enter: return []
        case .character("?"): return perform(.help)
        case .character("/"):
            overlays.removeLast()
            return perform(.searchLine)
        default: break
        }
        if let moved = Self.scrolled(key, top) {
            overlays[overlays.count - 1] = .detail(row, top: moved)
            return []
        }
        return KeyTable.command(of: key, isListFocused: true).map { perform($0) } ?? []
    }

    private mutating func scroll(_ key: Key, top: Int, _ overlay: (Int) -> Overlay) -> [Request] {
        if let moved = Self.scrolled(key, top) {
            overlays[overlays.count - 1] = overlay(moved)
        } else if [.escape, .left, .enter, .character("?"), .character("q"), .function(1)].contains(key) {
            overlays.removeLast()
        }
        return []
    }

    /// Returns the first visible line after a scroll key; nil for other keys. Drawing clamps it to the end of the text.
    private static func scrolled(_ key: Key, _ top: Int) -> Int? {
        key == .home ? 0 : key.distance(page: 10, letters: true).map { min(max(0, top + $0), 10_000) }
    }

    private mutating func handle(_ key: Key, _ palette: Overlay.Palette) -> [Request] {
        var palette = palette
        switch key {
        case .escape:
            overlays.removeLast()
            return []
        case .enter:
            overlays.removeLast()
            return palette.entry.map { perform($0.command) } ?? []
        default:
            if let distance = key.distance(page: 10, tab: true) {
                palette.selected = max(0, min(palette.selected + distance, palette.entries.count - 1))
            } else if palette.field.edit(key) {
                palette.selected = 0
            }
        }
        overlays[overlays.count - 1] = .palette(palette)
        return []
    }

    private mutating func handle(_ key: Key, _ question: Overlay.Question) -> [Request] {
        let requests: [Request]
        switch key {
        case .character("y"), .character("Y"): requests = question.yes
        case .character("n"), .character("N"): requests = question.no
        // Esc denies this time only; nothing is stored.
        case .escape: requests = []
        default:
            inform("press y for yes, n for no, or Esc to decide later")
            return []
        }
        overlays.removeLast()
        return requests
    }

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
