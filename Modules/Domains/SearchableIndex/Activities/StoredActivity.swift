public import Foundation
import GRDB
import SwitchboardAlgorithms
public import SwitchboardJSON
import SwitchboardStorage

/// A user activity as stored in the database.
public struct StoredActivity: Sendable {
    /// The persistent identifier of the activity, or a generated one.
    public var id: String
    /// The activity.
    public var activity: UserActivity
    /// The time at which the activity began.
    public var beganAt: Date
    /// The time at which the activity ended; `nil` while it is current.
    public var endedAt: Date?
    /// Indicates that this is the current activity; a database has at most one.
    public var isCurrent: Bool
    /// Indicates that the activity was invalidated and cannot become current again.
    public var isInvalidated: Bool
}

extension StoredActivity: JSONObjectEncodable {
    /// Writes the members of the activity with `id`, `isCurrent`, `beganAt` and, if it has ended, `endedAt`.
    public func encode(to members: inout JSONMembers) throws {
        try members.add("id", id)
        try activity.encode(to: &members)
        try members.add("isCurrent", isCurrent)
        try members.add("beganAt", beganAt.iso8601)
        if let endedAt { try members.add("endedAt", endedAt.iso8601) }
        if isInvalidated { try members.add("isInvalidated", true) }
    }
}

/// Access to the rows of activities and to their rows in the item table.
enum ActivityRows {
    /// The prefix of an activity's identifier in the item table.
    static let prefix = "activity/"

    /// Returns the identifier of the activity that a row of the item table belongs to, or `nil` for other items.
    static func id(ofItem item: String) -> String? {
        item.hasPrefix(prefix) ? String(item.dropFirst(prefix.count)) : nil
    }

    /// Returns `true` if an index has items of activities.
    static func areInIndex(_ index: Int64, _ db: Database) throws -> Bool {
        let sql = "SELECT EXISTS (SELECT 1 FROM item WHERE indexKey = ? AND id >= ? AND id < ?)"
        let bounds: StatementArguments = [index, prefix, prefix + "\u{10FFFF}"]
        return try Bool.fetchOne(db.cachedStatement(sql: sql), arguments: bounds) ?? false
    }

    private static let columns = "id, json, beganAt, endedAt, isCurrent, isInvalidated"

    static func activity(_ row: Row) throws -> StoredActivity? {
        let json: String = try row.value(1)
        guard let activity = try? UserActivity(json: Array(json.utf8)) else { return nil }
        return try StoredActivity(
            id: row.value(0), activity: activity, beganAt: row.value(2), endedAt: row.value(3),
            isCurrent: row.value(4), isInvalidated: row.value(5))
    }

    static func all(_ condition: String, _ arguments: StatementArguments, in db: Database) throws -> [StoredActivity] {
        try Row.fetchAll(
            db, sql: "SELECT \(columns) FROM activity WHERE \(condition)", arguments: arguments
        ).compactMap(activity)
    }

    /// Returns the stored activity without a persistent identifier that is the same as the given one. O(*n*) in the
    /// activities of its type.
    static func same(as activity: UserActivity, at now: Date, in db: Database) throws -> StoredActivity? {
        try all(
            """
            NOT isInvalidated AND expiresAt > ? AND json_extract(json, '$.activityType') = ?
                AND json_extract(json, '$.persistentIdentifier') IS NULL ORDER BY beganAt DESC
            """, [now.timeIntervalSince1970, activity.activityType], in: db
        ).first { $0.activity.isSame(as: activity) }
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

    /// Deletes the activities that are about the deleted items, and those whose own rows were deleted.
    ///
    /// - Returns: The number of additional item rows deleted.
    static func delete(about items: [String], index: Int64, in db: Database) throws -> Int {
        guard try ItemRows.indexKey(SearchableIndex.defaultName, in: db) == index,
            try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM activity)") ?? false
        else { return 0 }
        var deletedRows = 0
        let deleteByID = try db.cachedStatement(sql: "DELETE FROM activity WHERE id = ?")
        let deleteRelated = try db.cachedStatement(sql: "DELETE FROM activity WHERE related = ? RETURNING id")
        for item in items {
            if let id = id(ofItem: item) { try deleteByID.execute(arguments: [id]) }
            for id in try String.fetchAll(deleteRelated, arguments: [item]) {
                deletedRows += try deleteRow(of: id, index: index, in: db)
            }
        }
        return deletedRows
    }

    /// Deletes the row of an activity from the item table, and returns the number of deleted rows.
    static func deleteRow(of id: String, index: Int64, in db: Database) throws -> Int {
        try db.cachedStatement(sql: "DELETE FROM item WHERE indexKey = ? AND id = ?").execute(
            arguments: [index, prefix + id])
        return db.changesCount
    }
}
