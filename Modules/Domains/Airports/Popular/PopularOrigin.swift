public import Foundation
import GRDB
import SwitchboardStorage

/// The origin of the popular list in use, and the time it was last checked for updates.
public struct PopularOrigin: Hashable, Sendable {
    /// The address it was fetched from; nil for a list loaded from a file, and for the embedded one.
    public var address: String?
    /// The server's ETag, for `If-None-Match`; nil if it sent none.
    public var entityTag: String?
    /// The time when the list was loaded or last confirmed to be current; nil for the embedded list.
    public var checkedAt: Date?
    /// The time when an automatic refresh was last started.
    public var attemptedAt: Date?

    /// The age in seconds after which a list is refreshed: one day.
    public static let lifetime: TimeInterval = 86_400
    /// The time in seconds after which a failed refresh is retried: one hour.
    public static let retryInterval: TimeInterval = 3_600

    /// Returns `true` if the list is older than a day and no refresh was attempted within the last hour.
    ///
    /// A time in the future counts by its distance too, so that a clock that was once wrong does not block refreshes
    /// for years.
    public func isDue(at now: Date) -> Bool {
        func isLongAgo(_ time: Date?, _ seconds: TimeInterval) -> Bool {
            time.map { abs(now.timeIntervalSince($0)) >= seconds } ?? true
        }
        return isLongAgo(checkedAt, Self.lifetime) && isLongAgo(attemptedAt, Self.retryInterval)
    }

    // MARK: - Database

    func store(in db: Database) throws {
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO airports_origin (id, address, entityTag, checkedAt, attemptedAt)
                VALUES (1, ?, ?, ?, ?)
                """,
            arguments: [address, entityTag, checkedAt?.formatted(.iso8601), attemptedAt?.formatted(.iso8601)])
    }

    static func fetch(_ db: Database) throws -> PopularOrigin {
        let row = try Row.fetchOne(
            db, sql: "SELECT address, entityTag, checkedAt, attemptedAt FROM airports_origin WHERE id = 1")
        guard let row else { return PopularOrigin() }
        func time(_ text: String?) -> Date? { text.flatMap { try? Date($0, strategy: .iso8601) } }
        return try PopularOrigin(
            address: row.value(0), entityTag: row.value(1), checkedAt: time(row.value(2)),
            attemptedAt: time(row.value(3)))
    }
}
