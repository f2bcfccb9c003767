public import SwitchboardAirports
import SwitchboardKeypad
import SwitchboardSearchEngine

/// An answer of this program with what a server has added to it.
public struct CompletedResponse: Sendable {
    /// The rows of this program in their order, then those that only the server has.
    public var answer: SearchResponse
    /// Why the rows of the server are missing; nil if they are there, or it was not to be asked.
    public var fault: Fault?
}

// The server side of stage 3. A front end shows the rows of this program first and asks then, on a thread that may wait: the
// answer comes within two seconds or not at all, and the next keystroke ends the waiting.

extension Switchboard {
    /// Adds to the rows of an airport search those that a server has beyond them, as rows of stage 3.
    ///
    /// The server is asked from three letters or keys on, if stage 3 was wanted and rows are missing. A server that does
    /// not answer, or not as it should, takes nothing away: the rows are those that were there, `final` is false, and the fault says why.
    /// For example:
    ///
    /// ```swift
    /// let local = try switchboard.searchAirports("kazim")
    /// let both = try switchboard.completing(local, from: server) { keystrokes.load(ordering: .relaxed) != mine }
    /// ```
    ///
    /// - Parameters:
    ///   - answer: what ``searchAirports(_:limit:stage:language:isCancelled:)`` or the search by keys has found.
    ///   - keypad: whether the query was keys.
    ///   - limit: how many rows at most; 0 for all, of which a server gives a hundred.
    ///   - stage: only this stage; nil for all.
    ///   - language: the language of titles; that of the settings if nil.
    ///   - server: whom to ask.
    ///   - isCancelled: ends the waiting early, within a tenth of a second.
    /// - Throws: `SearchCancelled` alone.
    public func completing(
        _ answer: SearchResponse, keypad: Bool = false, limit: Int = 10, stage: Int? = nil, language: String? = nil,
        from server: AirportServer, isCancelled: CancellationCheck? = nil
    ) throws -> CompletedResponse {
        guard Self.asksServer(toComplete: answer, keypad: keypad, limit: limit, stage: stage) else {
            return CompletedResponse(answer: answer)
        }
        let parameters = [
            (keypad ? "keypad" : "q", answer.query), ("limit", Self.asked(limit)),
            ("language", language ?? settings.language), ("stage", "3"),
        ]
        return try complete(answer, from: server, "/v1/airports", parameters, isCancelled) {
            Self.joined($0, $1, limit: limit)
        }
    }

    /// Whether a server would be asked for what it has beyond an answer, so that a front end can say that it waits.
    ///
    /// - Parameters: as for ``completing(_:keypad:limit:stage:language:from:isCancelled:)``.
    public static func asksServer(
        toComplete answer: SearchResponse, keypad: Bool = false, limit: Int = 10, stage: Int? = nil
    ) -> Bool {
        stage ?? 3 == 3 && reachesServer(answer.query, keypad: keypad) && leavesRoom(answer.results, limit: limit)
    }

    /// Adds to the airports near a place those that only a server knows.
    ///
    /// The server is told the place to a hundredth of a degree, about a kilometre. The distances are measured here, from the place
    /// itself.
    ///
    /// - Parameters: as for ``nearestAirports(to:query:radius:order:limit:language:)`` and
    ///   ``completing(_:keypad:limit:stage:language:from:isCancelled:)``.
    /// - Throws: `SearchCancelled` alone.
    public func completingNearest(
        _ answer: SearchResponse, to place: Coordinate, radius: Double = Catalogue.defaultRadius,
        order: NearestOrder = .relevance, limit: Int = 10, language: String? = nil,
        from server: AirportServer, isCancelled: CancellationCheck? = nil
    ) throws -> CompletedResponse {
        // By distance a further one may stand before those that are there.
        guard order == .distance || limit == 0 || answer.results.count < limit else {
            return CompletedResponse(answer: answer)
        }
        let parameters = [
            ("lat", Self.hundredths(place.latitude)), ("lon", Self.hundredths(place.longitude)),
            ("radius", "\(min(radius, 20_040))"), ("limit", Self.asked(limit)), ("sort", order.rawValue),
            ("language", language ?? settings.language),
        ]
        return try complete(answer, from: server, "/v1/airports/nearest", parameters, isCancelled) {
            Self.joined($0, $1, near: place, radius: radius, order: order, limit: limit)
        }
    }

    private func complete(
        _ answer: SearchResponse, from server: AirportServer, _ path: String, _ parameters: [(String, String)],
        _ isCancelled: CancellationCheck?, _ join: ([SearchResult], [SearchResult]) -> [SearchResult]
    ) throws -> CompletedResponse {
        let clock = ContinuousClock()
        let start = clock.now
        var completed = CompletedResponse(answer: answer)
        do {
            let rows = try server.rows(path, parameters.map { (name: $0.0, value: $0.1) }) { isCancelled?() ?? false }
            completed.answer.results = join(answer.results, rows)
        } catch .cancelled {
            throw SearchCancelled()
        } catch {
            completed.answer.isFinal = false
            completed.fault = Fault(error)
        }
        completed.answer.elapsed += clock.now - start
        return completed
    }

    // MARK: - What is asked

    /// Longer ones name no airport.
    private static let longestQuery = 200

    private static func reachesServer(_ query: String, keypad: Bool) -> Bool {
        guard query.unicodeScalars.count <= longestQuery else { return false }
        if keypad { return (try? KeypadQuery(parsing: query)).map(AirportSearch.reachesBeyondPopular) ?? false }
        return AirportSearch.reachesBeyondPopular(query)
    }

    private static func asked(_ limit: Int) -> String {
        "\(limit == 0 ? AirportServer.mostRows : min(limit, AirportServer.mostRows))"
    }

    /// Degrees to a hundredth, about a kilometre, as a plain decimal.
    static func hundredths(_ degrees: Double) -> String {
        // Minus zero would print a sign.
        "\((degrees * 100).rounded() / 100 + 0)"
    }
}
