public import Foundation
public import SwitchboardAirports
import SwitchboardKeypad
import SwitchboardSearchEngine
import SwitchboardWebFetch

/// A search response completed with rows from a server.
public struct CompletedResponse: Sendable {
    /// The local rows in their order, followed by rows that only the server has.
    public var response: SearchResponse
    /// The error if the server's rows are missing; nil otherwise.
    public var error: SwitchboardError?
}

// The remote part of stage 3. A front end shows the local rows first and then sends the request from a thread that may
// block. The request times out after two seconds, and the next keystroke cancels it.

extension Switchboard {
    /// Adds rows from a server to the results of an airport search, as rows of stage 3.
    ///
    /// The request is sent if the query has at least three letters or keys, stage 3 is included, and there is room for
    /// more rows. If it fails, the local rows are returned with `final` set to `false` and the error.
    ///
    /// For example:
    ///
    /// ```swift
    /// let local = try switchboard.searchAirports("kazim")
    /// let both = try switchboard.completing(local, from: server) { isOutdated() }
    /// ```
    ///
    /// - Parameters:
    ///   - response: The local response of ``searchAirports(_:limit:stage:language:isCancelled:firstStage:)``.
    ///   - limit: The maximum number of rows; 0 for all. A server returns at most a hundred.
    ///   - stage: The only stage to run; nil for all.
    ///   - language: The language of titles; nil for the language of the settings.
    ///   - server: The server.
    ///   - isCancelled: Polled while waiting; `true` cancels within a tenth of a second.
    /// - Throws: `CancellationError` only.
    public func completing(
        _ response: SearchResponse, limit: Int = 10, stage: Int? = nil, language: String? = nil,
        from server: AirportServer, isCancelled: CancellationCheck? = nil
    ) throws -> CompletedResponse {
        guard Self.asksServer(toComplete: response, limit: limit, stage: stage) else {
            return CompletedResponse(response: response)
        }
        let parameters = [
            (response.input.keys == nil ? "q" : "keypad", response.query), ("limit", Self.remoteLimit(limit)),
            ("language", language ?? settings.language), ("stage", "3"),
        ]
        return try complete(response, from: server, "/v1/airports", parameters, isCancelled) {
            Self.joined($0, $1, limit: limit)
        }
    }

    /// Returns `true` if a request would be sent, which lets a front end show that it is waiting.
    ///
    /// - Parameters: See ``completing(_:limit:stage:language:from:isCancelled:)``.
    public static func asksServer(toComplete response: SearchResponse, limit: Int = 10, stage: Int? = nil) -> Bool {
        stage ?? 3 == 3 && response.input.text.unicodeScalars.count <= maxQueryLength
            && AirportSearch.reachesCatalogue(response.input) && leavesRoom(response.results, limit: limit)
    }

    /// Adds airports near a place that only a server knows.
    ///
    /// The server receives the place rounded to a hundredth of a degree, about a kilometer. Distances are computed
    /// locally from the exact place.
    ///
    /// - Parameters: See ``nearestAirports(to:query:radius:order:limit:language:)`` and
    ///   ``completing(_:limit:stage:language:from:isCancelled:)``.
    /// - Throws: `CancellationError` only.
    public func completingNearest(
        _ response: SearchResponse, to place: Coordinate, radius: Double = Catalogue.defaultRadius,
        order: NearestOrder = .relevance, limit: Int = 10, language: String? = nil,
        from server: AirportServer, isCancelled: CancellationCheck? = nil
    ) throws -> CompletedResponse {
        // When sorted by distance, a remote row may precede local ones.
        guard order == .distance || limit == 0 || response.results.count < limit else {
            return CompletedResponse(response: response)
        }
        let parameters = [
            ("lat", Self.hundredths(place.latitude)), ("lon", Self.hundredths(place.longitude)),
            ("radius", "\(min(radius, 20_040))"), ("limit", Self.remoteLimit(limit)), ("sort", order.rawValue),
            ("language", language ?? settings.language),
        ]
        return try complete(response, from: server, "/v1/airports/nearest", parameters, isCancelled) {
            Self.joined($0, $1, near: place, radius: radius, order: order, limit: limit)
        }
    }

    private func complete(
        _ response: SearchResponse, from server: AirportServer, _ path: String, _ parameters: [(String, String)],
        _ isCancelled: CancellationCheck?, _ join: ([SearchResult], [SearchResult]) -> [SearchResult]
    ) throws -> CompletedResponse {
        let start = ContinuousClock.now
        var completed = CompletedResponse(response: response)
        do {
            let rows = try server.rows(path, parameters.map { (name: $0.0, value: $0.1) }) { isCancelled?() ?? false }
            completed.response.results = join(response.results, rows)
        } catch let error as AirportServerError {
            completed.response.isFinal = false
            completed.error = SwitchboardError(error)
        }
        completed.response.elapsed += .now - start
        return completed
    }

    /// The maximum length of a query; no airport has a longer name.
    private static let maxQueryLength = 200

    private static func remoteLimit(_ limit: Int) -> String {
        "\(limit == 0 ? AirportServer.maxRows : min(limit, AirportServer.maxRows))"
    }

    /// Returns degrees rounded to a hundredth, about a kilometer, as a plain decimal.
    static func hundredths(_ degrees: Double) -> String {
        // Avoid negative zero, which would print a sign.
        "\((degrees * 100).rounded() / 100 + 0)"
    }
}

extension Switchboard {
    /// The number of local guesses to keep if a server has a match by name, as in the local search.
    private static let maxGuesses = 3

    /// Returns `true` if there is room for remote rows after the local ones.
    static func leavesRoom(_ local: [SearchResult], limit: Int) -> Bool {
        limit == 0 || local.count < limit || local.count > maxGuesses && local.last.map(isGuess) ?? false
    }

    /// Returns the local rows in their order, followed by the missing rows of a server in its order.
    ///
    /// An airport listed below its city is not missing. If there is no room, guesses (typos, and airports near the
    /// intended place) beyond the first three make room for better rows.
    static func joined(_ local: [SearchResult], _ remote: [SearchResult], limit: Int) -> [SearchResult] {
        let new = missing(remote, in: local)
        guard limit > 0 else { return local + new }
        var kept = local
        let names = new.count { !isGuess($0) }
        while kept.count + names > limit, kept.count > maxGuesses, let last = kept.last, isGuess(last) {
            kept.removeLast()
        }
        return Array((kept + new).prefix(limit))
    }

    /// Returns the airports near a place from both sources: local ones first, or all sorted by distance.
    static func joined(
        _ local: [SearchResult], _ remote: [SearchResult], near place: Coordinate, radius: Double, order: NearestOrder,
        limit: Int
    ) -> [SearchResult] {
        let new = missing(remote, in: local).compactMap { row -> SearchResult? in
            guard case .airport(var airport, _) = row.object, !airport.isCity,
                let there = try? Coordinate(latitude: airport.latitude, longitude: airport.longitude)
            else { return nil }
            let distance = place.distance(to: there)
            guard distance <= radius else { return nil }
            airport.distance = distance
            var row = row
            row.match = .nearby
            row.stage = nil
            row.object = .airport(airport.withRoundDistance, airports: [])
            return row
        }
        var rows = local + new
        if order == .distance {
            rows = rows.enumerated()
                .sorted { (distance($0.element), $0.offset) < (distance($1.element), $1.offset) }
                .map(\.element)
        }
        return limit == 0 ? rows : Array(rows.prefix(limit))
    }

    private static func isGuess(_ row: SearchResult) -> Bool {
        row.match == .typo || row.match == .nearby
    }

    private static func distance(_ row: SearchResult) -> Double {
        guard case .airport(let airport, _) = row.object else { return .infinity }
        return airport.distance ?? .infinity
    }

    /// The identity of a row; an airport and its city may share a code.
    private struct Known: Hashable {
        let code: String
        let isCity: Bool
    }

    private static func missing(_ remote: [SearchResult], in local: [SearchResult]) -> [SearchResult] {
        var known: Set<Known> = []
        for case .airport(let airport, let members) in local.map(\.object) {
            known.insert(Known(code: airport.code, isCity: airport.isCity))
            known.formUnion(members.map { Known(code: $0.code, isCity: false) })
        }
        return remote.filter { row in
            guard case .airport(let airport, _) = row.object else { return false }
            return known.insert(Known(code: airport.code, isCity: airport.isCity)).inserted
        }
    }

    /// The maximum size of a snapshot; a typical one has a few hundred kilobytes.
    private static let maxSnapshotSize = 64 << 20

    /// Fetches a server's popular list, unless it is unchanged, and replaces the current list.
    ///
    /// The list and its ETag change in one transaction, and a truncated or invalid snapshot changes nothing. Waits for
    /// the response for up to half a minute.
    ///
    /// - Parameters:
    ///   - address: The address of the snapshot; see ``AirportServer/popularAddress``. Redirects to other servers are
    ///     rejected.
    ///   - onlyIfDue: If `true`, does nothing unless the list is older than a day and no refresh was attempted within
    ///     the last hour.
    ///   - isCancelled: Polled during the request; `true` cancels it.
    /// - Throws: `WebFetchError`, ``AirportServerError``, `AirportsError.malformedSnapshot`, `StorageError`. The old
    ///   list is kept.
    @discardableResult
    public func refreshPopular(
        from address: String, onlyIfDue: Bool = false, isCancelled: CancellationCheck? = nil
    ) throws -> PopularRefresh {
        let airports = try airports
        if onlyIfDue, try !airports.claimRefresh() { return .notDue }
        let origin = try airports.popularOrigin()
        var headers = ["Accept": "application/json, application/gzip"]
        let known = origin.address == address ? origin.entityTag : nil
        if let known { headers["If-None-Match"] = known }
        let fetcher = WebFetcher(limits: FetchLimits(bytes: Self.maxSnapshotSize), allowsPrivateAddresses: true)
        // Fetch the list compressed: our own decoder detects truncation.
        let request = FetchRequest(
            address, headers: headers,
            acceptedTypes: ["application/json", "application/gzip", "application/x-gzip", "application/octet-stream"],
            decompresses: false, allowsOtherServers: false)
        let page = try fetcher.fetch(request) { isCancelled?() ?? false }
        if page.status == 304 {
            guard known != nil else {
                throw AirportServerError.malformed(server: address, reason: "unexpected status 304")
            }
            try airports.confirmPopular(origin)
            return .unchanged(airports: try airports.popular().count)
        }
        guard page.status == 200 else { throw WebFetchError.status(url: page.url, status: page.status) }
        let count = try airports.update(
            snapshot: Data(page.body), from: address, entityTag: page.entityTag.flatMap(Self.storable))
        return .replaced(airports: count)
    }

    /// Returns `true` if the list is older than a day and no refresh was attempted within the last hour.
    public func isPopularDue(at now: Date = Date()) throws -> Bool {
        try airports.popularOrigin().isDue(at: now)
    }

    /// Returns an ETag if it can be sent back unchanged; nil otherwise.
    private static func storable(_ tag: String) -> String? {
        let isPlain = tag.unicodeScalars.allSatisfy { (0x20..<0x7F).contains($0.value) }
        return !tag.isEmpty && tag.utf8.count <= 1_000 && isPlain ? tag : nil
    }
}

/// The result of a refresh of the popular list.
public enum PopularRefresh: Hashable, Sendable {
    /// The list was replaced by one with this number of airports.
    case replaced(airports: Int)
    /// The current list, with this number of airports, is up to date.
    case unchanged(airports: Int)
    /// The list was checked within the last day, or another process is refreshing it.
    case notDue

    /// The number of airports in the list; nil if it was not checked.
    public var airports: Int? {
        switch self {
        case .replaced(let count), .unchanged(let count): count
        case .notDue: nil
        }
    }
}
