import SwitchboardSearchEngine

extension Switchboard {
    /// How many rows of an answer are seen without scrolling: among them is the best row of each kind.
    static let firstScreen = 10

    /// Finds across everything.
    ///
    /// The rows are in order of how well they match (`ResultMatch.quality`), whatever their kind: an exact name
    /// before a beginning before a typo. Where several kinds match equally well they take turns, contacts first, each
    /// kind's rows in the order of its own search; so the order is always the same. The best row of a kind is never
    /// farther down than the first screen of ten rows (or of `limit`, if that is less but has room for each kind): it
    /// moves up to its end.
    ///
    /// - Parameters:
    ///   - text: what was typed.
    ///   - kinds: the kinds of things to find.
    ///   - keypad: whether the text is the digits of a keypad.
    ///   - limit: how many rows at most; 0 for all.
    ///   - isCancelled: ends the search early.
    /// - Throws: a ``Fault`` for a negative limit, `KeypadQueryError`, `SearchCancelled`, and what the searches throw.
    public func find(
        _ text: String, kinds: Set<ResultKind> = Set(ResultKind.allCases), keypad: Bool = false, limit: Int = 10,
        isCancelled: CancellationCheck? = nil
    ) throws -> SearchResponse {
        var answers: [SearchResponse] = []
        if kinds.contains(.contact) {
            answers.append(
                try keypad
                    ? dialContacts(text, limit: limit, isCancelled: isCancelled)
                    : findContacts(text, limit: limit, isCancelled: isCancelled))
        }
        if kinds.contains(.prospect) {
            answers.append(
                try keypad
                    ? dialProspects(text, limit: limit, isCancelled: isCancelled)
                    : findProspects(text, limit: limit, isCancelled: isCancelled))
        }
        if kinds.contains(.airport) {
            answers.append(
                try keypad
                    ? dialAirports(text, limit: limit, isCancelled: isCancelled)
                    : searchAirports(text, limit: limit, isCancelled: isCancelled))
        }
        // Titles are not spelt as keys: digits find items that have the digits.
        if kinds.contains(.item) { answers.append(try findItems(text, limit: limit, isCancelled: isCancelled)) }
        return SearchResponse(
            query: text, isFinal: answers.allSatisfy(\.isFinal),
            elapsed: answers.reduce(.zero) { $0 + $1.elapsed },
            results: Self.merged(answers.map(\.results), limit: limit))
    }

    /// One list out of the lists of several kinds, as ``find(_:kinds:keypad:limit:isCancelled:)`` describes it.
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
                // A kind's rows stay in the order of its own search: a word of a long text does not overtake a misspelt title.
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
            // What comes late moves up before those that are not the best of their kind.
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
