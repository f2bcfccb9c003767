public import SwitchboardAirports
import SwitchboardContacts
import SwitchboardKeypad
import SwitchboardSearchEngine
public import SwitchboardProspects

// The searches of each domain as answers of the front ends. The time they tell is that of the search alone: contacts
// are timed by their own module, for airports the index is prepared first.

extension Switchboard {
    /// Asked now and then by a search, from its own thread; when it says true the search ends with `SearchCancelled`.
    public typealias CancellationCheck = @Sendable () -> Bool

    /// The contacts that a text finds.
    ///
    /// - Parameters:
    ///   - text: what was typed, in any script, with typos.
    ///   - limit: how many at most; 0 for all.
    ///   - isCancelled: ends the search early.
    /// - Throws: a ``Fault`` for a negative limit, `SearchCancelled`, `StorageError`.
    public func findContacts(
        _ text: String, limit: Int = 10, isCancelled: CancellationCheck? = nil
    ) throws -> SearchResponse {
        try Self.check(limit: limit)
        return SearchResponse(text, try contactSearch.answer(finding: text, limit: limit, isCancelled: isCancelled))
    }

    /// The contacts that digits find.
    ///
    /// - Parameters:
    ///   - digits: as `KeypadQuery` reads them.
    ///   - limit: how many at most; 0 for all.
    ///   - isCancelled: ends the search early.
    /// - Throws: a ``Fault`` for a negative limit, `KeypadQueryError`, `SearchCancelled`, `StorageError`.
    public func dialContacts(
        _ digits: String, limit: Int = 10, isCancelled: CancellationCheck? = nil
    ) throws -> SearchResponse {
        try Self.check(limit: limit)
        let keys = try KeypadQuery(parsing: digits)
        return SearchResponse(digits, try contactSearch.answer(dialling: keys, limit: limit, isCancelled: isCancelled))
    }

    /// The prospects that a text finds.
    ///
    /// - Parameters: as for ``findContacts(_:limit:isCancelled:)``.
    /// - Throws: a ``Fault`` for a negative limit, `SearchCancelled`, `StorageError`.
    public func findProspects(
        _ text: String, limit: Int = 10, isCancelled: CancellationCheck? = nil
    ) throws -> SearchResponse {
        try Self.check(limit: limit)
        return SearchResponse(text, try prospectSearch.answer(finding: text, limit: limit, isCancelled: isCancelled))
    }

    /// The prospects that digits find; see ``dialContacts(_:limit:isCancelled:)``.
    public func dialProspects(
        _ digits: String, limit: Int = 10, isCancelled: CancellationCheck? = nil
    ) throws -> SearchResponse {
        try Self.check(limit: limit)
        let keys = try KeypadQuery(parsing: digits)
        return SearchResponse(digits, try prospectSearch.answer(dialling: keys, limit: limit, isCancelled: isCancelled))
    }

    /// The prospects of a filter that a text or digits find.
    ///
    /// A filter that lets few pass looks at more and more hits until there are enough.
    ///
    /// - Parameters:
    ///   - text: what was typed.
    ///   - keypad: whether the text is the digits of a keypad.
    ///   - filter: which prospects.
    ///   - limit: how many at most; 0 for all.
    ///   - isCancelled: ends the search early.
    /// - Throws: as ``dialProspects(_:limit:isCancelled:)``.
    public func findProspects(
        _ text: String, keypad: Bool, filter: ProspectFilter, limit: Int = 10, isCancelled: CancellationCheck? = nil
    ) throws -> SearchResponse {
        var asked = filter == .everyone ? limit : limit.multipliedReportingOverflow(by: 4).partialValue
        while true {
            var answer =
                try keypad
                ? dialProspects(text, limit: max(asked, 0), isCancelled: isCancelled)
                : findProspects(text, limit: max(asked, 0), isCancelled: isCancelled)
            let count = answer.results.count
            if filter != .everyone {
                answer.results.removeAll { row in
                    guard case .prospect(let prospect) = row.object else { return true }
                    return prospect.isContacted != (filter == .contacted)
                }
            }
            guard limit > 0, answer.results.count < limit, asked > 0, count == asked else {
                if limit > 0, answer.results.count > limit {
                    answer.results.removeLast(answer.results.count - limit)
                }
                return answer
            }
            asked = asked > 1 << 20 ? 0 : asked * 8
        }
    }

    /// The airports that a text finds.
    ///
    /// - Parameters:
    ///   - text: what was typed, in any script, with typos.
    ///   - limit: how many rows at most; 0 for all.
    ///   - stage: only this stage, 1 to 3; nil for all in turn.
    ///   - language: the language of titles; that of the settings if nil.
    ///   - isCancelled: ends the search early.
    /// - Throws: a ``Fault`` for a negative limit or another stage, `SearchCancelled`, `AirportsError`, `StorageError`.
    public func searchAirports(
        _ text: String, limit: Int = 10, stage: Int? = nil, language: String? = nil,
        isCancelled: CancellationCheck? = nil
    ) throws -> SearchResponse {
        try Self.check(stage: stage)
        return try answer(to: text, limit: limit, prepare: airportSearch.warmUp) {
            Found(
                try airportSearch.search(
                    text, limit: limit, stage: stage, language: language ?? settings.language,
                    isCancelled: isCancelled))
        }
    }

    /// The airports that digits find; see ``searchAirports(_:limit:stage:language:isCancelled:)``.
    public func dialAirports(
        _ digits: String, limit: Int = 10, stage: Int? = nil, language: String? = nil,
        isCancelled: CancellationCheck? = nil
    ) throws -> SearchResponse {
        try Self.check(stage: stage)
        let keys = try KeypadQuery(parsing: digits)
        return try answer(to: digits, limit: limit, prepare: airportSearch.warmUp) {
            Found(
                try airportSearch.dial(
                    keys, limit: limit, stage: stage, language: language ?? settings.language,
                    isCancelled: isCancelled))
        }
    }

    /// The airports near a place.
    ///
    /// - Parameters:
    ///   - place: the place.
    ///   - query: the place as it was asked for.
    ///   - radius: how far away they may be, in kilometres.
    ///   - order: by relevance, or by distance alone.
    ///   - limit: how many at most; 0 for all within the radius.
    ///   - language: the language of titles; that of the settings if nil.
    /// - Throws: a ``Fault`` for a negative limit, `AirportsError`, `StorageError`.
    public func nearestAirports(
        to place: Coordinate, query: String, radius: Double = Catalogue.defaultRadius, order: NearestOrder = .relevance,
        limit: Int = 10, language: String? = nil
    ) throws -> SearchResponse {
        let airports = try airports
        // The first question builds the tree of all places, which is not a part of the search.
        let prepare = { _ = try airports.nearest(to: place, radius: 0, order: order, limit: 1) }
        return try answer(to: query, limit: limit, prepare: prepare) {
            let found = try airports.nearest(to: place, radius: radius, order: order, limit: limit)
            return Found(rows: found.map { row(of: $0, match: .nearby, airports: airports, language: language) })
        }
    }

    // MARK: - One answer

    /// The rows of a search, and whether it can add none later.
    private struct Found {
        var rows: [SearchResult]
        var isFinal = true

        init(rows: [SearchResult]) {
            self.rows = rows
        }

        init(_ answer: AirportResults) {
            rows = answer.hits.map(SearchResult.init)
            isFinal = answer.isFinal
        }
    }

    private func answer(
        to query: String, limit: Int, prepare: () throws -> Void, search: () throws -> Found
    ) throws -> SearchResponse {
        try Self.check(limit: limit)
        try prepare()
        let clock = ContinuousClock()
        let start = clock.now
        let found = try search()
        return SearchResponse(
            query: query, isFinal: found.isFinal, elapsed: clock.now - start, results: found.rows)
    }

    static func check(limit: Int) throws(Fault) {
        if limit < 0 { throw .usage("limit \(limit) is below zero; 0 means all") }
    }

    private static func check(stage: Int?) throws(Fault) {
        if let stage, !(1...3).contains(stage) { throw .usage("there is no stage \(stage); give 1, 2 or 3") }
    }
}

extension SearchResponse {
    fileprivate init(_ query: String, _ answer: ContactResults) {
        self.init(query: query, elapsed: answer.searchTime, results: answer.hits.map(SearchResult.init))
    }

    fileprivate init(_ query: String, _ answer: ProspectResults) {
        self.init(query: query, elapsed: answer.searchTime, results: answer.hits.map(SearchResult.init))
    }
}
