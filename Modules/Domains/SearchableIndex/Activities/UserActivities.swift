import Foundation
import GRDB
import SwitchboardAlgorithms
package import SwitchboardStorage

/// The user activities of a database: begin, end, find and continue them.
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
/// let back = try activities.continuation(of: id)  // has the userInfo needed to resume
/// ```
///
/// Activities belong to a database, not to one of its named indexes. Those that are eligible for search have an item in
/// the default index. Deleting the item that an activity is about (`relatedUniqueIdentifier`) deletes the activity too.
public struct UserActivities: Sendable {
    /// The default index of the database.
    public let index: SearchableIndex

    /// Creates access to the activities of the database that contains an index.
    public init(index: SearchableIndex) {
        self.index =
            index.name == SearchableIndex.defaultName
            ? index : SearchableIndex(storage: index.storage, clock: index.clock)
    }

    // MARK: - Beginning and ending

    /// Makes an activity the current one, and adds it to the index if it is eligible for search.
    ///
    /// The previous current activity ends. A stored activity with the same persistent identifier is replaced. Without
    /// one, the same activity is replaced: with the same type, title, required `userInfo`, web page and target, unless it
    /// was invalidated.
    ///
    /// - Throws: ``SearchableIndexError/invalidItem(_:)`` if a field is too long, the content attributes are invalid, or
    ///   the activity has already expired.
    @discardableResult
    public func becomeCurrent(_ activity: UserActivity) throws -> StoredActivity {
        do throws(ItemError) {
            try activity.checkSizes()
        } catch {
            throw SearchableIndexError.invalidItem(error)
        }
        let now = index.clock()
        if let date = activity.expirationDate, date <= now {
            throw SearchableIndexError.invalidItem(
                ItemError(
                    reason: "\(date.iso8601) has already passed; use a later time or leave it out",
                    attribute: "expirationDate"))
        }
        return try index.writing { db, key, changed in
            let id =
                try activity.persistentIdentifier ?? ActivityRows.same(as: activity, at: now, in: db)?.id
                ?? UUID().uuidString
            let stored = StoredActivity(
                id: id, activity: activity, beganAt: now, endedAt: nil, isCurrent: true, isInvalidated: false)
            try end(at: now, in: db)
            let expiresAt = activity.expirationDate ?? now.addingTimeInterval(UserActivity.defaultLifetime)
            try ActivityRows.store(stored, expiresAt: expiresAt, in: db)
            try db.execute(sql: "DELETE FROM activity WHERE expiresAt <= ?", arguments: [now.timeIntervalSince1970])
            guard activity.isEligibleForSearch else {
                changed += try ActivityRows.deleteRow(of: id, index: key, in: db)
                return stored
            }
            let item = SearchableItem(
                uniqueIdentifier: ActivityRows.prefix + id, domainIdentifier: activity.domainIdentifier,
                attributeSet: activity.itemAttributes, expiration: .at(expiresAt))
            try ItemWriter.put(item, index: key, now: now, in: db)
            changed += 1
            return stored
        }
    }

    /// Makes a stored activity current again.
    ///
    /// - Throws: ``SearchableIndexError/activityNotFound(id:)``, or ``SearchableIndexError/invalidated(id:)`` if it was
    ///   invalidated.
    @discardableResult
    public func becomeCurrent(_ id: String) throws -> StoredActivity {
        let now = index.clock()
        return try index.writing { db, _, _ in
            guard var stored = try ActivityRows.all("id = ?", [id], in: db).first else {
                throw SearchableIndexError.activityNotFound(id: id)
            }
            guard !stored.isInvalidated else { throw SearchableIndexError.invalidated(id: id) }
            try end(at: now, in: db)
            (stored.isCurrent, stored.endedAt) = (true, nil)
            try db.execute(sql: "UPDATE activity SET isCurrent = 1, endedAt = NULL WHERE id = ?", arguments: [id])
            return stored
        }
    }

    /// Ends the current activity, which can still be found and continued.
    ///
    /// - Parameter invalidates: `true` to prevent the activity from becoming current again.
    /// - Returns: The ended activity, or `nil` if none was current.
    @discardableResult
    public func resignCurrent(invalidating invalidates: Bool = false) throws -> StoredActivity? {
        let now = index.clock()
        return try index.writing { db, _, _ in
            guard var stored = try current(in: db) else { return nil }
            try end(at: now, in: db)
            (stored.isCurrent, stored.endedAt) = (false, now)
            if invalidates {
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

    // MARK: - Reading

    /// Returns the current activity, or `nil` if there is none.
    public func current() throws -> StoredActivity? { try index.storage.read(current(in:)) }

    /// Returns the current activity if it is eligible for Handoff to another front end.
    public func handoff() throws -> StoredActivity? {
        try current().flatMap { $0.activity.isEligibleForHandoff ? $0 : nil }
    }

    private func current(in db: Database) throws -> StoredActivity? {
        try ActivityRows.all("isCurrent AND expiresAt > ?", [index.clock().timeIntervalSince1970], in: db).first
    }

    /// Returns a stored activity.
    ///
    /// - Throws: ``SearchableIndexError/activityNotFound(id:)``.
    public func activity(_ id: String) throws -> StoredActivity {
        let now = index.clock().timeIntervalSince1970
        return try index.storage.read { db in
            guard let stored = try ActivityRows.all("id = ? AND expiresAt > ?", [id, now], in: db).first else {
                throw SearchableIndexError.activityNotFound(id: id)
            }
            return stored
        }
    }

    /// Returns the activities, most recently begun first.
    ///
    /// - Parameter limit: The maximum number of activities; 0 for all.
    public func list(limit: Int = 0) throws -> [StoredActivity] {
        let now = index.clock().timeIntervalSince1970
        return try index.storage.read { db in
            try ActivityRows.all(
                "expiresAt > ? ORDER BY isCurrent DESC, beganAt DESC, key DESC LIMIT ?",
                [now, limit == 0 ? -1 : limit],
                in: db)
        }
    }

    /// Returns a page of the activities, the current one first, then those most recently begun.
    ///
    /// - Parameters:
    ///   - cursor: The position at which the page begins.
    ///   - limit: The maximum number of activities.
    package func page(at cursor: ListCursor, limit: Int) throws -> ListPage<StoredActivity> {
        let now = index.clock().timeIntervalSince1970
        return try index.storage.read { db in
            // The sort value of the current activity is greater than any time.
            let page = try db.page(
                of: "activity", where: "expiresAt > ?", arguments: [now], sortedBy: "(isCurrent * 1e12 + beganAt)",
                isDescending: true, at: cursor, limit: limit)
            return try page.compactMap { try ActivityRows.all("key = ?", [$0], in: db).first }
        }
    }

    // MARK: - Deleting

    /// Deletes activities and their items. If one identifier is unknown, nothing is deleted.
    ///
    /// - Throws: ``SearchableIndexError/activityNotFound(id:)``.
    public func delete(_ ids: [String]) throws {
        try index.writing { db, key, changed in
            for id in ids.uniqued {
                try db.execute(sql: "DELETE FROM activity WHERE id = ?", arguments: [id])
                guard db.changesCount > 0 else { throw SearchableIndexError.activityNotFound(id: id) }
                changed += try ActivityRows.deleteRow(of: id, index: key, in: db)
            }
        }
    }

    /// Deletes all activities and their items.
    ///
    /// - Returns: The identifiers of the deleted activities, sorted.
    @discardableResult
    public func deleteAll() throws -> [String] {
        try index.writing { db, key, changed in
            let ids = try String.fetchAll(db, sql: "DELETE FROM activity RETURNING id")
            for id in ids { changed += try ActivityRows.deleteRow(of: id, index: key, in: db) }
            return ids.sorted()
        }
    }
}

// MARK: - Continuing

extension UserActivities {
    /// Continues an activity or a chosen item, and records the engagement.
    ///
    /// - Parameters:
    ///   - id: The identifier of an activity, of its row in the search results, or of an item.
    ///   - query: The text that was typed, if a search found it.
    /// - Throws: ``SearchableIndexError/notFound(id:)``, or ``SearchableIndexError/missingUserInfo(id:keys:)`` if the
    ///   activity lacks required keys.
    public func continuation(of id: String, query: String? = nil) throws -> Continuation {
        let activityID = ActivityRows.id(ofItem: id) ?? id
        do {
            let stored = try activity(activityID)
            let missing = stored.activity.missingUserInfoKeys
            guard missing.isEmpty else { throw SearchableIndexError.missingUserInfo(id: activityID, keys: missing) }
            let destination = try destination(of: stored)
            if stored.activity.isEligibleForSearch {
                try engageIfPresent(ActivityRows.prefix + activityID, query: query)
            }
            if case .item(let item) = destination { try engageIfPresent(item, query: query) }
            return Continuation(activity: stored.activity, destination: destination)
        } catch SearchableIndexError.activityNotFound {
            try index.engage(id, query: query)
            return Continuation(activity: .choosing(item: id), destination: .item(id))
        }
    }

    /// Returns the continuation of a search in the app.
    public func continuation(ofQuery text: String) -> Continuation {
        Continuation(activity: .continuing(query: text), destination: .query(text))
    }

    /// Returns the destination of an activity: an item, a URL, or the activity itself.
    public func destination(of stored: StoredActivity) throws -> Continuation.Destination {
        let activity = stored.activity
        let content = activity.contentAttributeSet
        switch activity.activityType {
        case UserActivity.itemType:
            if case .string(let id)? = activity.userInfo[UserActivity.identifierKey] { return .item(id) }
        case UserActivity.queryType:
            if case .string(let text)? = activity.userInfo[UserActivity.queryKey] { return .query(text) }
        default: break
        }
        if let target = activity.targetContentIdentifier {
            if target.hasPrefix("switchboard://") { return .url(target) }
            if try itemExists(target) { return .item(target) }
        }
        for id in [content?.relatedUniqueIdentifier, content?.weakRelatedUniqueIdentifier] {
            if let id, try itemExists(id) { return .item(id) }
        }
        if let page = activity.webpageURL { return .url(page) }
        return .activity(stored.id)
    }

    private func itemExists(_ id: String) throws -> Bool {
        do {
            _ = try index.item(id)
            return true
        } catch SearchableIndexError.notFound {
            return false
        }
    }

    private func engageIfPresent(_ item: String, query: String?) throws {
        do { try index.engage(item, query: query) } catch SearchableIndexError.notFound {}
    }
}

/// The activity to continue and its destination.
public struct Continuation: Sendable, Hashable {
    /// The destination of a continuation.
    public enum Destination: Sendable, Hashable {
        /// An item.
        case item(String)
        /// A URL: a web page or a deep link.
        case url(String)
        /// The activity itself; its `userInfo` has the state needed to continue.
        case activity(String)
        /// A search for the text that was typed.
        case query(String)
    }

    /// The activity: of type ``UserActivity/itemType`` if an item was chosen, of ``UserActivity/queryType`` if a search
    /// is continued, and otherwise of its own type.
    public var activity: UserActivity
    /// The destination to open.
    public var destination: Destination
}
