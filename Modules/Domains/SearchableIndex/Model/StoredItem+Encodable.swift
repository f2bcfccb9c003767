import Foundation

// The JSON of an item: identifier, domain and expiration beside the attributes, as in the input.

extension StoredItem: Encodable {
    /// Writes the JSON object of the item. Identifier, domain, expiration and the common attributes are always present
    /// (null if unknown), the others only if they are set.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: JSONAttributes.Key.self)
        try container.encode(item.uniqueIdentifier, forKey: .init("id"))
        try container.encode(item.domainIdentifier, forKey: .init("domain"))
        try container.encode(item.expirationDate?.formatted(.iso8601), forKey: .init("expiresAt"))
        let set = item.attributeSet
        let always: [Attribute] = [.title, .contentDescription, .keywords, .contentType, .url]
        for attribute in always {
            if attribute == .keywords {
                try container.encode(set.keywords, forKey: .init(attribute.name))
            } else {
                try container.encode(set.text(ofField: attribute.name), forKey: .init(attribute.name))
            }
        }
        try JSONAttributes.write(set, without: always, to: &container)
        if useCount > 0 { try container.encode(useCount, forKey: .init("useCount")) }
        if let usedAt, useCount > 0 { try container.encode(usedAt.formatted(.iso8601), forKey: .init("usedAt")) }
    }
}

/// A set of attributes as JSON, with its domain.
struct JSONAttributes: Encodable {
    let set: SearchableItemAttributeSet
    let domain: String?

    struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(domain, forKey: Key("domain"))
        try JSONAttributes.write(set, without: [], to: &container)
    }

    static func write(
        _ set: SearchableItemAttributeSet, without omitted: [Attribute], to container: inout KeyedEncodingContainer<Key>
    ) throws {
        for attribute in set.attributes where !omitted.contains(attribute) {
            try write(set[attribute], isList: attribute.isList, to: &container, Key(attribute.name))
        }
        if set.custom.isEmpty { return }
        var custom = container.nestedContainer(keyedBy: Key.self, forKey: Key("custom"))
        for (key, values) in set.custom.sorted(by: { $0.key < $1.key }) {
            try write(values, isList: values.count > 1, to: &custom, Key(key))
        }
    }

    private static func write(
        _ values: [AttributeValue], isList: Bool, to container: inout KeyedEncodingContainer<Key>, _ key: Key
    ) throws {
        if isList {
            var list = container.nestedUnkeyedContainer(forKey: key)
            for value in values { try list.encode(JSONAttribute(value: value)) }
        } else if let value = values.first {
            try container.encode(JSONAttribute(value: value), forKey: key)
        }
    }
}

/// A value in JSON: dates in ISO 8601 and UTC, data in Base64.
struct JSONAttribute: Encodable {
    let value: AttributeValue

    private enum PersonKeys: String, CodingKey { case name, phones, emails }

    func encode(to encoder: any Encoder) throws {
        switch value {
        case .person(let person):
            var container = encoder.container(keyedBy: PersonKeys.self)
            try container.encode(person.name, forKey: .name)
            if !person.phones.isEmpty { try container.encode(person.phones, forKey: .phones) }
            if !person.emails.isEmpty { try container.encode(person.emails, forKey: .emails) }
        case .text(let text): try Self.write(text, to: encoder)
        case .number(let number):
            if let whole = Int64(exactly: number) {
                try Self.write(whole, to: encoder)
            } else {
                try Self.write(number, to: encoder)
            }
        case .date(let date): try Self.write(date.formatted(.iso8601), to: encoder)
        case .flag(let flag): try Self.write(flag, to: encoder)
        case .data(let data): try Self.write(data.base64EncodedString(), to: encoder)
        }
    }

    private static func write(_ value: some Encodable, to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}
