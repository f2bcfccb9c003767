public import Foundation
import SwitchboardAlgorithms
import SwitchboardErrors
public import SwitchboardJSON

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

    /// Returns `true` if another activity is of the same kind and leads to the same place.
    func isSame(as other: UserActivity) -> Bool {
        func required(_ activity: UserActivity) -> [String: UserInfoValue] {
            activity.userInfo.filter { activity.requiredUserInfoKeys.contains($0.key) }
        }
        return activityType == other.activityType && title == other.title
            && requiredUserInfoKeys == other.requiredUserInfoKeys && required(self) == required(other)
            && webpageURL == other.webpageURL && targetContentIdentifier == other.targetContentIdentifier
    }

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

extension UserInfoValue: ExpressibleByStringLiteral, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A string.
    public init(stringLiteral text: String) { self = .string(text) }
    /// A number.
    public init(floatLiteral number: Double) { self = .number(number) }
    /// A number without a fraction.
    public init(integerLiteral number: Int) { self = .number(Double(number)) }
    /// A Boolean value.
    public init(booleanLiteral flag: Bool) { self = .bool(flag) }
    /// An array.
    public init(arrayLiteral elements: UserInfoValue...) { self = .array(elements) }
    /// A dictionary; the last of several values for a key counts.
    public init(dictionaryLiteral elements: (String, UserInfoValue)...) {
        self = .dictionary(Dictionary(elements, uniquingKeysWith: { $1 }))
    }
}

// MARK: - Limits

extension UserActivity {
    /// The maximum size of ``userInfo`` as JSON.
    public static let largestUserInfo = SizeLimit.note

    /// Checks the sizes and the characters of all fields.
    ///
    /// - Throws: An ``ItemError``.
    func checkSizes() throws(ItemError) {
        func check(_ field: String, _ texts: [String], _ limit: Int) throws(ItemError) {
            guard texts.count <= SearchableItem.largestList else {
                throw ItemError(
                    reason: "more than \(SearchableItem.largestList) entries; remove some", attribute: field)
            }
            if let reason = texts.lazy.compactMap({ $0.storageProblem(limit) }).first {
                throw ItemError(reason: reason, attribute: field)
            }
        }
        try check("activityType", [activityType], SizeLimit.name)
        try check("title", [title ?? ""], SearchableItem.largestText)
        try check("keywords", keywords, SearchableItem.largestText)
        try check("requiredUserInfoKeys", Array(requiredUserInfoKeys), SizeLimit.name)
        try check("webpageURL", [webpageURL ?? ""], SizeLimit.url)
        try check("referrerURL", [referrerURL ?? ""], SizeLimit.url)
        try check("targetContentIdentifier", [targetContentIdentifier ?? ""], SizeLimit.url)
        try check("persistentIdentifier", [persistentIdentifier ?? ""], SearchableItem.largestIdentifier)
        try check("domain", [domainIdentifier ?? ""], SearchableItem.largestIdentifier)
        let size = (try? JSONEncoder().encode(userInfo).count) ?? 0
        if size > Self.largestUserInfo {
            throw ItemError(reason: .longer(than: Self.largestUserInfo), attribute: "userInfo")
        }
        if let excess = contentAttributeSet?.excess {
            throw ItemError(reason: excess.reason, attribute: excess.attribute ?? "contentAttributeSet")
        }
    }
}

// MARK: - Reading JSON

extension UserActivity {
    /// Parses an activity from JSON: `{"activityType": "…", "title": "…", "userInfo": {…}, …}`.
    ///
    /// - Throws: An ``ItemError`` with line and column.
    public init(json bytes: [UInt8]) throws(ItemError) {
        let record = JSONRecord(bytes: bytes)
        let members = try record.members(of: "an activity")
        self.init(activityType: "")
        do throws(ItemMemberError) {
            for member in members { try read(member) }
        } catch {
            throw record.error(error.reason, attribute: error.attribute, offset: error.offset)
        }
        guard !activityType.isEmpty else {
            throw record.error("the activity has no type; add “activityType”, such as com.example.watching", offset: 0)
        }
    }

    private mutating func read(_ member: JSONValue.Member) throws(ItemMemberError) {
        func address() throws(ItemMemberError) -> String? {
            guard let text = try member.optionalString() else { return nil }
            guard AttributeValue.isURL(text) else { throw member.error(AttributeValue.urlHint) }
            return text
        }
        switch member.name {
        case "activityType": activityType = try member.optionalString() ?? ""
        case "title": title = try member.optionalString()
        case "userInfo": userInfo = try Self.values(try member.members())
        case "requiredUserInfoKeys": requiredUserInfoKeys = Set(try member.strings())
        case "keywords": keywords = try member.strings()
        case "webpageURL": webpageURL = try address()
        case "referrerURL": referrerURL = try address()
        case "targetContentIdentifier": targetContentIdentifier = try member.optionalString()
        case "persistentIdentifier", "id":
            persistentIdentifier = try member.optionalString()
            if let id = persistentIdentifier, id.isEmpty || id.utf8.count > 1_000 {
                throw member.error("must have between 1 and 1000 bytes")
            }
        case "expirationDate":
            if let text = try member.optionalString() {
                guard let date = Date(iso8601: text) else { throw member.error(ItemChangeBuilder.dateHint) }
                expirationDate = date
            }
        case "eligibleForHandoff": isEligibleForHandoff = try member.flag()
        case "eligibleForSearch": isEligibleForSearch = try member.flag()
        case "eligibleForPublicIndexing": isEligibleForPublicIndexing = try member.flag()
        case "contentAttributeSet":
            if case .null = member.value { return }
            var builder = ItemChangeBuilder()
            try builder.add(try member.members())
            guard case .put(let item) = try builder.change() else { return }
            contentAttributeSet = item.attributeSet
            domainIdentifier = item.domainIdentifier
        // Members that only a response contains are ignored.
        case "isCurrent", "beganAt", "endedAt", "isInvalidated": break
        default: throw member.error("unknown member of an activity; correct the name or move it to “userInfo”")
        }
    }

    private static func values(_ members: [JSONValue.Member]) throws(ItemMemberError) -> [String: UserInfoValue] {
        var values: [String: UserInfoValue] = [:]
        for member in members { values[member.name] = try value(member.value, member) }
        return values
    }

    private static func value(_ json: JSONValue, _ member: JSONValue.Member) throws(ItemMemberError) -> UserInfoValue? {
        switch json {
        case .null: return nil
        case .bool(let flag): return .bool(flag)
        case .number(let number): return .number(number)
        case .string(let text): return .string(text)
        case .array(let elements):
            var values: [UserInfoValue] = []
            for element in elements {
                if let value = try value(element.value, member) { values.append(value) }
            }
            return .array(values)
        case .object(let members):
            guard members.count == 1, case .string(let text) = members[0].value, members[0].name.hasPrefix("$") else {
                return .dictionary(try values(members))
            }
            let tagged: UserInfoValue? =
                switch members[0].name {
                case "$date": Date(iso8601: text).map { .date($0) }
                case "$data": Data(base64Encoded: text).map { .data($0) }
                case "$url": AttributeValue.isURL(text) ? .url(text) : nil
                default: nil
                }
            guard let tagged else {
                throw ItemMemberError(
                    reason: "\(members[0].name) must be $date (ISO 8601), $data (Base64) or $url (with a scheme)",
                    attribute: "userInfo.\(member.name)", offset: members[0].offset)
            }
            return tagged
        }
    }
}

// MARK: - Writing JSON

extension UserActivity: JSONObjectEncodable {
    /// Writes the JSON object that ``init(json:)`` parses.
    public func encode(to members: inout JSONMembers) throws {
        try members.add("activityType", activityType)
        try members.add("title", title)
        try members.add("userInfo", userInfo)
        try members.add("requiredUserInfoKeys", requiredUserInfoKeys.sorted())
        try members.add("keywords", keywords)
        try members.add("webpageURL", webpageURL)
        if let referrerURL { try members.add("referrerURL", referrerURL) }
        if let targetContentIdentifier { try members.add("targetContentIdentifier", targetContentIdentifier) }
        try members.add("persistentIdentifier", persistentIdentifier)
        try members.add("expirationDate", expirationDate?.iso8601)
        try members.add("eligibleForHandoff", isEligibleForHandoff)
        try members.add("eligibleForSearch", isEligibleForSearch)
        try members.add("eligibleForPublicIndexing", isEligibleForPublicIndexing)
        if let set = contentAttributeSet {
            try members.add("contentAttributeSet", JSONAttributes(set: set, domain: domainIdentifier))
        }
    }
}

extension UserInfoValue: Encodable {
    /// Writes the value as JSON; see ``UserInfoValue``.
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }

    private var json: JSONValue {
        switch self {
        case .string(let text): .string(text)
        case .number(let number): .number(number)
        case .bool(let flag): .bool(flag)
        case .date(let date): ["$date": .string(date.iso8601)]
        case .data(let data): ["$data": .string(data.base64EncodedString())]
        case .url(let url): ["$url": .string(url)]
        case .array(let values): JSONValue(values.map(\.json))
        case .dictionary(let values):
            JSONValue(values.sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value.json) })
        }
    }
}
