/// What an attribute holds, as far as a query is concerned. A list is of the type of its values.
public enum AttributeType: String, Sendable, Hashable, Codable {
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

    /// The attributes every item may have: its identifier, domain and expiry, and every ``Attribute`` but bytes.
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
