public import Foundation

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
