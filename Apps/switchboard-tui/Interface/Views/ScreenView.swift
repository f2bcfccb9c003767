import SwitchboardContacts
import SwitchboardKit
import SwitchboardProspects
import SwitchboardReminders
import SwitchboardTerminalText

extension Interface {
    /// Draws the current screen.
    ///
    /// - Complexity: linear in its cells.
    public func screen() -> Screen {
        var screen = Screen(size: size)
        guard size.columns >= 20, size.rows >= 6 else {
            screen.write("at least 40×12", row: 0)
            return screen
        }
        let layout = layout
        drawSearchLine(on: &screen, layout)
        if let picker { drawTitle(of: picker, on: &screen, layout) } else { drawTabs(on: &screen, layout) }
        drawStatus(on: &screen, layout)
        // Draw the view below a box first.
        let first = overlays.lastIndex { !$0.isBox } ?? -1
        if first < 0 {
            drawHeading(on: &screen, layout)
            drawList(on: &screen, layout)
            drawPane(on: &screen, layout)
        }
        for overlay in overlays.dropFirst(max(0, first)) { draw(overlay, on: &screen, layout) }
        return screen
    }

    // MARK: - Search line

    private func drawSearchLine(on screen: inout Screen, _ layout: Layout) {
        let isFocused = isSearchLineFocused
        let sign = isKeypad ? "# " : "> "
        screen.write(sign, row: layout.searchLine, column: 0, width: 2, style: isFocused ? .title : .faint)
        let room = searchRoom
        if searchLine.isEmpty {
            screen.write(
                picker != nil ? "type to search" : "type to search; F1 help, F2 commands",
                row: layout.searchLine, column: 2, width: room, style: .faint)
            if isFocused { screen.cursor = Position(row: layout.searchLine, column: 2) }
        } else {
            // Reverse, like selected text, since the next letter replaces it.
            let style = replacesQuery ? Style(.plain, [.bold, .reverse]) : .strong
            let column = draw(searchLine, on: &screen, row: layout.searchLine, column: 2, width: room, style: style)
            if isFocused { screen.cursor = Position(row: layout.searchLine, column: column) }
        }
    }

    /// True if letters go to the search line.
    private var isSearchLineFocused: Bool { !isInCommandMode && !(overlays.last?.takesLetters ?? false) }

    private var searchRoom: Int { max(1, size.columns - 3) }

    /// The column of the cursor in the search line.
    var searchColumn: Int {
        var unused = Screen(size: Size(columns: size.columns, rows: 1))
        return draw(searchLine, on: &unused, row: 0, column: 2, width: searchRoom, style: .plain)
    }

    private func drawTitle(of picker: Picker, on screen: inout Screen, _ layout: Layout) {
        let name =
            picker.kind == .any
            ? "Choose"
            : "Choose \(["a", "i"].contains(picker.kind.rawValue.first) ? "an" : "a") \(picker.kind.rawValue)"
        let marks = picker.marked.isEmpty ? "" : "  \(picker.marked.count) marked"
        screen.write(" " + name + marks, row: layout.tabs, style: .title)
    }

    private func drawTabs(on screen: inout Screen, _ layout: Layout) {
        for (tab, columns) in tabColumns {
            let label = label(of: tab)
            let padding = columns.count > label.count ? " " : ""
            let style = tab == self.tab ? Style(.accent, [.bold, .reverse]) : Style.plain
            screen.write(
                padding + label + padding, row: layout.tabs, column: columns.lowerBound, width: columns.count,
                style: style)
        }
    }

    // MARK: - Heading

    private func drawHeading(on screen: inout Screen, _ layout: Layout) {
        let listing = listing
        var right = ""
        if let remote = listing.remote {
            right = remote
        } else if listing.isSearching {
            right = listing.delay ?? "searching…"
        }
        // A server's error may be long; reserve room for the heading.
        let reserved = right.isEmpty ? 0 : min(TerminalText.width(of: right), max(22, size.columns / 2))
        let room = size.columns - (right.isEmpty ? 0 : reserved + 1)
        let marks = marked.isEmpty ? "" : ", \(marked.count.grouped) marked"
        screen.write(heading(listing) + marks, row: layout.heading, column: 0, width: room, style: .faint)
        if !right.isEmpty {
            screen.write(right, row: layout.heading, column: room + 1, style: .faint)
        }
    }

    private func heading(_ listing: Listing) -> String {
        let position = listing.position
        switch tab {
        case .find: return isKeypad ? "\(position), by keypad" : position
        case .contacts:
            let sorting = searchLine.isEmpty ? contactOrder.map { ", \($0.words)" } ?? "" : isKeypad ? " by keypad" : ""
            return "contacts" + (group.map { " in \($0)" } ?? "") + sorting + ": " + position
        case .prospects:
            if isKeypad { return "\(filter.rawValue) by keypad: \(position)" }
            let sorting =
                searchLine.isEmpty ? (order == .name ? ", by name" : ", recently met first") : ", best match first"
            return "\(filter.rawValue)\(sorting): \(position)"
        case .airports:
            if searchLine.isEmpty { return "suggested airports: \(position)" }
            let stages = (1...3).compactMap { stage -> String? in
                let count = listing.rows.count { $0.result?.stage == stage }
                let names = ["popular", "popular, misspelled", "among all airports"]
                return count == 0 ? nil : "\(count) \(names[stage - 1])"
            }
            if listing.rows.isEmpty { return "no airports" }
            return (["airports: \(position)"] + [stages.joined(separator: ", ")].filter { !$0.isEmpty }).joined(
                separator: ": ")
        case .activity: return "recent activity, current first: \(position)"
        }
    }

    // MARK: - Status line

    private func drawStatus(on screen: inout Screen, _ layout: Layout) {
        if let row = layout.reminder {
            let style = Style(.warning, [.bold, .reverse])
            let text =
                dueReminders.last.map { reminder in
                    "⏰ \(reminder.title)" + (reminder.body.isEmpty ? "" : ": \(reminder.body)")
                        + (dueReminders.count > 1 ? " (+\(dueReminders.count - 1))" : "") + "  Alt-! answer"
                } ?? "⏰ \(dueNotice ?? "")"
            screen.write(text, row: row, style: style, fill: style)
        }
        if isInCommandMode {
            let style = Style(.accent, [.bold, .reverse])
            screen.write(commandModeHints, row: layout.status, style: style, fill: style)
        } else if let message {
            screen.write(message.text, row: layout.status, style: message.isWarning ? .warning : .good)
        } else {
            screen.write(hints, row: layout.status, style: .faint)
        }
    }

    /// The key hints for the current focus.
    private var hints: String {
        if let picker { return "Enter choose  " + (picker.takesSeveral ? "Tab mark  " : "") + "Esc cancel" }
        switch overlays.last {
        case .detail: return detailHints
        case .help: return "Down, PgDn scroll  / find a command  Esc back"
        case .palette: return "Enter run  Esc back"
        case .form(let form):
            guard isKeypadTyping, form.takesWords else {
                return "Enter next  Ctrl-S save  Esc cancel" + (isKeypadTyping ? "" : "  F9 keypad")
            }
            return size.columns < 60
                ? "* next  # case  / spell  F9 letters"
                : "* next  # case  0 space  1 .,'  / spell  Enter next field  F9 letters"
        case .question(let question):
            let again = question.command.map { keyName(of: $0) + " \($0.name)" }
            let keep = question.answers.first.map { "Esc " + $0.label.lowercased() }
            return [again, "Down, Enter choose", keep].compactMap(\.self).joined(separator: "  ")
        case .prompt(let prompt):
            switch prompt.kind {
            case .scan: return "Tab complete  Enter scan  Esc cancel"
            case .importContacts: return "Tab complete  Enter import  Esc cancel"
            case .exportContacts: return "Tab complete  Enter export  Esc cancel"
            case .location, .remind, .region: return "Enter save  Esc cancel"
            }
        case .badge: return "\(keyName(of: .editBadge)) edit  Esc back"
        case .reminders:
            return "Enter open  \(keyName(of: .contacted)) contacted  \(keyName(of: .remove)) cancel  Esc back"
        case .menu(let menu):
            let action =
                switch menu.kind {
                case .groups: "Enter list  "
                case .birthdays: "Enter open  "
                case .duplicate: "Enter open  \(keyName(of: .merge)) merge  "
                case .duplicates: "\(keyName(of: .merge)) merge  Enter compare  "
                case .removed: "\(keyName(of: .undo)) restore  "
                case .importReport: ""
                }
            return action + (undoStack.isEmpty || menu.kind == .removed ? "" : "\(keyName(of: .undo)) undo  ")
                + "Esc back"
        case .map: return "+ and - zoom  Down, Up select  Esc back"
        case nil: break
        }
        let undo = undoStack.isEmpty ? [] : [hint(.undo, "undo")]
        guard isCursorOnRow || !marked.isEmpty else {
            let keys: [String?] = [
                hint(.open, "open"), hint(.nextTab, "next tab"), hint(.commandMode, "commands"), hint(.help, "help"),
                hint(.quit, "quit"),
            ]
            return (undo + keys).compactMap(\.self).joined(separator: "  ")
        }
        let commands: [String?] =
            switch tab {
            case .find: rowHints([.call, .edit])
            case .contacts: [hint(.add, "add")] + rowHints([.edit, .favourite, .call])
            case .prospects: rowHints([.contacted, .remind]) + [hint(.scan, "scan"), hint(.filter, "filter")]
            case .airports: rowHints([.call]) + [hint(.map, "map")]
            case .activity: [hint(.open, "resume")]
            }
        if !marked.isEmpty {
            let actions = rowHints([.contacted, .remind, .favourite, .remove])
            let merge = markedContacts.count > 1 ? hint(.merge, "merge") : nil
            return (undo + actions + [merge, hint(.exportContacts, "export"), hint(.markAll, "unmark")])
                .compactMap(\.self).joined(separator: "  ")
        }
        let others = [
            hint(.help, "help"), hint(.commandMode, "commands"), hint(.quit, "quit"),
        ]
        return (undo + commands + others).compactMap(\.self).joined(separator: "  ")
    }

    /// The commands that are available in the command mode, by their letters.
    private var commandModeHints: String {
        let words: [(Command, String)] = [
            (.add, "add"), (.edit, "edit"), (.remove, "remove"), (.favourite, "favorite"), (.call, "record"),
            (.contacted, "contacted"), (.remind, "remind"), (.mark, "mark"), (.markAll, "mark all"), (.undo, "undo"),
            (.importContacts, "import"), (.exportContacts, "export"), (.palette, "all"), (.quit, "quit"),
        ]
        let hints = words.compactMap { command, word -> String? in
            guard unavailabilityReason(for: command) == nil, let key = keyTable.letter(of: command) else { return nil }
            return key + " " + word
        }
        return "COMMAND  " + hints.joined(separator: "  ") + "  Esc cancel"
    }

    /// Returns a command's key and a word for it; nil if the command has no key.
    private func hint(_ command: Command, _ word: String) -> String? {
        keyTable.keyName(of: command).map { $0 + " " + word }
    }

    private var detailHints: String {
        let undo = undoStack.isEmpty ? [] : [hint(.undo, "undo")]
        let commands = rowHints([.contacted, .remind, .edit, .favourite, .call, .remove])
        if case .detail(let row, _, .some(let field))? = overlays.last,
            let detail = row.details(language: language)[safe: field]
        {
            let keys = ["Esc back", detail.link == nil ? nil : "Enter open", "Alt-y copy"]
            return keys.compactMap(\.self).joined(separator: "  ")
        }
        return (undo + ["Esc back", "type to search"] + commands).compactMap(\.self).joined(separator: "  ")
    }

    /// Returns hints for the commands that are available for the selected row.
    private func rowHints(_ commands: [Command]) -> [String?] {
        commands.filter { unavailabilityReason(for: $0) == nil }.map { command in
            let word =
                switch command {
                case .contacted: "contacted"
                case .remind: "remind"
                case .edit: "edit"
                case .favourite: "favorite"
                case .call: if case .contact? = subject?.result?.object { "record" } else { "choose" }
                default: "remove"
                }
            return hint(command, word)
        }
    }

    var layout: Layout { Layout(size, hasReminder: !dueReminders.isEmpty || dueNotice != nil, hasKeypad: isKeypad) }

    var tabColumns: [(tab: Tab, columns: Range<Int>)] {
        let isNarrow = size.columns < 51
        var column = 0
        return Tab.allCases.map { tab in
            let width = label(of: tab).count + (isNarrow ? 0 : 2)
            defer { column += width + 1 }
            return (tab, column..<column + width)
        }
    }

    /// The label of a tab. All labels with their gaps take 41 columns.
    private func label(of tab: Tab) -> String {
        size.columns < 41 && tab == .prospects ? String(tab.title.dropLast()) : tab.title
    }

    /// Returns the first visible line that makes the selected one visible.
    static func top(of selected: Int, height: Int) -> Int { max(0, selected - max(1, height) + 1) }
}

/// The rows and areas of a screen.
struct Layout: Hashable {
    let searchLine = 0
    let tabs = 1
    let heading = 2
    /// The area between the heading and the status line.
    var body: Area
    var list: Area
    /// The pane beside or below the list; nil if there is no room.
    var pane: Area?
    /// The row of the rule above a lower pane.
    var rule: Int?
    var reminder: Int?
    var status: Int

    /// The minimum columns for a pane beside the list.
    static let columnsForSide = 100
    /// The minimum rows for a pane below the list.
    static let rowsForLower = 20
    static let keypadHeight = 4

    init(_ size: Size, hasReminder: Bool, hasKeypad: Bool) {
        status = size.rows - 1
        reminder = hasReminder && size.rows > 6 ? size.rows - 2 : nil
        let foot = reminder ?? status
        let height = max(1, foot - 3)
        body = Area(row: 3, column: 0, width: size.columns, height: height)
        list = body
        if size.columns >= Layout.columnsForSide {
            list.width = size.columns * 11 / 20
            pane = Area(row: 3, column: list.width + 1, width: size.columns - list.width - 1, height: height)
        } else if size.rows >= Layout.rowsForLower {
            divide(below: max(7, height * 2 / 5))
        } else if hasKeypad, height > Layout.keypadHeight + 1 {
            divide(below: Layout.keypadHeight)
        }
    }

    private mutating func divide(below paneHeight: Int) {
        list.height = max(1, body.height - paneHeight - 1)
        rule = list.end
        pane = Area(row: list.end + 1, column: 0, width: body.width, height: body.end - list.end - 1)
    }
}

extension ContactSortOrder {
    /// The order in words, for the heading.
    fileprivate var words: String {
        switch self {
        case .name: "by name"
        case .given: "by given name"
        case .family: "by family name"
        case .organization: "by organisation"
        case .created: "recently added first"
        case .changed: "recently changed first"
        }
    }
}
