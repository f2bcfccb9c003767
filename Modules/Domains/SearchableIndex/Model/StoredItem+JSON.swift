import Foundation
import SwitchboardAlgorithms
public import SwitchboardJSON

// The JSON of an item: identifier, domain and expiration beside the attributes, as in the input.

extension StoredItem: JSONObjectEncodable {
    /// Encodes the object that responses contain under `item`. Identifier, domain, expiration and the common attributes
    /// are always present (null if unknown), the others only if they are set.
    public func encode(to members: inout JSONMembers) throws {
        try members.add("id", item.uniqueIdentifier)
        try members.add("domain", item.domainIdentifier)
        try members.add("expiresAt", item.expirationDate?.iso8601)
        let set = item.attributeSet
        let always: [Attribute] = [.title, .contentDescription, .keywords, .contentType, .url]
        for attribute in always {
            let texts = set.texts(of: attribute)
            if attribute.isList {
                try members.add(attribute.name, texts)
            } else {
                try members.add(attribute.name, texts.first)
            }
        }
        try JSONAttributes.add(set, without: always, to: &members)
        if useCount > 0 { try members.add("useCount", useCount) }
        if let usedAt, useCount > 0 { try members.add("usedAt", usedAt.iso8601) }
    }
}

struct JSONAttributes: JSONObjectEncodable {
    let set: SearchableItemAttributeSet
    let domain: String?

    func encode(to members: inout JSONMembers) throws {
        if let domain { try members.add("domain", domain) }
        try JSONAttributes.add(set, without: [], to: &members)
    }

    static func add(
        _ set: SearchableItemAttributeSet, without omitted: [Attribute], to members: inout JSONMembers
    ) throws {
        for entry in set.entries where !omitted.contains(entry.attribute) {
            try members.add(entry.attribute.name, json(entry.values, isList: entry.attribute.isList))
        }
        if !set.custom.isEmpty { try members.add("custom", CustomAttributes(values: set.custom)) }
    }

    fileprivate static func json(_ values: [AttributeValue], isList: Bool) -> JSONValue {
        isList ? JSONValue(values.map(\.json)) : values.first?.json ?? .null
    }
}

/// The values of custom attributes, in order of their keys.
private struct CustomAttributes: JSONObjectEncodable {
    let values: [String: [AttributeValue]]

    func encode(to members: inout JSONMembers) throws {
        for (key, values) in values.sorted(by: { $0.key < $1.key }) {
            try members.add(key, JSONAttributes.json(values, isList: values.count > 1))
        }
    }
}

extension AttributeValue {
    /// The value in JSON: dates in ISO 8601 and UTC, data in Base64.
    fileprivate var json: JSONValue {
        switch self {
        case .text(let text): .string(text)
        case .number(let number): .number(number)
        case .date(let date): .string(date.iso8601)
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
