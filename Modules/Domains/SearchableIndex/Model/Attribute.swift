/// An attribute that every item may have. The names are Core Spotlight's where it has them.
///
/// The raw values are stored; they never change.
public enum Attribute: UInt8, Sendable, Hashable, CaseIterable {
    /// What the item is called.
    case title = 1
    /// What it is called where it is shown, if not its title.
    case displayName = 2
    /// Other names.
    case alternateNames = 3
    /// What it is about, in single words.
    case keywords = 4
    /// What it is, in a sentence or two.
    case contentDescription = 5
    /// Its whole text; searched last, shown as a snippet.
    case textContent = 6
    /// A uniform type identifier, such as public.movie.
    case contentType = 7
    /// The type and all it conforms to; made from the type unless given.
    case contentTypeTree = 8
    /// Where the content itself lies.
    case contentURL = 9
    /// Where the item is shown.
    case url = 10
    /// The file it is.
    case path = 11
    /// A small picture of it.
    case thumbnailURL = 12
    /// A small picture of it, as bytes.
    case thumbnailData = 13
    /// From 0 to 100: how much it matters among the items of its app; 50 unless given.
    case rankingHint = 14
    /// When it was used last.
    case lastUsedDate = 15
    /// How good it is.
    case rating = 16
    /// How often it was played.
    case playCount = 17
    /// Whether the person made it.
    case userCreated = 18
    /// Whether the person chose it.
    case userCurated = 19
    /// Whether the person bought it.
    case userOwned = 20
    /// When it begins.
    case startDate = 21
    /// When it ends.
    case endDate = 22
    /// When it is due.
    case dueDate = 23
    /// When it was done.
    case completionDate = 24
    /// Other dates.
    case importantDates = 25
    /// Whether it lasts the whole day.
    case allDay = 26
    /// Degrees north.
    case latitude = 27
    /// Degrees east.
    case longitude = 28
    /// Metres above the sea.
    case altitude = 29
    /// What its place is called.
    case namedLocation = 30
    /// The street.
    case thoroughfare = 31
    /// The number in the street.
    case subThoroughfare = 32
    /// The city.
    case city = 33
    /// The state or province.
    case stateOrProvince = 34
    /// The postal code.
    case postalCode = 35
    /// The country.
    case country = 36
    /// The whole address in one text.
    case fullyFormattedAddress = 37
    /// Who made it.
    case authors = 38
    /// The names of those who made it.
    case authorNames = 39
    /// Their e-mail addresses.
    case authorEmailAddresses = 40
    /// Whom it is for.
    case recipients = 41
    /// The names of those it is for.
    case recipientNames = 42
    /// Their e-mail addresses.
    case recipientEmailAddresses = 43
    /// Numbers to call.
    case phoneNumbers = 44
    /// Addresses to write to.
    case emailAddresses = 45
    /// Words about people.
    case contactKeywords = 46
    /// Whether its first number may be offered to be called.
    case supportsPhoneCall = 47
    /// Whether its place may be offered to be found.
    case supportsNavigation = 48
    /// The item an activity is about: both are one result, and go together.
    case relatedUniqueIdentifier = 49
    /// The same, but deleting that item leaves the activity.
    case weakRelatedUniqueIdentifier = 50
    /// Whether everybody may find it once enough different people have chosen it.
    case eligibleForPublicIndexing = 51
}

extension Attribute {
    /// What values an attribute takes.
    public enum Kind: String, Sendable, Hashable {
        /// Any text.
        case text
        /// An address with its scheme, such as `https://example.org`.
        case url
        /// A finite number.
        case number
        /// A moment.
        case date
        /// Yes or no.
        case flag
        /// Bytes.
        case data
        /// Somebody.
        case person
    }

    /// The name in JSON and in queries.
    public var name: String { Self.descriptions[Int(rawValue)].name }
    /// What values it takes.
    public var kind: Kind { Self.descriptions[Int(rawValue)].kind }
    /// Whether it may have several values.
    public var isList: Bool { Self.descriptions[Int(rawValue)].isList }

    /// The attribute of a name, or nil.
    public init?(name: String) {
        guard let attribute = Self.named[name] else { return nil }
        self = attribute
    }

    private static let named = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

    /// By raw value; there is none of 0.
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
