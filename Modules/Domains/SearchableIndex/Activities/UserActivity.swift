public import Foundation

/// A snapshot of the user's activity, for finding and resuming it later, even in another front end.
///
/// This is the counterpart of NSUserActivity: `activityType` identifies the kind of activity, and `userInfo` has the
/// state to restore. An activity that is eligible for search is a separate search result, or shares one with the item
/// it is about.
public struct UserActivity: Sendable, Hashable {
    /// The type of the activity for a chosen item; its ``userInfo`` has the identifier under ``identifierKey``.
    public static let itemType = "switchboard.item"
    /// The type of the activity for a search that continues in the app; its ``userInfo`` has the text under
    /// ``queryKey``.
    public static let queryType = "switchboard.query"
    /// The key of the item identifier in the ``userInfo`` of an ``itemType`` activity.
    public static let identifierKey = "identifier"
    /// The key of the text in the ``userInfo`` of a ``queryType`` activity.
    public static let queryKey = "query"
    /// The default lifetime of an activity: 30 days.
    public static let defaultLifetime: TimeInterval = 30 * 86_400

    /// The type of the activity, such as `com.example.watching`.
    public var activityType: String
    /// The title for the user.
    public var title: String?
    /// The state needed to resume the activity.
    public var userInfo: [String: UserInfoValue] = [:]
    /// The keys of ``userInfo`` that are required to resume the activity.
    public var requiredUserInfoKeys: Set<String> = []
    /// Keywords that describe the activity.
    public var keywords: [String] = []
    /// The web page with the same content.
    public var webpageURL: String?
    /// The URL of the page that led to this activity.
    public var referrerURL: String?
    /// The content of the activity: the identifier of an item, or a deep link (`switchboard://…`).
    public var targetContentIdentifier: String?
    /// The identifier for replacing and deleting the activity.
    public var persistentIdentifier: String?
    /// The expiration date; by default a month after the activity began.
    public var expirationDate: Date?
    /// Indicates that another front end can continue the activity while it is current.
    public var isEligibleForHandoff = true
    /// Indicates that searches find the activity; `true` by default, unlike in NSUserActivity.
    public var isEligibleForSearch = true
    /// Indicates that everyone can find the activity once enough users have engaged with it.
    public var isEligibleForPublicIndexing = false
    /// The attributes shown in search results, as for an item.
    public var contentAttributeSet: SearchableItemAttributeSet?
    /// The domain of the activity's item in the index.
    public var domainIdentifier: String?

    /// Creates an activity.
    public init(activityType: String, title: String? = nil) {
        self.activityType = activityType
        self.title = title
    }

    /// The required keys missing from ``userInfo``, sorted.
    public var missingUserInfoKeys: [String] { requiredUserInfoKeys.filter { userInfo[$0] == nil }.sorted() }

    /// Returns the activity for a chosen item.
    public static func choosing(item identifier: String) -> UserActivity {
        UserActivity(itemType, requiring: identifierKey, identifier)
    }

    /// Returns the activity for a search that continues in the app.
    public static func continuing(query: String) -> UserActivity {
        UserActivity(queryType, requiring: queryKey, query)
    }

    private init(_ type: String, requiring key: String, _ value: String) {
        self.init(activityType: type)
        userInfo = [key: .string(value)]
        requiredUserInfoKeys = [key]
    }

    /// The attributes of the activity's item: the content attributes, with the title, keywords and web page of the
    /// activity where they are missing.
    var itemAttributes: SearchableItemAttributeSet {
        var set = contentAttributeSet ?? SearchableItemAttributeSet()
        if set.title == nil { set.title = title }
        if set.keywords.isEmpty { set.keywords = keywords }
        if set.url == nil { set.url = webpageURL }
        return set
    }
}

/// A value in the `userInfo` of an activity.
///
/// In JSON, dates, data and URLs are `{"$date": "…"}`, `{"$data": "…"}` (Base64) and `{"$url": "…"}`.
public indirect enum UserInfoValue: Sendable, Hashable {
    /// A string.
    case string(String)
    /// A number.
    case number(Double)
    /// A Boolean value.
    case bool(Bool)
    /// A date.
    case date(Date)
    /// Binary data.
    case data(Data)
    /// A URL.
    case url(String)
    /// An array.
    case array([UserInfoValue])
    /// A dictionary.
    case dictionary([String: UserInfoValue])
}
