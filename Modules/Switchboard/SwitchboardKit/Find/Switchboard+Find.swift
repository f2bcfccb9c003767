import SwitchboardIncrementalIndex
public import SwitchboardKeypad
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
    ///   - input: The text, in any script, or the digits of a keypad.
    ///   - kinds: The kinds to search.
    ///   - limit: The maximum number of results; 0 for all.
    ///   - isCancelled: Polled during the search; `true` cancels it.
    /// - Throws: ``SwitchboardError`` for a negative limit, `CancellationError`, and the errors of the searches.
    public func search(
        _ input: SearchInput, kinds: Set<ResultKind> = Set(ResultKind.allCases), limit: Int = 10,
        isCancelled: CancellationCheck? = nil
    ) throws -> SearchResponse {
        let responses = try ResultKind.allCases.filter(kinds.contains).map { kind in
            switch kind {
            case .contact: try searchContacts(input, limit: limit, isCancelled: isCancelled)
            case .prospect: try searchProspects(input, limit: limit, isCancelled: isCancelled)
            case .airport: try searchAirports(input, limit: limit, isCancelled: isCancelled)
            case .item: try searchItems(input, limit: limit, isCancelled: isCancelled)
            }
        }
        return SearchResponse(
            input, isFinal: responses.allSatisfy(\.isFinal), elapsed: responses.reduce(.zero) { $0 + $1.elapsed },
            results: Self.merged(responses.map(\.results), limit: limit))
    }

    /// Searches across all kinds without blocking the caller's actor; cancelling the task cancels the search.
    ///
    /// - Throws: As the other form.
    public func search(
        _ input: SearchInput, kinds: Set<ResultKind> = Set(ResultKind.allCases), limit: Int = 10
    ) async throws -> SearchResponse {
        try await runCancellable { try self.search(input, kinds: kinds, limit: limit, isCancelled: $0) }
    }

    /// Merges the results of several kinds; see ``search(_:kinds:limit:isCancelled:)``.
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
