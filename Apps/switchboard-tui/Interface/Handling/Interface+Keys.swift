import SwitchboardKit

extension Interface {
    /// What a key does: first for what lies on top, then by the key table, then as a letter of the search line.
    mutating func handle(_ key: Key) -> [Request] {
        message = nil
        // These work everywhere.
        switch key {
        case .control("q"), .control("c"): return [.quit]
        case .control("z"): return [.suspend]
        case .control("l"): return [.redraw]
        default: break
        }
        if let layer = layers.last { return handle(key, on: layer) }
        if isInList {
            guard let command = KeyTable.command(of: key, isInList: true) else {
                if case .character(let letter) = key {
                    warn("no command has the key \(letter); / goes to the search line, ? shows the keys")
                }
                return []
            }
            return perform(command)
        }
        if line.isEmpty {
            if key == .character("?") { return perform(.help) }
            // A blank finds nothing; on the list it is a command.
            if key == .character(" ") {
                warn("Space is for the list; Esc goes there")
                return []
            }
        }
        if key == .right, !line.after.isEmpty { return edit(key) }
        if let command = KeyTable.command(of: key, isInList: false) { return perform(command) }
        return edit(key)
    }

    /// Text from elsewhere goes where letters go; its line ends press nothing.
    mutating func paste(_ text: String) -> [Request] {
        message = nil
        guard let layer = layers.last else {
            isInList = false
            line.insert(text)
            return [search()]
        }
        switch layer {
        case .form(var form):
            let requests = endRun()
            form.insert(text)
            layers[layers.count - 1] = .form(form)
            return requests
        case .prompt(var prompt):
            prompt.field.insert(text)
            prompt.completions = []
            layers[layers.count - 1] = .prompt(prompt)
        case .palette(var palette):
            palette.field.insert(text)
            palette.chosen = 0
            layers[layers.count - 1] = .palette(palette)
        default: break
        }
        return []
    }

    /// Edits the search line, and searches if that changes the text.
    private mutating func edit(_ key: Key) -> [Request] {
        let text = line.text
        guard line.edit(key) else { return [] }
        isCursorOnRow = false
        return line.text == text ? [] : [search()]
    }

    // MARK: - Layers

    private mutating func handle(_ key: Key, on layer: Layer) -> [Request] {
        switch layer {
        case .detail(let row, let top): return handle(key, detail: row, top: top)
        case .help(let top): return scroll(key, top: top) { .help(top: $0) }
        case .palette(let palette): return handle(key, palette)
        case .form(let form): return handle(key, form)
        case .question(let question): return handle(key, question)
        case .prompt(let prompt): return handle(key, prompt)
        case .badge:
            switch key {
            case .escape, .enter, .character("b"), .character("q"), .left: layers.removeLast()
            case .character("e"), .character("B"): return perform(.editBadge)
            case .character("u"): return perform(.undo)
            default: break
            }
        case .reminders(let listing): return handle(key, reminders: listing)
        case .choices(let reminder, let chosen): return handle(key, reminder, chosen: chosen)
        case .map:
            if [.escape, .enter, .left, .character("m"), .character("q")].contains(key) { layers.removeLast() }
        }
        return []
    }

    private mutating func handle(_ key: Key, detail row: Row, top: Int) -> [Request] {
        switch key {
        case .escape, .left: return perform(.leave)
        case .enter: return []
        case .character("?"): return perform(.help)
        case .character("/"):
            layers.removeLast()
            return perform(.searchLine)
        default: break
        }
        if let moved = Self.scrolled(key, top) {
            layers[layers.count - 1] = .detail(row, top: moved)
            return []
        }
        return KeyTable.command(of: key, isInList: true).map { perform($0) } ?? []
    }

    private mutating func scroll(_ key: Key, top: Int, _ layer: (Int) -> Layer) -> [Request] {
        if let moved = Self.scrolled(key, top) {
            layers[layers.count - 1] = layer(moved)
        } else if [.escape, .left, .enter, .character("?"), .character("q"), .function(1)].contains(key) {
            layers.removeLast()
        }
        return []
    }

    /// The first line after a key that scrolls; nil if it does not. That it is not behind the end is seen to when it is drawn.
    private static func scrolled(_ key: Key, _ top: Int) -> Int? {
        switch key {
        case .down, .control("n"), .character("j"): min(top + 1, 10_000)
        case .up, .control("p"), .character("k"): max(0, top - 1)
        case .pageDown: min(top + 10, 10_000)
        case .pageUp: max(0, top - 10)
        case .home: 0
        default: nil
        }
    }

    private mutating func handle(_ key: Key, _ palette: Layer.Palette) -> [Request] {
        var palette = palette
        switch key {
        case .escape:
            layers.removeLast()
            return []
        case .enter:
            layers.removeLast()
            return palette.entry.map { perform($0.command) } ?? []
        case .down, .control("n"), .tab: palette.chosen = min(palette.chosen + 1, max(0, palette.entries.count - 1))
        case .up, .control("p"), .backTab: palette.chosen = max(0, palette.chosen - 1)
        case .pageDown: palette.chosen = min(palette.chosen + 10, max(0, palette.entries.count - 1))
        case .pageUp: palette.chosen = max(0, palette.chosen - 10)
        default: if palette.field.edit(key) { palette.chosen = 0 }
        }
        layers[layers.count - 1] = .palette(palette)
        return []
    }

    private mutating func handle(_ key: Key, _ question: Layer.Question) -> [Request] {
        switch key {
        case .character("y"), .character("Y"):
            layers.removeLast()
            return question.yes
        case .character("n"), .character("N"):
            layers.removeLast()
            return question.no
        // No answer is no consent, but is not remembered.
        case .escape: layers.removeLast()
        default: say("y is yes, n is no, Esc leaves it open")
        }
        return []
    }
}
