import ArgumentParser
import SwitchboardAirports
import SwitchboardContacts
import SwitchboardIncrementalIndex
import SwitchboardJSON
import SwitchboardKit
import SwitchboardProspects
import SwitchboardSearchableIndex
import SwitchboardTerminalText

// Long lists are printed in bounded memory, up to the limit of the command.

/// The formats of an export: the formats of the domain, JSON, and JSON lines.
enum ExportChoice: String, CaseIterable, ExpressibleByArgument {
    case vcard3, vcard4, csv, json, jsonl

    /// Creates the format with a name; `vcard` is version 3.0.
    init?(argument: String) { self.init(rawValue: argument == "vcard" ? "vcard3" : argument) }
}

extension Session {
    /// Calls a closure with each row of a list. The closure may throw to end the list.
    typealias RowSequence = ((SearchResult) throws -> Void) throws -> Void

    private struct LimitReached: Error {}

    /// Prints a list as a table or JSON.
    ///
    /// - Parameters:
    ///   - format: The format, or `nil` for the format selected by the global options.
    ///   - cells: The columns of a row, or `nil` for the default columns of its kind.
    ///   - total: Returns the number of rows without a limit.
    ///   - remark: Called if the list is empty.
    func list(
        as format: ListFormat? = nil, cells: ((SearchResult) -> [Cell])? = nil, of total: (() throws -> Int)? = nil,
        _ forEachRow: @escaping RowSequence, ifEmpty remark: () -> Void = {}
    ) throws -> ExitStatus {
        var count = 0
        let counted: RowSequence = { body in
            try forEachRow {
                try body($0)
                count += 1
            }
        }
        switch format ?? (options.json ? .json : .table) {
        case .json: return try writeJSON(counted)
        case .jsonl: return try writeJSON(asLines: true, counted)
        case .table:
            var isFirst = true
            try list(pageSize: 500, counted) { rows in
                if let cells { showTable(rows.map(cells)) } else { show(rows, hasHeader: isFirst) }
                isFirst = false
            }
        case .tsv:
            try upToLimit(counted) { row in
                output.write(LineFormat.line((cells?(row) ?? []).map(\.text)) + "\n")
            }
        }
        if count == 0 { remark() }
        if let total, count == listLimit { try noteCut(shown: count, of: try total()) }
        return .done
    }

    /// Prints a list as JSON, or calls `show` with a number of rows that are aligned together.
    @discardableResult
    func list<Row: Encodable>(
        pageSize: Int, _ forEachRow: @escaping ((Row) throws -> Void) throws -> Void, show: ([Row]) -> Void
    ) throws -> ExitStatus {
        if options.json { return try writeJSON(forEachRow) }
        var page: [Row] = []
        try upToLimit(forEachRow) { row in
            page.append(row)
            if page.count == pageSize {
                show(page)
                page = []
            }
        }
        if !page.isEmpty { show(page) }
        return .done
    }

    /// Writes an export.
    ///
    /// - Parameters:
    ///   - choice: The format, or `nil` for the default.
    ///   - forEachRow: Calls its closure with each row of a JSON export.
    ///   - forEachText: Calls its closure with the format's header, if any, and the text of each object.
    func export<Format: RawRepresentable<String>>(
        _ choice: ExportChoice?, rows forEachRow: @escaping RowSequence,
        texts forEachText: @escaping (Format, (String) throws -> Void) throws -> Void
    ) throws -> ExitStatus {
        let choice = choice ?? (options.json ? .json : .vcard3)
        guard choice != .json, choice != .jsonl, let format = Format(rawValue: choice.rawValue) else {
            return try writeJSON(asLines: choice == .jsonl, forEachRow)
        }
        try upToLimit(after: choice == .csv ? 1 : 0, { try forEachText(format, $0) }, { output.write($0) })
        return .done
    }

    /// Writes `{"results": […]}` or, with `asLines`, one row per line.
    ///
    /// Writes nothing if the first row fails.
    private func writeJSON<Row: Encodable>(
        asLines: Bool = false, _ forEachRow: @escaping ((Row) throws -> Void) throws -> Void
    ) throws -> ExitStatus {
        let start = "{\"results\": ["
        var isFirst = true
        try upToLimit(forEachRow) { row in
            if !asLines { output.write(isFirst ? start : ", ") }
            isFirst = false
            output.write(try OrderedJSON.bytes(row))
            if asLines { output.write("\n") }
        }
        if !asLines { output.write((isFirst ? start : "") + "]}\n") }
        return .done
    }

    /// Calls `body` with the headers and elements of a sequence, up to the limit of elements.
    private func upToLimit<Element>(
        after headers: Int = 0, _ forEach: @escaping ((Element) throws -> Void) throws -> Void,
        _ body: (Element) throws -> Void
    ) throws {
        var count = -headers
        do {
            try forEach { element in
                if listLimit > 0, count == listLimit { throw LimitReached() }
                count += 1
                try body(element)
            }
        } catch is LimitReached {}
    }

    /// Prints the results of a query as lines, up to the limit.
    ///
    /// Only errors are printed to standard error, because the calling program owns the screen.
    ///
    /// - Parameter search: Returns the contacts that match a query, up to a limit. Contacts without lines do not count,
    ///   so the search is repeated with a larger limit until there are enough.
    func writeLines(
        _ format: LineFormat, _ query: String?, _ search: (String, Int) throws -> SearchResponse
    ) throws -> ExitStatus {
        guard let query, !options.json else {
            throw SwitchboardError.usage(
                "--format cannot be combined with \(options.json ? "--json" : "--batch"); omit one of them")
        }
        var requested = searchLimit
        while true {
            let results = try search(query, requested).results
            let contacts = results.compactMap { result -> [String]? in
                guard case .contact(let contact) = result.object else { return nil }
                let lines = format.lines(of: contact, number: result.dialedNumber ?? "")
                return lines.isEmpty ? nil : lines
            }
            if requested == 0 || contacts.count >= searchLimit || results.count < requested {
                let lines = (searchLimit == 0 ? contacts[...] : contacts.prefix(searchLimit)).joined()
                if let heading = format.heading(count: lines.count, query: query) { output.write(heading + "\n") }
                for line in lines { output.write(line + "\n") }
                return lines.isEmpty ? .nothingFound : .done
            }
            let (more, overflows) = requested.multipliedReportingOverflow(by: 8)
            requested = overflows ? 0 : more
        }
    }
}

enum ListFormat: String, CaseIterable, ExpressibleByArgument {
    case table, tsv, json, jsonl
}

/// A column of a table of contacts.
struct ContactColumn: Sendable {
    let name: String
    /// Returns the text of a contact, whose row shows a number.
    let text: @Sendable (_ contact: Contact, _ number: String) -> String

    static let all =
        [
            ContactColumn(name: "name") { contact, _ in contact.displayName }, ContactColumn("given", .givenName),
            ContactColumn("family", .familyName),
        ] + ContactTextField.all.filter { !$0.isNamePart }.map { ContactColumn($0.key, $0) } + [
            ContactColumn(name: "email") { contact, _ in contact.emails.first?.address ?? "" },
            ContactColumn(name: "phone") { _, number in number },
            ContactColumn(name: "city") { contact, _ in
                contact.addresses.lazy.map(\.locality).first { !$0.isEmpty } ?? ""
            },
            ContactColumn(name: "groups") { contact, _ in contact.groups.joined(separator: ", ") },
            ContactColumn(name: "favourite") { contact, _ in contact.isFavourite ? "1" : "0" },
            ContactColumn(name: "id") { contact, _ in contact.id },
        ]

    static let names = all.map(\.name).joined(separator: ", ")

    /// The columns of tab-separated lines.
    static let standard = [
        "name", "email", "phone", "organization", "title", "nickname", "birthday", "favourite", "id",
    ]
    .compactMap { name in all.first { $0.name == name } }

    private init(name: String, text: @escaping @Sendable (_ contact: Contact, _ number: String) -> String) {
        self.name = name
        self.text = text
    }

    private init(_ name: String, _ field: ContactTextField) { self.init(name: name) { contact, _ in contact[field] } }

    /// Parses names separated by commas.
    static func list(_ names: String) throws(SwitchboardError) -> [ContactColumn] {
        var columns: [ContactColumn] = []
        for name in names.split(separator: ",", omittingEmptySubsequences: false) {
            guard let column = all.first(where: { $0.name == name }) else {
                throw .usage("unknown column “\(name)”; use \(Self.names)")
            }
            columns.append(column)
        }
        return columns
    }
}

/// Line formats for other programs; the fields are separated by tabs.
enum LineFormat: String, CaseIterable, ExpressibleByArgument {
    /// The format of mutt's `query_command`: a message, followed by lines of address, name and other information.
    case mutt
    /// The output of `abook --mutt-query`: an empty message, and the note in the last field.
    case abook
    /// One line per contact, without a heading.
    case tsv

    /// Returns the lines of a contact and the number of its row. The first two formats skip contacts without an e-mail
    /// address.
    func lines(of contact: Contact, number: String) -> [String] {
        switch self {
        case .mutt:
            addresses(of: contact) { email in
                [email.label, contact.organization].filter { !$0.isEmpty && $0 != contact.displayName }
                    .joined(separator: ", ")
            }
        // Write a space for an empty note, as abook does: some readers reject an empty field.
        case .abook: addresses(of: contact) { _ in contact.note.isEmpty ? " " : contact.note }
        case .tsv: [LineFormat.line(ContactColumn.standard.map { $0.text(contact, number) })]
        }
    }

    /// Returns the first line, or `nil` if the format has none.
    func heading(count: Int, query: String) -> String? {
        switch self {
        case .mutt:
            count == 0
                ? "no contact with an e-mail address matches “\(LineFormat.field(query))”"
                : count == 1 ? "1 address" : "\(count) addresses"
        case .abook: count == 0 ? "Not found" : ""
        case .tsv: nil
        }
    }

    private func addresses(of contact: Contact, other: (Email) -> String) -> [String] {
        contact.emails.filter { !$0.address.isEmpty }.map { email in
            LineFormat.line([email.address, contact.displayName, other(email)])
        }
    }

    static func line(_ fields: [String]) -> String { fields.map(field).joined(separator: "\t") }

    /// Returns a text without tabs, line breaks and control characters; runs of white space become one space.
    static func field(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x09...0x0D, 0x20, 0x85, 0x2028, 0x2029: if result.last != " " { result.append(" ") }
            default: result.append(scalar)
            }
        }
        return TerminalText.sanitized(String(result))
    }
}

struct LineOptions: ParsableArguments {
    @Option(help: "Print lines for other programs: mutt (and neomutt), abook (and aerc) or tsv.")
    var format: LineFormat?
}

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
    /// A sentence, whose column is cut before those of names and states.
    var isSentence = false

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
        let sentences = Set(rows.flatMap { $0.enumerated().filter(\.element.isSentence).map(\.offset) })
        if let columns, Self.fit(&widths, into: columns, sentences: sentences) {
            rows = rows.map { row in
                row.enumerated().map { index, cell in
                    index == widths.count - 1 && !sentences.contains(index)
                        ? cell : cell.cut(to: max(widths[index], Self.minimumWidth))
                }
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

    /// Reduces columns with sentences, then the widest columns except the last one, until a row has at most `room`
    /// columns.
    ///
    /// - Returns: `true` if a column was reduced.
    private static func fit(_ widths: inout [Int], into room: Int, sentences: Set<Int>) -> Bool {
        var total = widths.reduce(0) { $0 + ($1 > 0 ? $1 + 2 : 0) } - 2
        let isWide = total > room
        for column in sentences where widths[column] > minimumWidth && total > room {
            let width = max(minimumWidth, widths[column] - (total - room))
            total -= widths[column] - width
            widths[column] = width
        }
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

    /// Prints the counts of values as a table below the results.
    func show(_ facets: [ItemFacet]) {
        let rows = facets.flatMap { facet in
            facet.values.enumerated().map { position, value in
                [
                    Cell(position == 0 ? facet.attribute : "", .faint), Cell(value.value),
                    Cell("\(value.count)", .strong),
                ]
            } + (facet.others > 0 ? [[Cell(""), Cell("\(facet.others) more", .faint)]] : [])
        }
        if rows.isEmpty { return }
        output.write("\n")
        showTable(rows)
    }

    /// Prints results as a table. The columns depend on the kind of each result.
    ///
    /// - Parameter hasHeader: Names the columns in a terminal if all results are of one kind of people.
    func show(_ results: [SearchResult], hasHeader: Bool = false) {
        showTable(
            (hasHeader ? header(of: results) : [])
                + results.flatMap { result in
                    let reasons = result.evidence.joined(separator: "; ")
                    return rows(result) + (reasons.isEmpty ? [] : [[Cell(""), Cell(reasons, .faint)]])
                })
    }

    /// Returns a row with the names of the columns; none without a terminal, or if the kinds of the results differ.
    private func header(of results: [SearchResult]) -> [[Cell]] {
        guard style.isTerminal, let kind = results.first?.kind, kind == .contact || kind == .prospect,
            results.allSatisfy({ $0.kind == kind })
        else { return [] }
        let names = columns?.map(\.name) ?? ["", "name", kind == .contact ? "number" : "e-mail", "other", "id"]
        return [names.map { Cell($0, .faint) }]
    }

    private func rows(_ result: SearchResult) -> [[Cell]] {
        if let columns = self.columns, case .contact(let contact) = result.object {
            let number = result.dialedNumber ?? ""
            return [columns.map { Cell(LineFormat.field($0.text(contact, number))) }]
        }
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
