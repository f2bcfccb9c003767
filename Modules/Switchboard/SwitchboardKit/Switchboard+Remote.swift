public import Foundation
public import SwitchboardAirports
@_exported public import SwitchboardErrors
import SwitchboardIncrementalIndex
import SwitchboardKeypad
public import SwitchboardWebFetch
import Synchronization

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

/// A client for an airport server, such as `switchboard-server`.
///
/// The user chooses the address, so it may be on a private network. Requests contain the airport search only: no token,
/// no cookie, no name. Responses are validated; a single invalid row rejects the whole response.
///
/// Safe to use from several threads. Keep one instance: it remembers for a while that a server is unreachable.
public final class AirportServer: Sendable {
    /// The base address without a trailing slash, such as `http://127.0.0.1:8080`.
    public let address: String
    /// The timeout of a request.
    public let timeLimit: Duration

    /// The delay before an unreachable server is contacted again, which spares most keystrokes the wait.
    static let retryDelay = Duration.seconds(10)
    static let maxRows = 100
    /// The maximum size of a response; a hundred cities with all their airports take about 200 KB.
    static let maxResponseSize = 1 << 20

    private struct Failure {
        let error: AirportServerError
        let until: ContinuousClock.Instant
    }

    private let fetcher: WebFetcher
    private let failure = Mutex<Failure?>(nil)

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - address: The address as a user writes it: `https://example.org`, with a path if needed.
    ///   - timeLimit: The timeout of a request.
    /// - Throws: `AirportServerError.badAddress` if the scheme is not http or https, or the address has a query, a
    ///   fragment or credentials.
    public init(_ address: String, timeLimit: Duration = .seconds(2)) throws(AirportServerError) {
        self.address = try Self.base(address)
        self.timeLimit = timeLimit
        fetcher = WebFetcher(
            limits: FetchLimits(
                bytes: Self.maxResponseSize, connectTimeout: timeLimit, totalTimeout: timeLimit, redirects: 2),
            allowsPrivateAddresses: true)
    }

    private static func base(_ text: String) throws(AirportServerError) -> String {
        guard text.utf8.count <= 2_000, let url = URLComponents(string: text, encodingInvalidCharacters: false),
            let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https", let host = url.host,
            !host.isEmpty, url.user == nil,
            url.password == nil, url.query == nil, url.fragment == nil
        else { throw .badAddress(text) }
        var base = text[...]
        while base.hasSuffix("/") { base.removeLast() }
        return String(base)
    }

    /// The address of this server's popular list.
    public var popularAddress: String { address + "/v1/airports/popular" }

    /// Returns the address of the popular list, given the address of a server or of the list itself.
    ///
    /// - Throws: `AirportServerError.badAddress`.
    public static func popularAddress(at text: String) throws(AirportServerError) -> String {
        guard let url = URLComponents(string: text, encodingInvalidCharacters: false),
            url.path.isEmpty || url.path == "/"
        else { return text }
        return try base(text) + "/v1/airports/popular"
    }

    /// Requests rows from the server and waits for the response, for up to ``timeLimit``.
    ///
    /// - Parameters:
    ///   - path: The path, such as `/v1/airports`.
    ///   - parameters: The query parameters, in order.
    ///   - isCancelled: Polled at least ten times a second; `true` cancels the request.
    /// - Throws: ``AirportServerError``, `CancellationError`.
    func rows(
        _ path: String, _ parameters: [(name: String, value: String)],
        isCancelled: @escaping () -> Bool
    ) throws -> [SearchResult] {
        if let failure = failure.withLock({ $0 }), .now < failure.until { throw failure.error }
        let query = parameters.map { "\($0.name)=\(DeepLink.escaped($0.value))" }.joined(separator: "&")
        let request = FetchRequest(
            "\(address)\(path)?\(query)", headers: ["Accept": "application/json"],
            acceptedTypes: ["application/json"], allowsOtherServers: false)
        let page: FetchedPage
        do {
            page = try fetcher.fetch(request, isCancelled: isCancelled)
            guard page.status == 200 else { throw WebFetchError.status(url: page.url, status: page.status) }
        } catch let error as WebFetchError {
            let error = AirportServerError.fetching(server: address, error)
            if error.isPersistent {
                failure.withLock { $0 = Failure(error: error, until: .now + Self.retryDelay) }
            }
            throw error
        }
        failure.withLock { $0 = nil }
        do {
            return Array(try RemoteRows.read(page.body).prefix(Self.maxRows))
        } catch {
            throw AirportServerError.malformed(server: address, reason: error.reason)
        }
    }
}

/// An error from a request to an airport server.
public enum AirportServerError: CodedError, Hashable {
    /// The address is invalid.
    case badAddress(String)
    /// The request failed.
    case fetching(server: String, WebFetchError)
    /// The response is invalid, for the given reason.
    case malformed(server: String, reason: String)

    /// The code, the category and the message.
    public var details: ErrorDetails {
        switch self {
        case .badAddress(let text):
            .init(
                "badAddress", .usage,
                "“\(text.prefix(200))” is not the address of a server; use https://example.org")
        case .fetching(let server, let error):
            .init(error.code, error.category, "\(server): \(Self.reason(error))")
        case .malformed(let server, let reason):
            .init("malformedAnswer", .malformed, "\(server): the response is invalid (\(reason))")
        }
    }

    /// Describes an error without the address, which contains the query.
    private static func reason(_ error: WebFetchError) -> String {
        switch error {
        case .unknownHost: "unknown host"
        case .unreachable(_, let reason): "cannot connect (\(reason))"
        case .timedOut: "timed out"
        case .insecure(_, let reason): "cannot verify the server (\(reason))"
        case .tooLarge(_, let limit): "the response is larger than \(limit) bytes"
        case .headTooLarge: "the response header is too large"
        case .wrongType(_, let type): "the response is \(type.prefix(100)), not JSON"
        case .damaged(_, let reason): "the response is corrupt (\(reason))"
        case .redirectElsewhere(_, let target): "redirected to another server, \(target.prefix(200))"
        case .redirectLoop, .tooManyRedirects: "too many redirects"
        case .badAddress, .refusedScheme, .privateAddress: "redirected to an address that is not allowed"
        case .status(_, let status): "status \(status)"
        case .disallowed, .robotsUnreachable, .noMemory, .noLibrary: error.description
        }
    }

    /// `true` if retrying soon would probably fail again after a long wait.
    var isPersistent: Bool {
        switch self {
        case .fetching(_, .unknownHost), .fetching(_, .unreachable), .fetching(_, .timedOut), .fetching(_, .insecure):
            true
        default: false
        }
    }
}

/// Decodes and validates the airport rows of a server's response.
///
/// Unknown keys are ignored. Highlights that do not fit their text are dropped.
enum RemoteRows {
    struct Malformed: Error {
        let reason: String
    }

    /// The maximum length of a title or subtitle, in bytes of UTF-8.
    private static let maxTextLength = 1_000

    static func read(_ json: [UInt8]) throws(Malformed) -> [SearchResult] {
        let rows: [Row]
        do {
            rows = try JSONDecoder().decode(Answer.self, from: Data(json)).results
        } catch let error as DecodingError {
            throw Malformed(reason: error.reason(row: "row"))
        } catch {
            throw Malformed(reason: "not JSON")
        }
        var results: [SearchResult] = []
        results.reserveCapacity(rows.count)
        for (index, row) in rows.enumerated() {
            if let failure = row.validationFailure { throw Malformed(reason: "row \(index + 1): \(failure)") }
            guard let airport = row.airport else { throw Malformed(reason: "row \(index + 1): no airport") }
            results.append(row.result(airport))
        }
        return results
    }

    private struct Answer: Decodable {
        let results: [Row]
    }

    private struct Row: Decodable {
        let kind: String
        let id: String
        let title: String
        let subtitle: String
        let match: ResultMatch?
        let highlights: [String: [[Int]]]?
        let airport: Airport?
        let airports: [Airport]?

        /// The reason why the row is invalid; nil if it is valid.
        var validationFailure: String? {
            guard kind == ResultKind.airport.rawValue else { return "its kind is “\(kind.prefix(20))”" }
            guard let airport else { return "airport: missing" }
            guard id == airport.code else { return "id and code differ" }
            for (key, text) in [("title", title), ("subtitle", subtitle)] {
                if text.utf8.count > maxTextLength { return "\(key) is longer than \(maxTextLength) bytes" }
                if !hasNoControlCharacters(text) { return "\(key) contains control characters" }
            }
            if title.allSatisfy(\.isWhitespace) { return "title is empty" }
            return airport.validationFailure ?? airports?.lazy.compactMap(\.validationFailure).first
        }

        func result(_ airport: Airport) -> SearchResult {
            SearchResult(
                id: id, title: title, subtitle: subtitle, match: match, stage: 3, highlights: ranges(airport),
                object: .airport(
                    airport.withRoundDistance, airports: airport.isCity ? (airports ?? []).map(\.withRoundDistance) : []
                ))
        }

        private func ranges(_ airport: Airport) -> [String: [Range<Int>]] {
            let texts = ["title": title, "subtitle": subtitle, "code": airport.code]
            var ranges: [String: [Range<Int>]] = [:]
            for (field, pairs) in highlights ?? [:] {
                guard let text = texts[field], let read = Self.ranges(pairs, upTo: text.unicodeScalars.count) else {
                    continue
                }
                ranges[field] = read
            }
            return ranges
        }

        /// Returns the ranges if they are sorted, disjoint and within the text, else nil.
        private static func ranges(_ pairs: [[Int]], upTo length: Int) -> [Range<Int>]? {
            var ranges: [Range<Int>] = []
            var end = 0
            for pair in pairs {
                guard pair.count == 2, pair[0] >= end, pair[0] < length, pair[1] > 0, pair[1] <= length - pair[0]
                else { return nil }
                end = pair[0] + pair[1]
                ranges.append(pair[0]..<end)
            }
            return ranges
        }
    }

    private static func hasNoControlCharacters(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
    }
}
