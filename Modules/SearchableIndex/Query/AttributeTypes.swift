/// What an attribute holds, as far as a query is concerned. A list is of the type of its values.
public enum AttributeType: String, Sendable, Hashable {
    /// Compared with quoted values, wildcards and modifiers.
    case text
    /// Compared and ordered as a number.
    case number
    /// Compared and ordered as an instant.
    case date
    /// `true` or `false`.
    case flag
}

/// Where a query reads the values of what it is evaluated on.
public protocol AttributeSource {
    /// The values of an attribute: none if it is not set, several if it is a list.
    func values(of attribute: String) -> [AttributeValue]
}

/// The attributes a query may name, with their types.
///
/// For example: `AttributeTypes.standard.adding("shoeSize", .number)`.
public struct AttributeTypes: Sendable {
    private var types: [String: AttributeType]
    /// The names of the text attributes, sorted: what `*` stands for.
    public private(set) var textAttributes: [String]

    /// Makes a list of attributes.
    public init(_ types: [String: AttributeType]) {
        self.types = types
        textAttributes = types.filter { $0.value == .text }.keys.sorted()
    }

    /// The type of an attribute, or nil if there is none of this name.
    public subscript(name: String) -> AttributeType? { types[name] }

    /// The same with one more attribute, such as a custom one.
    public func adding(_ name: String, _ type: AttributeType) -> AttributeTypes {
        var types = types
        types[name] = type
        return AttributeTypes(types)
    }

    /// The attributes every item may have.
    public static let standard: AttributeTypes = {
        let names: [(AttributeType, [String])] = [
            (
                .text,
                [
                    "id", "domain", "title", "displayName", "alternateNames", "keywords", "contentDescription",
                    "textContent", "contentType", "contentTypeTree", "contentURL", "url", "path", "thumbnailURL",
                    "namedLocation", "thoroughfare", "subThoroughfare", "city", "stateOrProvince", "postalCode",
                    "country", "fullyFormattedAddress", "authors", "authorNames", "authorEmailAddresses",
                    "recipientNames", "recipientEmailAddresses", "phoneNumbers", "emailAddresses", "contactKeywords",
                    "relatedUniqueIdentifier", "weakRelatedUniqueIdentifier",
                ]
            ),
            (.number, ["rankingHint", "rating", "playCount", "latitude", "longitude", "altitude"]),
            (
                .date,
                [
                    "expiresAt", "lastUsedDate", "startDate", "endDate", "dueDate", "completionDate", "importantDates",
                ]
            ),
            (.flag, ["userCreated", "userCurated", "userOwned", "allDay", "supportsPhoneCall", "supportsNavigation"]),
        ]
        var types: [String: AttributeType] = [:]
        for (type, list) in names {
            for name in list { types[name] = type }
        }
        return AttributeTypes(types)
    }()
}
