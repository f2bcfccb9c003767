public import Foundation
import GRDB
import SwitchboardStorage

/// An activity as it is kept.
public struct StoredActivity: Sendable {
    /// The name under which it is kept: its persistent identifier, or one that was made for it.
    public var id: String
    /// The activity.
    public var activity: UserActivity
    /// When it was begun.
    public var beganAt: Date
    /// When it was ended; nil while it is current.
    public var endedAt: Date?
    /// Whether it is what the person does now; one activity of a database is.
    public var isCurrent: Bool
    /// Whether it was ended for good.
    public var isInvalidated: Bool
}

extension StoredActivity: Encodable {
    private enum CodingKeys: String, CodingKey { case id, isCurrent, isInvalidated, beganAt, endedAt }

    /// Writes the activity's own members with `id`, `isCurrent`, `beganAt` and, if it has ended, `endedAt`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try activity.encode(to: encoder)
        try container.encode(isCurrent, forKey: .isCurrent)
        try container.encode(beganAt.formatted(.iso8601), forKey: .beganAt)
        try container.encodeIfPresent(endedAt?.formatted(.iso8601), forKey: .endedAt)
        if isInvalidated { try container.encode(true, forKey: .isInvalidated) }
    }
}

/// The rows of activities, and their rows among the items.
enum ActivityRows {
    /// What the identifier of an activity's row among the items begins with.
    static let prefix = "activity/"

    private static let columns = "id, json, beganAt, endedAt, isCurrent, isInvalidated"

    static func activity(_ row: Row) throws -> StoredActivity? {
        let json: String = try row.value(1)
        guard let activity = try? UserActivity(json: Array(json.utf8)) else { return nil }
        return try StoredActivity(
            id: row.value(0), activity: activity, beganAt: row.value(2), endedAt: row.value(3),
            isCurrent: row.value(4), isInvalidated: row.value(5))
    }

    static func activity(_ id: String, in db: Database) throws -> StoredActivity? {
        try Row.fetchOne(
            try db.cachedStatement(sql: "SELECT \(columns) FROM activity WHERE id = ?"), arguments: [id]
        ).flatMap(activity)
    }

    static func all(_ condition: String, _ arguments: StatementArguments, in db: Database) throws -> [StoredActivity] {
        try Row.fetchAll(
            db, sql: "SELECT \(columns) FROM activity WHERE \(condition)", arguments: arguments
        ).compactMap(activity)
    }

    static func store(_ stored: StoredActivity, expiresAt: Date, in db: Database) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let json = String(decoding: try encoder.encode(stored.activity), as: UTF8.self)
        try db.execute(
            sql: """
                INSERT INTO activity (id, beganAt, endedAt, isCurrent, isInvalidated, expiresAt, related, json)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET beganAt = excluded.beganAt, endedAt = excluded.endedAt,
                    isCurrent = excluded.isCurrent, isInvalidated = excluded.isInvalidated,
                    expiresAt = excluded.expiresAt, related = excluded.related, json = excluded.json
                """,
            arguments: [
                stored.id, stored.beganAt.timeIntervalSince1970, stored.endedAt?.timeIntervalSince1970,
                stored.isCurrent, stored.isInvalidated, expiresAt.timeIntervalSince1970,
                stored.activity.contentAttributeSet?.relatedUniqueIdentifier, json,
            ])
    }

    /// Forgets the activities that are about items that are gone, and those whose own rows are.
    ///
    /// - Returns: how many further rows of items are gone.
    static func forget(about items: [String], index: Int64, in db: Database) throws -> Int {
        guard try ItemRows.indexKey(SearchableIndex.defaultName, in: db) == index,
            try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM activity)") ?? false
        else { return 0 }
        var gone = 0
        let forget = try db.cachedStatement(sql: "DELETE FROM activity WHERE id = ?")
        let about = try db.cachedStatement(sql: "DELETE FROM activity WHERE related = ? RETURNING id")
        for item in items {
            if item.hasPrefix(prefix) { try forget.execute(arguments: [String(item.dropFirst(prefix.count))]) }
            for id in try String.fetchAll(about, arguments: [item]) {
                gone += try deleteRow(of: id, index: index, in: db)
            }
        }
        return gone
    }

    /// Takes the row of an activity out of the items; tells how many there were.
    static func deleteRow(of id: String, index: Int64, in db: Database) throws -> Int {
        try db.cachedStatement(sql: "DELETE FROM item WHERE indexKey = ? AND id = ?").execute(
            arguments: [index, prefix + id])
        return db.changesCount
    }
}
