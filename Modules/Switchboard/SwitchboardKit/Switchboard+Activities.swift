import SwitchboardAirports
import SwitchboardContacts
import SwitchboardKeypad
import SwitchboardProspects
public import SwitchboardSearchableIndex
import SwitchboardTextNormalization

extension Switchboard {
    /// The user activities, including the current one.
    public var activities: UserActivities {
        get throws { UserActivities(index: try items()) }
    }

    /// Continues an activity or a chosen item.
    ///
    /// - Parameters:
    ///   - id: The identifier of an activity or item, or a link to one (`switchboard://…`).
    ///   - query: The query that found it, if any.
    /// - Throws: `SearchableIndexError`, `StorageError`.
    public func continueActivity(_ id: String, query: String? = nil) throws -> ContinuedActivity {
        var id = id
        if let link = DeepLink(url: id) {
            switch link.kind {
            case .activity: id = link.id
            case .item where link.index == nil: id = link.id
            case .find: return ContinuedActivity(try activities.continuation(ofQuery: link.id))
            default:
                // The activity for viewing an object has the object's link as its identifier.
                if (try? activities.activity(id)) == nil {
                    throw SwitchboardError.usage(
                        "cannot continue \(id); use the identifier of an activity or of an item in the default index")
                }
            }
        }
        var continued = ContinuedActivity(try activities.continuation(of: id, query: query))
        let opening =
            if let stored = try? activities.activity(id) { try opening(of: stored) } else {
                try opening(at: DeepLink(kind: .item, id: id))
            }
        if opening.owner != nil { continued.open = opening.address }
        return continued
    }

    /// The type of the activity of viewing a result.
    static let showingActivityType = "switchboard.showing"

    /// Makes viewing a result the current activity, of type `switchboard.showing`, to continue in another front end.
    @discardableResult
    public func beginShowing(_ result: SearchResult) throws -> StoredActivity {
        let address = result.link.url
        var activity = UserActivity(activityType: Self.showingActivityType, title: result.title)
        activity.persistentIdentifier = address
        activity.targetContentIdentifier = address
        // The result itself can be found.
        activity.isEligibleForSearch = false
        return try activities.becomeCurrent(activity)
    }

    /// Returns the activities whose title, type or keywords contain a word beginning with each word of a text, in list
    /// order.
    ///
    /// - Parameter text: The text; empty for all activities.
    /// - Throws: ``SwitchboardError`` for a text with too many words, `StorageError`.
    /// - Complexity: Linear in the number of activities, which are kept for a month.
    public func searchActivities(_ text: String) throws -> [StoredActivity] {
        try Self.validate(SearchInput(text), limit: 0)
        let all = try activities.list()
        let wanted = FoldedText(text).words.map(Self.spellings)
        if wanted.isEmpty { return all }
        return all.filter { stored in
            let activity = stored.activity
            let texts = [activity.title ?? "", activity.activityType] + activity.keywords
            let words = texts.flatMap { FoldedText($0).words.flatMap(Self.spellings) }
            return wanted.allSatisfy { alternatives in
                alternatives.contains { prefix in words.contains { $0.starts(with: prefix) } }
            }
        }
    }

    private static func spellings(_ word: FoldedWord) -> [[UInt16]] { word.spellings.map { Array($0.letters) } }

    /// Returns the result that a link refers to; nil for activities and searches.
    ///
    /// - Throws: The errors of the domains if the object does not exist, and `StorageError`.
    public func result(at link: DeepLink) throws -> SearchResult? {
        switch link.kind {
        case .contact: SearchResult(try contacts.contact(link.id))
        case .prospect: SearchResult(try prospects.prospect(link.id))
        case .airport: try row(of: airports.airport(code: link.id))
        case .item:
            SearchResult(
                try items(link.index ?? SearchableIndex.defaultName).item(link.id),
                index: link.index ?? SearchableIndex.defaultName)
        case .activity, .find: nil
        }
    }
}

/// A continued activity and its link: `{"activity": {…}, "open": "switchboard://item/…"}`.
public struct ContinuedActivity: Encodable, Sendable {
    /// The activity.
    public let activity: UserActivity
    /// The URL to open, in the owner's app if the activity or item has an owner.
    public internal(set) var open: String

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
    /// The title; the activity type if the activity has none.
    public let title: String
    /// The activity type, such as `switchboard.showing`.
    public let subtitle: String
    /// The activity.
    public let activity: StoredActivity

    /// Creates the row of an activity.
    public init(_ stored: StoredActivity) {
        id = stored.id
        title = stored.activity.title ?? stored.activity.activityType
        subtitle = stored.activity.activityType
        activity = stored
    }
}
