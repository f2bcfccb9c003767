public import Foundation

/// What a person was doing, so that it can be found and taken up again, also in another front end.
///
/// The job of NSUserActivity: `activityType` says what it is, `userInfo` what is needed to get back to it. A search finds it if
/// it is eligible; it has then a row of its own, or one together with the item it is about.
public struct UserActivity: Sendable, Hashable {
    /// The type of the activity that chooses an item: its ``userInfo`` has the identifier under ``identifierKey``.
    public static let itemType = "switchboard.item"
    /// The type of the activity that goes on with a search in the app: its ``userInfo`` has what was typed under ``queryKey``.
    public static let queryType = "switchboard.query"
    /// See ``itemType``.
    public static let identifierKey = "identifier"
    /// See ``queryType``.
    public static let queryKey = "query"
    /// How long an activity is kept unless it says otherwise: a month.
    public static let usualLifetime: TimeInterval = 30 * 86_400

    /// What is done, such as `com.example.watching`.
    public var activityType: String
    /// What it is called.
    public var title: String?
    /// What is needed to take it up.
    public var userInfo: [String: UserInfoValue] = [:]
    /// The keys without which it cannot be taken up.
    public var requiredUserInfoKeys: Set<String> = []
    /// What it is about, in single words.
    public var keywords: [String] = []
    /// The page of the web that shows the same.
    public var webpageURL: String?
    /// The page it came from.
    public var referrerURL: String?
    /// What it shows; if it is a place of this program (`switchboard://…`), that is where it leads.
    public var targetContentIdentifier: String?
    /// The name under which it is kept and deleted.
    public var persistentIdentifier: String?
    /// When it is forgotten; a month after it was begun unless given.
    public var expirationDate: Date?
    /// Whether another front end may take it up while it is current.
    public var isEligibleForHandoff = true
    /// Whether it is found.
    public var isEligibleForSearch = true
    /// Whether everybody may find it once enough different people have chosen it.
    public var isEligibleForPublicIndexing = false
    /// What its row shows, as an item's does.
    public var contentAttributeSet: SearchableItemAttributeSet?
    /// The domain of its row.
    public var domainIdentifier: String?

    /// An activity; see the properties.
    public init(activityType: String, title: String? = nil) {
        self.activityType = activityType
        self.title = title
    }

    /// The required keys that ``userInfo`` lacks, sorted.
    public var missingUserInfoKeys: [String] { requiredUserInfoKeys.filter { userInfo[$0] == nil }.sorted() }

    /// The activity that chooses an item.
    public static func choosing(item identifier: String) -> UserActivity {
        var activity = UserActivity(activityType: itemType)
        activity.userInfo = [identifierKey: .string(identifier)]
        activity.requiredUserInfoKeys = [identifierKey]
        return activity
    }

    /// The activity that goes on with a search.
    public static func continuing(query: String) -> UserActivity {
        var activity = UserActivity(activityType: queryType)
        activity.userInfo = [queryKey: .string(query)]
        activity.requiredUserInfoKeys = [queryKey]
        return activity
    }

    /// What its row in the search holds: its content, with the title, keywords and page of the activity where those have none.
    var shownAttributes: SearchableItemAttributeSet {
        var set = contentAttributeSet ?? SearchableItemAttributeSet()
        if set.title == nil { set.title = title }
        if set.keywords.isEmpty { set.keywords = keywords }
        if set.url == nil { set.url = webpageURL }
        return set
    }
}

/// A value of an activity's `userInfo`. In JSON dates, bytes and addresses are `{"$date": "…"}`, `{"$data": "…"}` (Base64) and
/// `{"$url": "…"}`.
public indirect enum UserInfoValue: Sendable, Hashable {
    /// A text.
    case string(String)
    /// A number.
    case number(Double)
    /// Yes or no.
    case bool(Bool)
    /// A moment.
    case date(Date)
    /// Bytes.
    case data(Data)
    /// An address.
    case url(String)
    /// Several values.
    case array([UserInfoValue])
    /// Values by key.
    case dictionary([String: UserInfoValue])
}
