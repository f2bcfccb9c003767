import SwitchboardSearchEngine

extension Switchboard {
    /// The number of rows on the first screen, which includes the best row of each kind.
    static let firstScreen = 10

    /// Searches across all kinds.
    ///
    /// Rows are ordered by the quality of their match (`ResultMatch.quality`) regardless of their kind: an exact name
    /// before a prefix before a typo. Equally good rows alternate between the kinds, contacts first, each kind in the
    /// order of its own search, so the order is deterministic. The best row of each kind is on the first screen of ten
    /// rows (or of `limit` rows, if that is less but has room for each kind): if necessary, it moves up to the end of
    /// that screen.
    ///
    /// - Parameters:
    ///   - text: The typed text.
    ///   - kinds: The kinds to search.
    ///   - keypad: `true` if the text consists of the digits of a keypad.
    ///   - limit: The maximum number of results; 0 for all.
    ///   - isCancelled: Polled during the search; `true` cancels it.
    /// - Throws: ``SwitchboardError`` for a negative limit, `KeypadQueryError`, `CancellationError`, and the errors of
    ///   the searches.
    public func find(
        _ text: String, kinds: Set<ResultKind> = Set(ResultKind.allCases), keypad: Bool = false, limit: Int = 10,
        isCancelled: CancellationCheck? = nil
    ) throws -> SearchResponse {
        var responses: [SearchResponse] = []
        if kinds.contains(.contact) {
            responses.append(
                try keypad
                    ? dialContacts(text, limit: limit, isCancelled: isCancelled)
                    : findContacts(text, limit: limit, isCancelled: isCancelled))
        }
        if kinds.contains(.prospect) {
            responses.append(
                try keypad
                    ? dialProspects(text, limit: limit, isCancelled: isCancelled)
                    : findProspects(text, limit: limit, isCancelled: isCancelled))
        }
        if kinds.contains(.airport) {
            responses.append(
                try keypad
                    ? dialAirports(text, limit: limit, isCancelled: isCancelled)
                    : searchAirports(text, limit: limit, isCancelled: isCancelled))
        }
        // Items have no keypad index: digits match digits in titles.
        if kinds.contains(.item) { responses.append(try findItems(text, limit: limit, isCancelled: isCancelled)) }
        return SearchResponse(
            query: text, isFinal: responses.allSatisfy(\.isFinal),
            elapsed: responses.reduce(.zero) { $0 + $1.elapsed },
            results: Self.merged(responses.map(\.results), limit: limit))
    }

    /// Merges the results of several kinds; see ``find(_:kinds:keypad:limit:isCancelled:)``.
    static func merged(_ lists: [[SearchResult]], limit: Int) -> [SearchResult] {
        struct SortKey: Comparable {
            let quality: Int
            let turn: Int
            let list: Int

            static func < (one: SortKey, other: SortKey) -> Bool {
                (one.quality, one.turn, one.list) < (other.quality, other.turn, other.list)
            }
        }
        var rows: [(place: SortKey, isBest: Bool, row: SearchResult)] = []
        for (list, results) in lists.enumerated() {
            var turns: [Int: Int] = [:]
            var quality = 0
            for row in results {
                // Keep the order of each kind's own search: a word in a long text must not overtake a misspelt title.
                quality = max(quality, row.match?.quality ?? Int.max)
                let turn = turns[quality, default: 0]
                turns[quality] = turn + 1
                rows.append((SortKey(quality: quality, turn: turn, list: list), false, row))
            }
        }
        rows.sort { $0.place < $1.place }
        var seen: Set<ResultKind> = []
        for index in rows.indices where seen.insert(rows[index].row.kind).inserted { rows[index].isBest = true }

        let screen = limit == 0 ? firstScreen : min(limit, firstScreen)
        if seen.count <= screen, rows.count > screen {
            // Move late rows before those that are not the best of their kind.
            let late = rows[screen...].filter(\.isBest)
            if !late.isEmpty {
                let rest = rows[screen...].filter { !$0.isBest }
                var shown = Array(rows[..<screen])
                var pushedDown: [(place: SortKey, isBest: Bool, row: SearchResult)] = []
                for _ in late {
                    guard let index = shown.lastIndex(where: { !$0.isBest }) else { break }
                    pushedDown.insert(shown.remove(at: index), at: 0)
                }
                rows = shown + late + pushedDown + rest
            }
        }
        return (limit == 0 ? rows[...] : rows.prefix(limit)).map(\.row)
    }
}
