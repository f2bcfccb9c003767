/// An attribute that an app has made for itself: its key, what it holds, and whether its texts are searched.
///
/// One that is put without having been declared is declared by its first value, and not searched.
public struct CustomAttribute: Sendable, Hashable, Encodable {
    /// The name, in `custom` of an item and in queries.
    public var key: String
    /// What it holds.
    public var type: AttributeType
    /// Whether a search for text finds items by it, as by their description.
    public var isSearchable: Bool

    /// An attribute; see the properties.
    public init(key: String, type: AttributeType, isSearchable: Bool = false) {
        self.key = key
        self.type = type
        self.isSearchable = isSearchable
    }

    /// Whether an attribute may have this name.
    static func isValid(_ key: String) -> Bool {
        guard let first = key.utf8.first, key.utf8.count <= 100, AttributeTypes.standard[key] == nil else {
            return false
        }
        func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
        return isLetter(first)
            && key.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x5F || $0 == 0x2D }
    }

    /// What type of attribute holds a value.
    static func type(of value: AttributeValue) -> AttributeType {
        switch value {
        case .text, .data, .person: .text
        case .number: .number
        case .date: .date
        case .flag: .flag
        }
    }
}
