import Foundation
import SwitchboardSearchEngine
import Synchronization
import SwitchboardWebFetch

/// A server that knows airports, such as `switchboard-server`: where it is, and how it is asked.
///
/// A person has named it, so it may be on their own machine or network. It is asked what an airport search asks and nothing else: no
/// token, no cookie, no name of a person. What it answers is read with suspicion: an answer of which one row cannot be is
/// refused as a whole.
///
/// It may be used from several threads. Make one and keep it: it remembers for a while that nobody answers.
public final class AirportServer: Sendable {
    /// Where it is, without a slash at the end, such as `http://127.0.0.1:8080`.
    public let address: String
    /// How long one answer may take.
    public let timeLimit: Duration

    /// How long a server that was not there is left alone, so that not every keystroke waits for it.
    static let rest = Duration.seconds(10)
    /// The most rows that a server gives at once.
    static let mostRows = 100
    /// A hundred cities with all their airports are some two hundred kilobytes.
    static let largestAnswer = 1 << 20

    private struct Failure {
        let error: AirportServerError
        let until: ContinuousClock.Instant
    }

    private let fetcher: WebFetcher
    private let failure = Mutex<Failure?>(nil)

    /// A server at an address as a person writes it: `https://example.org`, with a path if it is below one.
    ///
    /// - Parameters:
    ///   - address: where it is.
    ///   - timeLimit: how long one answer may take; two seconds unless given.
    /// - Throws: `AirportServerError.badAddress` for anything but http and https, or with a query, a fragment or a password in it.
    public init(_ address: String, timeLimit: Duration = .seconds(2)) throws(AirportServerError) {
        self.address = try Self.base(address)
        self.timeLimit = timeLimit
        fetcher = WebFetcher(
            limits: FetchLimits(bytes: Self.largestAnswer, connecting: timeLimit, total: timeLimit, redirects: 2),
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

    // MARK: - The popular list

    /// Where this server has its popular list.
    public var popularAddress: String { address + "/v1/airports/popular" }

    /// Where a popular list is that is asked for by the address of a server alone, or by its own address.
    ///
    /// - Throws: `AirportServerError.badAddress`.
    public static func popularAddress(at text: String) throws(AirportServerError) -> String {
        guard let url = URLComponents(string: text, encodingInvalidCharacters: false),
            url.path.isEmpty || url.path == "/"
        else { return text }
        return try base(text) + "/v1/airports/popular"
    }

    // MARK: - Asking

    /// The rows that the server has for a question. It waits for the answer, at most ``timeLimit``.
    ///
    /// - Parameters:
    ///   - path: what is asked, such as `/v1/airports`.
    ///   - parameters: how, in order.
    ///   - isCancelled: asked at least ten times a second.
    /// - Throws: ``AirportServerError``.
    func rows(
        _ path: String, _ parameters: [(name: String, value: String)],
        isCancelled: @escaping () -> Bool
    ) throws(AirportServerError) -> [SearchResult] {
        if let failure = failure.withLock({ $0 }), .now < failure.until { throw failure.error }
        let query = parameters.map { "\($0.name)=\(DeepLink.escaped($0.value))" }.joined(separator: "&")
        let request = FetchRequest(
            "\(address)\(path)?\(query)", headers: ["Accept": "application/json"],
            acceptedTypes: ["application/json"], mayLeaveServer: false)
        let page: FetchedPage
        do throws(WebFetchError) {
            page = try fetcher.fetch(request, isCancelled: isCancelled)
            guard page.status == 200 else { throw WebFetchError.status(url: page.url, status: page.status) }
        } catch .cancelled {
            throw .cancelled
        } catch {
            let error = AirportServerError.fetching(server: address, error)
            if error.isLasting {
                failure.withLock { $0 = Failure(error: error, until: .now + Self.rest) }
            }
            throw error
        }
        failure.withLock { $0 = nil }
        do {
            return Array(try RemoteRows.read(page.body).prefix(Self.mostRows))
        } catch {
            throw .malformed(server: address, reason: error.reason)
        }
    }
}
