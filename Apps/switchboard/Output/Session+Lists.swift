import SwitchboardJSON
import SwitchboardKit

// Long lists are printed in bounded memory, up to the limit of the command.

extension Session {
    /// Calls a closure with each row of a list. The closure may throw to end the list.
    typealias RowSequence = ((SearchResult) throws -> Void) throws -> Void

    private struct LimitReached: Error {}

    /// The number of rows that are aligned together.
    private static let pageSize = 500

    /// Prints a list as a table or JSON.
    func list(_ forEachRow: @escaping RowSequence) throws {
        if options.json { return try writeJSON(forEachRow) }
        var page: [SearchResult] = []
        try limited(forEachRow) { row in
            page.append(row)
            if page.count == Self.pageSize {
                show(page)
                page = []
            }
        }
        if !page.isEmpty { show(page) }
    }

    /// Writes `{"results": […]}` or, with `asLines`, one row per line.
    ///
    /// Writes nothing if the first row fails.
    func writeJSON(asLines: Bool = false, _ forEachRow: @escaping RowSequence) throws {
        let start = "{\"results\": ["
        var isFirst = true
        try limited(forEachRow) { row in
            if !asLines { output.write(isFirst ? start : ", ") }
            isFirst = false
            output.write(try OrderedJSON.bytes(row))
            if asLines { output.write("\n") }
        }
        if !asLines { output.write((isFirst ? start : "") + "]}\n") }
    }

    /// Writes an export, whose closure is called with one text per object, after a header if there is one.
    func export(hasHeader: Bool, _ forEachText: ((String) throws -> Void) throws -> Void) throws {
        var skipsHeader = hasHeader
        var count = 0
        do {
            try forEachText { text in
                if skipsHeader {
                    skipsHeader = false
                } else {
                    if listLimit > 0, count == listLimit { throw LimitReached() }
                    count += 1
                }
                output.write(text)
            }
        } catch is LimitReached {}
    }

    private func limited(_ forEachRow: @escaping RowSequence, _ body: (SearchResult) throws -> Void) throws {
        var count = 0
        do {
            try forEachRow { row in
                if listLimit > 0, count == listLimit { throw LimitReached() }
                count += 1
                try body(row)
            }
        } catch is LimitReached {}
    }
}
