import Foundation

// MARK: - Reading

extension UserActivity {
    /// Reads an activity from JSON: `{"activityType": "…", "title": "…", "userInfo": {…}, …}`.
    ///
    /// - Throws: ``ItemFault`` with line and column.
    public init(json bytes: [UInt8]) throws(ItemFault) {
        let piece = JSONPieces.Piece(bytes: bytes, line: 1, column: 1)
        func fault(_ reason: String, _ attribute: String?, _ offset: Int) -> ItemFault {
            let place = piece.place(of: offset)
            return ItemFault(reason, attribute: attribute, line: place.line, column: place.column)
        }
        let value: JSONValue
        do throws(JSONFault) {
            value = try bytes.withUnsafeBufferPointer { bytes throws(JSONFault) in try JSONReader.value(of: bytes) }
        } catch {
            throw fault(error.reason, nil, error.offset)
        }
        guard case .object(let members) = value else {
            throw fault("expected an activity, an object in braces", nil, 0)
        }
        self.init(activityType: "")
        do throws(ItemMistake) {
            for member in members { try read(member) }
        } catch {
            throw fault(error.reason, error.attribute, error.offset)
        }
        guard !activityType.isEmpty else {
            throw fault("an activity needs a type; give “activityType”, such as com.example.watching", nil, 0)
        }
    }

    private mutating func read(_ member: JSONValue.Member) throws(ItemMistake) {
        func mistake(_ reason: String) -> ItemMistake {
            ItemMistake(reason: reason, attribute: member.name, offset: member.offset)
        }
        func text() throws(ItemMistake) -> String? {
            switch member.value {
            case .null: return nil
            case .string(let text): return text
            default: throw mistake("must be a text, is \(member.value.kind)")
            }
        }
        func address() throws(ItemMistake) -> String? {
            guard let text = try text() else { return nil }
            guard AttributeValue.isAddress(text) else {
                throw mistake("must be an address with its scheme, such as https://example.org")
            }
            return text
        }
        func flag() throws(ItemMistake) -> Bool {
            guard case .bool(let flag) = member.value else {
                throw mistake("must be true or false, is \(member.value.kind)")
            }
            return flag
        }
        func texts() throws(ItemMistake) -> [String] {
            guard case .array(let elements) = member.value else {
                throw mistake("must be a list of texts, is \(member.value.kind)")
            }
            var texts: [String] = []
            for element in elements {
                guard case .string(let text) = element.value else { throw mistake("must be a list of texts") }
                texts.append(text)
            }
            return texts
        }
        switch member.name {
        case "activityType": activityType = try text() ?? ""
        case "title": title = try text()
        case "userInfo":
            guard case .object(let members) = member.value else {
                throw mistake("must be an object, is \(member.value.kind)")
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
                throw mistake("must have 1 to 1000 bytes")
            }
        case "expirationDate":
            if let text = try text() {
                guard let date = Date(iso8601: text) else { throw mistake(ItemFields.dateHint) }
                expirationDate = date
            }
        case "eligibleForHandoff": isEligibleForHandoff = try flag()
        case "eligibleForSearch": isEligibleForSearch = try flag()
        case "eligibleForPublicIndexing": isEligibleForPublicIndexing = try flag()
        case "contentAttributeSet":
            if case .null = member.value { return }
            guard case .object(let members) = member.value else {
                throw mistake("must be an object, is \(member.value.kind)")
            }
            var fields = ItemFields()
            try fields.add(members)
            guard case .put(let item) = try fields.change() else { return }
            contentAttributeSet = item.attributeSet
            domainIdentifier = item.domainIdentifier
        // What an answer says beside the activity itself is read over.
        case "isCurrent", "beganAt", "endedAt", "isInvalidated": break
        default: throw mistake("an activity has no such member; put it into “userInfo” or correct the name")
        }
    }

    private static func values(_ members: [JSONValue.Member]) throws(ItemMistake) -> [String: UserInfoValue] {
        var values: [String: UserInfoValue] = [:]
        for member in members { values[member.name] = try value(member.value, member) }
        return values
    }

    private static func value(_ json: JSONValue, _ member: JSONValue.Member) throws(ItemMistake) -> UserInfoValue? {
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
                case "$url": AttributeValue.isAddress(text) ? .url(text) : nil
                default: nil
                }
            guard let tagged else {
                throw ItemMistake(
                    reason: "\(members[0].name) must be $date (ISO 8601), $data (Base64) or $url",
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

    /// Writes the object that ``init(json:)`` reads.
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

    /// Writes the value; see the type.
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
