/// A value that is a JSON object and lists its members once, for ``OrderedJSON`` and for every other encoder.
///
/// ``OrderedJSON`` writes the members straight into its text, which takes a tenth of the time of `Encodable`.
public protocol JSONObjectEncodable: Encodable {
    /// Adds the members of the object, in order.
    func encode(to members: inout JSONMembers) throws
}

extension JSONObjectEncodable {
    /// Encodes the members of the object.
    public func encode(to encoder: any Encoder) throws {
        if let encoder = encoder as? JSONWriterEncoder { return try encoder.encodeMembers(of: self) }
        var members = JSONMembers(encoder.container(keyedBy: JSONKey.self))
        try encode(to: &members)
    }
}

/// The members of a JSON object that is being encoded.
public struct JSONMembers {
    /// The encoder of JSON text, or nil for another encoder.
    private let encoder: JSONWriterEncoder?
    /// The container of another encoder.
    private var container: KeyedEncodingContainer<JSONKey>?

    init(_ container: KeyedEncodingContainer<JSONKey>) {
        encoder = nil
        self.container = container
    }

    init(_ encoder: JSONWriterEncoder) { self.encoder = encoder }

    /// Adds a text.
    public mutating func add(_ name: String, _ text: String) throws {
        guard let encoder else { return try addEncoded(name, text) }
        encoder.writer.writeMember(name, text, depth: encoder.depth)
    }

    /// Adds a number.
    public mutating func add(_ name: String, _ number: Int) throws {
        guard let encoder else { return try addEncoded(name, number) }
        encoder.member(name).encode(number)
    }

    /// Adds a number; null if it is not finite.
    public mutating func add(_ name: String, _ number: Double) throws {
        guard let encoder else { return try addEncoded(name, number) }
        encoder.member(name).encode(number)
    }

    /// Adds a Boolean value.
    public mutating func add(_ name: String, _ value: Bool) throws {
        guard let encoder else { return try addEncoded(name, value) }
        encoder.member(name).encode(value)
    }

    /// Adds an object.
    public mutating func add(_ name: String, _ object: some JSONObjectEncodable) throws {
        guard let encoder else { return try addEncoded(name, object) }
        try encoder.member(name).encodeMembers(of: object)
    }

    /// Adds an array of objects.
    public mutating func add(_ name: String, _ objects: [some JSONObjectEncodable]) throws {
        guard let encoder else { return try addEncoded(name, objects) }
        try encoder.member(name).encodeElements(objects)
    }

    /// Adds any other value; `nil` is null.
    public mutating func add(_ name: String, _ value: some Encodable) throws { try addEncoded(name, value) }

    /// Adds a text, or null if it is empty.
    public mutating func addOrNull(_ name: String, _ text: String) throws {
        if text.isEmpty { try addNull(name) } else { try add(name, text) }
    }

    /// Adds a text, or null.
    public mutating func add(_ name: String, _ text: String?) throws {
        if let text { try add(name, text) } else { try addNull(name) }
    }

    /// Adds a text unless it is empty.
    public mutating func addUnlessEmpty(_ name: String, _ text: String) throws {
        if !text.isEmpty { try add(name, text) }
    }

    /// Adds an array unless it is empty.
    public mutating func addUnlessEmpty(_ name: String, _ list: [some Encodable]) throws {
        if !list.isEmpty { try add(name, list) }
    }

    /// Adds ranges as `[[start, length]]`, unless there are none.
    public mutating func addUnlessEmpty(_ name: String, _ ranges: [Range<Int>]) throws {
        if ranges.isEmpty { return }
        guard let encoder else { return try addEncoded(name, ranges.map { [$0.lowerBound, $0.count] }) }
        encoder.member(name).encodePairs(ranges.lazy.map { ($0.lowerBound, $0.count) })
    }

    private mutating func addNull(_ name: String) throws {
        encoder?.member(name).encodeNil()
        try container?.encodeNil(forKey: JSONKey(name))
    }

    private mutating func addEncoded(_ name: String, _ value: some Encodable) throws {
        try encoder?.member(name).encode(value)
        try container?.encode(value, forKey: JSONKey(name))
    }
}
