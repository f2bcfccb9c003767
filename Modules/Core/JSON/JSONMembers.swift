/// A value that encodes as a JSON object and lists its members once, for ``OrderedJSON`` and for every other encoder.
///
/// ``OrderedJSON`` writes the members straight into its text, which takes a tenth of the time of `Encodable`.
public protocol JSONObjectEncodable: Encodable {
    /// Adds the members of the object, in order.
    func encode(to members: inout JSONMembers) throws
}

extension JSONObjectEncodable {
    /// Encodes the members of the object.
    public func encode(to encoder: any Encoder) throws {
        if let encoder = encoder as? JSONWriterEncoder {
            return try encoder.writer.encodeMembers(of: self, depth: encoder.depth)
        }
        var members = JSONMembers(encoder.container(keyedBy: JSONKey.self))
        try encode(to: &members)
    }
}

/// The members of a JSON object that is being encoded.
public struct JSONMembers: ~Copyable {
    /// The JSON text so far; unused with another encoder.
    var bytes = JSONBuffer()
    /// `true` if the object or array at the end of the text has no members or elements yet.
    private(set) var isEmpty = true
    /// The container of another encoder.
    private var container: KeyedEncodingContainer<JSONKey>?
    /// `true` if there is no other encoder.
    private let isText: Bool

    init(_ container: KeyedEncodingContainer<JSONKey>) {
        self.container = container
        isText = false
    }

    /// Creates the members of an object that was opened at the end of a text.
    init(isEmpty: Bool) {
        self.isEmpty = isEmpty
        isText = true
    }

    /// Adds a string.
    public mutating func add(_ name: String, _ text: String) throws {
        if begin(name) { bytes.append(json: text) } else { try encode(name, text) }
    }

    /// Adds a string of UTF-8 bytes.
    public mutating func add(_ name: String, _ text: ArraySlice<UInt8>) throws {
        if begin(name) { bytes.append(json: text) } else { try encode(name, String(decoding: text, as: UTF8.self)) }
    }

    /// Adds a number.
    public mutating func add(_ name: String, _ number: Int) throws {
        if begin(name) { bytes.append(json: number) } else { try encode(name, number) }
    }

    /// Adds a number; null if it is not finite.
    public mutating func add(_ name: String, _ number: Double) throws {
        if begin(name) { bytes.append(json: number) } else { try encode(name, number) }
    }

    /// Adds a Boolean value.
    public mutating func add(_ name: String, _ value: Bool) throws {
        if begin(name) { bytes.append(json: value) } else { try encode(name, value) }
    }

    /// Adds an object.
    @inlinable
    public mutating func add(_ name: String, _ object: some JSONObjectEncodable) throws {
        guard begin(name) else { return try encode(name, object) }
        open(UInt8(ascii: "{"))
        try object.encode(to: &self)
        close(UInt8(ascii: "}"))
    }

    /// Adds an array of objects.
    @inlinable
    public mutating func add(_ name: String, _ objects: [some JSONObjectEncodable]) throws {
        guard begin(name) else { return try encode(name, objects) }
        open(UInt8(ascii: "["))
        for object in objects {
            separate()
            open(UInt8(ascii: "{"))
            try object.encode(to: &self)
            close(UInt8(ascii: "}"))
        }
        close(UInt8(ascii: "]"))
    }

    /// Adds an array of strings.
    public mutating func add(_ name: String, _ texts: [String]) throws {
        guard begin(name) else { return try encode(name, texts) }
        open(UInt8(ascii: "["))
        for text in texts {
            separate()
            bytes.append(json: text)
        }
        close(UInt8(ascii: "]"))
    }

    /// Adds any other value; `nil` is null.
    public mutating func add(_ name: String, _ value: some Encodable) throws {
        if begin(name) { bytes.append(try OrderedJSON.bytes(value, capacity: 64)) } else { try encode(name, value) }
    }

    /// Adds a string, or null if it is empty.
    public mutating func addOrNull(_ name: String, _ text: String) throws {
        if text.isEmpty { try addNull(name) } else { try add(name, text) }
    }

    /// Adds a string, or null for nil.
    public mutating func add(_ name: String, _ text: String?) throws {
        if let text { try add(name, text) } else { try addNull(name) }
    }

    /// Adds a string unless it is empty.
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
        guard begin(name) else { return try encode(name, ranges.map { [$0.lowerBound, $0.count] }) }
        open(UInt8(ascii: "["))
        for range in ranges {
            separate()
            open(UInt8(ascii: "["))
            bytes.append(json: range.lowerBound)
            bytes.append(UInt8(ascii: ","), UInt8(ascii: " "))
            bytes.append(json: range.count)
            close(UInt8(ascii: "]"))
        }
        close(UInt8(ascii: "]"))
    }

    /// Adds null.
    public mutating func addNull(_ name: String) throws {
        if begin(name) { bytes.append("null") } else { try container?.encodeNil(forKey: JSONKey(name)) }
    }

    /// Encodes a member with another encoder.
    @usableFromInline
    mutating func encode(_ name: String, _ value: some Encodable) throws {
        try container?.encode(value, forKey: JSONKey(name))
    }

    // MARK: - Text

    /// Writes the separator and the name of the next member. Returns `false` with another encoder.
    @usableFromInline
    mutating func begin(_ name: String) -> Bool {
        if !isText { return false }
        separate()
        bytes.append(json: name)
        bytes.append(UInt8(ascii: ":"), UInt8(ascii: " "))
        return true
    }

    /// Writes the separator before the next member or element.
    @usableFromInline
    mutating func separate() {
        if !isEmpty { bytes.append(UInt8(ascii: ","), UInt8(ascii: " ")) }
        isEmpty = false
    }

    /// Opens an object or array with its bracket.
    @usableFromInline
    mutating func open(_ bracket: UInt8) {
        bytes.append(bracket)
        isEmpty = true
    }

    /// Closes an object or array with its bracket.
    @usableFromInline
    mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        isEmpty = false
    }
}
