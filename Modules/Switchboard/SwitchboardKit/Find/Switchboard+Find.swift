import SwitchboardIncrementalIndex
public import SwitchboardKeypad
import SwitchboardPeopleSearch
import SwitchboardSearchEngine

extension Switchboard {
    /// The number of rows on the first screen, which includes the best row of each kind that matches well.
    static let firstScreen = 10

    /// Searches across all kinds.
    ///
    /// Rows are ordered by the quality of their match (`ResultMatch.quality`) regardless of their kind: an exact name
    /// comes before a prefix, a prefix before a typo, and a typo with fewer edits before one with more. Equally good
    /// rows alternate between the kinds, contacts first, each kind in the order of its own search, so the order is
    /// deterministic.
    ///
    /// A kind has no weak rows (``SearchResult/isWeak``) if another kind matches exactly or by prefix, and all kinds
    /// together have at most ten. The best row of each kind that matches exactly or by prefix is on the first screen of
    /// ten rows (or of `limit` rows, if that is less but has room for each kind): if necessary, it moves up to the end
    /// of that screen.
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
            // Airports and items cannot be found by symbols.
            case .airport where input.isSymbolic, .item where input.isSymbolic:
                SearchResponse(input, elapsed: .zero, results: [])
            case .airport: try searchAirports(input, limit: limit, isCancelled: isCancelled)
            case .item: try searchItems(input, limit: limit, isCancelled: isCancelled)
            }
        }
        return SearchResponse(
            input, isFinal: responses.allSatisfy(\.isFinal), elapsed: responses.reduce(.zero) { $0 + $1.elapsed },
            results: Self.merged(responses.map(\.results), limit: limit))
    }

    /// Searches across all kinds without blocking the caller's actor; canceling the task cancels the search.
    ///
    /// - Throws: The errors of ``search(_:kinds:limit:isCancelled:)``.
    public func search(
        _ input: SearchInput, kinds: Set<ResultKind> = Set(ResultKind.allCases), limit: Int = 10
    ) async throws -> SearchResponse {
        try await runCancellable { try self.search(input, kinds: kinds, limit: limit, isCancelled: $0) }
    }

    /// Merges the results of several kinds; see ``search(_:kinds:limit:isCancelled:)``.
    static func merged(_ lists: [[SearchResult]], limit: Int) -> [SearchResult] {
        let good = Set(lists.indices.filter { lists[$0].contains(where: \.isGood) })
        var rows: [(key: (quality: Int, edits: Double, turn: Int, list: Int), row: SearchResult)] = []
        for (list, results) in lists.enumerated() {
            let isOtherGood = !good.subtracting([list]).isEmpty
            var turns: [Int: Int] = [:]
            var (quality, edits) = (0, 0.0)
            for row in results where row.choiceWeight == nil && !(row.isWeak && isOtherGood) {
                // Keep the order of each kind's own search: a word in a long text must not overtake a misspelled title.
                quality = max(quality, row.match?.quality ?? Int.max)
                edits = max(edits, row.edits)
                let turn = turns[quality, default: 0]
                turns[quality] = turn + 1
                rows.append(((quality, edits, turn, list), row))
            }
        }
        rows.sort { $0.key < $1.key }
        var results = rows.map(\.row)
        if lists.count(where: { !$0.isEmpty }) > 1 {
            var weakRows = 0
            results.removeAll { row in
                if row.isWeak { weakRows += 1 }
                return row.isWeak && weakRows > firstScreen
            }
        }

        let chosen = lists.joined().filter { $0.choiceWeight != nil }
            .sorted { $0.choiceWeight ?? 0 > $1.choiceWeight ?? 0 }
        let screenRows = max(0, (limit == 0 ? firstScreen : min(limit, firstScreen)) - chosen.count)
        let room = screenRows - Set(results.lazy.filter(\.isGood).map(\.kind)).count
        if room >= 0 {
            // On the first screen, at most `room` other rows join the best row of each kind.
            var seen: Set<ResultKind> = []
            var others: [SearchResult] = []
            let screen = results.filter { row in
                if row.isGood, seen.insert(row.kind).inserted { return true }
                others.append(row)
                return others.count <= room
            }
            results = screen + others.dropFirst(room)
        }
        return limit == 0 ? chosen + results : Array((chosen + results).prefix(limit))
    }
}

extension SearchResult {
    /// `true` for an exact match or a prefix that is not weak.
    fileprivate var isGood: Bool {
        match.map { $0.quality <= ResultMatch.prefix.quality && !isWeak } ?? false
    }
}
