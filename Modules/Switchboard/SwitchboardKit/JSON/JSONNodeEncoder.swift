struct JSONNodeEncoder: Encoder {
    let node: JSONNode
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(JSONObjectEncoder(node: node, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { JSONArrayEncoder(node: node, codingPath: codingPath) }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension JSONNodeEncoder: SingleValueEncodingContainer {
    func encodeNil() { node.content = .null }
    func encode(_ value: Bool) { node.content = .bool(value) }
    func encode(_ value: String) { node.content = .string(value) }
    func encode(_ value: Double) { node.content = value.isFinite ? .number("\(value)") : .null }
    func encode(_ value: Float) { node.content = value.isFinite ? .number("\(value)") : .null }
    func encode(_ value: Int) { node.content = .number(String(value)) }
    func encode(_ value: Int8) { node.content = .number(String(value)) }
    func encode(_ value: Int16) { node.content = .number(String(value)) }
    func encode(_ value: Int32) { node.content = .number(String(value)) }
    func encode(_ value: Int64) { node.content = .number(String(value)) }
    func encode(_ value: UInt) { node.content = .number(String(value)) }
    func encode(_ value: UInt8) { node.content = .number(String(value)) }
    func encode(_ value: UInt16) { node.content = .number(String(value)) }
    func encode(_ value: UInt32) { node.content = .number(String(value)) }
    func encode(_ value: UInt64) { node.content = .number(String(value)) }

    func encode<T: Encodable>(_ value: T) throws { try value.encode(to: self) }
}

struct JSONObjectEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    private let node: JSONNode
    let codingPath: [any CodingKey]

    init(node: JSONNode, codingPath: [any CodingKey]) {
        self.node = node
        self.codingPath = codingPath
        if case .object = node.content { return }
        node.content = .object([])
    }

    private func place(_ key: any CodingKey) -> JSONNodeEncoder {
        let member = JSONNode()
        node.set(key.stringValue, member)
        return JSONNodeEncoder(node: member, codingPath: codingPath + [key])
    }

    func encodeNil(forKey key: Key) { place(key).encodeNil() }
    func encode(_ value: Bool, forKey key: Key) { place(key).encode(value) }
    func encode(_ value: String, forKey key: Key) { place(key).encode(value) }
    func encode(_ value: Double, forKey key: Key) { place(key).encode(value) }
    func encode(_ value: Int, forKey key: Key) { place(key).encode(value) }
    func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try place(key).encode(value) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy keyType: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { place(key).container(keyedBy: keyType) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { place(key).unkeyedContainer() }

    func superEncoder() -> any Encoder { place(SuperKey()) }

    func superEncoder(forKey key: Key) -> any Encoder { place(key) }
}

struct JSONArrayEncoder: UnkeyedEncodingContainer {
    private let node: JSONNode
    let codingPath: [any CodingKey]
    private(set) var count = 0

    init(node: JSONNode, codingPath: [any CodingKey]) {
        self.node = node
        self.codingPath = codingPath
        node.content = .array([])
    }

    private mutating func place() -> JSONNodeEncoder {
        let element = JSONNode()
        node.append(element)
        count += 1
        return JSONNodeEncoder(node: element, codingPath: codingPath)
    }

    mutating func encodeNil() { place().encodeNil() }

    mutating func encode<T: Encodable>(_ value: T) throws { try place().encode(value) }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy keyType: Nested.Type) -> KeyedEncodingContainer<Nested> {
        place().container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { place().unkeyedContainer() }

    mutating func superEncoder() -> any Encoder { place() }
}

/// The key for the superclass, as in Foundation's encoder.
private struct SuperKey: CodingKey {
    let stringValue = "super"
    var intValue: Int? { nil }

    init() {}
    init?(stringValue: String) { nil }
    init?(intValue: Int) { nil }
}
