import GRDB
import SwitchboardStorage

/// What a person has chosen to go on with: the activity that says so, and where it leads.
public struct Continuation: Sendable, Hashable {
    /// Where something leads.
    public enum Destination: Sendable, Hashable {
        /// An item.
        case item(String)
        /// An address: a page of the web, or a place of the program.
        case url(String)
        /// The activity itself, which has what is needed.
        case activity(String)
        /// The search, with what was typed.
        case query(String)
    }

    /// The activity: of type ``UserActivity/itemType`` if an item was chosen, ``UserActivity/queryType`` if a search is to be continued, its
    /// own otherwise.
    public var activity: UserActivity
    /// Where it leads.
    public var destination: Destination
}

// MARK: - Continuing

extension UserActivities {
    /// Takes up an activity, or an item that was chosen, and remembers the choice.
    ///
    /// - Parameters:
    ///   - id: of an activity; of a row of the search; or of an item.
    ///   - query: what had been typed, if it was found by a search.
    /// - Throws: ``SearchableIndexError/notFound(id:)``; ``SearchableIndexError/missingUserInfo(id:keys:)`` if it cannot be taken up.
    public func continuation(of id: String, query: String? = nil) throws -> Continuation {
        let activityID = id.hasPrefix(ActivityRows.prefix) ? String(id.dropFirst(ActivityRows.prefix.count)) : id
        do {
            let stored = try activity(activityID)
            let missing = stored.activity.missingUserInfoKeys
            guard missing.isEmpty else {
                throw SearchableIndexError.missingUserInfo(id: activityID, keys: missing)
            }
            let destination = try destination(of: stored)
            if stored.activity.isEligibleForSearch {
                try engageIfThere(ActivityRows.prefix + activityID, query: query)
            }
            if case .item(let item) = destination { try engageIfThere(item, query: query) }
            return Continuation(activity: stored.activity, destination: destination)
        } catch SearchableIndexError.noActivity {
            try index.engage(id, query: query)
            return Continuation(activity: .choosing(item: id), destination: .item(id))
        }
    }

    /// Goes on with a search in the app.
    public func continuation(ofQuery text: String) -> Continuation {
        Continuation(activity: .continuing(query: text), destination: .query(text))
    }

    private func destination(of stored: StoredActivity) throws -> Continuation.Destination {
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
            if try isThere(target) { return .item(target) }
        }
        for id in [content?.relatedUniqueIdentifier, content?.weakRelatedUniqueIdentifier] {
            if let id, try isThere(id) { return .item(id) }
        }
        if let page = activity.webpageURL { return .url(page) }
        return .activity(stored.id)
    }

    private func isThere(_ item: String) throws -> Bool {
        do {
            _ = try index.item(item)
            return true
        } catch SearchableIndexError.notFound {
            return false
        }
    }

    private func engageIfThere(_ item: String, query: String?) throws {
        do { try index.engage(item, query: query) } catch SearchableIndexError.notFound {}
    }
}
