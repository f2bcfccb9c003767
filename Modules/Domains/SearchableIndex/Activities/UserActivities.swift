import Foundation
import GRDB
import SwitchboardStorage

/// What people do, one thing at a time: begun, ended, found, taken up again.
///
/// For example:
///
/// ```swift
/// let activities = UserActivities(index: index)
/// var watching = UserActivity(activityType: "com.example.watching", title: "Breaking Dunes")
/// watching.userInfo = ["show": .string("show-1")]
/// watching.requiredUserInfoKeys = ["show"]
/// let id = try activities.becomeCurrent(watching).id
/// try activities.resignCurrent()
/// let back = try activities.continuation(of: id)      // with the userInfo, to go on where it was left
/// ```
///
/// Activities belong to a database, not to one of its named indexes; those that are eligible have a row in the usual index.
/// Deleting the item that an activity is about (`relatedUniqueIdentifier`) forgets the activity, too.
public struct UserActivities: Sendable {
    /// The usual index of the database.
    public let index: SearchableIndex

    /// The activities of a database.
    public init(index: SearchableIndex) {
        self.index =
            index.name == SearchableIndex.defaultName
            ? index : SearchableIndex(storage: index.storage, clock: index.clock)
    }

    // MARK: - Beginning and ending

    /// Begins an activity: it is current from now on, the one before is not, and it can be found if it is eligible.
    ///
    /// One of the same persistent identifier is replaced.
    ///
    /// - Throws: ``SearchableIndexError/invalidItem(_:)`` if its content is not valid.
    @discardableResult
    public func becomeCurrent(_ activity: UserActivity) throws -> StoredActivity {
        let now = index.clock()
        return try index.writing { db, key, changed in
            let id = activity.persistentIdentifier ?? UUID().uuidString
            let stored = StoredActivity(
                id: id, activity: activity, beganAt: now, endedAt: nil, isCurrent: true, isInvalidated: false)
            try end(at: now, in: db)
            let expiresAt = activity.expirationDate ?? now.addingTimeInterval(UserActivity.usualLifetime)
            try ActivityRows.store(stored, expiresAt: expiresAt, in: db)
            try db.execute(sql: "DELETE FROM activity WHERE expiresAt <= ?", arguments: [now.timeIntervalSince1970])
            guard activity.isEligibleForSearch else {
                changed += try ActivityRows.deleteRow(of: id, index: key, in: db)
                return stored
            }
            let item = SearchableItem(
                uniqueIdentifier: ActivityRows.prefix + id, domainIdentifier: activity.domainIdentifier,
                attributeSet: activity.shownAttributes, expiration: .at(expiresAt))
            do {
                var writer = try ItemWriter(db, index: key, now: now)
                try writer.put(try PreparedItem(item))
            } catch let fault as ItemFault {
                throw SearchableIndexError.invalidItem(fault)
            }
            changed += 1
            return stored
        }
    }

    /// Makes an activity that was ended current again.
    ///
    /// - Throws: ``SearchableIndexError/noActivity(id:)``; ``SearchableIndexError/invalidated(id:)`` if it was ended for good.
    @discardableResult
    public func becomeCurrent(_ id: String) throws -> StoredActivity {
        let now = index.clock()
        return try index.writing { db, _, _ in
            guard var stored = try ActivityRows.activity(id, in: db) else {
                throw SearchableIndexError.noActivity(id: id)
            }
            guard !stored.isInvalidated else { throw SearchableIndexError.invalidated(id: id) }
            try end(at: now, in: db)
            (stored.isCurrent, stored.endedAt) = (true, nil)
            try db.execute(sql: "UPDATE activity SET isCurrent = 1, endedAt = NULL WHERE id = ?", arguments: [id])
            return stored
        }
    }

    /// Ends what is current; it can still be found and taken up.
    ///
    /// - Parameter isForGood: whether it shall never be current again.
    /// - Returns: what was ended; nil if nothing was current.
    @discardableResult
    public func resignCurrent(forGood isForGood: Bool = false) throws -> StoredActivity? {
        let now = index.clock()
        return try index.writing { db, _, _ in
            guard var stored = try current(in: db) else { return nil }
            try end(at: now, in: db)
            (stored.isCurrent, stored.endedAt) = (false, now)
            if isForGood {
                try db.execute(sql: "UPDATE activity SET isInvalidated = 1 WHERE id = ?", arguments: [stored.id])
                stored.isInvalidated = true
            }
            return stored
        }
    }

    private func end(at now: Date, in db: Database) throws {
        try db.execute(
            sql: "UPDATE activity SET isCurrent = 0, endedAt = ? WHERE isCurrent",
            arguments: [now.timeIntervalSince1970])
    }

    // MARK: - Looking

    /// What the person does now; nil if nothing.
    public func current() throws -> StoredActivity? { try index.storage.read(current(in:)) }

    /// What another front end may take up now: what is current, if it is eligible for that.
    public func handoff() throws -> StoredActivity? {
        try current().flatMap { $0.activity.isEligibleForHandoff ? $0 : nil }
    }

    private func current(in db: Database) throws -> StoredActivity? {
        try ActivityRows.all("isCurrent AND expiresAt > ?", [index.clock().timeIntervalSince1970], in: db).first
    }

    /// An activity.
    ///
    /// - Throws: ``SearchableIndexError/noActivity(id:)``.
    public func activity(_ id: String) throws -> StoredActivity {
        let now = index.clock().timeIntervalSince1970
        return try index.storage.read { db in
            guard let stored = try ActivityRows.all("id = ? AND expiresAt > ?", [id, now], in: db).first else {
                throw SearchableIndexError.noActivity(id: id)
            }
            return stored
        }
    }

    /// The activities, the last begun first.
    ///
    /// - Parameter limit: how many at most; 0 for all.
    public func list(limit: Int = 0) throws -> [StoredActivity] {
        let now = index.clock().timeIntervalSince1970
        return try index.storage.read { db in
            try ActivityRows.all(
                "expiresAt > ? ORDER BY isCurrent DESC, beganAt DESC, key DESC LIMIT ?",
                [now, limit == 0 ? -1 : limit],
                in: db)
        }
    }

    // MARK: - Deleting

    /// Deletes activities with their rows: all that are named or, if one is unknown, none.
    ///
    /// - Throws: ``SearchableIndexError/noActivity(id:)``.
    public func delete(_ ids: [String]) throws {
        try index.writing { db, key, changed in
            var deleted: Set<String> = []
            for id in ids where deleted.insert(id).inserted {
                try db.execute(sql: "DELETE FROM activity WHERE id = ?", arguments: [id])
                guard db.changesCount > 0 else { throw SearchableIndexError.noActivity(id: id) }
                changed += try ActivityRows.deleteRow(of: id, index: key, in: db)
            }
        }
    }

    /// Deletes all activities with their rows.
    ///
    /// - Returns: the identifiers of what was deleted, sorted.
    @discardableResult
    public func deleteAll() throws -> [String] {
        try index.writing { db, key, changed in
            let ids = try String.fetchAll(db, sql: "DELETE FROM activity RETURNING id")
            for id in ids { changed += try ActivityRows.deleteRow(of: id, index: key, in: db) }
            return ids.sorted()
        }
    }
}
