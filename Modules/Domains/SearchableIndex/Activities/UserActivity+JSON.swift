import Foundation
import SwitchboardJSON

// MARK: - Reading

extension UserActivity {
    /// Parses an activity from JSON: `{"activityType": "…", "title": "…", "userInfo": {…}, …}`.
    ///
    /// - Throws: An ``ItemError`` with line and column.
    public init(json bytes: [UInt8]) throws(ItemError) {
        let fragment = JSONObjectSplitter.Fragment(bytes: bytes, line: 1, column: 1)
        let value = try fragment.value()
        guard case .object(let members) = value else {
            throw fragment.error("expected an activity as a JSON object", offset: 0)
        }
        self.init(activityType: "")
        do throws(ItemMemberError) {
            for member in members { try read(member) }
        } catch {
            throw fragment.error(error.reason, attribute: error.attribute, offset: error.offset)
        }
        guard !activityType.isEmpty else {
            throw fragment.error(
                "the activity has no type; add “activityType”, such as com.example.watching", offset: 0)
        }
    }

    private mutating func read(_ member: JSONValue.Member) throws(ItemMemberError) {
        func invalid(_ reason: String) -> ItemMemberError {
            ItemMemberError(reason: reason, attribute: member.name, offset: member.offset)
        }
        func text() throws(ItemMemberError) -> String? {
            switch member.value {
            case .null: return nil
            case .string(let text): return text
            default: throw invalid("must be a string, not \(member.value.kind)")
            }
        }
        func address() throws(ItemMemberError) -> String? {
            guard let text = try text() else { return nil }
            guard AttributeValue.isURL(text) else { throw invalid(AttributeValue.urlHint) }
            return text
        }
        func flag() throws(ItemMemberError) -> Bool {
            guard case .bool(let flag) = member.value else {
                throw invalid("must be true or false, not \(member.value.kind)")
            }
            return flag
        }
        func texts() throws(ItemMemberError) -> [String] {
            guard case .array(let elements) = member.value else {
                throw invalid("must be a list of strings, not \(member.value.kind)")
            }
            var texts: [String] = []
            for element in elements {
                guard case .string(let text) = element.value else { throw invalid("must be a list of strings") }
                texts.append(text)
            }
            return texts
        }
        switch member.name {
        case "activityType": activityType = try text() ?? ""
        case "title": title = try text()
        case "userInfo":
            guard case .object(let members) = member.value else {
                throw invalid("must be an object, not \(member.value.kind)")
            }
            userInfo = try Self.values(members)
        case "requiredUserInfoKeys": requiredUserInfoKeys = Set(try texts())
        case "keywords": keywords = try texts()
        case "webpageURL": webpageURL = try address()
        case "referrerURL": referrerURL = try address()
        case "targetContentIdentifier": targetContentIdentifier = try text()
        case "persistentIdentifier", "id":
            persistentIdentifier = try text()
            if let id = persistentIdentifier, id.isEmpty || id.utf8.count > 1_000 {
                throw invalid("must have between 1 and 1000 bytes")
            }
        case "expirationDate":
            if let text = try text() {
                guard let date = Date(iso8601: text) else { throw invalid(ItemChangeBuilder.dateHint) }
                expirationDate = date
            }
        case "eligibleForHandoff": isEligibleForHandoff = try flag()
        case "eligibleForSearch": isEligibleForSearch = try flag()
        case "eligibleForPublicIndexing": isEligibleForPublicIndexing = try flag()
        case "contentAttributeSet":
            if case .null = member.value { return }
            guard case .object(let members) = member.value else {
                throw invalid("must be an object, not \(member.value.kind)")
            }
            var builder = ItemChangeBuilder()
            try builder.add(members)
            guard case .put(let item) = try builder.change() else { return }
            contentAttributeSet = item.attributeSet
            domainIdentifier = item.domainIdentifier
        // Members that only a response contains are ignored.
        case "isCurrent", "beganAt", "endedAt", "isInvalidated": break
        default: throw invalid("unknown member of an activity; correct the name or move it to “userInfo”")
        }
    }

    private static func values(_ members: [JSONValue.Member]) throws(ItemMemberError) -> [String: UserInfoValue] {
        var values: [String: UserInfoValue] = [:]
        for member in members { values[member.name] = try value(member.value, member) }
        return values
    }

    private static func value(_ json: JSONValue, _ member: JSONValue.Member) throws(ItemMemberError) -> UserInfoValue? {
        switch json {
        case .null: return nil
        case .bool(let flag): return .bool(flag)
        case .number(let number): return .number(number)
        case .string(let text): return .string(text)
        case .array(let elements):
            var values: [UserInfoValue] = []
            for element in elements {
                if let value = try value(element.value, member) { values.append(value) }
            }
            return .array(values)
        case .object(let members):
            guard members.count == 1, case .string(let text) = members[0].value, members[0].name.hasPrefix("$") else {
                return .dictionary(try values(members))
            }
            let tagged: UserInfoValue? =
                switch members[0].name {
                case "$date": Date(iso8601: text).map { .date($0) }
                case "$data": Data(base64Encoded: text).map { .data($0) }
                case "$url": AttributeValue.isURL(text) ? .url(text) : nil
                default: nil
                }
            guard let tagged else {
                throw ItemMemberError(
                    reason: "\(members[0].name) must be $date (ISO 8601), $data (Base64) or $url (with a scheme)",
                    attribute: "userInfo.\(member.name)", offset: members[0].offset)
            }
            return tagged
        }
    }
}

// MARK: - Writing

extension UserActivity: Encodable {
    enum CodingKeys: String, CodingKey {
        case activityType, title, userInfo, requiredUserInfoKeys, keywords, webpageURL, referrerURL
        case targetContentIdentifier, persistentIdentifier, expirationDate, eligibleForHandoff, eligibleForSearch
        case eligibleForPublicIndexing, contentAttributeSet
    }

    /// Writes the JSON object that ``init(json:)`` parses.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(activityType, forKey: .activityType)
        try container.encode(title, forKey: .title)
        try container.encode(userInfo, forKey: .userInfo)
        try container.encode(requiredUserInfoKeys.sorted(), forKey: .requiredUserInfoKeys)
        try container.encode(keywords, forKey: .keywords)
        try container.encode(webpageURL, forKey: .webpageURL)
        try container.encodeIfPresent(referrerURL, forKey: .referrerURL)
        try container.encodeIfPresent(targetContentIdentifier, forKey: .targetContentIdentifier)
        try container.encode(persistentIdentifier, forKey: .persistentIdentifier)
        try container.encode(expirationDate?.formatted(.iso8601), forKey: .expirationDate)
        try container.encode(isEligibleForHandoff, forKey: .eligibleForHandoff)
        try container.encode(isEligibleForSearch, forKey: .eligibleForSearch)
        try container.encode(isEligibleForPublicIndexing, forKey: .eligibleForPublicIndexing)
        if let set = contentAttributeSet {
            try container.encode(JSONAttributes(set: set, domain: domainIdentifier), forKey: .contentAttributeSet)
        }
    }
}

extension UserInfoValue: Encodable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Writes the value as JSON; see ``UserInfoValue``.
    public func encode(to encoder: any Encoder) throws {
        func tagged(_ tag: String, _ text: String) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(text, forKey: Key(tag))
        }
        switch self {
        case .string(let text): try JSONAttribute(value: .text(text)).encode(to: encoder)
        case .number(let number): try JSONAttribute(value: .number(number)).encode(to: encoder)
        case .bool(let flag): try JSONAttribute(value: .flag(flag)).encode(to: encoder)
        case .date(let date): try tagged("$date", date.formatted(.iso8601))
        case .data(let data): try tagged("$data", data.base64EncodedString())
        case .url(let url): try tagged("$url", url)
        case .array(let values):
            var container = encoder.unkeyedContainer()
            for value in values { try container.encode(value) }
        case .dictionary(let values):
            var container = encoder.container(keyedBy: Key.self)
            for (key, value) in values.sorted(by: { $0.key < $1.key }) { try container.encode(value, forKey: Key(key)) }
        }
    }
}
