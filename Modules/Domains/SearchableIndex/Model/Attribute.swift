/// A standard attribute of items, described at the property of ``StandardAttributes`` with its name. The names follow
/// Core Spotlight.
///
/// The raw values are stored and must not change.
public enum Attribute: UInt8, Sendable, Hashable, CaseIterable {
    /// Names and text.
    case title = 1, displayName, alternateNames, keywords, contentDescription, textContent
    /// The type and place of the content, and its thumbnail.
    case contentType, contentTypeTree, contentURL, url, path, thumbnailURL, thumbnailData
    /// Evidence that ranks an item among others.
    case rankingHint, lastUsedDate, rating, playCount, userCreated, userCurated, userOwned
    /// Dates and events.
    case startDate, endDate, dueDate, completionDate, importantDates, allDay
    /// A place and its address.
    case latitude, longitude, altitude, namedLocation, thoroughfare, subThoroughfare, city, stateOrProvince
    /// The rest of an address.
    case postalCode, country, fullyFormattedAddress
    /// People and the ways to reach them.
    case authors, authorNames, authorEmailAddresses, recipients, recipientNames, recipientEmailAddresses
    /// Numbers and addresses of a person, and what they can be used for.
    case phoneNumbers, emailAddresses, contactKeywords, supportsPhoneCall, supportsNavigation
    /// Relations to other items, and eligibility for a public index.
    case relatedUniqueIdentifier, weakRelatedUniqueIdentifier, eligibleForPublicIndexing

    /// The type of an attribute's values.
    public enum Kind: String, Sendable, Hashable {
        /// A string.
        case text
        /// A URL with a scheme, such as `https://example.org`.
        case url
        /// A finite number.
        case number
        /// A date.
        case date
        /// A Boolean value.
        case flag
        /// Binary data.
        case data
        /// A person.
        case person
    }

    /// The name in JSON and in queries.
    public var name: String { Self.names[Int(rawValue)] }

    /// The type of the values.
    public var kind: Kind {
        switch self {
        case .contentURL, .url, .thumbnailURL: .url
        case .rankingHint, .rating, .playCount, .latitude, .longitude, .altitude: .number
        case .lastUsedDate, .startDate, .endDate, .dueDate, .completionDate, .importantDates: .date
        case .userCreated, .userCurated, .userOwned, .allDay, .supportsPhoneCall, .supportsNavigation,
            .eligibleForPublicIndexing:
            .flag
        case .thumbnailData: .data
        case .authors, .recipients: .person
        default: .text
        }
    }

    /// Indicates that the attribute can have several values.
    public var isList: Bool {
        switch self {
        case .alternateNames, .keywords, .contentTypeTree, .importantDates, .authors, .authorNames,
            .authorEmailAddresses, .recipients, .recipientNames, .recipientEmailAddresses, .phoneNumbers,
            .emailAddresses, .contactKeywords:
            true
        default: false
        }
    }

    /// Creates the attribute with a name, or returns `nil` if there is none.
    public init?(name: String) {
        guard let attribute = Self.named[name] else { return nil }
        self = attribute
    }

    /// The names by raw value; 0 is unused.
    private static let names = [""] + allCases.map { String(describing: $0) }
    private static let named = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })
}
