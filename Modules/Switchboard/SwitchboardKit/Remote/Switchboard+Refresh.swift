public import Foundation
import SwitchboardAirports
import SwitchboardWebFetch

/// The result of a refresh of the popular list.
public enum PopularRefresh: Hashable, Sendable {
    /// The list was replaced by one with this number of airports.
    case replaced(airports: Int)
    /// The list in use, with this number of airports, is current.
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

extension Switchboard {
    /// The maximum size of a snapshot, which is usually some hundred kilobytes.
    private static let maxSnapshotSize = 64 << 20

    /// Fetches the popular list of a server, unless it is unchanged, and replaces the list in use.
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
        let fetcher = WebFetcher(
            limits: FetchLimits(bytes: Self.maxSnapshotSize), allowsPrivateAddresses: true)
        // Fetch it compressed: our own decoder detects truncation.
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

    /// Returns an ETag if it can be sent back unchanged.
    private static func storable(_ tag: String) -> String? {
        let isPlain = tag.unicodeScalars.allSatisfy { (0x20..<0x7F).contains($0.value) }
        return !tag.isEmpty && tag.utf8.count <= 1_000 && isPlain ? tag : nil
    }
}
