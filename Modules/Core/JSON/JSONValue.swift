/// A JSON value that keeps the order of object members, and the offsets of members and elements in the parsed text.
///
/// For example:
///
/// ```swift
/// let schema: JSONValue = ["type": "array", "maxItems": 10]
/// let text = try OrderedJSON.text(schema)  // {"type": "array", "maxItems": 10}
/// ```
public enum JSONValue: Sendable {
    /// The literal `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number.
    case number(Double)
    /// A string.
    case string(String)
    /// An array.
    case array([Element])
    /// An object with its members in order.
    case object([Member])

    /// An element of an array.
    public struct Element: Sendable {
        /// The value.
        public let value: JSONValue
        /// The offset of the value in the parsed text, in bytes; 0 for a value that was not parsed.
        public let offset: Int

        /// Creates an element.
        public init(_ value: JSONValue, offset: Int = 0) {
            self.value = value
            self.offset = offset
        }
    }

    /// A member of an object.
    public struct Member: Sendable {
        /// The name.
        public let name: String
        /// The value.
        public let value: JSONValue
        /// The offset of the name in the parsed text, in bytes; 0 for a member that was not parsed.
        public let offset: Int

        /// Creates a member.
        public init(_ name: String, _ value: JSONValue, offset: Int = 0) {
            self.name = name
            self.value = value
            self.offset = offset
        }
    }

    /// Creates an array of values that were not parsed.
    public init(_ values: [JSONValue]) { self = .array(values.map { Element($0) }) }

    /// Creates an object of members that were not parsed.
    public init(_ members: [(key: String, value: JSONValue)]) {
        self = .object(members.map { Member($0.key, $0.value) })
    }

    /// The last member of that name, or `nil` if the value is not an object or lacks the member. O(members).
    public subscript(name: String) -> JSONValue? {
        if case .object(let members) = self { members.last { $0.name == name }?.value } else { nil }
    }

    /// The string, or `nil` if the value is not a string.
    public var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The type with its article, for error messages.
    public var kind: String {
        switch self {
        case .null: "null"
        case .bool: "true or false"
        case .number: "a number"
        case .string: "a string"
        case .array: "a list"
        case .object: "an object"
        }
    }
}

// MARK: - Literals

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Creates a number.
    public init(integerLiteral value: Int) { self = .number(Double(value)) }
    /// Creates an array.
    public init(arrayLiteral elements: JSONValue...) { self.init(elements) }
    /// Creates an object with its members in order.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }
}

// MARK: - Encoding

/// The name of a member as a coding key.
package struct JSONKey: CodingKey, ExpressibleByStringLiteral {
    package let stringValue: String
    package var intValue: Int? { nil }
    package init(_ name: String) { stringValue = name }
    package init(stringLiteral name: String) { stringValue = name }
    package init?(stringValue: String) { self.stringValue = stringValue }
    package init?(intValue: Int) { nil }
}

extension JSONValue: Encodable {
    /// Encodes the value. A whole number is encoded as an integer.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let members):
            var container = encoder.container(keyedBy: JSONKey.self)
            for member in members { try container.encode(member.value, forKey: JSONKey(member.name)) }
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element.value) }
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .bool(let value):
            var container = encoder.singleValueContainer()
            try container.encode(value)
        case .number(let value):
            var container = encoder.singleValueContainer()
            if let whole = Int(exactly: value) { try container.encode(whole) } else { try container.encode(value) }
        case .string(let value):
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
    }
}
