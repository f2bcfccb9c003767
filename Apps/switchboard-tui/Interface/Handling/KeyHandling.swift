import SwitchboardKit
import SwitchboardReminders

extension Interface {
    /// Handles a key: letters go to the search line, or to the form, prompt or palette that is open; other keys are commands.
    mutating func handle(_ key: Key) -> [Request] {
        message = nil
        if let picker { return pick(with: key, from: picker) }
        switch key {
        case .control("q"), .control("c"): return quit()
        case .control("z"): return [.suspend]
        case .control("l"): return [.redraw]
        default: break
        }
        if isInCommandMode {
            isInCommandMode = false
            return command(by: key)
        }
        if let overlay = overlays.last {
            if !overlay.takesLetters {
                if keyTable.command(of: key) == .commandMode { return perform(.commandMode) }
                if case .character(let letter) = key, !overlay.commandLetters.contains(letter) {
                    if letter != " " { return startSearch { $0.insert(String(letter)) } }
                    inform("letters start a new search")
                    return []
                }
            }
            return handle(key, on: overlay)
        }
        if replacesQuery {
            replacesQuery = false
            if case .character(let letter) = key, letter != " " { return startSearch { $0.insert(String(letter)) } }
        }
        // Alt with a letter is a command for the row that is about to open.
        if case .alt = key, deferredCommands.contains(.open) {
            heldKeys.append(key)
            return []
        }
        if searchLine.isEmpty {
            if key == .character("?") { return perform(.help) }
            // Ignore a leading space.
            if key == .character(" ") { return [] }
        }
        if key == .delete, !searchLine.after.isEmpty { return edit(key) }
        // There is no row above the first one, so Up recalls an earlier query.
        if key == .up, searchLine.isEmpty || recalled != nil, listing.selected == 0, picker == nil, !history.isEmpty {
            return perform(.earlierQuery)
        }
        if let command = keyTable.command(of: key) { return perform(command) }
        return edit(key)
    }

    /// Performs the command of a key in the command mode, in the topmost overlay or the list.
    private mutating func command(by key: Key) -> [Request] {
        if key == .escape { return [] }
        guard case .character(let letter) = key else { return handle(key) }
        if let command = keyTable.command(inCommandMode: key) {
            return keyTable.key(of: command).map { handle($0) } ?? perform(command)
        }
        // A detail has a key of its own.
        if case .detail? = overlays.last { return handle(.alt(letter)) }
        warn("\(key.name) has no command; \(keyName(of: .help)) shows the keys")
        return []
    }

    /// Quits. In a changed form, the first call only closes the form.
    private mutating func quit() -> [Request] {
        if case .form(let form)? = overlays.last, form.isChanged, !form.isSubmitted {
            discardKeypadSession()
            overlays.removeLast()
            undoStack.append(.form(form))
            inform("not saved; \(keyName(of: .undo)) reopens the form, Ctrl-C again quits")
            return []
        }
        return [.quit]
    }

    /// Inserts pasted text into the focused field; its newlines never act as Enter.
    mutating func paste(_ text: String) -> [Request] {
        (message, isInCommandMode) = (nil, false)
        guard let overlay = overlays.last else {
            if replacesQuery { searchLine = TextField() }
            (recalled, replacesQuery) = (nil, false)
            searchLine.insert(text)
            return [search()]
        }
        switch overlay {
        case .detail, .help, .badge, .reminders, .menu, .map: return startSearch { $0.insert(text) }
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
        case .question: break
        }
        return []
    }

    /// Edits the search line and searches if the text changed.
    mutating func edit(_ key: Key) -> [Request] {
        let text = searchLine.text
        if key == .control("u") { rememberQuery() }
        guard searchLine.edit(key) else { return [] }
        (isCursorOnRow, recalled) = (false, nil)
        return searchLine.text == text ? [] : [search()]
    }

    /// Remembers the search text, for ``Command/earlierQuery``.
    mutating func rememberQuery() {
        let text = searchLine.text
        guard !searchLine.isEmpty else { return }
        history.removeAll { $0 == text }
        history.append(text)
        if history.count > Interface.longestHistory { history.removeFirst() }
        recalled = nil
    }

    /// Replaces the search text with the previous one in the history, wrapping around at the first.
    mutating func recallQuery() -> [Request] {
        // Each tab recalls all texts. Digits are a keypad search only in tabs with a keypad.
        let place = (recalled ?? history.count) - 1
        guard let text = history.indices.contains(place) ? history[place] : history.last else { return [] }
        overlays = []
        isCursorOnRow = false
        recalled = history.indices.contains(place) ? place : history.count - 1
        searchLine = TextField(text)
        return [search()]
    }

    // MARK: - Overlays

    private mutating func handle(_ key: Key, on overlay: Overlay) -> [Request] {
        switch overlay {
        case .detail(let row, let top, let field): return handle(key, detail: row, top: top, field: field)
        case .help(let top):
            return key == .character("/") ? perform(.palette) : scroll(key, top: top) { .help(top: $0) }
        case .palette(let palette): return handle(key, palette)
        case .form(let form): return handle(key, form)
        case .question(let question): return handle(key, question)
        case .prompt(let prompt): return handle(key, prompt)
        case .badge:
            switch keyTable.command(of: key) {
            case .edit, .editBadge: return perform(.editBadge)
            case .undo: return perform(.undo)
            default: if [.escape, .enter, .left].contains(key) { overlays.removeLast() }
            }
        case .reminders(let listing): return handle(key, reminders: listing)
        case .menu(let menu): return handle(key, menu)
        case .map(let zoom):
            switch key {
            case .escape, .enter, .left: overlays.removeLast()
            case .character("+"): overlays[overlays.count - 1] = .map(zoom: min(zoom + 1, BrailleMap.maximumZoom))
            case .character("-"): overlays[overlays.count - 1] = .map(zoom: max(zoom - 1, -BrailleMap.maximumZoom))
            case .character("?"): return perform(.help)
            default: if let distance = key.distance() { return perform(distance > 0 ? .down : .up) }
            }
        }
        return []
    }

    private mutating func handle(_ key: Key, detail row: Row, top: Int, field: Int?) -> [Request] {
        let details = row.details(language: language)
        switch key {
        case .escape, .left: return perform(.leave)
        case .enter: return open(field.flatMap { details[safe: $0] })
        case .alt("y"): return copy(field.flatMap { details[safe: $0] })
        case .character("?"): return perform(.help)
        default: break
        }
        if let distance = key.distance() {
            let next = field.map { min(max(0, $0 + distance), details.count - 1) } ?? (distance > 0 ? 0 : nil)
            overlays[overlays.count - 1] = .detail(
                row, top: self.top(showing: next, of: details, from: top), field: next)
            return []
        }
        if let moved = scrolled(key, top) {
            overlays[overlays.count - 1] = .detail(row, top: moved)
            return []
        }
        return keyTable.command(of: key).map { perform($0) } ?? []
    }

    /// Returns the first visible line for which a detail is visible.
    private func top(showing field: Int?, of details: [Detail], from top: Int) -> Int {
        let body = layout.body
        let first = min(top, maximumTop(of: overlays.last))
        guard let field, let lines = Interface.lines(of: details, width: body.width)[safe: field] else { return first }
        return min(max(first, lines.upperBound - body.height), lines.lowerBound)
    }

    /// Opens the address of the selected detail.
    private mutating func open(_ detail: Detail?) -> [Request] {
        guard let detail else { return [] }
        if let link = detail.link { return [.open(link)] }
        inform("\(detail.name) has no number or address to open; Alt-y copies it")
        return []
    }

    /// Copies the text of the selected detail.
    private mutating func copy(_ detail: Detail?) -> [Request] {
        guard let detail else {
            inform("Down selects the text to copy")
            return []
        }
        inform("\(detail.name) copied")
        return [.copy(detail.value)]
    }

    /// Closes all overlays and searches for a new text.
    private mutating func startSearch(_ fill: (inout TextField) -> Void) -> [Request] {
        rememberQuery()
        (overlays, isCursorOnRow, recalled, replacesQuery) = ([], false, nil, false)
        searchLine = TextField()
        fill(&searchLine)
        return [search()]
    }

    private mutating func scroll(_ key: Key, top: Int, _ overlay: (Int) -> Overlay) -> [Request] {
        if let moved = scrolled(key, top) {
            overlays[overlays.count - 1] = overlay(moved)
        } else if [.escape, .left, .enter, .character("?"), .function(1)].contains(key) {
            overlays.removeLast()
        }
        return []
    }

    /// Returns the first visible line after a scroll key; nil for other keys.
    private func scrolled(_ key: Key, _ top: Int) -> Int? {
        let (page, last) = (max(1, layout.body.height - 1), maximumTop(of: overlays.last))
        // The same keys as in `less`.
        let wanted: Int? =
            switch key {
            case .home: 0
            case .end: last
            case .control("d"): top + page / 2 + 1
            case .control("u"): top - page / 2 - 1
            case .control("f"): top + page
            case .control("b"): top - page
            default: key.distance(page: page).map { min(top, last) + $0 }
            }
        return wanted.map { min(max(0, $0), last) }
    }

    private mutating func handle(_ key: Key, _ palette: Overlay.Palette) -> [Request] {
        var palette = palette
        switch key {
        case .escape:
            overlays.removeLast()
            return []
        case .enter:
            overlays.removeLast()
            return entries(of: palette)[safe: palette.selected].map { perform($0.command) } ?? []
        default:
            if let distance = key.distance(page: 10, tab: true) {
                palette.selected = max(0, min(palette.selected + distance, entries(of: palette).count - 1))
            } else if palette.field.edit(key) {
                palette.selected = 0
            }
        }
        overlays[overlays.count - 1] = .palette(palette)
        return []
    }

    private mutating func handle(_ key: Key, _ asked: Overlay.Question) -> [Request] {
        var question = asked
        let last = question.answers.count - 1
        let distance = key.distance(tab: true) ?? (key == .right ? 1 : key == .left ? -1 : nil)
        if let command = question.command, keyTable.command(of: key) == command {
            question.selected = last
        } else if let distance {
            question.selected = min(max(0, question.selected + distance), last)
        } else if key == .escape {
            question.selected = 0
        } else if key != .enter {
            // Typeahead restarts the pause.
            if question.opensAt != nil { question.opensAt = time + Overlay.Question.pause }
            overlays[overlays.count - 1] = .question(question)
            inform("letters give no answer; Down selects one")
            return []
        }
        guard let opensAt = question.opensAt, time >= opensAt else { return [] }
        if distance == nil { return give(question) }
        overlays[overlays.count - 1] = .question(question)
        return []
    }

    /// Closes a question with the selected answer.
    private mutating func give(_ question: Overlay.Question) -> [Request] {
        overlays.removeLast()
        let answer = question.answers[safe: question.selected]
        let requests = answer?.requests ?? []
        if let prompt = answer?.prompt { overlays.append(.prompt(prompt)) }
        // A form or prompt below waits for the response if there is one; otherwise it becomes editable again.
        if !requests.contains(where: \.isSubmission) { reopenSubmission() }
        for case .answer(let reminder, _) in requests { dueReminders.removeAll { $0.id == reminder.id } }
        return requests
    }

    /// Lets a question accept keys after it was drawn.
    mutating func openQuestion() {
        guard case .question(var question)? = overlays.last, question.opensAt == nil else { return }
        question.opensAt = time + Overlay.Question.pause
        overlays[overlays.count - 1] = .question(question)
    }

    /// Handles a mouse event: a press selects, a second one opens; the wheel moves the selection.
    mutating func handle(_ mouse: Mouse) -> [Request] {
        switch mouse.action {
        case .wheelUp: return handle(.up)
        case .wheelDown: return handle(.down)
        case .press, .doublePress: break
        }
        (message, isInCommandMode) = (nil, false)
        let layout = layout
        if mouse.row == layout.tabs, picker == nil {
            for (tab, columns) in tabColumns where columns.contains(mouse.column) { return perform(.tab(tab)) }
            return []
        }
        if mouse.row == layout.searchLine || mouse.row == layout.tabs {
            (overlays, isCursorOnRow, replacesQuery) = ([], false, false)
            return []
        }
        if let row = layout.reminder, mouse.row == row, !dueReminders.isEmpty { return perform(.answerReminder) }
        guard overlays.isEmpty else {
            return press(mouse, layout)
        }
        guard layout.list.contains(row: mouse.row, column: mouse.column) else { return [] }
        var listing = listing
        let line = listing.top + mouse.row - layout.list.row
        guard let row = listing.lines.ofRows.firstIndex(of: line) else { return [] }
        let isSecond = listing.selected == row && isCursorOnRow
        listing.selected = row
        self.listing = listing
        isCursorOnRow = true
        return mouse.action == .doublePress || isSecond ? perform(.open) : []
    }

    /// Handles a press in the topmost overlay.
    private mutating func press(_ mouse: Mouse, _ layout: Layout) -> [Request] {
        let line = mouse.row - layout.body.row
        guard line >= 0 else { return [] }
        switch overlays.last {
        case .palette(var palette):
            let top = Interface.top(of: palette.selected, height: layout.body.height - 1)
            guard line >= 1, entries(of: palette).indices.contains(top + line - 1) else { return [] }
            palette.selected = top + line - 1
            overlays[overlays.count - 1] = .palette(palette)
            return handle(.enter)
        case .menu(var menu):
            let entry = Interface.top(of: menu.selected, height: layout.body.height) + line
            guard menu.entries?.indices.contains(entry) ?? false else { return [] }
            let isSecond = menu.selected == entry
            menu.selected = entry
            overlays[overlays.count - 1] = .menu(menu)
            return isSecond ? handle(.enter) : []
        case .reminders(var listing):
            listing.scroll(height: layout.body.height)
            guard listing.rows.indices.contains(listing.top + line) else { return [] }
            listing.selected = listing.top + line
            overlays[overlays.count - 1] = .reminders(listing)
        case .question(var question):
            guard let answer = answer(at: mouse.row, question) else { return [] }
            question.selected = answer
            return give(question)
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
