public import SwitchboardSearchableIndex

extension Switchboard {
    /// The user activities.
    public var activities: UserActivities {
        get throws { UserActivities(index: try items()) }
    }

    /// Continues an activity or a chosen item.
    ///
    /// - Parameters:
    ///   - id: The identifier of an activity or item, or a link to one (`switchboard://…`).
    ///   - query: The query by which it was found, if any.
    /// - Throws: `SearchableIndexError`, `StorageError`.
    public func continueActivity(_ id: String, query: String? = nil) throws -> ContinuedActivity {
        var id = id
        if let link = DeepLink(url: id) {
            switch link.kind {
            case .activity: id = link.id
            case .item where link.index == nil: id = link.id
            case .find: return ContinuedActivity(try activities.continuation(ofQuery: link.id))
            default:
                throw SwitchboardError.usage(
                    "cannot continue \(id); use the identifier of an activity or of an item in the default index")
            }
        }
        return ContinuedActivity(try activities.continuation(of: id, query: query))
    }
}

/// A continued activity and its link: `{"activity": {…}, "open": "switchboard://item/…"}`.
public struct ContinuedActivity: Encodable, Sendable {
    /// The activity.
    public let activity: UserActivity
    /// The URL to open.
    public let open: String

    init(_ continuation: Continuation) {
        activity = continuation.activity
        open =
            switch continuation.destination {
            case .item(let id): DeepLink(kind: .item, id: id).url
            case .activity(let id): DeepLink(kind: .activity, id: id).url
            case .query(let text): DeepLink(kind: .find, id: text).url
            case .url(let url): url
            }
    }
}

/// The row of an activity in a list: `{"kind": "activity", "id", "title", "subtitle", "activity": {…}}`.
public struct ActivityRow: Encodable, Sendable {
    private let kind = "activity"
    /// The identifier of the activity.
    public let id: String
    /// The title.
    public let title: String
    /// The activity type.
    public let subtitle: String
    /// The activity.
    public let activity: StoredActivity

    private enum CodingKeys: String, CodingKey { case kind, id, title, subtitle, activity }

    /// Creates the row of an activity.
    public init(_ stored: StoredActivity) {
        id = stored.id
        title = stored.activity.title ?? stored.activity.activityType
        subtitle = stored.activity.activityType
        activity = stored
    }
}
