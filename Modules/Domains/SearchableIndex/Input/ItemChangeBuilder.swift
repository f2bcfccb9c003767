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
        func invalid(_ reason: String) -> ItemMemberError {
            ItemMemberError(reason: reason, attribute: member.name, offset: member.offset)
        }
        switch member.name {
        case "id", "uniqueIdentifier":
            guard case .string(let text) = member.value else {
                throw invalid("must be a string, not \(member.value.kind)")
            }
            guard !text.isEmpty, text.utf8.count <= 1_000 else { throw invalid("must have between 1 and 1000 bytes") }
            guard id == nil || id == text else { throw invalid("the item has two identifiers; keep one") }
            id = text
        case "domain", "domainIdentifier":
            switch member.value {
            case .null: domain = .some(nil)
            case .string(let text):
                guard text.utf8.count <= 1_000 else { throw invalid("must have at most 1000 bytes") }
                domain = text.isEmpty ? .some(nil) : text
            default: throw invalid("must be a string, not \(member.value.kind)")
            }
        case "expiresAt", "expirationDate":
            switch member.value {
            case .null: expiration = .never
            case .string(let text):
                guard let date = Date(iso8601: text) else { throw invalid(Self.dateHint) }
                expiration = .at(date)
            default: throw invalid(Self.dateHint)
            }
        case "isUpdate":
            guard case .bool(let flag) = member.value else {
                throw invalid("must be true or false, not \(member.value.kind)")
            }
            isUpdate = flag
            idOffset = member.offset
        case "attributeSet":
            guard case .object(let members) = member.value else {
                throw invalid("must be an object, not \(member.value.kind)")
            }
            try add(members)
        case "custom":
            guard case .object(let members) = member.value else {
                throw invalid("must be an object, not \(member.value.kind)")
            }
            for member in members { try addCustom(member) }
        default:
            guard let attribute = Attribute(name: member.name) else {
                throw invalid("unknown attribute; correct the name or move it to “custom”")
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
        let name = "custom.\(member.name)"
        guard CustomAttribute.isValid(member.name) else {
            throw ItemMemberError(
                reason:
                    "invalid name; use a letter and up to 99 letters, digits, '_' or '-', not a standard attribute",
                attribute: name, offset: member.offset)
        }
        func value(_ value: JSONValue) throws(ItemMemberError) -> AttributeValue {
            switch value {
            case .string(let text): return .text(text)
            case .number(let number): return .number(number)
            case .bool(let flag): return .flag(flag)
            case .null, .array, .object:
                throw ItemMemberError(
                    reason: "must be a string, a number, true or false, or a list of one of these types",
                    attribute: name,
                    offset: member.offset)
            }
        }
        switch member.value {
        case .null: removedCustom.insert(member.name)
        case .array(let elements):
            var values: [AttributeValue] = []
            for element in elements { values.append(try value(element.value)) }
            guard Set(values.map(CustomAttribute.type)).count <= 1 else {
                throw ItemMemberError(
                    reason: "the values have different types; use one type", attribute: name, offset: member.offset)
            }
            attributes.custom[member.name] = values
        default: attributes.custom[member.name] = [try value(member.value)]
        }
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

    /// Checks that a number is in the range of the attribute.
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
