public import Foundation
import SwitchboardAirports
import SwitchboardIncrementalIndex
public import SwitchboardKeypad
import SwitchboardPeopleSearch
package import SwitchboardSearchChoices
import SwitchboardSearchableIndex
import SwitchboardTextNormalization

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
        // The first rows are the same for each limit that has room for them.
        let count = limit == 0 ? 0 : max(limit, Self.firstScreen)
        let responses = try ResultKind.allCases.filter(kinds.contains).map { kind in
            switch kind {
            case .contact: try searchContacts(input, limit: count, isCancelled: isCancelled)
            case .prospect: try searchProspects(input, limit: count, isCancelled: isCancelled)
            // No airport has signs.
            case .airport where input.isSymbolic:
                SearchResponse(input, elapsed: .zero, results: [])
            case .airport: try searchAirports(input, limit: count, isCancelled: isCancelled)
            case .item: try searchItems(input, limit: count, isCancelled: isCancelled)
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
        let good = Set(lists.indices.filter { lists[$0].prefix(firstScreen).contains(where: \.isGood) })
        var rows: [(key: (quality: Int, edits: Double, turn: Int, list: Int), row: SearchResult)] = []
        for (list, results) in lists.enumerated() {
            let isOtherGood = !good.subtracting([list]).isEmpty
            var turns: [Int: Int] = [:]
            var (quality, edits) = (0, 0.0)
            for row in results where row.choiceWeight == nil {
                let isLeftOut = row.isWeak && isOtherGood
                if !isLeftOut {
                    // Keep the order of each kind's own search: a word in a long text must not overtake a misspelled title.
                    quality = max(quality, row.match?.quality ?? Int.max)
                    edits = max(edits, row.edits)
                }
                // A row that is left out has its turn, so that the order does not depend on how many rows are known.
                let turn = turns[quality, default: 0]
                turns[quality] = turn + 1
                if !isLeftOut { rows.append(((quality, edits, turn, list), row)) }
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
        let best = lists.compactMap { $0.prefix(firstScreen).first { $0.isGood && $0.choiceWeight == nil } }
        let room = screenRows - best.count
        if room >= 0 {
            // On the first screen, at most `room` other rows join the best row of each kind.
            var seen: Set<ResultKind> = []
            var others: [SearchResult] = []
            let screen = results.filter { row in
                if best.contains(where: { $0.kind == row.kind && $0.id == row.id }), seen.insert(row.kind).inserted {
                    return true
                }
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

// Objects chosen for a query come first the next time, whatever their kind of match; docs/matching.md describes it.

extension Switchboard {
    /// Records that a result was chosen for an input, unless learning is off.
    ///
    /// - Throws: `StorageError`.
    public func recordChoice(of result: SearchResult, for input: SearchInput) throws {
        try choices.record(result.choiceID, kind: result.kind.rawValue, query: input.choiceKey)
    }

    /// Records that the object of a link was chosen for an input, unless learning is off.
    ///
    /// - Throws: The error of a missing object, `StorageError`.
    public func recordChoice(of link: DeepLink, for input: SearchInput) throws {
        if let result = try result(at: link) { try recordChoice(of: result, for: input) }
    }

    /// Returns the choices of some kinds, newest first.
    ///
    /// - Parameters:
    ///   - kinds: The kinds of objects.
    ///   - limit: The maximum number of rows; 0 for all.
    /// - Throws: ``SwitchboardError`` for a negative limit, `StorageError`.
    public func chosen(
        _ kinds: Set<ResultKind> = Set(ResultKind.allCases), limit: Int = 0
    ) throws -> [ChosenRow] {
        try Self.validate(limit: limit)
        return try choices(of: kinds).prefix(limit == 0 ? .max : limit).map { ChosenRow($0, in: self) }
    }

    /// Returns the choices of some kinds without the titles of the objects, newest first.
    package func choices(of kinds: Set<ResultKind>) throws -> [SearchChoices.Choice] {
        try choices.list().filter { ResultKind(rawValue: $0.kind).map(kinds.contains) ?? false }
    }

    /// The number of results in which to look for chosen objects that are not among the first results.
    private static let searchedForChoices = 200

    /// Moves the objects that were chosen for a query, if they are among the first results, to the front.
    ///
    /// - Parameters:
    ///   - results: The results in the order of the search.
    ///   - search: Returns up to the given number of results, to find chosen objects that are not among the first ones.
    func preferringChosen(
        _ results: [SearchResult], _ kind: ResultKind, for input: SearchInput, limit: Int,
        search: (Int) throws -> [SearchResult]
    ) throws -> [SearchResult] {
        if results.isEmpty { return results }
        let preferences = try choices.preferences(for: input.choiceKey, kind: kind.rawValue)
        if preferences.isEmpty { return results }
        var candidates = Array(results.prefix(Self.searchedForChoices))
        let isCut = limit > 0 && results.count >= limit && limit < Self.searchedForChoices
        if isCut, !preferences.allSatisfy({ preference in results.contains { $0.stands(for: preference.id) } }) {
            candidates = try search(Self.searchedForChoices)
        }
        var chosen: [SearchResult] = []
        for preference in preferences {
            // A weak match counts only if chosen for exactly this query; otherwise it would displace better matches.
            guard var row = candidates.first(where: { $0.stands(for: preference.id) }),
                preference.isForThisQuery || !row.isWeak, !chosen.contains(where: { $0.choiceID == row.choiceID })
            else { continue }
            row.moveAirportToFront(preference.id)
            row.choiceWeight = preference.weight
            chosen.append(row)
        }
        let others = results.filter { row in !chosen.contains { $0.choiceID == row.choiceID } }
        return limit == 0 ? chosen + others : Array((chosen + others).prefix(limit))
    }
}

/// An object that was chosen for a query.
public struct ChosenRow: Encodable, Sendable {
    /// The kind of the object.
    public let kind: String
    /// The identifier of the object; prefixed with the index name and a slash for an item outside the default index.
    public let id: String
    /// The title of the object; empty if it no longer exists.
    public let title: String
    /// The folded query, or `#` and the keypad keys.
    public let query: String
    /// The number of times the object was chosen.
    public let count: Int
    /// The time of the last choice.
    public let chosenAt: Date

    /// Creates the row for a choice, with the current title of its object.
    package init(_ choice: SearchChoices.Choice, in switchboard: Switchboard) {
        kind = choice.kind
        id = choice.id
        title = DeepLink(choice).flatMap { try? switchboard.result(at: $0)?.title } ?? ""
        query = choice.query
        count = choice.count
        chosenAt = choice.chosenAt
    }
}

extension DeepLink {
    /// Creates the link to a chosen object; nil for an unknown kind.
    fileprivate init?(_ choice: SearchChoices.Choice) {
        guard let kind = Kind(rawValue: choice.kind) else { return nil }
        guard kind == .item, let slash = choice.id.firstIndex(of: "/") else {
            self.init(kind: kind, id: choice.id)
            return
        }
        self.init(
            kind: kind, id: String(choice.id[choice.id.index(after: slash)...]), index: String(choice.id[..<slash]))
    }
}

extension SearchResult {
    /// The identifier under which choices of the object are stored.
    fileprivate var choiceID: String {
        guard case .item(_, let index?) = object, index != SearchableIndex.defaultName else { return id }
        return "\(index)/\(id)"
    }

    /// Returns `true` for the row of a chosen object, and for the row of a city with a chosen airport.
    fileprivate func stands(for choice: String) -> Bool {
        if case .airport(_, let airports) = object, airports.contains(where: { $0.code == choice }) { return true }
        return choiceID == choice
    }

    /// Moves a chosen airport to the front of its city's airports.
    fileprivate mutating func moveAirportToFront(_ code: String) {
        guard case .airport(let city, var airports) = object,
            let index = airports.firstIndex(where: { $0.code == code })
        else { return }
        airports.insert(airports.remove(at: index), at: 0)
        object = .airport(city, airports: airports)
    }
}

extension SearchInput {
    /// The query under which choices are stored: the folded words, or `#` and the keys.
    fileprivate var choiceKey: String {
        guard let keys else { return NameKey(text).sortText }
        return keys.keys.isEmpty ? "" : "#" + String(decoding: keys.keys, as: UTF8.self)
    }
}
