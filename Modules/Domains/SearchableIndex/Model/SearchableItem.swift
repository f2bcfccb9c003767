public import Foundation
import SwitchboardErrors

/// An item of an app's content: an identifier, a domain, attributes and an expiration.
public struct SearchableItem: Sendable, Hashable {
    /// The expiration of an item.
    public enum Expiration: Sendable, Hashable {
        /// A month after the put.
        case `default`
        /// A date.
        case at(Date)
        /// Never.
        case never
    }

    /// The app's identifier of the item, unique in its index; a UUID by default.
    public var uniqueIdentifier: String
    /// The group of the item, hierarchical by dots: deleting `account` also deletes `account.mailbox`.
    public var domainIdentifier: String?
    /// The attributes of the item.
    public var attributeSet: SearchableItemAttributeSet
    /// The time at which the item is removed from the index.
    public var expiration: Expiration

    /// Creates an item.
    public init(
        uniqueIdentifier: String? = nil, domainIdentifier: String? = nil, attributeSet: SearchableItemAttributeSet,
        expiration: Expiration = .default
    ) {
        self.uniqueIdentifier = uniqueIdentifier ?? UUID().uuidString
        self.domainIdentifier = domainIdentifier
        self.attributeSet = attributeSet
        self.expiration = expiration
    }

    /// The expiration as a date; `nil` for never or, before the put, for the default.
    ///
    /// Setting `nil` lets the item never expire.
    public var expirationDate: Date? {
        get { if case .at(let date) = expiration { date } else { nil } }
        set { expiration = newValue.map { .at($0) } ?? .never }
    }
}

/// A partial update of an item in the index. Everything else keeps its value.
public struct SearchableItemUpdate: Sendable, Hashable {
    /// The identifier of the item.
    public var uniqueIdentifier: String
    /// The attributes to set, replacing their values.
    public var attributeSet = SearchableItemAttributeSet()
    /// The attributes to remove.
    public var removed: Set<Attribute> = []
    /// The custom attributes to remove.
    public var removedCustom: Set<String> = []
    /// The new domain: `nil` keeps the old one, `.some(nil)` removes it.
    public var domainIdentifier: String??
    /// The new expiration; `nil` keeps the old one.
    public var expiration: SearchableItem.Expiration?

    /// Creates an update without changes.
    public init(uniqueIdentifier: String) {
        self.uniqueIdentifier = uniqueIdentifier
    }
}

/// A change to an index.
public enum ItemChange: Sendable, Hashable {
    /// Adds an item, or replaces the one with the same identifier.
    case put(SearchableItem)
    /// Updates an item that exists.
    case update(SearchableItemUpdate)
}

/// The attributes of an item: standard attributes and custom ones.
///
/// An attribute without values is not set. The standard attributes are also available as properties, such as `title`; see
/// ``StandardAttributes``.
@dynamicMemberLookup
public struct SearchableItemAttributeSet: Sendable, Hashable {
    /// The set attributes, sorted by raw value; values are never empty.
    private(set) var entries: [Entry] = []
    /// The values of custom attributes, by key.
    public var custom: [String: [AttributeValue]] = [:] {
        didSet { custom = custom.filter { !$0.value.isEmpty } }
    }

    struct Entry: Sendable, Hashable {
        let attribute: Attribute
        var values: [AttributeValue]
    }

    /// An empty set.
    public init() {}

    /// The values of an attribute; empty if it is not set.
    public subscript(attribute: Attribute) -> [AttributeValue] {
        get { entries.first { $0.attribute == attribute }?.values ?? [] }
        set {
            let position = entries.firstIndex { $0.attribute.rawValue >= attribute.rawValue } ?? entries.count
            let exists = position < entries.count && entries[position].attribute == attribute
            if newValue.isEmpty {
                if exists { entries.remove(at: position) }
            } else if exists {
                entries[position].values = newValue
            } else {
                entries.insert(Entry(attribute: attribute, values: newValue), at: position)
            }
        }
    }

    /// Returns the texts of an attribute. A property such as `title`, which is found by its key path, takes ten times as
    /// long.
    package func texts(of attribute: Attribute) -> [String] {
        self[attribute].compactMap { if case .text(let text) = $0 { text } else { nil } }
    }

    /// The attributes that are set, sorted by raw value.
    public var attributes: [Attribute] { entries.map(\.attribute) }

    /// The name to show: the display name, title or first alternate name; `nil` if there is none.
    public var shownName: String? {
        for attribute in [Attribute.displayName, .title, .alternateNames] {
            if case .text(let text)? = self[attribute].first, !text.isEmpty { return text }
        }
        return nil
    }
}

/// The standard attributes with the types of their values, as members of ``SearchableItemAttributeSet``.
///
/// Assigning nil removes an attribute. For example:
///
/// ```swift
/// var attributes = SearchableItemAttributeSet()
/// attributes.title = "Breaking Dunes"
/// attributes.keywords = ["drama", "desert"]
/// ```
public struct StandardAttributes: Sendable {
    /// The title.
    public var title: SingleAttribute<String> { .init(attribute: .title) }
    /// The name for display, if it differs from the title.
    public var displayName: SingleAttribute<String> { .init(attribute: .displayName) }
    /// Alternate names.
    public var alternateNames: AttributeList<String> { .init(attribute: .alternateNames) }
    /// Keywords.
    public var keywords: AttributeList<String> { .init(attribute: .keywords) }
    /// A description in a sentence or two.
    public var contentDescription: SingleAttribute<String> { .init(attribute: .contentDescription) }
    /// The full text; searched last, shown as a snippet.
    public var textContent: SingleAttribute<String> { .init(attribute: .textContent) }
    /// A uniform type identifier, such as public.movie.
    public var contentType: SingleAttribute<String> { .init(attribute: .contentType) }
    /// The content type and the types it conforms to; derived from ``contentType`` unless given.
    public var contentTypeTree: AttributeList<String> { .init(attribute: .contentTypeTree) }
    /// The URL of the content itself.
    public var contentURL: SingleAttribute<String> { .init(attribute: .contentURL) }
    /// The URL of the page that shows the item.
    public var url: SingleAttribute<String> { .init(attribute: .url) }
    /// The path of the file.
    public var path: SingleAttribute<String> { .init(attribute: .path) }
    /// The URL of a thumbnail.
    public var thumbnailURL: SingleAttribute<String> { .init(attribute: .thumbnailURL) }
    /// The image data of a thumbnail.
    public var thumbnailData: SingleAttribute<Data> { .init(attribute: .thumbnailData) }
    /// The importance among the items of its app, from 0 to 100; 50 by default.
    public var rankingHint: SingleAttribute<Double> { .init(attribute: .rankingHint) }
    /// The date of the last use.
    public var lastUsedDate: SingleAttribute<Date> { .init(attribute: .lastUsedDate) }
    /// The rating.
    public var rating: SingleAttribute<Double> { .init(attribute: .rating) }
    /// The number of times the item was played.
    public var playCount: SingleAttribute<Double> { .init(attribute: .playCount) }
    /// Indicates that the user created the item.
    public var userCreated: SingleAttribute<Bool> { .init(attribute: .userCreated) }
    /// Indicates that the user chose the item, for example for a playlist.
    public var userCurated: SingleAttribute<Bool> { .init(attribute: .userCurated) }
    /// Indicates that the user bought the item.
    public var userOwned: SingleAttribute<Bool> { .init(attribute: .userOwned) }
    /// The start date.
    public var startDate: SingleAttribute<Date> { .init(attribute: .startDate) }
    /// The end date.
    public var endDate: SingleAttribute<Date> { .init(attribute: .endDate) }
    /// The due date.
    public var dueDate: SingleAttribute<Date> { .init(attribute: .dueDate) }
    /// The completion date.
    public var completionDate: SingleAttribute<Date> { .init(attribute: .completionDate) }
    /// Other dates.
    public var importantDates: AttributeList<Date> { .init(attribute: .importantDates) }
    /// Indicates an all-day event.
    public var allDay: SingleAttribute<Bool> { .init(attribute: .allDay) }
    /// The latitude in degrees.
    public var latitude: SingleAttribute<Double> { .init(attribute: .latitude) }
    /// The longitude in degrees.
    public var longitude: SingleAttribute<Double> { .init(attribute: .longitude) }
    /// The altitude in meters above sea level.
    public var altitude: SingleAttribute<Double> { .init(attribute: .altitude) }
    /// The name of the location.
    public var namedLocation: SingleAttribute<String> { .init(attribute: .namedLocation) }
    /// The street.
    public var thoroughfare: SingleAttribute<String> { .init(attribute: .thoroughfare) }
    /// The house number.
    public var subThoroughfare: SingleAttribute<String> { .init(attribute: .subThoroughfare) }
    /// The city.
    public var city: SingleAttribute<String> { .init(attribute: .city) }
    /// The state or province.
    public var stateOrProvince: SingleAttribute<String> { .init(attribute: .stateOrProvince) }
    /// The postal code.
    public var postalCode: SingleAttribute<String> { .init(attribute: .postalCode) }
    /// The country.
    public var country: SingleAttribute<String> { .init(attribute: .country) }
    /// The complete address as one string.
    public var fullyFormattedAddress: SingleAttribute<String> { .init(attribute: .fullyFormattedAddress) }
    /// The authors.
    public var authors: AttributeList<IndexedPerson> { .init(attribute: .authors) }
    /// The names of the authors.
    public var authorNames: AttributeList<String> { .init(attribute: .authorNames) }
    /// The e-mail addresses of the authors.
    public var authorEmailAddresses: AttributeList<String> { .init(attribute: .authorEmailAddresses) }
    /// The recipients.
    public var recipients: AttributeList<IndexedPerson> { .init(attribute: .recipients) }
    /// The names of the recipients.
    public var recipientNames: AttributeList<String> { .init(attribute: .recipientNames) }
    /// The e-mail addresses of the recipients.
    public var recipientEmailAddresses: AttributeList<String> { .init(attribute: .recipientEmailAddresses) }
    /// Phone numbers.
    public var phoneNumbers: AttributeList<String> { .init(attribute: .phoneNumbers) }
    /// E-mail addresses.
    public var emailAddresses: AttributeList<String> { .init(attribute: .emailAddresses) }
    /// Keywords about the people involved.
    public var contactKeywords: AttributeList<String> { .init(attribute: .contactKeywords) }
    /// Indicates that the first phone number can be called.
    public var supportsPhoneCall: SingleAttribute<Bool> { .init(attribute: .supportsPhoneCall) }
    /// Indicates that the location can be navigated to.
    public var supportsNavigation: SingleAttribute<Bool> { .init(attribute: .supportsNavigation) }
    /// The item that an activity is about. Both are one result, and deleting the item deletes the activity.
    public var relatedUniqueIdentifier: SingleAttribute<String> { .init(attribute: .relatedUniqueIdentifier) }
    /// The item that an activity is about. Both are one result, but deleting the item keeps the activity.
    public var weakRelatedUniqueIdentifier: SingleAttribute<String> { .init(attribute: .weakRelatedUniqueIdentifier) }
    /// Indicates that everyone can find the item once enough users have engaged with it.
    public var eligibleForPublicIndexing: SingleAttribute<Bool> { .init(attribute: .eligibleForPublicIndexing) }
    /// The date on which the content was created.
    public var contentCreationDate: SingleAttribute<Date> { .init(attribute: .contentCreationDate) }
    /// The date of the last change of the content.
    public var contentModificationDate: SingleAttribute<Date> { .init(attribute: .contentModificationDate) }
    /// The program that created the content.
    public var creator: SingleAttribute<String> { .init(attribute: .creator) }
    /// The languages of the content, as language tags.
    public var languages: AttributeList<String> { .init(attribute: .languages) }
    /// An identifier that people know, such as an ISBN.
    public var identifier: SingleAttribute<String> { .init(attribute: .identifier) }
    /// A comment about the content.
    public var comment: SingleAttribute<String> { .init(attribute: .comment) }
    /// The subject.
    public var subject: SingleAttribute<String> { .init(attribute: .subject) }
    /// The theme.
    public var theme: SingleAttribute<String> { .init(attribute: .theme) }
    /// The duration in seconds.
    public var duration: SingleAttribute<Double> { .init(attribute: .duration) }
    /// The title of what contains the content, such as an album or a folder.
    public var containerTitle: SingleAttribute<String> { .init(attribute: .containerTitle) }
}

/// An attribute with at most one value.
public struct SingleAttribute<Value: Sendable>: Sendable {
    let attribute: Attribute
}

/// An attribute with a list of values.
public struct AttributeList<Value: Sendable>: Sendable {
    let attribute: Attribute
}

extension SearchableItemAttributeSet {
    /// The value of a standard attribute; `nil` if it is not set.
    public subscript<Value>(dynamicMember name: KeyPath<StandardAttributes, SingleAttribute<Value>>) -> Value? {
        get { self[StandardAttributes()[keyPath: name].attribute].first?.payload as? Value }
        set {
            self[StandardAttributes()[keyPath: name].attribute] =
                newValue.flatMap { AttributeValue(payload: $0) }.map { [$0] } ?? []
        }
    }

    /// The values of a standard attribute; empty if it is not set.
    public subscript<Value>(dynamicMember name: KeyPath<StandardAttributes, AttributeList<Value>>) -> [Value] {
        get { self[StandardAttributes()[keyPath: name].attribute].compactMap { $0.payload as? Value } }
        set {
            self[StandardAttributes()[keyPath: name].attribute] = newValue.compactMap { AttributeValue(payload: $0) }
        }
    }
}

extension AttributeValue {
    fileprivate var payload: any Sendable {
        switch self {
        case .text(let value): value
        case .number(let value): value
        case .date(let value): value
        case .flag(let value): value
        case .data(let value): value
        case .person(let value): value
        }
    }

    fileprivate init?(payload: some Sendable) {
        switch payload as any Sendable {
        case let value as String: self = .text(value)
        case let value as Double: self = .number(value)
        case let value as Date: self = .date(value)
        case let value as Bool: self = .flag(value)
        case let value as Data: self = .data(value)
        case let value as IndexedPerson: self = .person(value)
        default: return nil
        }
    }
}

// MARK: - Limits

/// The maximum sizes of items and activities in bytes of UTF-8.
extension SearchableItem {
    /// The maximum size of an identifier or a domain.
    public static let largestIdentifier = 1_000
    /// The maximum size of a title, a keyword or any other short text. Searches find words in all of it.
    public static let largestText = ItemTexts.maximumSize
    /// The maximum size of a description and of the text of a custom attribute.
    public static let largestDescription = SizeLimit.note
    /// The maximum size of the full text, of data such as a thumbnail, and of all other attributes together.
    public static let largestContent = SizeLimit.object
    /// The maximum number of values of an attribute, and of custom attributes.
    public static let largestList = SizeLimit.elements
}

extension SearchableItemAttributeSet {
    /// The first attribute that exceeds a limit or contains U+0000, with the problem and the remedy; nil if there is none.
    var excess: (attribute: String?, reason: String)? {
        var total = 0
        func failure(of values: [AttributeValue], _ limit: Int, counts: Bool = true) -> String? {
            if values.count > SearchableItem.largestList { return Self.tooMany }
            for value in values {
                if let reason = value.excess(limit) { return reason }
                if counts { total += value.size }
            }
            return nil
        }
        for entry in entries {
            let limit =
                switch entry.attribute {
                case .textContent, .thumbnailData: SearchableItem.largestContent
                case .contentDescription: SearchableItem.largestDescription
                default: SearchableItem.largestText
                }
            let isContent = [.textContent, .thumbnailData].contains(entry.attribute)
            if let reason = failure(of: entry.values, limit, counts: !isContent) {
                return (entry.attribute.name, reason)
            }
        }
        if custom.count > SearchableItem.largestList { return ("custom", Self.tooMany) }
        for (key, values) in custom.sorted(by: { $0.key < $1.key }) {
            if let reason = failure(of: values, SearchableItem.largestDescription) { return ("custom.\(key)", reason) }
        }
        return total > SearchableItem.largestContent ? (nil, String.longer(than: SearchableItem.largestContent)) : nil
    }

    private static let tooMany = "more than \(SearchableItem.largestList) entries; remove some"
}

extension AttributeValue {
    /// Returns the reason why a text of the value cannot be stored, or nil.
    fileprivate func excess(_ limit: Int) -> String? {
        switch self {
        case .text(let text): text.storageProblem(limit)
        case .data(let data):
            data.count > SearchableItem.largestContent ? String.longer(than: SearchableItem.largestContent) : nil
        case .person(let person):
            if max(person.phones.count, person.emails.count) > SearchableItem.largestList {
                "a person has more than \(SearchableItem.largestList) numbers or addresses; remove some"
            } else {
                ([person.name] + person.phones + person.emails).lazy.compactMap { $0.storageProblem(limit) }.first
            }
        case .number, .date, .flag: nil
        }
    }

    fileprivate var size: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .data(let data): data.count
        case .person(let person): ([person.name] + person.phones + person.emails).reduce(0) { $0 + $1.utf8.count }
        case .number, .date, .flag: 8
        }
    }
}

extension String {
    /// Returns the reason why the text cannot be stored, because it is too long or contains U+0000, or nil.
    func storageProblem(_ limit: Int) -> String? {
        if utf8.count > limit { return .longer(than: limit) }
        return utf8.contains(0) ? ErrorDetails.nulReason : nil
    }

    /// The problem of a text that is too long, and the remedy.
    static func longer(than limit: Int) -> String {
        "longer than \(limit < 1 << 10 ? "\(limit) bytes" : ErrorDetails.size(limit)); shorten it"
    }
}
