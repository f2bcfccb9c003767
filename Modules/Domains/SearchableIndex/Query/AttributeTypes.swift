/// The type of an attribute in a query. The type of a list is the type of its elements.
public enum AttributeType: String, Sendable, Hashable, Codable {
    /// A string, compared with quoted values, wildcards and modifiers.
    case text
    /// A number, compared and ordered.
    case number
    /// A date, compared and ordered.
    case date
    /// `true` or `false`.
    case flag
}

/// A source of attribute values for the evaluation of queries.
public protocol AttributeSource {
    /// Returns the values of an attribute: empty if it is not set, several if it is a list.
    func values(of attribute: String) -> [AttributeValue]
}

/// The attributes that a query may name, with their types.
///
/// For example: `AttributeTypes.standard.adding("shoeSize", .number)`.
public struct AttributeTypes: Sendable {
    private var types: [String: AttributeType]
    /// The names of the text attributes, sorted; the meaning of the attribute `*`.
    public private(set) var textAttributes: [String]

    /// Creates a table of attributes.
    public init(_ types: [String: AttributeType]) {
        self.types = types
        textAttributes = types.filter { $0.value == .text }.keys.sorted()
    }

    /// The type of an attribute, or `nil` if it is unknown.
    public subscript(name: String) -> AttributeType? { types[name] }

    /// Apple's names for attributes that are named differently here and follow no rule.
    private static let appleNames = [
        "uniqueIdentifier": "id", "domainIdentifier": "domain", "expirationDate": "expiresAt",
        "kMDItemIdentifier": "id", "kMDItemDescription": "contentDescription", "kMDItemStarRating": "rating",
        "kMDItemURL": "url",
    ]

    /// Returns the name of the attribute that Apple calls `name`, such as `domainIdentifier` or `kMDItemDisplayName`, or
    /// `name` itself.
    func name(for name: String) -> String {
        if types[name] != nil { return name }
        if let known = AttributeTypes.appleNames[name] { return known }
        guard name.hasPrefix("kMDItem") else { return name }
        let rest = name.dropFirst("kMDItem".count)
        let known = rest.prefix(1).lowercased() + rest.dropFirst()
        return types[known] == nil ? name : known
    }

    /// Returns the table with an additional attribute, such as a custom one.
    public func adding(_ name: String, _ type: AttributeType) -> AttributeTypes {
        var types = types
        types[name] = type
        return AttributeTypes(types)
    }

    /// The standard attributes: identifier, domain, expiration, and every ``Attribute`` except binary data.
    public static let standard: AttributeTypes = {
        var types: [String: AttributeType] = ["id": .text, "domain": .text, "expiresAt": .date]
        for attribute in Attribute.allCases {
            switch attribute.kind {
            case .text, .url, .person: types[attribute.name] = .text
            case .number: types[attribute.name] = .number
            case .date: types[attribute.name] = .date
            case .flag: types[attribute.name] = .flag
            case .data: break
            }
        }
        return AttributeTypes(types)
    }()
}
