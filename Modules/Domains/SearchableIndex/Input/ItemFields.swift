import Foundation

/// The members of an item's JSON, understood one after the other.
struct ItemFields {
    private(set) var id: String?
    private var domain: String??
    private var expiration: SearchableItem.Expiration?
    private var isUpdate = false
    private var attributes = SearchableItemAttributeSet()
    private var removed: Set<Attribute> = []
    private var removedCustom: Set<String> = []
    /// Where the first attribute that is null stands: only an update may take attributes away.
    private var idOffset = 0

    mutating func add(_ members: [JSONValue.Member]) throws(ItemMistake) {
        for member in members { try add(member) }
    }

    /// The item or update that the members make.
    func change() throws(ItemMistake) -> ItemChange {
        guard isUpdate else {
            return .put(
                SearchableItem(
                    uniqueIdentifier: id, domainIdentifier: domain ?? nil, attributeSet: attributes,
                    expiration: expiration ?? .usual))
        }
        guard let id else {
            throw ItemMistake(
                reason: "an update needs the identifier of its item; give “id”", attribute: "id", offset: idOffset)
        }
        var update = SearchableItemUpdate(uniqueIdentifier: id)
        update.attributeSet = attributes
        update.removed = removed
        update.removedCustom = removedCustom
        update.domainIdentifier = domain
        update.expiration = expiration
        return .update(update)
    }

    private mutating func add(_ member: JSONValue.Member) throws(ItemMistake) {
        func mistake(_ reason: String) -> ItemMistake {
            ItemMistake(reason: reason, attribute: member.name, offset: member.offset)
        }
        switch member.name {
        case "id", "uniqueIdentifier":
            guard case .string(let text) = member.value else {
                throw mistake("must be a text, is \(member.value.kind)")
            }
            guard !text.isEmpty, text.utf8.count <= 1_000 else { throw mistake("must have 1 to 1000 bytes") }
            guard id == nil || id == text else { throw mistake("there are two identifiers") }
            id = text
        case "domain", "domainIdentifier":
            switch member.value {
            case .null: domain = .some(nil)
            case .string(let text):
                guard text.utf8.count <= 1_000 else { throw mistake("must have 1000 bytes at most") }
                domain = text.isEmpty ? .some(nil) : text
            default: throw mistake("must be a text, is \(member.value.kind)")
            }
        case "expiresAt", "expirationDate":
            switch member.value {
            case .null: expiration = .never
            case .string(let text):
                guard let date = Date(iso8601: text) else { throw mistake(Self.dateHint) }
                expiration = .at(date)
            default: throw mistake(Self.dateHint)
            }
        case "isUpdate":
            guard case .bool(let flag) = member.value else {
                throw mistake("must be true or false, is \(member.value.kind)")
            }
            isUpdate = flag
            idOffset = member.offset
        case "attributeSet":
            guard case .object(let members) = member.value else {
                throw mistake("must be an object, is \(member.value.kind)")
            }
            try add(members)
        case "custom":
            guard case .object(let members) = member.value else {
                throw mistake("must be an object, is \(member.value.kind)")
            }
            for member in members { try addCustom(member) }
        default:
            guard let attribute = Attribute(name: member.name) else {
                throw mistake("there is no such attribute; put it under “custom” or correct the name")
            }
            if case .null = member.value {
                removed.insert(attribute)
                attributes[attribute] = []
            } else {
                removed.remove(attribute)
                do throws(AttributeMistake) {
                    attributes[attribute] = try attribute.values(of: member.value)
                } catch {
                    throw ItemMistake(
                        reason: error.reason, attribute: member.name, offset: error.offset ?? member.offset)
                }
            }
        }
    }

    static let dateHint = "must be a date such as “2026-11-21” or “2026-11-21T09:00:00Z”"

    // MARK: - Attributes of an app's own

    private mutating func addCustom(_ member: JSONValue.Member) throws(ItemMistake) {
        let name = "custom.\(member.name)"
        guard CustomAttribute.isValid(member.name) else {
            throw ItemMistake(
                reason:
                    "a name has 1 to 100 letters, digits, '_' or '-', begins with a letter, and is not one of an attribute",
                attribute: name, offset: member.offset)
        }
        func value(_ value: JSONValue) throws(ItemMistake) -> AttributeValue {
            switch value {
            case .string(let text): return .text(text)
            case .number(let number): return .number(number)
            case .bool(let flag): return .flag(flag)
            case .null, .array, .object:
                throw ItemMistake(
                    reason: "must be a text, a number, true or false, or a list of one of them", attribute: name,
                    offset: member.offset)
            }
        }
        switch member.value {
        case .null: removedCustom.insert(member.name)
        case .array(let elements):
            var values: [AttributeValue] = []
            for element in elements { values.append(try value(element.value)) }
            guard Set(values.map(CustomAttribute.type)).count <= 1 else {
                throw ItemMistake(reason: "the values are of several types", attribute: name, offset: member.offset)
            }
            attributes.custom[member.name] = values
        default: attributes.custom[member.name] = [try value(member.value)]
        }
    }
}

// MARK: - Values of attributes

/// What is wrong with a value, and where if it stands in a list.
struct AttributeMistake: Error {
    let reason: String
    var offset: Int?
}

extension Attribute {
    /// The values that a JSON value gives the attribute. A list may be given as its only value.
    func values(of value: JSONValue) throws(AttributeMistake) -> [AttributeValue] {
        guard case .array(let elements) = value else { return [try self.value(value)] }
        guard isList else { throw AttributeMistake(reason: "must be \(kind.article), is a list") }
        var values: [AttributeValue] = []
        values.reserveCapacity(elements.count)
        for element in elements {
            do throws(AttributeMistake) {
                values.append(try self.value(element.value))
            } catch {
                throw AttributeMistake(reason: error.reason, offset: element.offset)
            }
        }
        return values
    }

    private func value(_ value: JSONValue) throws(AttributeMistake) -> AttributeValue {
        switch (kind, value) {
        case (.text, .string(let text)): return .text(text)
        case (.url, .string(let text)):
            guard AttributeValue.isAddress(text) else {
                throw AttributeMistake(reason: "must be an address with its scheme, such as https://example.org")
            }
            return .text(text)
        case (.number, .number(let number)):
            try check(number)
            return .number(number)
        case (.date, .string(let text)):
            guard let date = Date(iso8601: text) else { throw AttributeMistake(reason: ItemFields.dateHint) }
            return .date(date)
        case (.flag, .bool(let flag)): return .flag(flag)
        case (.data, .string(let text)):
            guard let data = Data(base64Encoded: text) else {
                throw AttributeMistake(reason: "must be bytes as Base64")
            }
            return .data(data)
        case (.person, .string(let name)): return .person(IndexedPerson(name: name))
        case (.person, .object(let members)): return .person(try Self.person(members))
        default: throw AttributeMistake(reason: "must be \(kind.article), is \(value.kind)")
        }
    }

    /// Whether a number can be the attribute's.
    func check(_ number: Double) throws(AttributeMistake) {
        let range: ClosedRange<Double>? =
            switch self {
            case .rankingHint: 0...100
            case .latitude: -90...90
            case .longitude: -180...180
            case .playCount: 0...9_007_199_254_740_992
            default: nil
            }
        if let range, !range.contains(number) {
            throw AttributeMistake(
                reason: "must be from \(Int(range.lowerBound)) to \(Int(range.upperBound)), is \(number)")
        }
        guard number.isFinite else { throw AttributeMistake(reason: "must be a finite number") }
    }

    private static func person(_ members: [JSONValue.Member]) throws(AttributeMistake) -> IndexedPerson {
        var person = IndexedPerson(name: "")
        func texts(_ member: JSONValue.Member) throws(AttributeMistake) -> [String] {
            if case .string(let text) = member.value { return [text] }
            guard case .array(let elements) = member.value else {
                throw AttributeMistake(reason: "\(member.name) must be a list of texts", offset: member.offset)
            }
            var texts: [String] = []
            for element in elements {
                guard case .string(let text) = element.value else {
                    throw AttributeMistake(reason: "\(member.name) must be a list of texts", offset: element.offset)
                }
                texts.append(text)
            }
            return texts
        }
        for member in members {
            switch member.name {
            case "name":
                guard case .string(let text) = member.value else {
                    throw AttributeMistake(
                        reason: "name must be a text, is \(member.value.kind)", offset: member.offset)
                }
                person.name = text
            case "phones": person.phones = try texts(member)
            case "emails": person.emails = try texts(member)
            default:
                throw AttributeMistake(
                    reason: "a person has name, phones and emails, no \(member.name)", offset: member.offset)
            }
        }
        return person
    }
}

extension Attribute.Kind {
    /// The kind with its article, for messages.
    var article: String {
        switch self {
        case .text: "a text"
        case .url: "an address, as a text"
        case .number: "a number"
        case .date: "a date, as a text"
        case .flag: "true or false"
        case .data: "bytes as Base64, a text"
        case .person: "a person, as a name or {\"name\", \"phones\", \"emails\"}"
        }
    }
}

extension AttributeValue {
    /// Whether a text is an address with its scheme (RFC 3986, section 3.1), and holds no space or control character.
    static func isAddress(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), colon != text.utf8.startIndex,
            text.utf8.index(after: colon) != text.utf8.endIndex, text.utf8.count <= 8_192
        else { return false }
        func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
        let scheme = text.utf8[..<colon]
        guard let first = scheme.first, isLetter(first),
            scheme.allSatisfy({ isLetter($0) || (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0) })
        else { return false }
        return text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    }
}
