import SwitchboardAirports
public import Foundation
import SwitchboardWebFetch

/// What came of asking for a newer popular list.
public enum PopularRefresh: Hashable, Sendable {
    /// There was one, of so many airports.
    case replaced(airports: Int)
    /// The list in use, of so many airports, is the newest.
    case unchanged(airports: Int)
    /// It was looked at within the last day, or somebody else is at it.
    case notDue

    /// How many airports the list in use has; nil if nobody looked.
    public var airports: Int? {
        switch self {
        case .replaced(let count), .unchanged(let count): count
        case .notDue: nil
        }
    }
}

extension Switchboard {
    /// A snapshot is some hundred kilobytes.
    private static let largestSnapshot = 64 << 20

    /// Fetches the popular list of a server, unless the one in use is it already, and replaces the list in use by it.
    ///
    /// All or nothing: the list and what it is known by (its ETag) change in one transaction, and a snapshot that breaks off or
    /// says what cannot be changes nothing. It waits for the answer, half a minute at most.
    ///
    /// - Parameters:
    ///   - address: where the snapshot is, as ``AirportServer/popularAddress`` tells. A redirect to another server is refused.
    ///   - onlyIfDue: whether nothing is done unless the list is older than a day and nobody has tried within the hour.
    ///   - isCancelled: ends it early.
    /// - Throws: `WebFetchError`, ``AirportServerError``, `AirportsError.malformedSnapshot`, `StorageError`; the old list stays.
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
        let fetcher = WebFetcher(
            limits: FetchLimits(bytes: Self.largestSnapshot), allowsPrivateAddresses: true)
        // As it comes: our own reader notices where a packed file breaks off.
        let request = FetchRequest(
            address, headers: headers,
            acceptedTypes: ["application/json", "application/gzip", "application/x-gzip", "application/octet-stream"],
            unpacks: false, mayLeaveServer: false)
        let page = try fetcher.fetch(request) { isCancelled?() ?? false }
        if page.status == 304 {
            guard known != nil else {
                throw AirportServerError.malformed(server: address, reason: "status 304, though nothing was known yet")
            }
            try airports.confirmPopular(origin)
            return .unchanged(airports: try airports.popular().count)
        }
        guard page.status == 200 else { throw WebFetchError.status(url: page.url, status: page.status) }
        let count = try airports.update(
            snapshot: Data(page.body), from: address, entityTag: page.entityTag.flatMap(Self.rememberable))
        return .replaced(airports: count)
    }

    /// Whether the popular list should be refreshed: it is older than a day, and nobody has tried within the hour.
    ///
    /// - Throws: `StorageError`.
    public func isPopularDue(at now: Date = Date()) throws -> Bool {
        try airports.popularOrigin().isDue(at: now)
    }

    /// A mark that can be sent back as it is; others are not worth keeping.
    private static func rememberable(_ tag: String) -> String? {
        let isPlain = tag.unicodeScalars.allSatisfy { (0x20..<0x7F).contains($0.value) }
        return !tag.isEmpty && tag.utf8.count <= 1_000 && isPlain ? tag : nil
    }
}
