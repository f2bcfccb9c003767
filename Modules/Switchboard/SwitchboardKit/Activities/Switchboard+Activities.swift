public import SwitchboardSearchableIndex

extension Switchboard {
    /// What people do, in this database.
    ///
    /// - Throws: `StorageError`.
    public var activities: UserActivities {
        get throws { UserActivities(index: try items()) }
    }

    /// Takes up an activity, or an item that was chosen.
    ///
    /// - Parameters:
    ///   - id: of an activity or an item, or the place of one (`switchboard://…`).
    ///   - query: what had been typed, if it was found by a search.
    /// - Throws: `SearchableIndexError`, `StorageError`.
    public func continueActivity(_ id: String, query: String? = nil) throws -> ContinuedActivity {
        var id = id
        if let place = DeepLink(url: id) {
            switch place.kind {
            case .activity: id = place.id
            case .item where place.index == nil: id = place.id
            case .find: return ContinuedActivity(try activities.continuation(ofQuery: place.id))
            default:
                throw Fault.usage("\(id) is no activity and no item of the usual index; 'find --open' opens results")
            }
        }
        return ContinuedActivity(try activities.continuation(of: id, query: query))
    }
}

/// An activity that is taken up, and where it leads: `{"activity": {…}, "open": "switchboard://item/…"}`.
public struct ContinuedActivity: Encodable, Sendable {
    /// The activity.
    public let activity: UserActivity
    /// The address.
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
    /// The identifier that every command takes.
    public let id: String
    /// What it is called.
    public let title: String
    /// What is done.
    public let subtitle: String
    /// The activity.
    public let activity: StoredActivity

    private enum CodingKeys: String, CodingKey { case kind, id, title, subtitle, activity }

    /// The row of an activity.
    public init(_ stored: StoredActivity) {
        id = stored.id
        title = stored.activity.title ?? stored.activity.activityType
        subtitle = stored.activity.activityType
        activity = stored
    }
}
