import Foundation
import SwitchboardAirports
import SwitchboardContacts
import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardKit
import SwitchboardProspects
import SwitchboardReminders
import SwitchboardSearchableIndex
import SwitchboardTerminalText

extension Interface {
    func drawList(on screen: inout Screen, _ layout: Layout) {
        var shown = listing
        shown.scroll(height: layout.list.height)
        if shown.rows.isEmpty {
            for (index, line) in emptyText(shown).split(separator: "\n").enumerated() where index < layout.list.height {
                screen.write(
                    String(line), row: layout.list.row + index, column: 0, width: layout.list.width,
                    style: shown.failure == nil ? .faint : .warning)
            }
            return
        }
        let marked = picker.map { Set($0.marked.map(\.id)) } ?? marks[tab]?.ids ?? []
        let row = Interface.draw(shown, in: layout.list, on: &screen, isMixed: tab == .find, marked: marked)
        if let row, isCursorOnRow { screen.cursor = Position(row: row, column: layout.list.column) }
    }

    private func emptyText(_ listing: Listing) -> String {
        if let failure = listing.failure { return failure }
        if listing.isSearching {
            return listing.delay == nil ? "" : "Building the search index; later searches will be fast"
        }
        if !searchLine.isEmpty { return "No matches" }
        switch tab {
        case .find where picker == nil:
            return """
                Welcome. \(keyName(of: .importContacts)) imports your contacts from a file.
                \(keyName(of: .add)) adds a contact by hand, \(keyName(of: .scan)) scans a badge.
                Type to search; airports are already here, such as lisbon.
                """
        case .prospects:
            return "No prospects yet; \(keyName(of: .scan)) scans a badge, \(keyName(of: .add)) adds one"
        case .contacts:
            return "No contacts yet; \(keyName(of: .importContacts)) imports a file, \(keyName(of: .add)) adds one"
        case .activity: return "No activity yet"
        default: return "The list is empty"
        }
    }

    /// Draws the visible rows of a list, with a mark before those whose identifiers are in `marked`.
    ///
    /// - Returns: the screen row of the selection; nil if the list is empty.
    static func draw(
        _ listing: Listing, in area: Area, on screen: inout Screen, isMixed: Bool, marked: Set<String> = []
    ) -> Int? {
        let lines = listing.lines.ofRows
        let last = listing.top + area.height
        let visible = listing.rows.indices.filter { (listing.top..<last).contains(lines[$0]) }
        let cells = visible.map { index in
            let row = listing.rows[index]
            let mark = marked.isEmpty ? [] : [RowCell(marked.contains(row.id) ? "●" : " ", Style(.marker, .bold))]
            return mark + row.cells(isMixed: isMixed)
        }
        let widths = columnWidths(of: cells, room: area.width)
        var selectedRow: Int?
        for (index, cells) in zip(visible, cells) {
            let row = area.row + lines[index] - listing.top
            if let section = listing.rows[index].section, index == 0 || listing.rows[index - 1].section != section,
                row > area.row
            {
                screen.write(section, row: row - 1, column: area.column, width: area.width, style: .title)
            }
            var column = area.column
            for (width, cell) in zip(widths, cells) where width > 0 {
                screen.write(cell.glyphs(in: width), row: row, column: column, width: width)
                column += width + 1
            }
            if index == listing.selected {
                screen.highlight(row: row, columns: area.column..<area.column + area.width)
                selectedRow = row
            }
        }
        return selectedRow
    }

    private static let widestColumn = 44

    /// Returns the width of each column: the width of its widest text, reduced to the available room. Numbers are cut
    /// last, since a part of a number is worth nothing.
    ///
    /// - Parameter gap: the number of columns between two cells.
    static func columnWidths(of rows: [[RowCell]], room: Int, gap: Int = 1) -> [Int] {
        var widths: [Int] = []
        var numbers: Set<Int> = []
        for row in rows {
            for (column, cell) in row.enumerated() {
                if cell.isNumber { numbers.insert(column) }
                let width = min(TerminalText.width(of: cell.text + cell.suffix), widestColumn)
                if column < widths.count { widths[column] = max(widths[column], width) } else { widths.append(width) }
            }
        }
        func total() -> Int { widths.reduce(0) { $0 + ($1 > 0 ? $1 + gap : 0) } - gap }
        // Drop the last columns first on a narrow screen.
        if room < 60, widths.count > 3 {
            for column in widths.indices.dropFirst(3).reversed() where total() > room { widths[column] = 0 }
        }
        while total() > room,
            let column = widths.indices.filter({ !numbers.contains($0) && widths[$0] > 8 })
                .max(by: { widths[$0] < widths[$1] || widths[$0] == widths[$1] && $0 < $1 })
        {
            widths[column] -= 1
        }
        while total() > room, let widest = widths.max(), widest > 3,
            let column = widths.lastIndex(of: widest)
        {
            widths[column] -= 1
        }
        return widths
    }

    /// Draws the pane: the keypad during a keypad search, the map of airports, and the details of the selected row.
    func drawPane(on screen: inout Screen, _ layout: Layout) {
        guard let pane = layout.pane, let parts = paneParts(layout) else { return }
        if let rule = layout.rule {
            screen.rule(row: rule, title: listing.row?.title ?? "")
        } else {
            for row in pane.row..<pane.end {
                screen.write("│", row: row, column: pane.column - 1, style: .faint)
            }
        }
        if isKeypad { drawKeypad(on: &screen, pane, keys: searchLine.text) }
        if let map = parts.map { drawMap(zoom: 0, on: &screen, map) }
        guard parts.details.width > 10, parts.details.height > 0, let row = listing.row else { return }
        let top = min(previewTop, maximumPreviewTop)
        _ = Interface.draw(previewed(row), from: top, in: parts.details, on: &screen)
    }

    /// Returns the areas of the map and the details in the pane; nil if there is no pane.
    private func paneParts(_ layout: Layout) -> (map: Area?, details: Area)? {
        guard var details = layout.pane else { return nil }
        if isKeypad {
            if layout.rule == nil {
                details.row += Layout.keypadHeight + 1
                details.height -= Layout.keypadHeight + 1
            } else {
                details.column += KeypadView.width + 2
                details.width -= KeypadView.width + 2
            }
            return (nil, details)
        }
        guard tab == .airports, !searchLine.isEmpty || layout.rule == nil else { return (nil, details) }
        var map = details
        if layout.rule == nil {
            map.height = min(details.height / 2, details.width / 4)
            details.row += map.height + 1
            details.height -= map.height + 1
        } else {
            map.width = details.width / 2
            map.column = details.column + details.width - map.width
            details.width -= map.width + 1
        }
        return (map, details)
    }

    /// The details of a row that its preview shows: those that people look for, without dates and identifiers.
    private func previewed(_ row: Row) -> [Detail] { row.details(language: language).filter { $0.tone != .faint } }

    /// The first visible line of the preview; 0 after another row is selected.
    var previewTop: Int { preview.flatMap { $0.id == listing.row?.id ? $0.top : nil } ?? 0 }

    /// The maximum value of ``previewTop``.
    var maximumPreviewTop: Int {
        guard let row = listing.row, let details = paneParts(layout)?.details else { return 0 }
        let lines = Interface.lines(of: previewed(row), width: details.width)
        return max(0, (lines.last?.upperBound ?? 0) - details.height)
    }

    /// Returns the lines of each detail.
    static func lines(of details: [Detail], width: Int) -> [Range<Int>] {
        var measure = Screen(size: Size(columns: 1, rows: 1))
        let names = nameWidth(of: details, width: width)
        var line = 0
        return details.map { detail in
            let area = Area(row: 0, column: 0, width: width, height: 0)
            let count = draw([detail], from: 0, in: area, names: names, on: &measure)
            defer { line += count }
            return line..<line + count
        }
    }

    private static func nameWidth(of details: [Detail], width: Int) -> Int {
        min(details.map { $0.name.count }.max() ?? 0, max(6, width / 3))
    }

    /// Draws details from a given line, each wrapped beside its name.
    ///
    /// - Parameter names: the width of the names; nil for the width of the longest name.
    ///
    /// - Returns: the number of lines.
    @discardableResult
    static func draw(
        _ details: [Detail], from top: Int, in area: Area, names: Int? = nil, on screen: inout Screen
    ) -> Int {
        let names = names ?? nameWidth(of: details, width: area.width)
        var line = 0
        for detail in details {
            let style: Style =
                switch detail.tone {
                case .plain: .plain
                case .strong: .strong
                case .faint: .faint
                case .match: .match
                case .star: .star
                }
            let texts = detail.text.split(whereSeparator: \.isNewline)
            let lines = texts.flatMap { text in
                Glyph.wrapped(Glyph.glyphs(of: String(text), style: style), width: area.width - names - 2)
            }
            for (index, glyphs) in lines.enumerated() {
                defer { line += 1 }
                let row = area.row + line - top
                guard line >= top, row < area.end else { continue }
                if index == 0 {
                    screen.write(detail.name, row: row, column: area.column, width: names, style: .faint)
                }
                screen.write(
                    glyphs, row: row, column: area.column + names + 2, width: area.width - names - 2)
            }
        }
        return line
    }
}

extension Array {
    /// The element at an index; nil if the index is out of bounds.
    subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}

/// The text of one column of a row.
struct RowCell {
    var text: String
    var style: Style
    var matches: [Range<Int>]
    /// A text at the end, which is truncated last.
    var suffix: String
    /// True for a phone number, whose column is cut last.
    var isNumber = false

    init(_ text: String, _ style: Style = .plain, matches: [Range<Int>] = [], suffix: String = "") {
        self.text = text
        self.style = style
        self.matches = matches
        self.suffix = suffix
    }

    /// Returns the glyphs that fit into a width.
    func glyphs(in width: Int) -> [Glyph] {
        let start = Glyph.glyphs(of: text, style: style, matches: matches)
        let end = Glyph.glyphs(of: suffix, style: style)
        let room = width - Glyph.width(of: end)
        // There is no room for parts of both.
        if room < 4 { return Glyph.cut(start + end, to: width) }
        return Glyph.cut(start, to: room) + end
    }
}

extension Row {
    /// Returns the columns of the row; the first one is narrow.
    ///
    /// - Parameter isMixed: adds a symbol for the kind of row.
    func cells(isMixed: Bool) -> [RowCell] {
        switch content {
        case .result(let result): result.cells(isMixed: isMixed, hasReminder: reminder != nil)
        case .activity(let stored):
            [
                RowCell(stored.isCurrent ? "●" : " ", stored.isCurrent ? .good : .plain), RowCell(title, .strong),
                RowCell(stored.activity.title == nil ? "" : stored.typeInWords),
                RowCell(stored.beganAt.localTime, .faint),
            ]
        case .reminder(let reminder):
            [
                RowCell(reminder.state == .pending ? "⏰" : " ", reminder.state == .pending ? .star : .plain),
                RowCell(reminder.localTime),
                RowCell(reminder.title, .strong),
                RowCell(
                    reminder.failure.isEmpty ? reminder.stateInWords : "failing", .faint),
                RowCell(reminder.body),
            ]
        }
    }
}

extension SearchResult {
    /// Returns the columns: a symbol or code, the title, and two more.
    fileprivate func cells(isMixed: Bool, hasReminder: Bool) -> [RowCell] {
        let columns = columns
        func cell(_ text: HighlightedText, _ style: Style = .plain) -> RowCell {
            RowCell(text.text, style, matches: text.matches, suffix: text.suffix)
        }
        let title = cell(columns.title, .strong)
        var detail = cell(columns.detail)
        switch object {
        case .contact(let contact):
            detail.isNumber = true
            if contact.phones.count > 1 { detail.suffix = " +\(contact.phones.count - 1)" }
            return [
                RowCell(contact.isFavourite ? "★" : " ", contact.isFavourite ? .star : .plain), title, detail,
                cell(columns.other, columns.other.matches.isEmpty ? .faint : .plain),
            ]
        case .prospect(let prospect):
            let mark =
                hasReminder
                ? RowCell("⏰", .star) : prospect.isContacted ? RowCell("✓", .good) : RowCell("·", .faint)
            return [mark, title, detail, cell(columns.other)]
        case .airport(let airport, let airports):
            let code = RowCell(id, .strong, matches: highlights["code"] ?? [])
            // The first column of mixed rows is too narrow for the code.
            if isMixed { return [RowCell("✈", .faint), title, code, detail] }
            var last = distance
            if airport.isCity, !airports.isEmpty { last = airports.map(\.code).joined(separator: " ") }
            if stage == 3, match != .nearby, last.isEmpty { last = "less used" }
            return [code, title, detail, RowCell(last, .faint)]
        case .item: return [RowCell("◆", .faint), title, detail, cell(columns.other, .faint)]
        }
    }
}

/// The drawing of a phone keypad.
enum KeypadView {
    /// The width in columns.
    static let width = 23

    /// Returns the letters on a key in the alphabet of a language.
    static func letters(on key: Character, language: String) -> String {
        let layout: KeypadLayout =
            switch language.prefix(2) {
            case "ru", "kk", "tt", "tg", "be": .russian
            case "uk": .ukrainian
            case "bg": .bulgarian
            case "sr": .serbian
            case "el": .greek
            case "he": .hebrew
            case "ar": .arabic
            case "ka": .georgian
            default: .latin
            }
        switch key {
        case "0": return "space"
        case "1": return ".,'"
        default:
            let own = layout.keys.filter { $0.value == key.asciiValue }.keys.sorted()
            return String(String(decoding: own, as: UTF16.self).prefix(5))
        }
    }
}

extension Interface {
    /// Draws the keypad with the pressed keys highlighted, the last one most prominently.
    func drawKeypad(on screen: inout Screen, _ area: Area, keys text: String) {
        let rows: [[Character]] = [["1", "2", "3"], ["4", "5", "6"], ["7", "8", "9"], ["*", "0", "#"]]
        for (index, keys) in rows.enumerated() where index < area.height {
            for (place, key) in keys.enumerated() {
                let column = area.column + place * 8
                let isPressed = text.contains(key)
                var style: Style = isPressed ? .match : .plain
                if text.last == key { style = Style(.match, [.bold, .reverse]) }
                screen.write(String(key), row: area.row + index, column: column, style: style)
                guard key != "*", key != "#" else { continue }
                let letters = KeypadView.letters(on: key, language: language)
                style = isPressed ? .strong : .faint
                screen.write(letters, row: area.row + index, column: column + 2, width: 5, style: style)
            }
        }
    }
}
