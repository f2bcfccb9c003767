public import SwitchboardAirports
import SwitchboardContacts
public import SwitchboardIncrementalIndex
public import SwitchboardKeypad
import SwitchboardPeopleSearch
public import SwitchboardProspects
import SwitchboardTextNormalization

// The searches in each domain. `elapsed` is the duration of the search alone, excluding the time to open its index.

extension Switchboard {
    /// A function that a search polls on its own thread; if it returns `true`, the search throws `CancellationError`.
    public typealias CancellationCheck = @Sendable () -> Bool

    /// Searches contacts.
    ///
    /// - Parameters:
    ///   - input: The text, in any script, or the digits of a keypad.
    ///   - group: The group whose members are searched; nil for all contacts.
    ///   - limit: The maximum number of results; 0 for all.
    ///   - isCancelled: Polled during the search; `true` cancels it.
    /// - Throws: ``SwitchboardError`` for a negative limit, `CancellationError`, `StorageError`.
    public func searchContacts(
        _ input: SearchInput, group: String? = nil, limit: Int = 10, isCancelled: CancellationCheck? = nil
    ) throws -> SearchResponse {
        try Self.validate(input, limit: limit)
        var response = try contactMatches(input, group: group, limit: limit, isCancelled: isCancelled)
        guard let group else { return response }
        // The members of a group that match are counted.
        response.total =
            if limit == 0 || response.results.count < limit {
                response.results.count
            } else if input.isSymbolic || response.results.contains(where: \.isBornOnTypedDay) {
                // The index has no signs and no dates.
                try contactMatches(input, group: group, limit: 0, isCancelled: isCancelled).results.count
            } else {
                try contactSearch.count(input, group: group, isCancelled: isCancelled)
            }
        return response
    }

    private func contactMatches(
        _ input: SearchInput, group: String?, limit: Int, isCancelled: CancellationCheck?
    ) throws -> SearchResponse {
        if input.isSymbolic {
            let book = try contacts
            return try symbolSearch(input, limit: limit) { scalar, isName, body in
                try book.forEach(containing: scalar, inName: isName, group: group) {
                    try body(SearchResult($0), $0.searchedTexts)
                }
            }
        }
        let search = try contactSearch
        func hits(_ limit: Int) throws -> SearchResults<PersonHit<Contact>> {
            try search.search(input, group: group, limit: limit, isCancelled: isCancelled)
        }
        let found = try hits(limit)
        var results = try preferringChosen(found.hits.map { SearchResult($0) }, .contact, for: input, limit: limit) {
            try hits($0).hits.map { SearchResult($0) }
        }
        if input.keys == nil {
            // The index has no birthdays: a day and a month are the same words as house numbers.
            let born = try contacts.contacts(bornOn: input.text, region: settings.region, group: group, limit: limit)
            if !born.isEmpty {
                let ids = Set(born.map(\.id))
                results = born.map { SearchResult(bornOnTypedDay: $0) } + results.filter { !ids.contains($0.id) }
                if limit > 0 { results = Array(results.prefix(limit)) }
            }
        }
        return SearchResponse(input, elapsed: found.searchTime, results: results)
    }

    /// Searches the prospects that pass a filter.
    ///
    /// It requests increasing numbers of hits until enough of them pass the filter.
    ///
    /// - Parameters: See ``searchContacts(_:group:limit:isCancelled:)``.
    /// - Throws: ``SwitchboardError`` for a negative limit, `CancellationError`, `StorageError`.
    public func searchProspects(
        _ input: SearchInput, filter: ProspectFilter = .everyone, limit: Int = 10, isCancelled: CancellationCheck? = nil
    ) throws -> SearchResponse {
        try Self.validate(input, limit: limit)
        if input.isSymbolic {
            let prospects = try prospects
            return try symbolSearch(input, limit: limit) { _, _, body in
                try prospects.forEach(filter) { try body(SearchResult($0), $0.searchedTexts) }
            }
        }
        let search = try prospectSearch
        var elapsed = Duration.zero
        func results(_ limit: Int) throws -> [SearchResult] {
            var requested = filter == .everyone ? limit : max(limit.multipliedReportingOverflow(by: 4).partialValue, 0)
            while true {
                let found = try search.search(input, limit: requested, isCancelled: isCancelled)
                let passed = found.hits.lazy.filter { filter.includes($0.person) }.map { SearchResult($0) }
                let results = limit == 0 ? Array(passed) : Array(passed.prefix(limit))
                elapsed = found.searchTime
                if results.count == limit || requested == 0 || found.hits.count < requested { return results }
                requested = requested > 1 << 20 ? 0 : requested * 8
            }
        }
        let rows = try preferringChosen(
            try results(limit), .prospect, for: input, limit: limit, search: results)
        return SearchResponse(input, elapsed: elapsed, results: rows)
    }

    /// Searches airports. Coordinates as a text, such as `52.5,13.4`, find the airports near them.
    ///
    /// - Parameters:
    ///   - input: The text, in any script, or the digits of a keypad.
    ///   - limit: The maximum number of results; 0 for all.
    ///   - stage: The only stage to run, 1 to 3; nil for all in turn.
    ///   - language: The language of titles; nil for the language of the settings.
    ///   - isCancelled: Polled during the search; `true` cancels it.
    ///   - firstStage: Called with the results of stage 1, if any, before the other stages run.
    /// - Throws: ``SwitchboardError`` for a negative limit or an invalid stage, `CancellationError`, `AirportsError`,
    ///   `StorageError`.
    public func searchAirports(
        _ input: SearchInput, limit: Int = 10, stage: Int? = nil, language: String? = nil,
        isCancelled: CancellationCheck? = nil, firstStage: ((SearchResponse) -> Void)? = nil
    ) throws -> SearchResponse {
        if let stage, !(1...3).contains(stage) {
            throw SwitchboardError.usage("stage \(stage) does not exist; use 1, 2 or 3")
        }
        try Self.validate(input, limit: limit)
        if stage == nil, input.keys == nil, let place = try? Coordinate(parsing: input.text) {
            return try nearestAirports(to: place, query: input.text, limit: limit, language: language)
        }
        let start = ContinuousClock.now
        let search = try airportSearch
        func found(_ limit: Int, firstStage: (([AirportHit]) -> Void)?) throws -> SearchResults<AirportHit> {
            try search.search(
                input, limit: limit, stage: stage, language: language ?? settings.language, firstStage: firstStage,
                isCancelled: isCancelled)
        }
        let answer = try found(
            limit,
            firstStage: firstStage.map { report in
                { hits in
                    report(
                        SearchResponse(
                            input, isFinal: false, elapsed: .now - start, results: hits.map { SearchResult($0) }))
                }
            })
        var results = answer.hits.map { SearchResult($0) }
        if stage == nil {
            results = try preferringChosen(results, .airport, for: input, limit: limit) {
                try found($0, firstStage: nil).hits.map { SearchResult($0) }
            }
        }
        return SearchResponse(input, isFinal: answer.isFinal, elapsed: answer.searchTime, results: results)
    }

    /// Returns the place that a text describes: coordinates, or the name or code of a city or airport.
    ///
    /// - Throws: `AirportsError.notACoordinate` if it is neither, `StorageError`.
    public func place(_ text: String) throws -> Coordinate {
        do {
            return try Coordinate(parsing: text)
        } catch {
            // A text with digits was meant as coordinates, and a partial or misspelled name may mean another place.
            guard text.contains(where: \.isLetter), !text.contains(where: \.isNumber),
                let row = try searchAirports(SearchInput(text), limit: 1).results.first,
                let match = row.match, [.exact, .code].contains(match), case .airport(let airport, _) = row.object
            else { throw error }
            return try Coordinate(latitude: airport.latitude, longitude: airport.longitude)
        }
    }

    /// Returns the code of the airport or city that a text names exactly; the text itself if it names none.
    public func airportCode(_ text: String) throws -> String {
        guard (try? airports.airport(code: text)) == nil,
            let row = try searchAirports(SearchInput(text), limit: 1).results.first,
            let match = row.match, [.exact, .code].contains(match), row.stage != nil
        else { return text }
        return row.id
    }

    /// Returns the airports near a place.
    ///
    /// - Parameters:
    ///   - place: The place.
    ///   - query: The place as typed.
    ///   - radius: The maximum distance in kilometers.
    ///   - order: The sort order.
    ///   - limit: The maximum number of results; 0 for all within the radius.
    ///   - language: The language of titles; nil for the language of the settings.
    /// - Throws: ``SwitchboardError`` for a negative limit, `AirportsError`, `StorageError`.
    public func nearestAirports(
        to place: Coordinate, query: String, radius: Double = Catalogue.defaultRadius, order: NearestOrder = .relevance,
        limit: Int = 10, language: String? = nil
    ) throws -> SearchResponse {
        let airports = try airports
        try Self.validate(limit: limit)
        // The first query builds the spatial index, which must not count as search time.
        _ = try airports.nearest(to: place, radius: 0, order: order, limit: 1)
        let start = ContinuousClock.now
        let rows = try airports.nearest(to: place, radius: radius, order: order, limit: limit)
            .map { row(of: $0, match: .nearby, airports: airports, language: language) }
        return SearchResponse(SearchInput(query), elapsed: .now - start, results: rows)
    }

    /// Returns the people with a text that contains the signs of the input: first those with the very text, then those
    /// with the signs in their name, then those with other variation selectors or skin tones. The index has no signs.
    ///
    /// - Parameter forEachPerson: Calls a closure with each person with a scalar in a text or in the name, and possibly
    ///   with others.
    /// - Complexity: Linear in the number of people.
    private func symbolSearch(
        _ input: SearchInput, limit: Int,
        _ forEachPerson: (
            Unicode.Scalar, _ isName: Bool, (SearchResult, _ texts: [(key: String, text: String)]) throws -> Void
        ) throws -> Void
    ) throws -> SearchResponse {
        let start = ContinuousClock.now
        guard let signs = SignText(input.text), let scalar = signs.scalar else {
            return SearchResponse(input, elapsed: .zero, results: [])
        }
        let typed = input.text.filter { !$0.isWhitespace }
        // Notes and addresses are full of dots and dashes.
        let isPunctuation = typed.allSatisfy(\.isASCII)
        var found: [(rank: Int, row: SearchResult)] = []
        func keepBest() {
            let order = found.indices.sorted { (found[$0].rank, $0) < (found[$1].rank, $1) }
            found = (limit == 0 ? order[...] : order.prefix(limit)).map { found[$0] }
        }
        try forEachPerson(scalar, isPunctuation) { row, texts in
            var best: (rank: Int, key: String, ranges: [Range<Int>])?
            for (key, text) in texts where key == "name" || !isPunctuation {
                guard let ranges = signs.ranges(in: text) else { continue }
                let rank = text == typed ? 0 : (text.contains(typed) ? 1 : 3) + (key == "name" ? 0 : 1)
                if rank < best?.rank ?? .max { best = (rank, key, ranges) }
            }
            guard let best else { return }
            var row = row
            row.match = .infix
            row.highlights = [best.key: best.ranges]
            found.append((best.rank, row))
            if limit > 0, found.count / 2 > limit { keepBest() }
        }
        keepBest()
        return SearchResponse(input, elapsed: .now - start, results: found.map(\.row))
    }

    /// The maximum number of words in a query. Bounds the cost of a pathological query.
    public static let maximumQueryWords = 256

    /// Checks the limit and the number of words of a search.
    static func validate(_ input: SearchInput, limit: Int) throws(SwitchboardError) {
        try validate(limit: limit)
        guard input.text.utf8.count > maximumQueryWords else { return }
        var (count, isInWord) = (0, false)
        for scalar in input.text.unicodeScalars {
            let isLetter = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            if isLetter, !isInWord { count += 1 }
            isInWord = isLetter
        }
        if count > maximumQueryWords {
            throw SwitchboardError(
                code: "tooManyWords", message: "the query has \(count) words; use at most \(maximumQueryWords)",
                status: .usage)
        }
    }

    static func validate(limit: Int) throws(SwitchboardError) {
        if limit < 0 { throw .usage("limit \(limit) is negative; use 0 for all") }
    }
}

extension SearchInput {
    /// `true` for a text without letters and digits, such as an emoji. `+` and `(` begin phone numbers.
    var isSymbolic: Bool {
        keys == nil && !isEmpty && !text.contains { $0.isLetter || $0.isNumber || $0 == "+" || $0 == "(" }
    }
}

extension ProspectFilter {
    fileprivate func includes(_ prospect: Prospect) -> Bool {
        self == .everyone || prospect.isContacted == (self == .contacted)
    }
}

/// The suggestions for an empty airport query: nearest, recent and popular airports. An airport is only in the first
/// list that contains it.
public struct AirportSuggestions: Sendable {
    /// The airports near the stored location, if any.
    public var nearest: [SearchResult]
    /// The recent choices, newest first.
    public var recent: [SearchResult]
    /// The most popular airports.
    public var popular: [SearchResult]
}

extension Switchboard {
    /// Returns suggestions for an empty query: the five nearest, the recent and the fifty most popular airports.
    ///
    /// Uses the stored location if access is granted; never asks the location service.
    ///
    /// - Throws: `AirportsError`, `StorageError`.
    public func airportSuggestions() throws -> AirportSuggestions {
        let airports = try airports
        var seen: Set<String> = []
        func rows(_ list: [Airport], _ match: ResultMatch? = nil) -> [SearchResult] {
            list.filter { seen.insert($0.code).inserted }.map { row(of: $0, match: match, airports: airports) }
        }
        let near = try airports.knownLocation().map { try airports.nearest(to: $0, limit: 5) } ?? []
        return AirportSuggestions(
            nearest: rows(near, .nearby), recent: rows(try airports.recent()),
            popular: rows(try airports.popular(limit: 50)))
    }

    /// Returns the row of an airport, or of a city with its airports.
    public func row(of airport: Airport, match: ResultMatch? = nil, language: String? = nil) throws -> SearchResult {
        row(of: airport, match: match, airports: try airports, language: language)
    }

    func row(
        of airport: Airport, match: ResultMatch? = nil, airports: Airports, language: String? = nil
    ) -> SearchResult {
        let catalogue = airports.catalogue
        let members = airport.isCity ? catalogue.records(inCity: airport.code).compactMap(catalogue.airport(at:)) : []
        return SearchResult(
            airport, airports: members, match: match, catalogue: catalogue,
            language: language ?? settings.language)
    }

    /// Returns the recently chosen airports, newest first.
    ///
    /// - Parameter limit: The maximum number of results; 0 for all.
    /// - Throws: ``SwitchboardError`` for a negative limit, `StorageError`.
    public func recentAirports(limit: Int = 0) throws -> [SearchResult] {
        try Self.validate(limit: limit)
        let airports = try airports
        let recent = try airports.recent()
        return (limit == 0 ? recent[...] : recent.prefix(limit)).map { row(of: $0, airports: airports) }
    }

    /// Returns the most popular airports, most used first.
    ///
    /// - Parameter limit: The maximum number of results; 0 for all.
    /// - Throws: `AirportsError`, `StorageError`.
    public func popularAirports(limit: Int = 0) throws -> [SearchResult] {
        let airports = try airports
        return try airports.popular(limit: limit).map { row(of: $0, airports: airports) }
    }
}
