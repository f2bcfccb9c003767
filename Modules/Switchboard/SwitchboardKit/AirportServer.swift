import Foundation
import SwitchboardAirports
@_exported public import SwitchboardErrors
import SwitchboardSearchEngine
public import SwitchboardWebFetch
import Synchronization

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
