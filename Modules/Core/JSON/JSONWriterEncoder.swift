/// The encoder that a value writes itself to. Its containers begin at `depth`.
struct JSONWriterEncoder: Encoder, SingleValueEncodingContainer {
    let writer: JSONWriter
    let depth: Int
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(JSONObjectContainer(writer: writer, depth: depth))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { JSONArrayContainer(writer: writer, depth: depth) }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// Begins a member of the object that was opened at this encoder's depth, and returns the encoder of its value.
    func member(_ name: String) -> JSONWriterEncoder {
        writer.beginMember(name, depth: depth)
        return JSONWriterEncoder(writer: writer, depth: depth + 1)
    }

    func encodeNil() { writer.writeNull() }
    func encode(_ value: Bool) { writer.write(value) }
    func encode(_ value: String) { writer.write(value) }
    func encode(_ value: some Encodable & BinaryFloatingPoint & CustomStringConvertible) { writer.write(value) }
    func encode(_ value: some Encodable & BinaryInteger) { writer.write(value) }
    func encode<T: Encodable>(_ value: T) throws { try value.encode(to: self) }
}

private struct JSONObjectContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    private let writer: JSONWriter
    private let depth: Int
    var codingPath: [any CodingKey] { [] }

    init(writer: JSONWriter, depth: Int) {
        (self.writer, self.depth) = (writer, depth)
        writer.open(isObject: true, depth: depth)
    }

    private func member(_ name: String) -> JSONWriterEncoder {
        JSONWriterEncoder(writer: writer, depth: depth).member(name)
    }

    func encodeNil(forKey key: Key) { member(key.stringValue).encodeNil() }
    func encode(_ value: Bool, forKey key: Key) { member(key.stringValue).encode(value) }
    func encode(_ value: String, forKey key: Key) { member(key.stringValue).encode(value) }
    func encode(_ value: Double, forKey key: Key) { member(key.stringValue).encode(value) }
    func encode(_ value: Int, forKey key: Key) { member(key.stringValue).encode(value) }
    func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try member(key.stringValue).encode(value) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy keyType: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { member(key.stringValue).container(keyedBy: keyType) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        member(key.stringValue).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { member("super") }
    func superEncoder(forKey key: Key) -> any Encoder { member(key.stringValue) }
}

private struct JSONArrayContainer: UnkeyedEncodingContainer {
    private let writer: JSONWriter
    private let depth: Int
    private(set) var count = 0
    var codingPath: [any CodingKey] { [] }

    init(writer: JSONWriter, depth: Int) {
        (self.writer, self.depth) = (writer, depth)
        writer.open(isObject: false, depth: depth)
    }

    private mutating func element() -> JSONWriterEncoder {
        writer.beginElement(depth: depth)
        count += 1
        return JSONWriterEncoder(writer: writer, depth: depth + 1)
    }

    mutating func encodeNil() { element().encodeNil() }
    mutating func encode<T: Encodable>(_ value: T) throws { try element().encode(value) }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy keyType: Nested.Type) -> KeyedEncodingContainer<Nested> {
        element().container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { element().unkeyedContainer() }
    mutating func superEncoder() -> any Encoder { element() }
}
