import SwitchboardKit

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
}
