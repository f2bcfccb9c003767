public import SwitchboardAirports
import SwitchboardKeypad
import SwitchboardSearchEngine

/// A search response completed with the rows of a server.
public struct CompletedResponse: Sendable {
    /// The local rows in their order, then those that only the server has.
    public var response: SearchResponse
    /// The error if the rows of the server are missing; nil otherwise.
    public var error: SwitchboardError?
}

// The remote part of stage 3. A front end shows the local rows first and then sends the request from a thread that may
// block: the response arrives within two seconds or not at all, and the next keystroke cancels it.

extension Switchboard {
    /// Adds the rows of a server to those of an airport search, as rows of stage 3.
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
    ///   - response: The local response of ``searchAirports(_:limit:stage:language:isCancelled:)``.
    ///   - limit: The maximum number of rows; 0 for all, of which a server returns a hundred.
    ///   - stage: The only stage to run; nil for all.
    ///   - language: The language of titles; nil for that of the settings.
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

    /// Returns `true` if a request would be sent, so that a front end can show that it is waiting.
    ///
    /// - Parameters: See ``completing(_:limit:stage:language:from:isCancelled:)``.
    public static func asksServer(
        toComplete response: SearchResponse, limit: Int = 10, stage: Int? = nil
    ) -> Bool {
        stage ?? 3 == 3 && reachesServer(response.input) && leavesRoom(response.results, limit: limit)
    }

    /// Adds the airports near a place that only a server has.
    ///
    /// The server receives the place rounded to a hundredth of a degree, about a kilometre. Distances are computed
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
        // Sorted by distance, a remote row may precede local ones.
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
        let clock = ContinuousClock()
        let start = clock.now
        var completed = CompletedResponse(response: response)
        do {
            let rows = try server.rows(path, parameters.map { (name: $0.0, value: $0.1) }) { isCancelled?() ?? false }
            completed.response.results = join(response.results, rows)
        } catch let error as AirportServerError {
            completed.response.isFinal = false
            completed.error = SwitchboardError(error)
        }
        completed.response.elapsed += clock.now - start
        return completed
    }

    /// Longer queries cannot be the name of an airport.
    private static let maxQueryLength = 200

    private static func reachesServer(_ input: SearchInput) -> Bool {
        input.text.unicodeScalars.count <= maxQueryLength && AirportSearch.reachesCatalogue(input)
    }

    private static func remoteLimit(_ limit: Int) -> String {
        "\(limit == 0 ? AirportServer.maxRows : min(limit, AirportServer.maxRows))"
    }

    /// Returns degrees rounded to a hundredth, about a kilometre, as a plain decimal.
    static func hundredths(_ degrees: Double) -> String {
        // Avoid negative zero, which would print a sign.
        "\((degrees * 100).rounded() / 100 + 0)"
    }
}
