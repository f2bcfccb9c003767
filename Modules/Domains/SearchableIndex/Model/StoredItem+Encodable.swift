import Foundation
import SwitchboardJSON

// The JSON of an item: identifier, domain and expiration beside the attributes, as in the input.

extension StoredItem: Encodable {
    /// Writes the JSON object of the item. Identifier, domain, expiration and the common attributes are always present
    /// (null if unknown), the others only if they are set.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: JSONKey.self)
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

struct JSONAttributes: Encodable {
    let set: SearchableItemAttributeSet
    let domain: String?

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: JSONKey.self)
        try container.encodeIfPresent(domain, forKey: JSONKey("domain"))
        try JSONAttributes.write(set, without: [], to: &container)
    }

    static func write(
        _ set: SearchableItemAttributeSet, without omitted: [Attribute],
        to container: inout KeyedEncodingContainer<JSONKey>
    ) throws {
        for attribute in set.attributes where !omitted.contains(attribute) {
            try container.encode(json(set[attribute], isList: attribute.isList), forKey: JSONKey(attribute.name))
        }
        if set.custom.isEmpty { return }
        var custom = container.nestedContainer(keyedBy: JSONKey.self, forKey: JSONKey("custom"))
        for (key, values) in set.custom.sorted(by: { $0.key < $1.key }) {
            try custom.encode(json(values, isList: values.count > 1), forKey: JSONKey(key))
        }
    }

    private static func json(_ values: [AttributeValue], isList: Bool) -> JSONValue {
        isList ? JSONValue(values.map(\.json)) : values.first?.json ?? .null
    }
}

extension AttributeValue {
    /// The value in JSON: dates in ISO 8601 and UTC, data in Base64.
    fileprivate var json: JSONValue {
        switch self {
        case .text(let text): .string(text)
        case .number(let number): .number(number)
        case .date(let date): .string(date.formatted(.iso8601))
        case .flag(let flag): .bool(flag)
        case .data(let data): .string(data.base64EncodedString())
        case .person(let person): person.json
        }
    }
}

extension IndexedPerson {
    fileprivate var json: JSONValue {
        var members: [(key: String, value: JSONValue)] = [("name", .string(name))]
        for (key, texts) in [("phones", phones), ("emails", emails)] where !texts.isEmpty {
            members.append((key, JSONValue(texts.map { .string($0) })))
        }
        return JSONValue(members)
    }
}
