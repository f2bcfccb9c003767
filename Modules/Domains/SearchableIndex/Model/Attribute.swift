public import Foundation

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
    /// What the content is about, and who made it when.
    case contentCreationDate, contentModificationDate, creator, languages, identifier, comment, subject, theme
    /// The length of the content, and what contains it.
    case duration, containerTitle

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
        case .rankingHint, .rating, .playCount, .latitude, .longitude, .altitude, .duration: .number
        case .lastUsedDate, .startDate, .endDate, .dueDate, .completionDate, .importantDates, .contentCreationDate,
            .contentModificationDate:
            .date
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
            .emailAddresses, .contactKeywords, .languages:
            true
        default: false
        }
    }

    /// Creates the attribute with a name, or returns `nil` if there is none.
    public init?(name: String) {
        guard let attribute = Self.named[name] else { return nil }
        self = attribute
    }

    /// `true` for the attributes that version 0.1 lacked: a custom attribute may have such a name.
    var mayBeCustom: Bool { rawValue >= Attribute.contentCreationDate.rawValue }

    /// The names by raw value; 0 is unused.
    private static let names = [""] + allCases.map { String(describing: $0) }
    private static let named = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })
}

/// A value of an attribute.
public enum AttributeValue: Sendable, Hashable {
    /// A string; also a URL or a path.
    case text(String)
    /// A number.
    case number(Double)
    /// A date.
    case date(Date)
    /// A Boolean value.
    case flag(Bool)
    /// Binary data, such as a picture. Queries cannot compare it.
    case data(Data)
    /// A person; queries compare the name.
    case person(IndexedPerson)
}

extension AttributeValue: ExpressibleByStringLiteral, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral
{
    /// A string.
    public init(stringLiteral text: String) { self = .text(text) }
    /// A number.
    public init(floatLiteral number: Double) { self = .number(number) }
    /// A number without a fraction.
    public init(integerLiteral number: Int) { self = .number(Double(number)) }
    /// A Boolean value.
    public init(booleanLiteral flag: Bool) { self = .flag(flag) }
}

/// A person as an author or recipient of an item.
public struct IndexedPerson: Sendable, Hashable {
    /// The name for display.
    public var name: String
    /// Phone numbers.
    public var phones: [String]
    /// E-mail addresses.
    public var emails: [String]

    /// Creates a person.
    public init(name: String, phones: [String] = [], emails: [String] = []) {
        self.name = name
        self.phones = phones
        self.emails = emails
    }
}

/// An attribute defined by an app.
///
/// An undeclared custom attribute is declared by its first value, and is not searchable.
public struct CustomAttribute: Sendable, Hashable, Encodable {
    /// The name in `custom` of an item and in queries.
    public var key: String
    /// The type of its values.
    public var type: AttributeType
    /// Indicates that text searches cover the attribute, like the description.
    public var isSearchable: Bool

    /// Creates a custom attribute.
    public init(key: String, type: AttributeType, isSearchable: Bool = false) {
        self.key = key
        self.type = type
        self.isSearchable = isSearchable
    }

    static func isValid(_ key: String) -> Bool {
        let mayBeCustom = Attribute(name: key)?.mayBeCustom ?? (AttributeTypes.standard[key] == nil)
        guard let first = key.utf8.first, key.utf8.count <= 100, mayBeCustom else { return false }
        func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
        return isLetter(first)
            && key.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x5F || $0 == 0x2D }
    }

    static func type(of value: AttributeValue) -> AttributeType {
        switch value {
        case .text, .data, .person: .text
        case .number: .number
        case .date: .date
        case .flag: .flag
        }
    }
}

/// Uniform type identifiers and the types they conform to.
///
/// The tree is the part of Apple's "System-Declared Uniform Type Identifiers" that applies to indexed content.
enum ContentType {
    /// Returns a type and all types it conforms to, nearest first. An unknown type conforms to no others.
    static func tree(of type: String) -> [String] {
        var tree = [type]
        var next = 0
        while next < tree.count {
            for parent in parents[tree[next]] ?? [] where !tree.contains(parent) { tree.append(parent) }
            next += 1
        }
        return tree
    }

    /// Types, each with those that conform to it, in the order in which a type lists its parents.
    private static let table = """
        public.item: public.data public.directory
        public.data: public.text public.email-message public.url com.adobe.pdf \
            org.openxmlformats.wordprocessingml.document org.oasis-open.opendocument.text org.idpf.epub-container \
            public.archive public.executable public.image public.audiovisual-content
        public.content: public.composite-content public.text public.spreadsheet public.image \
            public.audiovisual-content
        public.composite-content: com.adobe.pdf org.openxmlformats.wordprocessingml.document \
            org.oasis-open.opendocument.text org.idpf.epub-container public.presentation
        public.directory: public.folder
        public.text: public.plain-text public.rtf public.html public.xml public.json public.delimited-values-text \
            public.vcard
        public.plain-text: public.utf8-plain-text public.source-code net.daringfireball.markdown
        public.delimited-values-text: public.comma-separated-values-text
        public.contact: public.vcard
        public.message: public.email-message
        public.database: public.calendar-event
        public.url: public.file-url
        public.archive: public.zip-archive
        public.image: public.jpeg public.png public.heic public.tiff com.compuserve.gif public.svg-image
        public.xml: public.svg-image
        public.audiovisual-content: public.movie public.audio
        public.movie: public.video public.mpeg-4 com.apple.quicktime-movie
        public.audio: public.mp3 public.mpeg-4-audio com.microsoft.waveform-audio
        public.mpeg-4: public.mpeg-4-audio
        """

    private static let parents: [String: [String]] = table.split(separator: "\n").reduce(into: [:]) { parents, line in
        let types = line.split { $0 == ":" || $0 == " " }.map(String.init)
        for type in types.dropFirst() { parents[type, default: []].append(types[0]) }
    }
}
