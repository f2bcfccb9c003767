/// A standard attribute of items. The names follow Core Spotlight.
///
/// The raw values are stored and must not change.
public enum Attribute: UInt8, Sendable, Hashable, CaseIterable {
    /// The title.
    case title = 1
    /// The name for display, if it differs from the title.
    case displayName = 2
    /// Alternate names.
    case alternateNames = 3
    /// Keywords.
    case keywords = 4
    /// A description in a sentence or two.
    case contentDescription = 5
    /// The full text; searched last, shown as a snippet.
    case textContent = 6
    /// A uniform type identifier, such as public.movie.
    case contentType = 7
    /// The content type and the types it conforms to; derived from ``contentType`` unless given.
    case contentTypeTree = 8
    /// The URL of the content itself.
    case contentURL = 9
    /// The URL of the page that shows the item.
    case url = 10
    /// The path of the file.
    case path = 11
    /// The URL of a thumbnail.
    case thumbnailURL = 12
    /// The image data of a thumbnail.
    case thumbnailData = 13
    /// The importance among the items of its app, from 0 to 100; 50 by default.
    case rankingHint = 14
    /// The date of the last use.
    case lastUsedDate = 15
    /// The rating.
    case rating = 16
    /// The number of times the item was played.
    case playCount = 17
    /// Indicates that the user created the item.
    case userCreated = 18
    /// Indicates that the user chose the item, for example for a playlist.
    case userCurated = 19
    /// Indicates that the user bought the item.
    case userOwned = 20
    /// The start date.
    case startDate = 21
    /// The end date.
    case endDate = 22
    /// The due date.
    case dueDate = 23
    /// The completion date.
    case completionDate = 24
    /// Other dates.
    case importantDates = 25
    /// Indicates an all-day event.
    case allDay = 26
    /// The latitude in degrees.
    case latitude = 27
    /// The longitude in degrees.
    case longitude = 28
    /// The altitude in metres above sea level.
    case altitude = 29
    /// The name of the location.
    case namedLocation = 30
    /// The street.
    case thoroughfare = 31
    /// The house number.
    case subThoroughfare = 32
    /// The city.
    case city = 33
    /// The state or province.
    case stateOrProvince = 34
    /// The postal code.
    case postalCode = 35
    /// The country.
    case country = 36
    /// The complete address as one string.
    case fullyFormattedAddress = 37
    /// The authors.
    case authors = 38
    /// The names of the authors.
    case authorNames = 39
    /// The e-mail addresses of the authors.
    case authorEmailAddresses = 40
    /// The recipients.
    case recipients = 41
    /// The names of the recipients.
    case recipientNames = 42
    /// The e-mail addresses of the recipients.
    case recipientEmailAddresses = 43
    /// Phone numbers.
    case phoneNumbers = 44
    /// E-mail addresses.
    case emailAddresses = 45
    /// Keywords about the people involved.
    case contactKeywords = 46
    /// Indicates that the first phone number can be called.
    case supportsPhoneCall = 47
    /// Indicates that the location can be navigated to.
    case supportsNavigation = 48
    /// The item that an activity is about. Both are one result, and deleting the item deletes the activity.
    case relatedUniqueIdentifier = 49
    /// The item that an activity is about. Both are one result, but deleting the item keeps the activity.
    case weakRelatedUniqueIdentifier = 50
    /// Indicates that everyone can find the item once enough users have engaged with it.
    case eligibleForPublicIndexing = 51
}

extension Attribute {
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
    public var name: String { Self.descriptions[Int(rawValue)].name }
    /// The type of the values.
    public var kind: Kind { Self.descriptions[Int(rawValue)].kind }
    /// Indicates that the attribute can have several values.
    public var isList: Bool { Self.descriptions[Int(rawValue)].isList }

    /// Creates the attribute with a name, or returns `nil` if there is none.
    public init?(name: String) {
        guard let attribute = Self.named[name] else { return nil }
        self = attribute
    }

    private static let named = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

    /// The attributes by raw value; 0 is unused.
    private static let descriptions: [(name: String, kind: Kind, isList: Bool)] = [
        ("", .text, false),
        ("title", .text, false),
        ("displayName", .text, false),
        ("alternateNames", .text, true),
        ("keywords", .text, true),
        ("contentDescription", .text, false),
        ("textContent", .text, false),
        ("contentType", .text, false),
        ("contentTypeTree", .text, true),
        ("contentURL", .url, false),
        ("url", .url, false),
        ("path", .text, false),
        ("thumbnailURL", .url, false),
        ("thumbnailData", .data, false),
        ("rankingHint", .number, false),
        ("lastUsedDate", .date, false),
        ("rating", .number, false),
        ("playCount", .number, false),
        ("userCreated", .flag, false),
        ("userCurated", .flag, false),
        ("userOwned", .flag, false),
        ("startDate", .date, false),
        ("endDate", .date, false),
        ("dueDate", .date, false),
        ("completionDate", .date, false),
        ("importantDates", .date, true),
        ("allDay", .flag, false),
        ("latitude", .number, false),
        ("longitude", .number, false),
        ("altitude", .number, false),
        ("namedLocation", .text, false),
        ("thoroughfare", .text, false),
        ("subThoroughfare", .text, false),
        ("city", .text, false),
        ("stateOrProvince", .text, false),
        ("postalCode", .text, false),
        ("country", .text, false),
        ("fullyFormattedAddress", .text, false),
        ("authors", .person, true),
        ("authorNames", .text, true),
        ("authorEmailAddresses", .text, true),
        ("recipients", .person, true),
        ("recipientNames", .text, true),
        ("recipientEmailAddresses", .text, true),
        ("phoneNumbers", .text, true),
        ("emailAddresses", .text, true),
        ("contactKeywords", .text, true),
        ("supportsPhoneCall", .flag, false),
        ("supportsNavigation", .flag, false),
        ("relatedUniqueIdentifier", .text, false),
        ("weakRelatedUniqueIdentifier", .text, false),
        ("eligibleForPublicIndexing", .flag, false),
    ]
}
