import ArgumentParser
import SwitchboardJSON
import SwitchboardKit

// Long lists are printed in bounded memory, up to the limit of the command.

/// The formats of an export: those of the domain, JSON, and JSON lines.
enum ExportChoice: String, CaseIterable, ExpressibleByArgument {
    case vcard3, vcard4, csv, json, jsonl
}

extension Session {
    /// Calls a closure with each row of a list. The closure may throw to end the list.
    typealias RowSequence = ((SearchResult) throws -> Void) throws -> Void

    private struct LimitReached: Error {}

    /// Prints a list as a table or JSON.
    func list(_ forEachRow: @escaping RowSequence) throws -> ExitStatus {
        try list(pageSize: 500, forEachRow, show: show)
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
    ///   - forEachRow: Calls its closure with each row of an export as JSON.
    ///   - forEachText: Calls its closure with the header, if the format has one, and the text of each object.
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
}
