public import Foundation
import GRDB
import SwitchboardStorage

/// Where the popular list in use comes from, and when somebody looked last whether there is a newer one.
public struct PopularOrigin: Hashable, Sendable {
    /// The address it was fetched from; nil for a list that came as a file, or ships.
    public var address: String?
    /// What the server knows the list by, for `If-None-Match`; nil if it did not say.
    public var entityTag: String?
    /// When it was loaded, or was last told to be unchanged; nil for the list that ships.
    public var checkedAt: Date?
    /// When a refresh was last begun by itself.
    public var attemptedAt: Date?

    /// An origin; see the properties.
    public init(
        address: String? = nil, entityTag: String? = nil, checkedAt: Date? = nil, attemptedAt: Date? = nil
    ) {
        self.address = address
        self.entityTag = entityTag
        self.checkedAt = checkedAt
        self.attemptedAt = attemptedAt
    }

    /// After what time a list is old, in seconds: a day.
    public static let lifetime: TimeInterval = 86_400
    /// After what time a refresh that came to nothing is tried again, in seconds: an hour.
    public static let patience: TimeInterval = 3_600

    /// Whether the list should be refreshed: it is older than a day, and nobody has tried within the hour.
    ///
    /// A time that lies ahead counts by its distance as well, so that a clock that was wrong once does not stop it for years.
    public func isDue(at now: Date) -> Bool {
        func isLongAgo(_ time: Date?, _ seconds: TimeInterval) -> Bool {
            time.map { abs(now.timeIntervalSince($0)) >= seconds } ?? true
        }
        return isLongAgo(checkedAt, Self.lifetime) && isLongAgo(attemptedAt, Self.patience)
    }

    // MARK: - In the database

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
