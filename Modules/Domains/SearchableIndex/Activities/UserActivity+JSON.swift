import Foundation
import SwitchboardAlgorithms
public import SwitchboardJSON

// MARK: - Reading

extension UserActivity {
    /// Parses an activity from JSON: `{"activityType": "…", "title": "…", "userInfo": {…}, …}`.
    ///
    /// - Throws: An ``ItemError`` with line and column.
    public init(json bytes: [UInt8]) throws(ItemError) {
        let draft = ItemDraft(bytes: bytes)
        let members = try draft.members(of: "an activity")
        self.init(activityType: "")
        do throws(ItemMemberError) {
            for member in members { try read(member) }
        } catch {
            throw draft.error(error.reason, attribute: error.attribute, offset: error.offset)
        }
        guard !activityType.isEmpty else {
            throw draft.error("the activity has no type; add “activityType”, such as com.example.watching", offset: 0)
        }
    }

    private mutating func read(_ member: JSONValue.Member) throws(ItemMemberError) {
        func address() throws(ItemMemberError) -> String? {
            guard let text = try member.optionalString() else { return nil }
            guard AttributeValue.isURL(text) else { throw member.error(AttributeValue.urlHint) }
            return text
        }
        switch member.name {
        case "activityType": activityType = try member.optionalString() ?? ""
        case "title": title = try member.optionalString()
        case "userInfo": userInfo = try Self.values(try member.members())
        case "requiredUserInfoKeys": requiredUserInfoKeys = Set(try member.strings())
        case "keywords": keywords = try member.strings()
        case "webpageURL": webpageURL = try address()
        case "referrerURL": referrerURL = try address()
        case "targetContentIdentifier": targetContentIdentifier = try member.optionalString()
        case "persistentIdentifier", "id":
            persistentIdentifier = try member.optionalString()
            if let id = persistentIdentifier, id.isEmpty || id.utf8.count > 1_000 {
                throw member.error("must have between 1 and 1000 bytes")
            }
        case "expirationDate":
            if let text = try member.optionalString() {
                guard let date = Date(iso8601: text) else { throw member.error(ItemChangeBuilder.dateHint) }
                expirationDate = date
            }
        case "eligibleForHandoff": isEligibleForHandoff = try member.flag()
        case "eligibleForSearch": isEligibleForSearch = try member.flag()
        case "eligibleForPublicIndexing": isEligibleForPublicIndexing = try member.flag()
        case "contentAttributeSet":
            if case .null = member.value { return }
            var builder = ItemChangeBuilder()
            try builder.add(try member.members())
            guard case .put(let item) = try builder.change() else { return }
            contentAttributeSet = item.attributeSet
            domainIdentifier = item.domainIdentifier
        // Members that only a response contains are ignored.
        case "isCurrent", "beganAt", "endedAt", "isInvalidated": break
        default: throw member.error("unknown member of an activity; correct the name or move it to “userInfo”")
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

extension UserActivity: JSONObjectEncodable {
    /// Writes the JSON object that ``init(json:)`` parses.
    public func encode(to members: inout JSONMembers) throws {
        try members.add("activityType", activityType)
        try members.add("title", title)
        try members.add("userInfo", userInfo)
        try members.add("requiredUserInfoKeys", requiredUserInfoKeys.sorted())
        try members.add("keywords", keywords)
        try members.add("webpageURL", webpageURL)
        if let referrerURL { try members.add("referrerURL", referrerURL) }
        if let targetContentIdentifier { try members.add("targetContentIdentifier", targetContentIdentifier) }
        try members.add("persistentIdentifier", persistentIdentifier)
        try members.add("expirationDate", expirationDate?.iso8601)
        try members.add("eligibleForHandoff", isEligibleForHandoff)
        try members.add("eligibleForSearch", isEligibleForSearch)
        try members.add("eligibleForPublicIndexing", isEligibleForPublicIndexing)
        if let set = contentAttributeSet {
            try members.add("contentAttributeSet", JSONAttributes(set: set, domain: domainIdentifier))
        }
    }
}

extension UserInfoValue: Encodable {
    /// Writes the value as JSON; see ``UserInfoValue``.
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }

    private var json: JSONValue {
        switch self {
        case .string(let text): .string(text)
        case .number(let number): .number(number)
        case .bool(let flag): .bool(flag)
        case .date(let date): ["$date": .string(date.iso8601)]
        case .data(let data): ["$data": .string(data.base64EncodedString())]
        case .url(let url): ["$url": .string(url)]
        case .array(let values): JSONValue(values.map(\.json))
        case .dictionary(let values):
            JSONValue(values.sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value.json) })
        }
    }
}
