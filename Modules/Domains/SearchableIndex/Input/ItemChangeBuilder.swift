import Foundation
import SwitchboardJSON

/// A builder of an item or update from the members of its JSON object.
struct ItemChangeBuilder {
    private(set) var id: String?
    private var domain: String??
    private var expiration: SearchableItem.Expiration?
    private var isUpdate = false
    private var attributes = SearchableItemAttributeSet()
    private var removed: Set<Attribute> = []
    private var removedCustom: Set<String> = []
    /// The offset of `isUpdate`, for the error about a missing identifier.
    private var idOffset = 0

    mutating func add(_ members: [JSONValue.Member]) throws(ItemMemberError) {
        for member in members { try add(member) }
    }

    /// Returns the item or update that the members describe.
    func change() throws(ItemMemberError) -> ItemChange {
        guard isUpdate else {
            return .put(
                SearchableItem(
                    uniqueIdentifier: id, domainIdentifier: domain ?? nil, attributeSet: attributes,
                    expiration: expiration ?? .default))
        }
        guard let id else {
            throw ItemMemberError(
                reason: "an update requires the identifier of the item; add “id”", attribute: "id", offset: idOffset)
        }
        var update = SearchableItemUpdate(uniqueIdentifier: id)
        update.attributeSet = attributes
        update.removed = removed
        update.removedCustom = removedCustom
        update.domainIdentifier = domain
        update.expiration = expiration
        return .update(update)
    }

    private mutating func add(_ member: JSONValue.Member) throws(ItemMemberError) {
        switch member.name {
        case "id", "uniqueIdentifier":
            let text = try member.string()
            guard !text.isEmpty, text.utf8.count <= 1_000 else {
                throw member.error("must have between 1 and 1000 bytes")
            }
            guard id == nil || id == text else { throw member.error("the item has two identifiers; keep one") }
            id = text
        case "domain", "domainIdentifier":
            let text = try member.optionalString() ?? ""
            guard text.utf8.count <= 1_000 else { throw member.error("must have at most 1000 bytes") }
            domain = text.isEmpty ? .some(nil) : text
        case "expiresAt", "expirationDate":
            if case .null = member.value {
                expiration = .never
            } else {
                guard case .string(let text) = member.value, let date = Date(iso8601: text) else {
                    throw member.error(Self.dateHint)
                }
                expiration = .at(date)
            }
        case "isUpdate":
            isUpdate = try member.flag()
            idOffset = member.offset
        case "attributeSet": try add(try member.members())
        case "custom": for member in try member.members() { try addCustom(member) }
        default:
            guard let attribute = Attribute(name: member.name) else {
                throw member.error("unknown attribute; correct the name or move it to “custom”")
            }
            if case .null = member.value {
                removed.insert(attribute)
                attributes[attribute] = []
            } else {
                removed.remove(attribute)
                do throws(AttributeError) {
                    attributes[attribute] = try attribute.values(of: member.value)
                } catch {
                    throw ItemMemberError(
                        reason: error.reason, attribute: member.name, offset: error.offset ?? member.offset)
                }
            }
        }
    }

    static let dateHint = "must be a date such as “2026-11-21” or “2026-11-21T09:00:00Z”"

    // MARK: - Custom attributes

    private mutating func addCustom(_ member: JSONValue.Member) throws(ItemMemberError) {
        func invalid(_ reason: String) -> ItemMemberError {
            ItemMemberError(reason: reason, attribute: "custom.\(member.name)", offset: member.offset)
        }
        guard CustomAttribute.isValid(member.name) else {
            throw invalid(
                "invalid name; use a letter and up to 99 letters, digits, '_' or '-', not a standard attribute")
        }
        func value(_ value: JSONValue) throws(ItemMemberError) -> AttributeValue {
            switch value {
            case .string(let text): return .text(text)
            case .number(let number): return .number(number)
            case .bool(let flag): return .flag(flag)
            case .null, .array, .object:
                throw invalid("must be a string, a number, true or false, or a list of one of these types")
            }
        }
        switch member.value {
        case .null: removedCustom.insert(member.name)
        case .array(let elements):
            var values: [AttributeValue] = []
            for element in elements { values.append(try value(element.value)) }
            guard Set(values.map(CustomAttribute.type)).count <= 1 else {
                throw invalid("the values have different types; use one type")
            }
            attributes.custom[member.name] = values
        default: attributes.custom[member.name] = [try value(member.value)]
        }
    }
}

/// An invalid member of an item, with its offset.
struct ItemMemberError: Error {
    let reason: String
    let attribute: String?
    let offset: Int
}

// MARK: - Members

extension JSONValue.Member {
    func error(_ reason: String) -> ItemMemberError {
        ItemMemberError(reason: reason, attribute: name, offset: offset)
    }

    func string() throws(ItemMemberError) -> String {
        guard case .string(let text) = value else { throw error("must be a string, not \(value.kind)") }
        return text
    }

    func optionalString() throws(ItemMemberError) -> String? {
        if case .null = value { nil } else { try string() }
    }

    func strings() throws(ItemMemberError) -> [String] {
        guard case .array(let elements) = value else { throw error("must be a list of strings, not \(value.kind)") }
        var texts: [String] = []
        for element in elements {
            guard case .string(let text) = element.value else { throw error("must be a list of strings") }
            texts.append(text)
        }
        return texts
    }

    func flag() throws(ItemMemberError) -> Bool {
        guard case .bool(let flag) = value else { throw error("must be true or false, not \(value.kind)") }
        return flag
    }

    func members() throws(ItemMemberError) -> [JSONValue.Member] {
        guard case .object(let members) = value else { throw error("must be an object, not \(value.kind)") }
        return members
    }
}

// MARK: - Attribute values

/// An invalid attribute value, with its offset if it is an element of a list.
struct AttributeError: Error {
    let reason: String
    var offset: Int?
}

extension Attribute {
    /// Returns the attribute's values from a JSON value. A list attribute also accepts a single value.
    func values(of value: JSONValue) throws(AttributeError) -> [AttributeValue] {
        guard case .array(let elements) = value else { return [try self.value(value)] }
        guard isList else { throw AttributeError(reason: "must be \(kind.article), not a list") }
        var values: [AttributeValue] = []
        values.reserveCapacity(elements.count)
        for element in elements {
            do throws(AttributeError) {
                values.append(try self.value(element.value))
            } catch {
                throw AttributeError(reason: error.reason, offset: element.offset)
            }
        }
        return values
    }

    private func value(_ value: JSONValue) throws(AttributeError) -> AttributeValue {
        switch (kind, value) {
        case (.text, .string(let text)): return .text(text)
        case (.url, .string(let text)):
            guard AttributeValue.isURL(text) else { throw AttributeError(reason: AttributeValue.urlHint) }
            return .text(text)
        case (.number, .number(let number)):
            try check(number)
            return .number(number)
        case (.date, .string(let text)):
            guard let date = Date(iso8601: text) else { throw AttributeError(reason: ItemChangeBuilder.dateHint) }
            return .date(date)
        case (.flag, .bool(let flag)): return .flag(flag)
        case (.data, .string(let text)):
            guard let data = Data(base64Encoded: text) else { throw AttributeError(reason: "must be data in Base64") }
            return .data(data)
        case (.person, .string(let name)): return .person(IndexedPerson(name: name))
        case (.person, .object(let members)): return .person(try Self.person(members))
        default: throw AttributeError(reason: "must be \(kind.article), not \(value.kind)")
        }
    }

    func check(_ number: Double) throws(AttributeError) {
        let range: ClosedRange<Double>? =
            switch self {
            case .rankingHint: 0...100
            case .latitude: -90...90
            case .longitude: -180...180
            case .playCount: 0...9_007_199_254_740_992
            default: nil
            }
        if let range, !range.contains(number) {
            throw AttributeError(
                reason: "must be between \(Int(range.lowerBound)) and \(Int(range.upperBound)), not \(number)")
        }
        guard number.isFinite else { throw AttributeError(reason: "must be a finite number") }
    }

    private static func person(_ members: [JSONValue.Member]) throws(AttributeError) -> IndexedPerson {
        var person = IndexedPerson(name: "")
        func texts(_ member: JSONValue.Member) throws(AttributeError) -> [String] {
            if case .string(let text) = member.value { return [text] }
            guard case .array(let elements) = member.value else {
                throw AttributeError(reason: "\(member.name) must be a list of strings", offset: member.offset)
            }
            var texts: [String] = []
            for element in elements {
                guard case .string(let text) = element.value else {
                    throw AttributeError(reason: "\(member.name) must be a list of strings", offset: element.offset)
                }
                texts.append(text)
            }
            return texts
        }
        for member in members {
            switch member.name {
            case "name":
                guard case .string(let text) = member.value else {
                    throw AttributeError(
                        reason: "name must be a string, not \(member.value.kind)", offset: member.offset)
                }
                person.name = text
            case "phones": person.phones = try texts(member)
            case "emails": person.emails = try texts(member)
            default:
                throw AttributeError(
                    reason: "unknown member \(member.name) of a person; use name, phones and emails",
                    offset: member.offset)
            }
        }
        return person
    }
}

extension Attribute.Kind {
    /// The kind with its article, for error messages.
    var article: String {
        switch self {
        case .text: "a string"
        case .url: "a URL, as a string"
        case .number: "a number"
        case .date: "a date, as a string"
        case .flag: "true or false"
        case .data: "data in Base64, as a string"
        case .person: "a person, as a name or {\"name\", \"phones\", \"emails\"}"
        }
    }
}

extension AttributeValue {
    static let urlHint = "must be a URL with a scheme, such as https://example.org"

    /// Returns whether a string is a URL with a scheme (RFC 3986, section 3.1), without spaces and control characters.
    static func isURL(_ text: String) -> Bool {
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
