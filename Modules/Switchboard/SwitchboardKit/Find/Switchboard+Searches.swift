public import SwitchboardAirports
import SwitchboardContacts
import SwitchboardIncrementalIndex
import SwitchboardKeypad
public import SwitchboardProspects
import SwitchboardSearchEngine

// The searches of each domain. `elapsed` is the duration of the search alone, without opening its index.

extension Switchboard {
    /// Polled by a search from its own thread; once it returns `true`, the search throws `CancellationError`.
    public typealias CancellationCheck = @Sendable () -> Bool

    /// Searches contacts by text.
    ///
    /// - Parameters:
    ///   - text: The typed text, in any script.
    ///   - limit: The maximum number of results; 0 for all.
    ///   - isCancelled: Polled during the search; `true` cancels it.
    /// - Throws: ``SwitchboardError`` for a negative limit, `CancellationError`, `StorageError`.
    public func findContacts(
        _ text: String, limit: Int = 10, isCancelled: CancellationCheck? = nil
    ) throws -> SearchResponse {
        try Self.validate(limit: limit)
        return SearchResponse(text, try contactSearch.answer(finding: text, limit: limit, isCancelled: isCancelled))
    }

    /// Searches contacts by keypad digits.
    ///
    /// - Parameters:
    ///   - digits: The digits, as parsed by `KeypadQuery`.
    ///   - limit: The maximum number of results; 0 for all.
    ///   - isCancelled: Polled during the search; `true` cancels it.
    /// - Throws: ``SwitchboardError`` for a negative limit, `KeypadQueryError`, `CancellationError`, `StorageError`.
    public func dialContacts(
        _ digits: String, limit: Int = 10, isCancelled: CancellationCheck? = nil
    ) throws -> SearchResponse {
        try Self.validate(limit: limit)
        let keys = try KeypadQuery(parsing: digits)
        return SearchResponse(digits, try contactSearch.answer(dialling: keys, limit: limit, isCancelled: isCancelled))
    }

    /// Searches prospects by text.
    ///
    /// - Parameters: See ``findContacts(_:limit:isCancelled:)``.
    /// - Throws: ``SwitchboardError`` for a negative limit, `CancellationError`, `StorageError`.
    public func findProspects(
        _ text: String, limit: Int = 10, isCancelled: CancellationCheck? = nil
    ) throws -> SearchResponse {
        try Self.validate(limit: limit)
        return SearchResponse(text, try prospectSearch.answer(finding: text, limit: limit, isCancelled: isCancelled))
    }

    /// Searches prospects by keypad digits; see ``dialContacts(_:limit:isCancelled:)``.
    public func dialProspects(
        _ digits: String, limit: Int = 10, isCancelled: CancellationCheck? = nil
    ) throws -> SearchResponse {
        try Self.validate(limit: limit)
        let keys = try KeypadQuery(parsing: digits)
        return SearchResponse(digits, try prospectSearch.answer(dialling: keys, limit: limit, isCancelled: isCancelled))
    }

    /// Searches the prospects of a filter by text or digits.
    ///
    /// Requests more and more hits until enough of them pass the filter.
    ///
    /// - Parameters:
    ///   - text: The typed text.
    ///   - keypad: `true` if the text consists of the digits of a keypad.
    ///   - filter: The filter.
    ///   - limit: The maximum number of results; 0 for all.
    ///   - isCancelled: Polled during the search; `true` cancels it.
    /// - Throws: Like ``dialProspects(_:limit:isCancelled:)``.
    public func findProspects(
        _ text: String, keypad: Bool, filter: ProspectFilter, limit: Int = 10, isCancelled: CancellationCheck? = nil
    ) throws -> SearchResponse {
        var requested = filter == .everyone ? limit : limit.multipliedReportingOverflow(by: 4).partialValue
        while true {
            var response =
                try keypad
                ? dialProspects(text, limit: max(requested, 0), isCancelled: isCancelled)
                : findProspects(text, limit: max(requested, 0), isCancelled: isCancelled)
            let count = response.results.count
            if filter != .everyone {
                response.results.removeAll { row in
                    guard case .prospect(let prospect) = row.object else { return true }
                    return prospect.isContacted != (filter == .contacted)
                }
            }
            guard limit > 0, response.results.count < limit, requested > 0, count == requested else {
                if limit > 0, response.results.count > limit {
                    response.results.removeLast(response.results.count - limit)
                }
                return response
            }
            requested = requested > 1 << 20 ? 0 : requested * 8
        }
    }

    /// Searches airports by text.
    ///
    /// - Parameters:
    ///   - text: The typed text, in any script.
    ///   - limit: The maximum number of results; 0 for all.
    ///   - stage: The only stage to run, 1 to 3; nil for all in turn.
    ///   - language: The language of titles; nil for that of the settings.
    ///   - isCancelled: Polled during the search; `true` cancels it.
    /// - Throws: ``SwitchboardError`` for a negative limit or an invalid stage, `CancellationError`, `AirportsError`,
    ///   `StorageError`.
    public func searchAirports(
        _ text: String, limit: Int = 10, stage: Int? = nil, language: String? = nil,
        isCancelled: CancellationCheck? = nil
    ) throws -> SearchResponse {
        try Self.validate(stage: stage)
        try Self.validate(limit: limit)
        return SearchResponse(
            text,
            try airportSearch.search(
                SearchInput(text), limit: limit, stage: stage, language: language ?? settings.language,
                isCancelled: isCancelled))
    }

    /// Searches airports by keypad digits; see ``searchAirports(_:limit:stage:language:isCancelled:)``.
    public func dialAirports(
        _ digits: String, limit: Int = 10, stage: Int? = nil, language: String? = nil,
        isCancelled: CancellationCheck? = nil
    ) throws -> SearchResponse {
        try Self.validate(stage: stage)
        try Self.validate(limit: limit)
        return SearchResponse(
            digits,
            try airportSearch.search(
                SearchInput(keys: digits), limit: limit, stage: stage, language: language ?? settings.language,
                isCancelled: isCancelled))
    }

    /// Returns the airports near a place.
    ///
    /// - Parameters:
    ///   - place: The place.
    ///   - query: The place as the user wrote it.
    ///   - radius: The maximum distance in kilometres.
    ///   - order: The sort order.
    ///   - limit: The maximum number of results; 0 for all within the radius.
    ///   - language: The language of titles; nil for that of the settings.
    /// - Throws: ``SwitchboardError`` for a negative limit, `AirportsError`, `StorageError`.
    public func nearestAirports(
        to place: Coordinate, query: String, radius: Double = Catalogue.defaultRadius, order: NearestOrder = .relevance,
        limit: Int = 10, language: String? = nil
    ) throws -> SearchResponse {
        let airports = try airports
        try Self.validate(limit: limit)
        // The first query builds the spatial index, which does not count as search time.
        _ = try airports.nearest(to: place, radius: 0, order: order, limit: 1)
        let start = ContinuousClock.now
        let rows = try airports.nearest(to: place, radius: radius, order: order, limit: limit)
            .map { row(of: $0, match: .nearby, airports: airports, language: language) }
        return SearchResponse(query: query, elapsed: ContinuousClock.now - start, results: rows)
    }

    static func validate(limit: Int) throws(SwitchboardError) {
        if limit < 0 { throw .usage("limit \(limit) is negative; use 0 for all") }
    }

    private static func validate(stage: Int?) throws(SwitchboardError) {
        if let stage, !(1...3).contains(stage) { throw .usage("stage \(stage) does not exist; use 1, 2 or 3") }
    }
}

extension SearchResponse {
    fileprivate init(_ query: String, _ results: SearchResults<AirportHit>) {
        self.init(
            query: query, isFinal: results.isFinal, elapsed: results.searchTime,
            results: results.hits.map(SearchResult.init))
    }

    fileprivate init(_ query: String, _ results: ContactResults) {
        self.init(query: query, elapsed: results.searchTime, results: results.hits.map(SearchResult.init))
    }

    fileprivate init(_ query: String, _ results: ProspectResults) {
        self.init(query: query, elapsed: results.searchTime, results: results.hits.map(SearchResult.init))
    }
}
