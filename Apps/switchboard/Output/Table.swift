import SwitchboardAirports
import SwitchboardContacts
import SwitchboardKit
import SwitchboardProspects
import SwitchboardSearchEngine
import SwitchboardSearchableIndex
import SwitchboardTerminalText

/// A cell of a table: a text and its matched ranges.
struct Cell {
    var text: String
    var tone = Detail.Tone.plain
    /// The matched ranges in Unicode scalars of `text`, sorted and disjoint.
    var matches: [Range<Int>] = []
    /// A text at the end, which is truncated last.
    var suffix = ""
    /// Aligns the text to the right edge of its column.
    var isRightAligned = false

    init(_ text: String, _ tone: Detail.Tone = .plain, matches: [Range<Int>] = [], isRightAligned: Bool = false) {
        self.text = TerminalText.sanitized(text)
        self.tone = tone
        self.matches = matches
        self.isRightAligned = isRightAligned
    }

    init(_ text: HighlightedText, _ tone: Detail.Tone = .plain) {
        self.init(text.text, tone, matches: text.matches)
        suffix = text.suffix
    }

    var width: Int { TerminalText.width(of: text + suffix) }

    /// Returns the cell truncated to `width` columns, with an ellipsis if necessary.
    func cut(to width: Int) -> Cell {
        guard self.width > width else { return self }
        var cell = self
        let width = width - TerminalText.width(of: suffix)
        var (end, columns) = (text.startIndex, 0)
        while end < text.endIndex, columns + TerminalText.width(of: text[end]) < width {
            columns += TerminalText.width(of: text[end])
            end = text.index(after: end)
        }
        cell.text = text[..<end] + "…"
        return cell
    }

    /// Returns the text with color codes. Right-to-left text is followed by a left-to-right mark, which keeps the next
    /// column in place.
    func styled(_ style: Style) -> String { styledText(style) + style.styled(suffix, tone) }

    private func styledText(_ style: Style) -> String {
        let mark = style.isTerminal && TerminalText.hasRightToLeft(text) ? "\u{200E}" : ""
        guard !matches.isEmpty else { return style.styled(text, tone) + mark }
        let scalars = Array(text.unicodeScalars)
        var result = ""
        var position = 0
        func put(_ range: Range<Int>, _ tone: Detail.Tone) {
            let range = range.clamped(to: position..<scalars.count)
            guard !range.isEmpty else { return }
            result += style.styled(String(String.UnicodeScalarView(scalars[range])), tone)
            position = range.upperBound
        }
        for range in matches where range.lowerBound >= position {
            put(position..<range.lowerBound, tone)
            put(range, .match)
        }
        put(position..<scalars.count, tone)
        return result + mark
    }
}

extension Session {
    /// The maximum width of a column if the output is not a terminal. A longer cell shifts the rest of its row.
    private static let maximumWidth = 44
    /// The minimum width of a truncated column; rows that need narrower columns are wider than the terminal.
    private static let minimumWidth = 8

    /// Prints rows in aligned columns, measured in terminal columns for any script, with two spaces between columns and
    /// no trailing spaces.
    ///
    /// In a terminal, the widest columns are truncated to fit rows into lines. The last column, such as an identifier,
    /// is never truncated, and output to other programs is complete.
    func showTable(_ rows: [[Cell]]) {
        let columns = style.columns
        var widths: [Int] = []
        for row in rows {
            for (column, cell) in row.enumerated() {
                let width = columns == nil ? min(cell.width, Self.maximumWidth) : cell.width
                if column < widths.count { widths[column] = max(widths[column], width) } else { widths.append(width) }
            }
        }
        var rows = rows
        if let columns, Self.fit(&widths, into: columns) {
            rows = rows.map { row in
                row.enumerated().map { $0 == widths.count - 1 ? $1 : $1.cut(to: max(widths[$0], Self.minimumWidth)) }
            }
        }
        for row in rows {
            let last = row.lastIndex { $0.width > 0 } ?? -1
            var line = ""
            var gap = ""
            // Empty columns are omitted.
            for (column, cell) in row.enumerated() where column <= last && widths[column] > 0 {
                let padding = String(repeating: " ", count: max(0, widths[column] - cell.width))
                line += gap + (cell.isRightAligned ? padding + cell.styled(style) : cell.styled(style))
                gap = cell.isRightAligned ? "  " : padding + "  "
            }
            output.write(line + "\n")
        }
    }

    /// Reduces the widest columns except the last one until a row has at most `room` columns.
    ///
    /// - Returns: `true` if a column was reduced.
    private static func fit(_ widths: inout [Int], into room: Int) -> Bool {
        var total = widths.reduce(0) { $0 + ($1 > 0 ? $1 + 2 : 0) } - 2
        let isWide = total > room
        while total > room, let widest = widths.dropLast().max(), widest > minimumWidth,
            let column = widths.dropLast().lastIndex(of: widest)
        {
            widths[column] -= 1
            total -= 1
        }
        return isWide
    }

    /// Prints the details of an object, one per line.
    ///
    /// - Parameter most: The maximum number of lines per detail and of characters per line, or `nil` for all.
    func show(_ details: [Detail], most: (lines: Int, letters: Int)? = nil) {
        showTable(
            details.flatMap { detail in
                let lines = detail.text.split(whereSeparator: \.isNewline)
                return lines.prefix(most?.lines ?? lines.count).enumerated().map { index, line in
                    let text = most.map { line.count <= $0.letters ? line : line.prefix($0.letters - 1) + "…" } ?? line
                    return [Cell(index == 0 ? detail.name : "", .faint), Cell(String(text), detail.tone)]
                }
            })
    }

    /// Prints results as a table. The columns depend on the kind of each result.
    func show(_ results: [SearchResult]) {
        showTable(
            results.flatMap { result in
                let reasons = result.evidence.joined(separator: "; ")
                return rows(result) + (reasons.isEmpty ? [] : [[Cell(""), Cell(reasons, .faint)]])
            })
    }

    private func rows(_ result: SearchResult) -> [[Cell]] {
        let columns = result.columns
        let title = Cell(columns.title, .strong)
        let id = Cell(result.id, .faint)
        switch result.object {
        case .contact(let contact):
            return [
                [Cell(contact.isFavourite ? "★" : "", .star), title, Cell(columns.detail), Cell(columns.other), id]
            ]
        case .prospect(let prospect):
            return [
                [Cell(prospect.isContacted ? "✓" : "·", .faint), title, Cell(columns.detail), Cell(columns.other), id]
            ]
        case .item(let item, _):
            return [[Cell(item.item.domainIdentifier ?? "", .faint), title, Cell(columns.detail), id]]
        case .airport(let airport, let members):
            let mark: String =
                switch (result.stage, result.match) {
                case (.some, .nearby): result.nearbyPlace.map { "from \($0)" } ?? "(near it)"
                case (3, _): "(less used)"
                default: ""
                }
            let code = Cell(result.id, .strong, matches: result.highlights["code"] ?? [])
            return [[code, title, Cell(columns.detail), distance(airport), Cell(mark, .faint)]]
                + members.enumerated().map { index, member in
                    let branch = index == members.count - 1 ? "└ " : "├ "
                    let name = Cell(branch + member.code + " " + member.title(in: displayLanguage))
                    return [Cell(""), name, Cell(""), distance(member)]
                }
        }
    }

    private func distance(_ airport: Airport) -> Cell {
        Cell(airport.distance.map { "\(Int($0.rounded())) km" } ?? "", isRightAligned: true)
    }
}
