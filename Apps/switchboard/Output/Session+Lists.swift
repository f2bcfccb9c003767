import ArgumentParser
import SwitchboardContacts
import SwitchboardJSON
import SwitchboardKit
import SwitchboardTerminalText

// Long lists are printed in bounded memory, up to the limit of the command.

/// The formats of an export: the formats of the domain, JSON, and JSON lines.
enum ExportChoice: String, CaseIterable, ExpressibleByArgument {
    case vcard3, vcard4, csv, json, jsonl
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
            try list(pageSize: 500, counted) { rows in
                if let cells { showTable(rows.map(cells)) } else { show(rows) }
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
                let lines = format.lines(of: contact)
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

/// The formats of a list.
enum ListFormat: String, CaseIterable, ExpressibleByArgument {
    case table, tsv, json, jsonl
}

/// A column of a table of contacts.
enum ContactColumn: String, CaseIterable {
    case name, given, family, nickname, organization, department, title, email, phone, city, birthday, groups, note,
        favourite, id

    /// The columns of tab-separated lines.
    static let standard: [ContactColumn] = [
        .name, .email, .phone, .organization, .title, .nickname, .birthday, .favourite, .id,
    ]

    /// Parses names separated by commas.
    static func list(_ names: String) throws(SwitchboardError) -> [ContactColumn] {
        var columns: [ContactColumn] = []
        for name in names.split(separator: ",", omittingEmptySubsequences: false) {
            guard let column = ContactColumn(rawValue: String(name)) else {
                let known = allCases.map(\.rawValue).joined(separator: ", ")
                throw .usage("unknown column “\(name)”; use \(known)")
            }
            columns.append(column)
        }
        return columns
    }

    func text(of contact: Contact) -> String {
        switch self {
        case .name: contact.displayName
        case .given: contact.name.given
        case .family: contact.name.family
        case .nickname: contact.nickname
        case .organization: contact.organization
        case .department: contact.department
        case .title: contact.title
        case .email: contact.emails.first?.address ?? ""
        case .phone: contact.phones.first.map { $0.number.e164 ?? $0.number.text } ?? ""
        case .city: contact.addresses.lazy.map(\.locality).first { !$0.isEmpty } ?? ""
        case .birthday: contact.birthday
        case .groups: contact.groups.joined(separator: ", ")
        case .note: contact.note
        case .favourite: contact.isFavourite ? "1" : "0"
        case .id: contact.id
        }
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

    /// Returns the lines of a contact. The first two formats skip contacts without an e-mail address.
    func lines(of contact: Contact) -> [String] {
        switch self {
        case .mutt:
            addresses(of: contact) { email in
                [email.label, contact.organization].filter { !$0.isEmpty && $0 != contact.displayName }
                    .joined(separator: ", ")
            }
        // Write a space for an empty note, as abook does: some readers reject an empty field.
        case .abook: addresses(of: contact) { _ in contact.note.isEmpty ? " " : contact.note }
        case .tsv: [LineFormat.line(ContactColumn.standard.map { $0.text(of: contact) })]
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
