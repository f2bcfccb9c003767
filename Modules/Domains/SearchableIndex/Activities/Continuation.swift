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
