import Foundation
import SwitchboardSearchEngine
import SwitchboardWebFetch
import Synchronization

/// A client of a server with airports, such as `switchboard-server`.
///
/// The user has chosen the address, so it may be on a private network. Requests contain the airport search only: no
/// token, no cookie, no name. Responses are validated; a response with one invalid row is rejected.
///
/// Safe to use from several threads. Keep one instance: it remembers for a while that a server is unreachable.
public final class AirportServer: Sendable {
    /// The base address without a trailing slash, such as `http://127.0.0.1:8080`.
    public let address: String
    /// The timeout of a request.
    public let timeLimit: Duration

    /// The delay before an unreachable server is contacted again, so that not every keystroke waits for it.
    static let retryDelay = Duration.seconds(10)
    static let maxRows = 100
    /// The maximum size of a response; a hundred cities with all their airports are some two hundred kilobytes.
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

    /// Returns the address of the popular list for the address of a server or of the list itself.
    ///
    /// - Throws: `AirportServerError.badAddress`.
    public static func popularAddress(at text: String) throws(AirportServerError) -> String {
        guard let url = URLComponents(string: text, encodingInvalidCharacters: false),
            url.path.isEmpty || url.path == "/"
        else { return text }
        return try base(text) + "/v1/airports/popular"
    }

    /// Requests rows from the server and waits for the response, at most ``timeLimit``.
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
