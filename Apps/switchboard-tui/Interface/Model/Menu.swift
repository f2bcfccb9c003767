import SwitchboardKit

/// A list that opens over the tabs.
public enum MenuKind: String, Sendable {
    case groups, birthdays, duplicates

    var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

    /// The text shown in place of an empty list.
    var emptyText: String {
        switch self {
        case .groups: "No contact has a group"
        case .birthdays: "No birthday within a year"
        case .duplicates: "No duplicates"
        }
    }
}

/// An entry of a menu.
public struct MenuEntry: Sendable {
    /// The effect of choosing an entry.
    public enum Choice: Sendable {
        /// Lists the contacts of a group; nil lists all.
        case group(String?)
        /// Opens a contact.
        case contact(id: String)
        /// Merges contacts into the first one, which has this name, after confirmation.
        case merge([String], into: String)
    }

    /// The columns.
    public var texts: [String]
    /// The effect.
    public var choice: Choice

    /// Creates an entry.
    public init(_ texts: [String], _ choice: Choice) {
        self.texts = texts
        self.choice = choice
    }
}

extension Interface {
    mutating func handle(_ key: Key, _ menu: Overlay.Menu) -> [Request] {
        var menu = menu
        let last = max(0, (menu.entries?.count ?? 0) - 1)
        switch key {
        case .escape, .left, .character("q"):
            overlays.removeLast()
            return []
        case .home, .character("g"): menu.selected = 0
        case .end, .character("G"): menu.selected = last
        case .character("?"): return perform(.help)
        case .enter: return menu.entry.map { choose($0) } ?? []
        default:
            let command = keyTable.command(of: key, isListFocused: true)
            if command == .undo { return perform(.undo) }
            if command == .merge, case .merge(let ids, let name)? = menu.entry?.choice {
                overlays.append(mergeQuestion(ids, into: name))
                return []
            }
            let page = max(1, layout.body.height - 1)
            let distance = key.distance(page: page, tab: true, letters: true) ?? 0
            menu.selected = min(max(0, menu.selected + distance), last)
        }
        overlays[overlays.count - 1] = .menu(menu)
        return []
    }

    private mutating func choose(_ entry: MenuEntry) -> [Request] {
        switch entry.choice {
        case .group(let name):
            overlays = []
            (tab, group, isCursorOnRow) = (.contacts, name, false)
            searchLine = TextField()
            return [search()]
        case .contact(let id): return [.reload(DeepLink(kind: .contact, id: id), opens: true)]
        case .merge:
            inform("\(keyName(of: .merge)) merges them")
            return []
        }
    }

    /// Returns the question that confirms a merge.
    func mergeQuestion(_ ids: [String], into name: String) -> Overlay {
        .question(
            Overlay.Question(
                title: "Merge", text: "Merge \(ids.count) contacts into \(name)? All their fields are kept.",
                answers: [
                    Overlay.Question.Answer("Keep them apart"),
                    Overlay.Question.Answer("Merge", [.perform(.mergeContacts(ids))]),
                ], command: .merge))
    }

    mutating func apply(_ entries: [MenuEntry], of kind: MenuKind) {
        for index in overlays.indices {
            guard case .menu(var menu) = overlays[index], menu.kind == kind else { continue }
            menu.entries = entries
            menu.selected = min(menu.selected, max(0, entries.count - 1))
            overlays[index] = .menu(menu)
        }
    }

    func draw(_ menu: Overlay.Menu, on screen: inout Screen, _ body: Area) {
        guard let entries = menu.entries else { return }
        if entries.isEmpty {
            screen.write(menu.kind.emptyText, row: body.row, style: .faint)
            return
        }
        let top = Interface.top(of: menu.selected, height: body.height)
        let visible = Array(entries.enumerated().dropFirst(top).prefix(body.height))
        let cells = visible.map { entry in
            entry.element.texts.enumerated().map { RowCell($1, $0 == 0 ? .strong : .plain) }
        }
        let widths = Interface.columnWidths(of: cells, room: body.width)
        for (line, cells) in cells.enumerated() {
            var column = body.column
            for (width, cell) in zip(widths, cells) where width > 0 {
                screen.write(cell.glyphs(in: width), row: body.row + line, column: column, width: width)
                column += width + 2
            }
        }
        let row = body.row + menu.selected - top
        screen.highlight(row: row, columns: body.column..<body.column + body.width)
        screen.cursor = Position(row: row, column: body.column)
    }
}
