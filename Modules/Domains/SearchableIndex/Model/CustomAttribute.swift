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
        guard let first = key.utf8.first, key.utf8.count <= 100, AttributeTypes.standard[key] == nil else {
            return false
        }
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
